//! Graphs: coins at the places that the file gives, else on a circle; strings between them and to the ground.

use std::f64::consts::TAU;

use dab_board::Board;

use crate::geometry::shape::{BoxShape, Geometry, LineShape, Point, mean, middle, towards};

/// Room between two coins of a graph.
const COIN_GAP: f64 = 1.6;
/// Length of the strings to the ground.
const STUB: f64 = 0.9;

/// The geometry of a graph.
pub(super) fn graph(board: &Board) -> Geometry {
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

/// A string between two coins, bent aside by `steps`, and its middle.
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
