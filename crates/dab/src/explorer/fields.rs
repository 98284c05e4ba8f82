//! The fields of questions, read from JSON. Errors name the field and its place.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::players::Player;
use crate::{Error, Remedy};

/// A position as a client writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The position in any notation.
    pub(super) position: String,
    /// The board, for notations that do not tell it.
    pub(super) board: Option<String>,
    /// Boxes charged to the player who draws the last line.
    #[serde(default, deserialize_with = "or_text")]
    pub(super) penalty: Option<i32>,
    /// Whether components, best play and theory are wanted too.
    #[serde(default, deserialize_with = "or_text")]
    pub(super) details: Option<bool>,
}

/// A position in which an opponent is to move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    /// The position in any notation.
    pub(super) position: String,
    /// The board, for notations that do not tell it.
    pub(super) board: Option<String>,
    /// Boxes charged to the player who draws the last line.
    #[serde(default, deserialize_with = "or_text")]
    pub(super) penalty: Option<i32>,
    /// The player who follows simple rules; without it one who looks ahead.
    pub(super) player: Option<Player>,
    /// Chooses among the lines that the rules allow.
    #[serde(default, deserialize_with = "or_text")]
    pub(super) seed: Option<u64>,
}

/// A position or a game as a client pastes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    /// The text in any notation.
    pub(super) text: String,
    /// The board, for notations that do not tell it.
    pub(super) board: Option<String>,
}

/// A game to be reviewed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Game {
    /// The game in any notation.
    pub(super) text: String,
    /// The board, for notations that do not tell it.
    pub(super) board: Option<String>,
    /// Boxes charged to the player who draws the last line.
    #[serde(default, deserialize_with = "or_text")]
    pub(super) penalty: Option<i32>,
}

/// A position or a game that is wanted in another notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rewrite {
    /// The text in any notation.
    pub(super) text: String,
    /// The board, for notations that do not tell it.
    pub(super) board: Option<String>,
    /// The notation to write, or `svg`.
    pub(super) notation: String,
}

/// The name of a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardName {
    pub(super) name: String,
}

/// No fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Reads fields.
pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    let mut json = serde_json::Deserializer::from_str(json);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.inner());
        let what = if path == "." { error.to_string() } else { format!("{path}: {error}") };
        Error::input(what).with(Remedy::ListFields)
    })
}

/// A number, `true` or `false`, which may be a text: addresses have no other values.
fn or_text<'de, D: Deserializer<'de>, T>(json: D) -> Result<Option<T>, D::Error>
where
    T: DeserializeOwned + FromStr<Err: Display>,
{
    match Value::deserialize(json)? {
        Value::String(text) => Ok(Some(text.parse().map_err(|error| D::Error::custom(format!("{text}: {error}")))?)),
        value => Option::deserialize(value).map_err(D::Error::custom),
    }
}
