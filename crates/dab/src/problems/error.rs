//! The errors in a file of problems, each with its row.

use dab_board::notation::NotationError;
use dab_board::{LineIdx, Position};
use dab_endgame::ParseError;

use crate::text::PenaltyTold;

/// The first error in a text of problems, and its place.
#[derive(Debug, thiserror::Error)]
#[error("row {row}{}: {kind}", place(.field, .problem))]
pub struct ProblemError {
    /// Row of the text, from 1: that of the field, or where the problem begins.
    pub row: usize,
    /// Name of the field, if one is wrong.
    pub field: Option<String>,
    /// Name of the problem, if it has one yet.
    pub problem: Option<String>,
    /// The error.
    pub kind: Box<ProblemErrorKind>,
}

/// The kinds of errors in a text of problems.
#[derive(Debug, thiserror::Error)]
pub enum ProblemErrorKind {
    /// A row that neither begins a field nor goes on with one.
    #[error("expected a field and its value, such as 'score 1', found '{0}'")]
    NoField(String),
    /// A field before the first problem.
    #[error("expected 'problem NAME', found '{0}'")]
    NoProblem(String),
    /// A problem without a name.
    #[error("a problem needs a name: 'problem NAME'")]
    NoName,
    /// A field of another name than those that there are.
    #[error("unknown field: expected source, verified, penalty, score, best, others, endgame, open or position")]
    UnknownField,
    /// A field that the problem has already.
    #[error("given twice")]
    Twice,
    /// A number that is none.
    #[error("expected a whole number, found '{0}'")]
    Number(String),
    /// An endgame that is none.
    #[error("'{text}': {error}")]
    Endgame {
        /// Its text.
        text: String,
        /// The error in it.
        error: ParseError,
    },
    /// An opening that is no single component.
    #[error("expected single chains and loops such as '3 4l', found '{0}'")]
    Opening(String),
    /// A position that is none. Rows are those of the whole text.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// Field and position name different penalties.
    #[error(transparent)]
    Penalty(#[from] PenaltyTold),
    /// Neither a position nor an endgame.
    #[error("there is nothing to solve: give a position, an endgame or both")]
    NothingToSolve,
    /// Nothing is known of the problem.
    #[error("there is nothing to compare: give a score, best, others or open")]
    NothingToCompare,
    /// Lines without a position.
    #[error("best and others are lines of a position, and there is none")]
    NoPosition,
    /// Openings without an endgame.
    #[error("open is about an endgame, and there is none")]
    NoEndgame,
    /// An endgame with a last-move penalty.
    #[error("the theory of endgames is for penalty 0")]
    PenaltyOfEndgame,
    /// A best line that is drawn already, or none of the board's.
    #[error("best has line {line}, which cannot be drawn in {position}")]
    BestLine {
        /// The line.
        line: LineIdx,
        /// The position.
        position: Position,
    },
}

fn place(field: &Option<String>, problem: &Option<String>) -> String {
    match (field, problem) {
        (Some(field), Some(problem)) => format!(", {field} of problem '{problem}'"),
        (None, Some(problem)) => format!(", problem '{problem}'"),
        _ => String::new(),
    }
}
