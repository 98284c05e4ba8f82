//! Question `nimber`: the game of the last move.

use super::fields::Question;
use super::{Explorer, Refusal};
use crate::nimstring::NimAnswer;
use crate::text::Asked;

impl Explorer {
    pub(super) fn nimber(&self, question: &Question) -> Result<NimAnswer, Refusal> {
        let Asked { position, .. } = self.asked(question)?;
        self.nimbers.answer(&position).map_err(|error| Refusal::TooMuch {
            position: position.to_string(),
            verb: "nimstring",
            error: error.to_string(),
        })
    }
}
