//! The usual starts of the game.

use std::str::FromStr;

use crate::{BoardError, names};

/// Which lines are drawn before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Nothing is drawn.
    #[default]
    American,
    /// The left and the bottom side are drawn.
    Icelandic,
    /// All four sides are drawn.
    Swedish,
}

names!(Start { American = "american", Icelandic = "icelandic", Swedish = "swedish" });

impl FromStr for Start {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let found = Self::ALL.into_iter().find(|start| start.name() == text);
        found.ok_or_else(|| BoardError::UnknownStart { text: text.to_owned() })
    }
}
