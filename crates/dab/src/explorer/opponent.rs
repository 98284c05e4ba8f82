//! Question `opponent`: the line that a sensible player without tables draws.

use serde::Serialize;

use super::Explorer;
use super::fields::Question;
use crate::Error;
use crate::opponent::{Suggestion, suggest};
use crate::text::Asked;

/// A suggestion with its position.
#[derive(Serialize)]
pub(super) struct Suggested {
    position: String,
    penalty: i32,
    /// Nothing once the game is over.
    #[serde(flatten)]
    suggestion: Option<Suggestion>,
}

impl Explorer {
    pub(super) fn opponent(&self, question: &Question) -> Result<Suggested, Error> {
        let Asked { position, penalty } = self.asked(question)?;
        let penalty = penalty.unwrap_or(0);
        // It was checked that it fits in a byte.
        let suggestion = suggest(&position, penalty as i8);
        Ok(Suggested { position: position.to_string(), penalty, suggestion })
    }
}
