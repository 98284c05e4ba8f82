//! Boards: a graph, its symmetries and its layout.
//!
//! `grid` makes the grids, `narrow` boards of one row, and [`crate::graph_file`] reads any graph. Lines of an
//! `R`x`C` grid are numbered horizontals first, row by row (`r*C + c`, `r` in `0..=R`), then verticals
//! (`(R+1)*C + r*(C+1) + c`, `c` in `0..=C`); boxes row by row:
//! ```text
//!    +-0-+-1-+
//!    6 0 7 1 8
//!    +-2-+-3-+
//!    9 2 10 3 11
//!    +-4-+-5-+
//! ```

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::{BoardError, Graph, LineIdx, LineSet};

/// Between rows and columns in the name of a rectangle; names are written with the first one.
pub(crate) const TIMES: [char; 3] = ['x', 'X', '×'];

/// The kinds of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The docs of a variant explain its fields.
pub enum BoardKind {
    /// `rows` x `cols` boxes: `3x4`.
    Grid { rows: usize, cols: usize },
    /// One row of `n` boxes: `open:5`, or `closed:5`, whose top and both ends are drawn and no lines of the board.
    Boxes { n: usize, closed: bool },
    /// One row of triangles with `n` dots on top, one less than below: `triangles:open:5`, or `triangles:closed:5`, whose
    /// top and both ends are drawn and no lines of the board.
    Triangles { n: usize, closed: bool },
    /// Any graph of strings and coins.
    Graph,
}

impl fmt::Display for BoardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = |closed: &bool| if *closed { "closed" } else { "open" };
        match self {
            Self::Grid { rows, cols } => write!(f, "{rows}x{cols}"),
            Self::Boxes { n, closed } => write!(f, "{}:{n}", ends(closed)),
            Self::Triangles { n, closed } => write!(f, "triangles:{}:{n}", ends(closed)),
            Self::Graph => f.write_str("graph"),
        }
    }
}

/// A board: its lines and boxes, their layout and their symmetries.
#[derive(Debug)]
pub struct Board {
    pub(crate) kind: BoardKind,
    pub(crate) name: String,
    pub(crate) graph: Graph,
    pub(crate) symmetries: Vec<Vec<LineIdx>>,
    /// Row and column of each box.
    pub(crate) places: Option<Vec<(usize, usize)>>,
    /// The coins of a [`BoardKind::Graph`] as its file has them.
    pub(crate) coins: Coins,
    /// The names of the lines, once they are asked for.
    pub(crate) line_names: OnceLock<Vec<String>>,
}

/// The coins of a graph file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coins {
    /// Their names, in the order of the file.
    pub(crate) names: Vec<String>,
    /// The file without comments and superfluous spaces.
    pub(crate) text: String,
}

/// Boards are equal when they are the same graph, string by string and coin by coin: positions of one are positions of
/// the other, under any name and in any picture.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.graph == other.graph
    }
}

impl Eq for Board {}

impl Board {
    /// The board that a graph makes, under the name of its kind.
    pub(crate) fn new(
        kind: BoardKind,
        graph: Graph,
        symmetries: Vec<Vec<LineIdx>>,
        places: Option<Vec<(usize, usize)>>,
    ) -> Self {
        let (name, coins, line_names) = (kind.to_string(), Coins::default(), OnceLock::new());
        Self { kind, name, graph, symmetries, places, coins, line_names }
    }

    /// Reads the name of a board, such as `3x4` or `closed:5`.
    ///
    /// # Errors
    /// If the text names no board, or one that cannot be described; [`BoardError::GraphFile`] if it names a graph, which
    /// takes a file that this crate does not read ([`Board::from_graph_file`]).
    pub fn parse(text: &str) -> Result<Arc<Self>, BoardError> {
        let unknown = || BoardError::UnknownBoard { text: text.to_owned() };
        let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => digits.parse::<usize>().map_err(|_| unknown()),
            false => Err(unknown()),
        };
        let closed = |ends: &str| match ends {
            "closed" => Ok(true),
            "open" => Ok(false),
            _ => Err(unknown()),
        };
        match text.split(':').collect::<Vec<_>>()[..] {
            ["graph", _, ..] => Err(BoardError::GraphFile { text: text.to_owned() }),
            ["triangles", ends, n] => Self::triangles(number(n)?, closed(ends)?),
            [ends, n] => Self::row(number(n)?, closed(ends)?),
            _ => {
                let (rows, cols) = text.split_once(TIMES).ok_or_else(unknown)?;
                Self::grid(number(rows)?, number(cols)?)
            }
        }
    }

    /// The kind of board.
    pub fn kind(&self) -> BoardKind {
        self.kind
    }

    /// The name of the board, such as `3x4` or `closed:5`: the part before the mask in the compact notation of its
    /// positions. Of a graph it is `graph:` and the name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph of the empty board: every line a string, every box a joint.
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Number of lines.
    #[inline]
    pub fn n_lines(&self) -> usize {
        self.graph.strings().len()
    }

    /// Number of boxes.
    pub fn n_boxes(&self) -> usize {
        self.graph.joints().len()
    }

    /// The set of all lines.
    #[inline]
    pub fn all(&self) -> LineSet {
        self.graph.all()
    }

    /// Every symmetry as a map of lines: line `i` goes to `map[i]`. The identity comes first.
    pub fn symmetries(&self) -> &[Vec<LineIdx>] {
        &self.symmetries
    }

    /// Row and column of each box, if the boxes lie in rows and columns: then neighbours have neighbouring places.
    /// Of a graph file, where its coins are to be drawn, which says nothing about neighbours.
    pub fn places(&self) -> Option<&[(usize, usize)]> {
        self.places.as_deref()
    }

    /// The coins of a graph by name, in the order of its file; nothing for other boards.
    pub fn coins(&self) -> &[String] {
        &self.coins.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Start;

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
        assert_eq!(board.start_lines(Start::American), Some(LineSet::EMPTY));
        assert_eq!(board.start_lines(Start::Swedish), Some(LineSet(0xb73)));
        assert_eq!(Board::grid(1, 2).unwrap().start_lines(Start::Icelandic), Some(LineSet(0x1c)));
        assert_eq!(Board::row(2, true).unwrap().start_lines(Start::Swedish), None);
    }

    #[test]
    fn refuses_what_it_cannot_describe() {
        assert_eq!(Board::grid(0, 3), Err(BoardError::NoBoxes { rows: 0, cols: 3 }));
        assert_eq!(Board::grid(8, 8), Err(BoardError::TooManyLines { board: "8x8".to_owned(), lines: 144 }));
        assert!(Board::grid(usize::MAX, usize::MAX).is_err());
    }
}
