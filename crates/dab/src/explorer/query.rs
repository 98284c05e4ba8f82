//! Question `query`: the scores of a position and of its moves, from the tables that hold it.

use dab_board::Position;
use dab_space::Rules;

use super::fields::Question;
use super::{Explorer, Json, Refusal, is_absent, json};
use crate::details::{Detailed, Details, ScoredPosition};
use crate::text::{Asked, Input};
use crate::{Error, Source};

impl Explorer {
    pub(super) fn query(&self, question: &Question) -> Result<Json, Refusal> {
        let Asked { position, penalty } = self.asked(question)?;
        let ask = |source: &Source| -> Result<_, Error> {
            let scored = ScoredPosition::new(&position, &source.answer(&position, false)?, source);
            let beyond = |now: &Position| {
                let play = |source: &Source| Ok(source.book().best_play(now)?);
                self.library.ask(now, penalty, play, is_absent)
            };
            let is_detailed = question.details == Some(true);
            let details = is_detailed.then(|| Details::new(&position, source, beyond)).transpose()?;
            Ok(json(&Detailed { scored, details }))
        };
        let answer = self.library.ask(&position, penalty, ask, is_absent)?;
        answer.unwrap_or_else(|| Err(Refusal::NotSolved(position.to_string())))
    }

    /// The position of a question with its penalty.
    pub(super) fn asked(&self, question: &Question) -> Result<Asked, Error> {
        let Input { record, .. } = self.library.read(&question.position, question.board.as_deref())?;
        let asked = Asked::from(&record);
        let penalty = question.penalty.or(asked.penalty);
        Rules::of_start(&asked.position, penalty.unwrap_or(0))?;
        Ok(Asked { penalty, ..asked })
    }
}
