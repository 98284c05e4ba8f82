//! Where the dots, lines and boxes of a board lie in a picture.
//!
//! Neighbouring dots are one unit apart, `x` grows to the right and `y` downwards; nothing lies left of or above 0.
//! ```text
//!    •──0──•──1──•         grids and rows: dots, lines between them, boxes with corners
//!    4  0  5  1  6
//!    •──2──•──3──•
//!
//!    ─○──○─                graphs: coins, strings between them and to the ground, no dots
//! ```
//! Graphs lie where their files put the coins, else on a circle.

use std::f64::consts::TAU;

use dab_board::{Board, BoardKind, BoxIdx, LineIdx};
use serde::Serialize;

/// A place in the picture: `x`, `y`.
pub type Point = [f64; 2];

/// Room between two coins of a graph.
const COIN_GAP: f64 = 1.6;
/// How far the strings to the ground reach.
const STUB: f64 = 0.9;
/// Height of a triangle whose sides are about 1 long.
const TRIANGLE: f64 = 0.95;

/// A line that can be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineShape {
    /// The line as a polyline.
    pub path: Vec<Point>,
    /// Its middle, where its score goes.
    pub mid: Point,
    /// What belongs to it more than to any other line: a polygon around it.
    pub area: Vec<Point>,
}

/// A box, or a coin of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxShape {
    /// Its centre.
    pub centre: Point,
    /// Its corners; none for a coin.
    pub corners: Vec<Point>,
    /// The lines around it.
    pub lines: Vec<LineIdx>,
}

/// Where everything of a board lies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Geometry {
    /// Width of the picture without margins.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The dots; none for a graph.
    pub dots: Vec<Point>,
    /// Sides that are drawn from the beginning and are no lines of the board.
    pub walls: Vec<[Point; 2]>,
    /// The lines in order.
    pub lines: Vec<LineShape>,
    /// The boxes in order.
    pub boxes: Vec<BoxShape>,
}

impl Geometry {
    /// The geometry of a board.
    pub fn of(board: &Board) -> Self {
        let mut geometry = match board.kind() {
            BoardKind::Grid { rows, cols } => grid(rows, cols),
            BoardKind::Boxes { n, closed: false } => grid(1, n),
            BoardKind::Boxes { n, closed: true } => closed_row(n),
            BoardKind::Triangles { n, closed } => triangles(n, closed),
            BoardKind::Graph => graph(board),
        };
        for (shape, joint) in geometry.boxes.iter_mut().zip(board.graph().joints()) {
            shape.lines = joint.strings.iter().collect();
        }
        for (line, string) in board.graph().strings().iter().enumerate() {
            if geometry.lines[line].area.is_empty() {
                geometry.lines[line].area = area(&geometry, line, string.ends);
            }
        }
        geometry.move_to_origin();
        geometry
    }

    fn of_dots(width: f64, height: f64, lines: Vec<[Point; 2]>, boxes: Vec<Vec<Point>>) -> Self {
        let lines = lines.into_iter().map(|[a, b]| LineShape { path: vec![a, b], mid: middle(a, b), area: Vec::new() });
        let boxes = boxes.into_iter().map(|corners| BoxShape { centre: mean(&corners), corners, lines: Vec::new() });
        Self { width, height, dots: Vec::new(), walls: Vec::new(), lines: lines.collect(), boxes: boxes.collect() }
    }

    /// Shifts everything so that the picture begins at 0, and measures it.
    fn move_to_origin(&mut self) {
        let paths = self.lines.iter().flat_map(|line| &line.path);
        let points = paths.chain(self.boxes.iter().map(|shape| &shape.centre)).chain(&self.dots);
        let (mut least, mut most) = ([f64::MAX; 2], [f64::MIN; 2]);
        for point in points {
            for axis in 0..2 {
                least[axis] = least[axis].min(point[axis]);
                most[axis] = most[axis].max(point[axis]);
            }
        }
        let lines = self
            .lines
            .iter_mut()
            .flat_map(|line| line.path.iter_mut().chain(std::iter::once(&mut line.mid)).chain(&mut line.area));
        let boxes = self.boxes.iter_mut().flat_map(|shape| shape.corners.iter_mut().chain([&mut shape.centre]));
        for point in lines.chain(boxes).chain(&mut self.dots).chain(self.walls.iter_mut().flatten()) {
            *point = [round(point[0] - least[0]), round(point[1] - least[1])];
        }
        (self.width, self.height) = (round(most[0] - least[0]), round(most[1] - least[1]));
    }
}

