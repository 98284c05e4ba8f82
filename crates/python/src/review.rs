//! `review`: the cost of each turn of a game.

use dab::review::{GameAnswers, Review};
use dab::{Error, Limits, OnDemandSolve, Source, Tablebase};
use dab_board::notation::Transcript;
use dab_space::Rules;
use pyo3::prelude::*;

use crate::error::of_input;
use crate::json::to_python;
use crate::position::{read, to_board};
use crate::table::Table;
use crate::watch::{Watch, watched};

/// The cost of each turn of a game, its turning points and its mistakes, as ``dab review --json`` prints them.
///
/// game: text in any notation of games. board: names the board of texts that do not tell it. table: scores to use; positions
/// that it does not hold are solved if that is quick. penalty: boxes charged to the player who draws the last line, if there
/// is no table.
#[pyfunction]
#[pyo3(signature = (game, table=None, *, board=None, penalty=0))]
pub(crate) fn review<'py>(
    py: Python<'py>,
    game: &str,
    table: Option<&Bound<'py, Table>>,
    board: Option<&str>,
    penalty: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let board = board.map(to_board).transpose()?;
    let game = read(game, None, board.as_ref())?;
    Rules::of_start(game.start(), penalty).map_err(of_input)?;
    let table = table.map(|table| table.get().tablebase());
    let penalty = table.map_or(penalty, |table| table.penalty().into());
    let review = watched(py, 0, None, |watch| of_game(&game, table, penalty, watch))?;
    to_python(py, &review)
}

fn of_game(game: &Transcript, table: Option<&Tablebase>, penalty: i32, watch: &Watch) -> Result<Review, Error> {
    let limits = Limits::default();
    let solve =
        |position: &_| Ok::<_, Error>(Source::new(OnDemandSolve::run(position, penalty, limits, watch)?).into());
    let found = GameAnswers::new(game, table, limits, solve)?;
    Ok(Review::new(game, &found.answers, penalty))
}
