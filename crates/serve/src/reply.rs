//! Replies of the oracle: a piece of JSON, or the reason why there is none.

use serde_json::value::RawValue;

/// A finished piece of JSON.
pub type Json = Box<RawValue>;

/// The reason why there is no answer. Each message names the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The question makes no sense.
    Input(String),
    /// Nothing that was solved holds the position, but it may be solved.
    NotSolved(String),
    /// The solve takes more than is allowed.
    TooMuch(String),
    /// The solve was stopped before it was done.
    Stopped,
    /// Something is wrong on the server's side: a damaged file, a full disk.
    Failed(String),
}
