//! Question `query`: the scores of a position and of its moves, from the tables that hold it.

use dab_board::Position;
use dab_space::Rules;

use super::fields::Question;
use super::{Explorer, Json, json, not_solved};
use crate::details::ScoredPosition;
use crate::text::{Asked, Input};
use crate::{Answer, Error, Source};

impl Explorer {
    pub(super) fn query(&self, question: &Question) -> Result<Json, Error> {
        let asked = self.asked(question)?;
        let (library, is_detailed) = (&self.tables.library, question.details == Some(true));
        let read = |source: &Source, answer: Answer| {
            let beyond = |now: &Position| {
                let play = |source: &Source, _| match source.book().best_play(now) {
                    Err(error) if error.is_beyond() => Ok(None),
                    play => play.map(Some).map_err(Error::from),
                };
                library.ask(crate::Question { position: now, ..asked.question() }, play)
            };
            let scored = ScoredPosition::new(&asked.position, answer, source.table());
            let answer = if is_detailed { scored.detailed(source, beyond)? } else { scored };
            Ok::<_, Error>(Some(json(&answer)))
        };
        let answer = library.ask(asked.question(), read)?;
        answer.unwrap_or_else(|| Err(not_solved(&asked.position)))
    }

    /// The position of a question with its penalty.
    pub(super) fn asked(&self, question: &Question) -> Result<Asked, Error> {
        let Input { record, .. } = self.read_text(&question.position, question.board.as_deref())?;
        let asked = Asked::from(&record);
        let penalty = question.penalty.or(asked.penalty);
        Rules::for_start(&asked.position, penalty.unwrap_or(0))?;
        Ok(Asked { penalty, ..asked })
    }
}
