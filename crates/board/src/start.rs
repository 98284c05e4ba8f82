//! The usual starts of the game.

use std::fmt;
use std::str::FromStr;

use crate::BoardError;

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

impl Start {
    /// Every start, in the order of the help texts.
    pub const ALL: [Self; 3] = [Self::American, Self::Icelandic, Self::Swedish];
}

/// The name of the variant in lower case.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

impl FromStr for Start {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::ALL
            .into_iter()
            .find(|start| start.to_string() == text)
            .ok_or_else(|| BoardError::UnknownStart { text: text.to_owned() })
    }
}
