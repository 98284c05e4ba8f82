//! Question `write`: a position or a game in another notation, or as a picture, which may move.

use base64::prelude::{BASE64_STANDARD, Engine};
use dab_board::notation::{self, Notation};
use dab_draw::Style;
use serde::Serialize;

use super::Explorer;
use super::fields::Rewrite;
use crate::Effort;
use crate::text::{Asked, Input};
use crate::{Error, ErrorKind};

/// The names of pictures, beside those of notations.
const SVG: &str = "svg";
const GIF: &str = "gif";

/// A text in a notation, or a picture.
#[derive(Serialize)]
pub(super) struct Written {
    notation: String,
    text: String,
}

impl Explorer {
    pub(super) fn write(&self, Rewrite { text, board, notation }: &Rewrite) -> Result<Written, Error> {
        let Input { record, .. } = self.read_text(text, board.as_deref())?;
        let text = if notation == GIF {
            let bytes = dab_draw::gif(&record).map_err(|error| Error::new(ErrorKind::Limit, error))?;
            format!("data:image/gif;base64,{}", BASE64_STANDARD.encode(bytes))
        } else if notation == SVG {
            let answer = self.tables.answer(Asked::from(&record).question(), Effort::Tables)?;
            dab_draw::board(&record, answer.as_ref(), &Style { coordinates: true, ..Style::default() })
        } else {
            let to: Notation = notation.parse()?;
            notation::write(&record, to)?
        };
        Ok(Written { notation: notation.clone(), text })
    }
}