/// The quadrangle between the ends of a line and the boxes at both sides; outside, as far out as inside.
fn area(geometry: &Geometry, line: LineIdx, ends: [Option<BoxIdx>; 2]) -> Vec<Point> {
    let LineShape { path, mid, .. } = &geometry.lines[line];
    let [from, to] = [path[0], path[path.len() - 1]];
    if path.len() > 2 || geometry.dots.is_empty() {
        return (0..8).map(|i| towards(*mid, f64::from(i) * TAU / 8.0, 0.3)).collect();
    }
    let centre = |end: BoxIdx| geometry.boxes[end].centre;
    let mirrored = |[x, y]: Point| [2.0 * mid[0] - x, 2.0 * mid[1] - y];
    let [one, other] = match ends {
        [Some(a), Some(b)] => [centre(a), centre(b)],
        [Some(a), None] | [None, Some(a)] => [centre(a), mirrored(centre(a))],
        [None, None] => [*mid; 2],
    };
    vec![from, one, to, other]
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn middle(a: Point, b: Point) -> Point {
    mean(&[a, b])
}

fn mean(points: &[Point]) -> Point {
    let sum = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>();
    [sum(0) / points.len() as f64, sum(1) / points.len() as f64]
}

fn towards([x, y]: Point, angle: f64, far: f64) -> Point {
    [x + far * angle.cos(), y + far * angle.sin()]
}

fn grid(rows: usize, cols: usize) -> Geometry {
    let at = |r: usize, c: usize| [c as f64, r as f64];
    let all = |n_rows: usize, n_cols: usize| (0..n_rows).flat_map(move |r| (0..n_cols).map(move |c| (r, c)));
    let across = all(rows + 1, cols).map(|(r, c)| [at(r, c), at(r, c + 1)]);
    let down = all(rows, cols + 1).map(|(r, c)| [at(r, c), at(r + 1, c)]);
    let boxes = all(rows, cols).map(|(r, c)| vec![at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)]);
    let dots = all(rows + 1, cols + 1).map(|(r, c)| at(r, c)).collect();
    Geometry { dots, ..Geometry::of_dots(cols as f64, rows as f64, across.chain(down).collect(), boxes.collect()) }
}

/// Boxes in a row whose top and ends are walls: bottom lines, then those between neighbours.
fn closed_row(n: usize) -> Geometry {
    let open = grid(1, n);
    let segment = |line: usize| [open.lines[line].path[0], open.lines[line].path[1]];
    let lines = (n..2 * n).chain(2 * n + 1..3 * n).map(segment).collect();
    let walls = (0..n).chain([2 * n, 3 * n]).map(segment).collect();
    let boxes = open.boxes.iter().map(|shape| shape.corners.clone()).collect();
    Geometry { dots: open.dots.clone(), walls, ..Geometry::of_dots(open.width, open.height, lines, boxes) }
}

/// Triangles that stand (even) and hang (odd) in turn. Open: tops, bottoms, then what is across; closed: tops and both
/// ends are walls.
fn triangles(n: usize, closed: bool) -> Geometry {
    let top = |i: usize| [i as f64 + 0.5, 0.0];
    let bottom = |i: usize| [i as f64, TRIANGLE];
    let tops = (1..n).map(|i| [top(i - 1), top(i)]);
    let bottoms = (0..n).map(|i| [bottom(i), bottom(i + 1)]);
    let across = (0..2 * n).map(|place| match place % 2 {
        0 => [bottom(place / 2), top(place / 2)],
        _ => [top(place / 2), bottom(place / 2 + 1)],
    });
    let across: Vec<[Point; 2]> = across.collect();
    let (lines, walls) = match closed {
        true => {
            let ends = [across[0], across[2 * n - 1]];
            (bottoms.chain(across[1..2 * n - 1].iter().copied()).collect(), tops.chain(ends).collect())
        }
        false => (tops.chain(bottoms).chain(across).collect(), Vec::new()),
    };
    let boxes = (0..2 * n - 1).map(|place| match place % 2 {
        0 => vec![bottom(place / 2), top(place / 2), bottom(place / 2 + 1)],
        _ => vec![top(place / 2), top(place / 2 + 1), bottom(place / 2 + 1)],
    });
    let dots = (0..n).map(top).chain((0..=n).map(bottom)).collect();
    Geometry { dots, walls, ..Geometry::of_dots(n as f64, TRIANGLE, lines, boxes.collect()) }
}

/// Coins and strings.
fn graph(board: &Board) -> Geometry {
    let n = board.n_boxes();
    let coins: Vec<Point> = match board.places() {
        Some(places) => places.iter().map(|&(row, col)| [COIN_GAP * col as f64, COIN_GAP * row as f64]).collect(),
        None => {
            let radius = if n > 1 { COIN_GAP / 2.0 / (TAU / 2.0 / n as f64).sin() } else { 0.0 };
            (0..n).map(|i| towards([0.0, 0.0], TAU * i as f64 / n as f64 - TAU / 4.0, radius)).collect()
        }
    };
    let strings = board.graph().strings();
    // Directions in which something leaves each coin.
    let mut taken: Vec<Vec<f64>> = vec![Vec::new(); n];
    for string in strings {
        if let [Some(a), Some(b)] = string.ends {
            taken[a].push(angle(coins[a], coins[b]));
            taken[b].push(angle(coins[b], coins[a]));
        }
    }
    let centre = mean(&coins);
    let mut lines = Vec::with_capacity(strings.len());
    for (i, string) in strings.iter().enumerate() {
        let (path, mid) = match string.ends {
            [Some(a), Some(b)] => {
                let alike = |other: &&dab_board::graph::GraphString| other.ends == string.ends;
                let (before, all) = (strings[..i].iter().filter(alike).count(), strings.iter().filter(alike).count());
                bent(coins[a], coins[b], before as f64 - (all as f64 - 1.0) / 2.0)
            }
            [None, Some(a)] | [Some(a), None] => {
                let way = free_direction(&taken[a], coins[a], centre);
                taken[a].push(way);
                (vec![coins[a], towards(coins[a], way, STUB)], towards(coins[a], way, STUB * 0.66))
            }
            [None, None] => (vec![centre, centre], centre),
        };
        lines.push(LineShape { path, mid, area: Vec::new() });
    }
    let boxes = coins.iter().map(|&centre| BoxShape { centre, corners: Vec::new(), lines: Vec::new() }).collect();
    Geometry { width: 0.0, height: 0.0, dots: Vec::new(), walls: Vec::new(), lines, boxes }
}

