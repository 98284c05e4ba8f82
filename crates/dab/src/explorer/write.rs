//! Question `write`: a position or a game in another notation, or as a picture.

use dab_board::notation::{self, Notation};
use dab_draw::Style;
use serde::Serialize;

use super::Explorer;
use super::fields::Rewrite;
use crate::Error;
use crate::batch::Effort;
use crate::text::{Asked, Input};

/// The name of pictures, beside those of notations.
const SVG: &str = "svg";

/// A text in a notation, or a picture.
#[derive(Serialize)]
pub(super) struct Written {
    notation: String,
    text: String,
}

impl Explorer {
    pub(super) fn write(&self, Rewrite { text, board, notation }: &Rewrite) -> Result<Written, Error> {
        let Input { record, .. } = self.read_text(text, board.as_deref())?;
        let text = if notation == SVG {
            let answer = self.tables.answer(Asked::from(&record).question(), Effort::Tables)?;
            dab_draw::board(&record, answer.as_ref(), &Style { coordinates: true, ..Style::default() })
        } else {
            let to: Notation = notation.parse()?;
            notation::write(&record, to)?
        };
        Ok(Written { notation: notation.clone(), text })
    }
}
