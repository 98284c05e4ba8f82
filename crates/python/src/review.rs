//! `review`: the cost of each turn of a game.

use dab::{Error, Limits, OnDemandSolve, Question, Review, Source};
use dab_space::Rules;
use pyo3::prelude::*;

use crate::error::of_input;
use crate::json::to_python;
use crate::number::Number;
use crate::position::{read, to_board};
use crate::table::Table;
use crate::threads;
use crate::watch::watched;

/// The cost of each turn of a game, its turning points and its mistakes, as ``dab review --json`` prints them.
///
/// game: text in any notation of games. board: names the board of texts that do not tell it. table: scores to use; positions
/// that it does not hold are solved if that is quick. penalty: boxes charged to the player who draws the last line, if there
/// is no table.
#[pyfunction]
#[pyo3(
    signature = (game, table=None, *, board=None, penalty=Number(0)),
    text_signature = "(game, table=None, *, board=None, penalty=0)"
)]
pub(crate) fn review<'py>(
    py: Python<'py>,
    game: &str,
    table: Option<&Bound<'py, Table>>,
    board: Option<&str>,
    penalty: Number<i32>,
) -> PyResult<Bound<'py, PyAny>> {
    threads::require()?;
    let Number(penalty) = penalty;
    let board = board.map(to_board).transpose()?;
    let game = read(game, None, board.as_ref())?;
    Rules::for_start(game.start(), penalty).map_err(of_input)?;
    let source = table.map(|table| table.get().source()).transpose()?;
    let table = source.as_ref().map(|source| source.table().as_ref());
    let limits = Limits::default();
    let (review, _) = watched(py, 0, None, |watch| {
        let solve = |Question { position, penalty, .. }: Question<'_>| {
            Ok::<_, Error>(Source::new(OnDemandSolve::run(position, penalty.unwrap_or(0), limits, watch)?).into())
        };
        Review::ask(&game, table, penalty, limits, solve)
    })?;
    to_python(py, &review)
}
