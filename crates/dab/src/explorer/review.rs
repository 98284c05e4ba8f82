//! Question `review`: the cost of every line of a game, as far as tables hold its positions.

use dab_space::Rules;
use dab_table::Answer;

use super::fields::Game;
use super::{Explorer, Refusal, is_absent};
use crate::review::{Review, positions};
use crate::text::Input;
use crate::{Error, Source};

impl Explorer {
    pub(super) fn review(&self, Game { text, board, penalty }: &Game) -> Result<Review, Refusal> {
        let Input { record, .. } = self.library.read(text, board.as_deref())?;
        let penalty = penalty.or(record.penalty().map(i32::from)).unwrap_or(0);
        Rules::of_start(record.start(), penalty).map_err(Error::from)?;
        let answers = positions(&record).into_iter().map(|position| {
            let ask = |source: &Source| source.answer(&position, false);
            self.library.ask(&position, Some(penalty), ask, is_absent)
        });
        let answers: Vec<Option<Answer>> = answers.collect::<Result<_, Error>>()?;
        if answers.is_empty() {
            return Err(Error::NoGame { position: record.end().to_string() }.into());
        }
        Ok(Review::new(&record, &answers, penalty))
    }
}
