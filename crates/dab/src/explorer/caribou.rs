//! Question `caribou`: the line that the rules of the Caribou page draw, why, and its error where a table holds the position.

use dab_board::LineIdx;
use serde::Serialize;

use super::Explorer;
use super::fields::Question;
use crate::caribou::Advice;
use crate::text::Asked;
use crate::{Answer, Error, Source};

/// The words of the rules with one line of theirs.
#[derive(Serialize)]
pub(super) struct Ruled {
    penalty: i32,
    /// Nothing once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineIdx>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    advice: Advice,
}

impl Explorer {
    pub(super) fn caribou(&self, question: &Question) -> Result<Ruled, Error> {
        let asked = self.asked(question)?;
        let answer =
            self.tables.library.ask(asked.question(), |_: &Source, answer: Answer| Ok::<_, Error>(Some(answer)))?;
        let Asked { position, penalty } = asked;
        let advice = Advice::new(&position);
        let line = advice.line();
        let name = line.map(|line| position.board().line_name(line).to_owned());
        let advice = match answer {
            Some(answer) => advice.beside(&answer),
            None => advice,
        };
        Ok(Ruled { penalty: penalty.unwrap_or(0), line, name, advice })
    }
}
