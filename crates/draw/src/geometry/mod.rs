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
