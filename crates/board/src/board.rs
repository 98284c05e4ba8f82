//! Boards: a graph, its symmetries and its picture.
//!
//! Lines of an `R`x`C` grid are numbered horizontals first, row by row (`r*C + c`, `r` in `0..=R`), then verticals
//! (`(R+1)*C + r*(C+1) + c`, `c` in `0..=C`); boxes row by row:
//! ```text
//!    +-0-+-1-+
//!    6 0 7 1 8
//!    +-2-+-3-+
//!    9 2 10 3 11
//!    +-4-+-5-+
//! ```

use std::fmt;
use std::sync::Arc;

use crate::graph::GraphString;
use crate::{BoardError, BoxIdx, Graph, LineIdx, LineSet, MAX_LINES, Start};

/// What kind of board it is; its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardKind {
    /// `rows` x `cols` boxes.
    Grid {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
    },
}

impl fmt::Display for BoardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid { rows, cols } => write!(f, "{rows}x{cols}"),
        }
    }
}

/// A board: what can be drawn, what it looks like and how it maps onto itself.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    kind: BoardKind,
    graph: Graph,
    symmetries: Vec<Vec<LineIdx>>,
}

impl Board {
    /// The grid of `rows` x `cols` boxes.
    ///
    /// # Errors
    /// If a side is zero or the board has more than [`MAX_LINES`] lines.
    pub fn grid(rows: usize, cols: usize) -> Result<Arc<Self>, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::NoBoxes { rows, cols });
        }
        let lines = (2 * rows as u128).saturating_mul(cols as u128).saturating_add(rows as u128 + cols as u128);
        if lines > MAX_LINES as u128 {
            return Err(BoardError::TooManyLines { rows, cols, lines });
        }
        let grid = GridShape { rows, cols };
        let graph = Graph::new(rows * cols, grid.strings());
        Ok(Arc::new(Self { kind: BoardKind::Grid { rows, cols }, graph, symmetries: grid.symmetries() }))
    }

    /// The kind of board, which is also its name.
    pub fn kind(&self) -> BoardKind {
        self.kind
    }

    /// The graph of the empty board: every line a string, every box a joint.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Number of lines.
    pub fn n_lines(&self) -> usize {
        self.graph.strings().len()
    }

    /// Number of boxes.
    pub fn n_boxes(&self) -> usize {
        self.graph.joints().len()
    }

    /// The set of all lines.
    pub fn all(&self) -> LineSet {
        self.graph.all()
    }

    /// Every symmetry as a map of lines: line `i` goes to `map[i]`. The identity comes first.
    pub fn symmetries(&self) -> &[Vec<LineIdx>] {
        &self.symmetries
    }

    /// Row and column of a box in the picture.
    pub fn place_of(&self, at: BoxIdx) -> (usize, usize) {
        match self.kind {
            BoardKind::Grid { cols, .. } => (at / cols, at % cols),
        }
    }

    /// Lines drawn before the first move.
    pub fn start_lines(&self, start: Start) -> LineSet {
        let BoardKind::Grid { rows, cols } = self.kind;
        let grid = GridShape { rows, cols };
        let bottom = (0..cols).map(|c| grid.horizontal(rows, c));
        let left = (0..rows).map(|r| grid.vertical(r, 0));
        let top = (0..cols).map(|c| grid.horizontal(0, c));
        let right = (0..rows).map(|r| grid.vertical(r, cols));
        match start {
            Start::American => LineSet::EMPTY,
            Start::Icelandic => bottom.chain(left).collect(),
            Start::Swedish => bottom.chain(left).chain(top).chain(right).collect(),
        }
    }
}

/// Where the lines of a grid are.
#[derive(Clone, Copy)]
pub(crate) struct GridShape {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl GridShape {
    /// The line above box (`r`, `c`); `r` may be `rows` for the bottom side.
    pub(crate) fn horizontal(self, r: usize, c: usize) -> LineIdx {
        r * self.cols + c
    }

    /// The line left of box (`r`, `c`); `c` may be `cols` for the right side.
    pub(crate) fn vertical(self, r: usize, c: usize) -> LineIdx {
        (self.rows + 1) * self.cols + r * (self.cols + 1) + c
    }

    fn strings(self) -> Vec<GraphString> {
        let inside = |r: usize, c: usize| (r < self.rows && c < self.cols).then_some(r * self.cols + c);
        let mut strings = Vec::new();
        for r in 0..=self.rows {
            for c in 0..self.cols {
                strings.push(GraphString::new(r.checked_sub(1).and_then(|up| inside(up, c)), inside(r, c), 0));
            }
        }
        for r in 0..self.rows {
            for c in 0..=self.cols {
                strings.push(GraphString::new(c.checked_sub(1).and_then(|left| inside(r, left)), inside(r, c), 0));
            }
        }
        strings
    }

    /// The four mirror images of a rectangle, and the transposed ones of a square.
    fn symmetries(self) -> Vec<Vec<LineIdx>> {
        let mut maps = Vec::new();
        for transpose in [false, true] {
            if transpose && self.rows != self.cols {
                continue;
            }
            for flip_rows in [false, true] {
                for flip_cols in [false, true] {
                    maps.push(self.map(flip_rows, flip_cols, transpose));
                }
            }
        }
        maps
    }

    fn map(self, flip_rows: bool, flip_cols: bool, transpose: bool) -> Vec<LineIdx> {
        let mut map = Vec::new();
        for r in 0..=self.rows {
            for c in 0..self.cols {
                let r = if flip_rows { self.rows - r } else { r };
                let c = if flip_cols { self.cols - 1 - c } else { c };
                map.push(if transpose { self.vertical(c, r) } else { self.horizontal(r, c) });
            }
        }
        for r in 0..self.rows {
            for c in 0..=self.cols {
                let r = if flip_rows { self.rows - 1 - r } else { r };
                let c = if flip_cols { self.cols - c } else { c };
                map.push(if transpose { self.horizontal(c, r) } else { self.vertical(r, c) });
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_symmetries() {
        let board = Board::grid(2, 3).unwrap();
        assert_eq!((board.n_lines(), board.n_boxes(), board.symmetries().len()), (17, 6, 4));
        assert_eq!(Board::grid(3, 3).unwrap().symmetries().len(), 8);
        assert_eq!(board.symmetries()[0], (0..17).collect::<Vec<_>>());
    }

    #[test]
    fn symmetries_keep_the_boxes() {
        let board = Board::grid(3, 3).unwrap();
        let boxes: Vec<LineSet> = board.graph().joints().iter().map(|joint| joint.strings).collect();
        for map in board.symmetries() {
            for around in &boxes {
                let image: LineSet = around.iter().map(|line| map[line]).collect();
                assert!(boxes.contains(&image));
            }
        }
    }

    #[test]
    fn starts() {
        let board = Board::grid(2, 2).unwrap();
        assert_eq!(board.start_lines(Start::American), LineSet::EMPTY);
        assert_eq!(board.start_lines(Start::Swedish), LineSet(0xb73));
        assert_eq!(Board::grid(1, 2).unwrap().start_lines(Start::Icelandic), LineSet(0x1c));
    }

    #[test]
    fn refuses_what_it_cannot_describe() {
        assert_eq!(Board::grid(0, 3), Err(BoardError::NoBoxes { rows: 0, cols: 3 }));
        assert_eq!(Board::grid(8, 8), Err(BoardError::TooManyLines { rows: 8, cols: 8, lines: 144 }));
        assert!(Board::grid(usize::MAX, usize::MAX).is_err());
    }
}
