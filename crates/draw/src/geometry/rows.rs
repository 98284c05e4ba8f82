//! Grids, and rows of boxes or triangles.

use crate::geometry::shape::{Geometry, Point};

/// Height of a triangle whose sides are about 1 long.
const TRIANGLE: f64 = 0.95;

pub(super) fn grid(rows: usize, cols: usize) -> Geometry {
    let at = |r: usize, c: usize| [c as f64, r as f64];
    let all = |n_rows: usize, n_cols: usize| (0..n_rows).flat_map(move |r| (0..n_cols).map(move |c| (r, c)));
    let across = all(rows + 1, cols).map(|(r, c)| [at(r, c), at(r, c + 1)]);
    let down = all(rows, cols + 1).map(|(r, c)| [at(r, c), at(r + 1, c)]);
    let boxes = all(rows, cols).map(|(r, c)| vec![at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)]);
    let dots = all(rows + 1, cols + 1).map(|(r, c)| at(r, c)).collect();
    Geometry { dots, ..Geometry::from_dots(cols as f64, rows as f64, across.chain(down).collect(), boxes.collect()) }
}

/// Boxes in a row whose top and ends are walls: bottom lines, then those between neighbours.
pub(super) fn closed_row(n: usize) -> Geometry {
    let open = grid(1, n);
    let segment = |line: usize| [open.lines[line].path[0], open.lines[line].path[1]];
    let lines = (n..2 * n).chain(2 * n + 1..3 * n).map(segment).collect();
    let walls = (0..n).chain([2 * n, 3 * n]).map(segment).collect();
    let boxes = open.boxes.iter().map(|shape| shape.corners.clone()).collect();
    Geometry { dots: open.dots.clone(), walls, ..Geometry::from_dots(open.width, open.height, lines, boxes) }
}

/// Triangles that stand (even) and hang (odd) in turn. Open: tops, bottoms, then the lines across; closed: tops and both
/// ends are walls.
pub(super) fn triangles(n: usize, closed: bool) -> Geometry {
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
    Geometry { dots, walls, ..Geometry::from_dots(n as f64, TRIANGLE, lines, boxes.collect()) }
}
