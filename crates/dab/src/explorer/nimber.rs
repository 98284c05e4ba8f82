//! Question `nimber`: the game of the last move.

use super::Explorer;
use super::fields::Question;
use crate::nimstring::NimAnswer;
use crate::text::Asked;
use crate::{Error, Remedy};

impl Explorer {
    pub(super) fn nimber(&self, question: &Question) -> Result<NimAnswer, Error> {
        let Asked { position, .. } = self.asked(question)?;
        self.nimbers
            .answer(&position)
            .map_err(|error| error.with(Remedy::Nimber { position: position.to_string() }))
    }
}
