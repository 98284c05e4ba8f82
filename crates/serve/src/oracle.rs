//! What the server asks: whoever reads positions and knows their scores.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Job;

/// A finished piece of JSON.
pub type Json = Box<RawValue>;

/// A position as a client writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The position in any notation.
    pub position: String,
    /// The board, for notations that do not tell it.
    pub board: Option<String>,
    /// Boxes charged to whoever draws the last line.
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

/// Why there is no answer; each with a message that names the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The question makes no sense.
    Input(String),
    /// Nothing that was solved holds the position, but it may be solved.
    NotSolved(String),
    /// Solving it takes more than is allowed.
    TooMuch(String),
    /// It was stopped before it was done.
    Stopped,
    /// Something is wrong here: a damaged file, a full disk.
    Failed(String),
}

/// Does something long and reports to the job.
pub type Work = dyn FnOnce(&Job) -> Result<(), Refusal> + Send;

/// Work that solves a position.
pub struct Task {
    /// What it takes, as JSON.
    pub plan: Json,
    /// Positions to be solved.
    pub positions: u64,
    /// Does it, and keeps the result where [`Oracle::ask`] finds it.
    pub run: Box<Work>,
}

/// Reads positions and answers them. Every method may be called from any thread and many at a time; none but
/// [`Task::run`] takes long.
pub trait Oracle: Send + Sync + 'static {
    /// What is served.
    ///
    /// # Errors
    /// If it cannot be told.
    fn sources(&self) -> Result<Json, Refusal>;

    /// Where dots, lines and boxes of a board lie, and its starts.
    ///
    /// # Errors
    /// If there is no such board.
    fn board(&self, name: &str) -> Result<Json, Refusal>;

    /// Reads a position or a game.
    ///
    /// # Errors
    /// If it is in no notation, or illegal.
    fn read(&self, text: &Text) -> Result<Json, Refusal>;

    /// Scores of a position and of its moves, from what is solved.
    ///
    /// # Errors
    /// If the position cannot be read, is not solved, or a file is damaged.
    fn ask(&self, asked: &Asked) -> Result<Json, Refusal>;

    /// What solving a position takes, and the work itself.
    ///
    /// # Errors
    /// If the position cannot be read, or takes more than is allowed.
    fn plan(&self, asked: &Asked) -> Result<Task, Refusal>;
}