fn angle(from: Point, to: Point) -> f64 {
    (to[1] - from[1]).atan2(to[0] - from[0])
}

/// A string between two coins, bent aside by so many steps, and its middle.
fn bent(a: Point, b: Point, steps: f64) -> (Vec<Point>, Point) {
    let mid = middle(a, b);
    if steps == 0.0 {
        return (vec![a, b], mid);
    }
    // The same side whichever end comes first.
    let far = 1.1 * steps;
    let control = towards(mid, angle(a, b) + TAU / 4.0, far);
    let at = |t: f64| {
        let part =
            |axis: usize| (1.0 - t) * (1.0 - t) * a[axis] + 2.0 * t * (1.0 - t) * control[axis] + t * t * b[axis];
        [part(0), part(1)]
    };
    ((0..=8).map(|i| at(f64::from(i) / 8.0)).collect(), at(0.5))
}

/// The direction that is farthest from all others, outwards if there are several.
fn free_direction(taken: &[f64], coin: Point, centre: Point) -> f64 {
    let outward = if coin == centre { TAU / 4.0 } else { angle(centre, coin) };
    let apart = |a: f64, b: f64| {
        let turn = (a - b).rem_euclid(TAU);
        turn.min(TAU - turn)
    };
    let room = |way: f64| {
        let nearest = taken.iter().map(|&other| apart(way, other)).fold(TAU / 3.0, f64::min);
        nearest - 0.01 * apart(way, outward)
    };
    let ways = (0..24).map(|i| TAU * f64::from(i) / 24.0);
    ways.max_by(|&a, &b| room(a).total_cmp(&room(b))).unwrap_or(outward)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dab_board::Board;

    /// Every box lies between its lines, every line has an area, and the picture begins at 0.
    #[track_caller]
    fn check(board: &Arc<Board>, n_dots: usize, n_walls: usize) -> Geometry {
        let geometry = Geometry::of(board);
        assert_eq!((geometry.lines.len(), geometry.boxes.len()), (board.n_lines(), board.n_boxes()));
        assert_eq!((geometry.dots.len(), geometry.walls.len()), (n_dots, n_walls));
        for shape in geometry.boxes.iter().filter(|shape| !shape.corners.is_empty()) {
            for &line in &shape.lines {
                for end in &geometry.lines[line].path {
                    assert!(shape.corners.contains(end), "line {line} ends beside its box in {}", board.name());
                }
            }
        }
        for line in &geometry.lines {
            assert!(line.area.len() >= 4);
            assert!(line.path.iter().flatten().all(|&x| x >= 0.0));
            assert!(line.path.iter().all(|p| p[0] <= geometry.width && p[1] <= geometry.height));
        }
        geometry
    }

    #[test]
    fn lines_are_sides_of_their_boxes() {
        check(&Board::grid(3, 4).unwrap(), 20, 0);
        check(&Board::row(5, false).unwrap(), 12, 0);
        check(&Board::row(5, true).unwrap(), 12, 7);
        check(&Board::row(1, true).unwrap(), 4, 3);
        check(&Board::triangles(4, false).unwrap(), 9, 0);
        check(&Board::triangles(4, true).unwrap(), 9, 5);
        check(&Board::triangles(1, true).unwrap(), 3, 2);
    }

    #[test]
    fn strings_end_at_their_coins() {
        let file = "coin a\ncoin b\nstring a b\nstring a b\nstring a ground\nstring b ground\nstring b ground";
        let board = Board::from_graph_file("kite", file).unwrap();
        let geometry = check(&board, 0, 0);
        for (line, string) in geometry.lines.iter().zip(board.graph().strings()) {
            let ends = [line.path[0], line.path[line.path.len() - 1]];
            assert!(string.ends.iter().flatten().all(|&coin| ends.contains(&geometry.boxes[coin].centre)));
        }
        let mids: Vec<Point> = geometry.lines.iter().map(|line| line.mid).collect();
        for (i, a) in mids.iter().enumerate() {
            assert!(mids[..i].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 0.2), "{mids:?}");
        }
    }
}
