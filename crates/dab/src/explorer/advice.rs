//! Question `advice`: the line that the rules of the Caribou page draw and why, its error where a table holds the position, the components,
//! and the outlook of every line.

use dab_board::LineIdx;
use dab_board::components::Components;
use serde::Serialize;

use super::Explorer;
use super::fields::Question;
use crate::caribou::{Advice, Outlook, outlooks};
use crate::details::NamedComponent;
use crate::text::Asked;
use crate::{Answer, Error, Source};

/// The rules about a position, with one line of theirs, and about every line.
#[derive(Serialize)]
pub(super) struct Advised {
    penalty: i32,
    /// Nothing once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineIdx>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    advice: Advice,
    components: Vec<NamedComponent>,
    moves: Vec<Outlook>,
}

impl Explorer {
    pub(super) fn advice(&self, question: &Question) -> Result<Advised, Error> {
        let asked = self.asked(question)?;
        let answer =
            self.tables.library.ask(asked.question(), |_: &Source, answer: Answer| Ok::<_, Error>(Some(answer)))?;
        let Asked { position, penalty } = asked;
        let components = Components::new(&position).components.iter().map(NamedComponent::new).collect();
        let moves = outlooks(&position);
        let advice = Advice::new(&position);
        let line = advice.line();
        let name = line.map(|line| position.board().line_name(line).to_owned());
        let advice = match answer {
            Some(answer) => advice.beside(&answer),
            None => advice,
        };
        Ok(Advised { penalty: penalty.unwrap_or(0), line, name, advice, components, moves })
    }
}
