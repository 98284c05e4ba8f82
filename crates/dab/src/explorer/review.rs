//! Question `review`: the cost of every line of a game, as far as tables hold its positions.

use dab_board::Position;
use dab_space::Rules;

use super::Explorer;
use super::fields::Game;
use crate::Effort;
use crate::review::{Review, positions};
use crate::text::Input;
use crate::{Error, Question};

impl Explorer {
    pub(super) fn review(&self, Game { text, board, penalty }: &Game) -> Result<Review, Error> {
        let Input { record, .. } = self.read_text(text, board.as_deref())?;
        let penalty = penalty.or(record.penalty().map(i32::from)).unwrap_or(0);
        Rules::for_start(record.start(), penalty)?;
        let answer = |position: Position| {
            self.tables.answer(Question { position: &position, penalty: Some(penalty), marks: false }, Effort::Tables)
        };
        let answers = positions(&record).into_iter().map(answer).collect::<Result<Vec<_>, Error>>()?;
        if answers.is_empty() {
            return Err(Error::no_game(record.end()));
        }
        Ok(Review::new(&record, &answers, penalty))
    }
}
