//! `endgame`, `endgame_values` and `endgames`: the theory of simple loony endgames.

use dab::theory::{Endgame, EndgameAnswer};
use dab_endgame::Position;
use dab_endgame::allcock::value;
use dab_endgame::controlled::controlled_value;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::error::of_input;
use crate::json::to_python;
use crate::masks::{Masks, flat};
use crate::position::to_board;

/// Two arrays of values.
type Values<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The theory's answer for an endgame, as ``dab endgame --json`` prints it.
///
/// endgame: long chains and loops by their boxes, such as ``"3^2+4+6l"``: two chains of 3, a chain of 4, a loop of
/// 6. Values are net boxes for the controller, who answers the player to move: minus the score.
#[pyfunction]
pub(crate) fn endgame<'py>(py: Python<'py>, endgame: &str) -> PyResult<Bound<'py, PyAny>> {
    let endgame: dab_endgame::Endgame = endgame.parse().map_err(of_input)?;
    to_python(py, &EndgameAnswer::new(&endgame, None))
}

/// The values and the controlled values of n simple loony endgames: two int64 arrays of n, net boxes for the controller
/// under best play, and if she keeps control to the end.
#[pyfunction]
pub(crate) fn endgame_values<'py>(py: Python<'py>, endgames: Vec<String>) -> PyResult<Values<'py>> {
    let values = py.detach(|| {
        let values = endgames.iter().map(|endgame| {
            let position: Position = endgame.parse()?;
            Ok((value(&position), controlled_value(&position)))
        });
        values.collect::<Result<Vec<(i64, i64)>, dab_endgame::ParseError>>()
    });
    let (values, controlled) = values.map_err(of_input)?.into_iter().unzip();
    Ok((flat(py, values), flat(py, controlled)))
}

/// The simple loony endgames that positions of a board become once everything that can be captured is captured.
///
/// masks: array of integers. Returns a list, row-major: the name of the endgame, such as ``"3+4l"``, or None if the
/// position becomes no such endgame. ``"0"`` is a finished game.
#[pyfunction]
pub(crate) fn endgames(py: Python<'_>, board: &str, masks: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    let board = to_board(board)?;
    let masks = Masks::new(masks, &board)?;
    py.detach(|| {
        let name = |&drawn| {
            let position = dab::Position::new(board.clone(), drawn).map_err(of_input)?;
            Ok(Endgame::after_captures(&position).map(|endgame| endgame.multiset.to_string()))
        };
        masks.drawn.iter().map(name).collect()
    })
}
