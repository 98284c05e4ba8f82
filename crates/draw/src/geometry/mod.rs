//! Geometry: the places of dots, lines and boxes of a board in a picture.
//!
//! Neighbouring dots are one unit apart, `x` grows to the right and `y` downwards; nothing lies left of or above 0.
//! ```text
//!    •──0──•──1──•         grids and rows: dots, lines between them, boxes with corners
//!    4  0  5  1  6
//!    •──2──•──3──•
//!
//!    ─○──○─                graphs: coins, strings between them and to the ground, no dots
//! ```
//! `shape` has the types, `rows` places grids and rows, `graph` places graphs.

mod graph;
mod rows;
mod shape;

use std::f64::consts::TAU;

use dab_board::{Board, BoardKind, BoxIdx, LineIdx};

use graph::graph;
use rows::{closed_row, grid, triangles};
use shape::towards;

pub use shape::Geometry;
pub(crate) use shape::{LineShape, Point};

impl Geometry {
    /// The geometry of a board.
    pub fn new(board: &Board) -> Self {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dab_board::Board;

    /// Every box lies between its lines, every line has an area, and the picture begins at 0.
    #[track_caller]
    fn check(board: &Arc<Board>, n_dots: usize, n_walls: usize) -> Geometry {
        let geometry = Geometry::new(board);
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
