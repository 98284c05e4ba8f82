//! `Position`: a board and its drawn lines.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use dab::text::{self, graph_of_file};
use dab_board::notation::{self, Notation, NotationError, Transcript};
use dab_board::{Board, BoardKind, LineIdx, LineSet};
use dab_draw::Style;
use pyo3::prelude::*;

use crate::error::{of_dab, of_input};
use crate::number::Number;

/// The drawn lines of a board.
///
/// ``Position(text, board=None)`` reads any notation that ``dab`` knows: ``"3x3"``, ``"3x3:fff"`` (board and mask),
/// a diagram of dots and lines, a bit string, or a game, of which it takes the end. ``board`` names the board of texts
/// that do not tell it. Whose turn it is and who owns the closed boxes does not matter.
///
/// Positions are equal if board and drawn lines are. Notebooks draw a picture; ``print(position.write("diagram"))``
/// prints one.
#[pyclass(frozen, eq, hash, module = "dab_solver")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Position(pub(crate) dab::Position);

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Equal boards may have several names, but not several numbers of lines.
        self.0.board().n_lines().hash(hasher);
        self.0.drawn().hash(hasher);
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text, board=None))]
    fn new(text: &str, board: Option<&str>) -> PyResult<Self> {
        let board = board.map(to_board).transpose()?;
        Ok(Self(read(text, None, board.as_ref())?.end().clone()))
    }

    /// The position of a board, such as ``"3x3"``, in which the lines of a mask are drawn: bit i is line i.
    #[staticmethod]
    fn of_mask(board: &str, mask: Number<u128>) -> PyResult<Self> {
        of_mask(to_board(board)?, mask.0)
    }

    /// The position of a bit string of OpenSpiel (``state.dbn_string()``): horizontal lines row by row, then vertical
    /// ones. ``board`` may be left out if it is square.
    #[staticmethod]
    #[pyo3(signature = (bits, board=None))]
    fn from_openspiel(bits: &str, board: Option<&str>) -> PyResult<Self> {
        let board = board.map(to_board).transpose()?;
        let record = notation::read_as(bits, Notation::Bits, board.as_ref()).map_err(of_input)?;
        Ok(Self(record.end().clone()))
    }

    /// The bit string of OpenSpiel's ``dots_and_boxes``. Its actions are our lines, by the same numbers.
    fn to_openspiel(&self) -> PyResult<String> {
        match self.0.board().kind() {
            BoardKind::Grid { .. } => self.write("bits"),
            board => Err(of_input(NotationError::NotAGrid { notation: Notation::Bits, board: board.to_string() })),
        }
    }

    /// The position in a notation: ``"compact"``, ``"diagram"``, ``"wilson"``, ``"bits"``, ``"lattice"``, ``"dots"``,
    /// ``"littlegolem"``, ``"dabble"`` or ``"ksquares"``. In a notation of games the lines come in ascending order.
    fn write(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(of_input)?;
        notation::write(&self.0.clone().into(), notation).map_err(of_input)
    }

    /// Name of the board, such as ``"3x3"``.
    #[getter]
    fn board(&self) -> &str {
        self.0.board().name()
    }

    /// The drawn lines: bit i is line i.
    #[getter]
    fn mask(&self) -> u128 {
        self.0.drawn().0
    }

    /// Number of lines of the board, drawn or not.
    #[getter]
    fn n_lines(&self) -> usize {
        self.0.board().n_lines()
    }

    /// The lines that may still be drawn, ascending.
    #[getter]
    fn undrawn(&self) -> Vec<LineIdx> {
        self.0.undrawn().iter().collect()
    }

    /// Number of boxes not yet closed.
    #[getter]
    fn open_boxes(&self) -> usize {
        self.0.open_boxes()
    }

    /// The position after drawing a line.
    fn draw(&self, line: Number<LineIdx>) -> PyResult<Self> {
        Ok(Self(self.drawing(line.0)?.0))
    }

    /// Number of boxes, 0 to 2, that a line closes. Who closes a box moves again.
    fn closes(&self, line: Number<LineIdx>) -> PyResult<u8> {
        Ok(self.drawing(line.0)?.1)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn _repr_svg_(&self) -> String {
        dab_draw::board(&self.0.clone().into(), None, &Style::default()).svg()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

impl Position {
    /// The position after a line, and the boxes that it closes.
    fn drawing(&self, line: LineIdx) -> PyResult<(dab::Position, u8)> {
        let mut record = Transcript::new(self.0.clone());
        let ply = record.draw(line).map_err(of_input)?;
        Ok((record.end().clone(), ply.boxes))
    }
}

/// The board of a name.
pub(crate) fn to_board(name: &str) -> PyResult<Arc<Board>> {
    text::board(name, graph_of_file).map_err(of_dab)
}

/// Reads a position or a game.
pub(crate) fn read(text: &str, notation: Option<Notation>, board: Option<&Arc<Board>>) -> PyResult<Transcript> {
    Ok(text::read(text, notation, board.into(), graph_of_file).map_err(of_dab)?.record)
}

fn of_mask(board: Arc<Board>, mask: u128) -> PyResult<Position> {
    dab::Position::new(board, LineSet(mask)).map(Position).map_err(of_input)
}

/// A position as Python gives it: a `Position`, a text, or a mask of drawn lines if the board is known.
pub(crate) fn to_position(given: &Bound<'_, PyAny>, board: Option<&Arc<Board>>) -> PyResult<dab::Position> {
    if let Ok(position) = given.cast::<Position>() {
        return Ok(position.get().0.clone());
    }
    match board {
        Some(board) if given.extract::<&str>().is_err() => {
            of_mask(board.clone(), given.extract::<Number<u128>>()?.0).map(|position| position.0)
        }
        _ => Ok(read(given.extract()?, None, board)?.end().clone()),
    }
}
