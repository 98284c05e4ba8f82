//! The oracle: the server's only source of positions and scores. The program that starts the server implements it.

use std::sync::atomic::AtomicBool;

use serde::Deserialize;

use crate::job::Job;
use crate::problem::{Json, Refusal};

/// A position as a client writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The position in any notation.
    pub position: String,
    /// The board, for notations that do not tell it.
    pub board: Option<String>,
    /// Boxes charged to the player who draws the last line.
    pub penalty: Option<i32>,
    /// Whether components, best play and theory are wanted too.
    #[serde(default)]
    pub details: bool,
}

/// A position or a game as a client pastes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The text in any notation.
    pub text: String,
    /// The board, for notations that do not tell it.
    pub board: Option<String>,
}

/// A long computation that reports to its job.
pub type Work = dyn FnOnce(&Job) -> Result<(), Refusal> + Send;

/// Work that solves a position.
pub struct Task {
    /// The time, memory and disk that the work takes, as JSON.
    pub plan: Json,
    /// Positions to be solved.
    pub positions: u64,
    /// Does the work, and keeps the result where [`Oracle::ask`] finds it.
    pub run: Box<Work>,
}

/// Reads positions and answers them. Every method may be called from any thread and many at a time; none but
/// [`Oracle::plan`] and [`Task::run`] takes long.
pub trait Oracle: Send + Sync + 'static {
    /// The runs and books that answers come from.
    ///
    /// # Errors
    /// If their list cannot be made.
    fn sources(&self) -> Result<Json, Refusal>;

    /// The coordinates of a board's dots, lines and boxes, and its starts.
    ///
    /// # Errors
    /// If there is no such board.
    fn board(&self, name: &str) -> Result<Json, Refusal>;

    /// Reads a position or a game.
    ///
    /// # Errors
    /// If the text is in no known notation, or the position is illegal.
    fn read(&self, text: &Text) -> Result<Json, Refusal>;

    /// Scores of a solved position and of its moves.
    ///
    /// # Errors
    /// If the position cannot be read, is not solved, or a file is damaged.
    fn ask(&self, asked: &Asked) -> Result<Json, Refusal>;

    /// The cost of solving a position, and the work itself. `is_gone` becomes true when nobody waits for it any more.
    ///
    /// # Errors
    /// If the position cannot be read, or it or its plan takes more than is allowed.
    fn plan(&self, asked: &Asked, is_gone: &AtomicBool) -> Result<Task, Refusal>;
}
