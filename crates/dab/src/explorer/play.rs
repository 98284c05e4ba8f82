//! Questions about what to play: `advice`, the line that the rules of the Caribou page draw and why, its error where a table holds
//! the position, the components, and the outlook of every line; `opponent`, the line that a player without tables draws.

use dab_board::LineIdx;
use dab_board::components::Components;
use serde::Serialize;

use super::Explorer;
use super::fields::{Question, Turn};
use crate::caribou::{Advice, Outlook, outlooks};
use crate::details::NamedComponent;
use crate::opponent::{Suggestion, suggest};
use crate::random::random_of;
use crate::text::Asked;
use crate::{Effort, Error};

/// The rules about a position, with one line of theirs, and about every line.
#[derive(Serialize)]
pub(super) struct Advised {
    penalty: i32,
    #[serde(flatten)]
    line: Option<NamedLine>,
    #[serde(flatten)]
    advice: Advice,
    components: Vec<NamedComponent>,
    moves: Vec<Outlook>,
}

/// A line; once the game is over there is none.
#[derive(Serialize)]
struct NamedLine {
    line: LineIdx,
    name: String,
}

/// A line with its position. Once the game is over there is none.
#[derive(Serialize)]
pub(super) struct Suggested {
    position: String,
    penalty: i32,
    #[serde(flatten)]
    choice: Option<Choice>,
}

/// The line of a player who looks ahead, or of one who follows rules.
#[derive(Serialize)]
#[serde(untagged)]
enum Choice {
    Ahead(Suggestion),
    ByRules(NamedLine),
}

impl Explorer {
    pub(super) fn advice(&self, question: &Question) -> Result<Advised, Error> {
        let asked = self.asked(question)?;
        let answer = self.tables.answer(asked.question(), Effort::Tables)?;
        let Asked { position, penalty } = asked;
        let components = Components::new(&position).components.iter().map(NamedComponent::new).collect();
        let moves = outlooks(&position);
        let advice = Advice::new(&position);
        let named = |line| NamedLine { line, name: position.board().line_name(line).to_owned() };
        let line = advice.line().map(named);
        let advice = match answer {
            Some(answer) => advice.beside(&answer),
            None => advice,
        };
        Ok(Advised { penalty: penalty.unwrap_or(0), line, advice, components, moves })
    }

    pub(super) fn opponent(&self, Turn { position, board, penalty, player, seed }: &Turn) -> Result<Suggested, Error> {
        let question = Question { position: position.clone(), board: board.clone(), penalty: *penalty, details: None };
        let Asked { position, penalty } = self.asked(&question)?;
        let penalty = penalty.unwrap_or(0);
        let named = |line| NamedLine { line, name: position.board().line_name(line).to_owned() };
        let choice = match player {
            // It was checked that it fits in a byte.
            None => suggest(&position, penalty as i8).map(Choice::Ahead),
            // Equal positions and seeds have equal lines.
            Some(player) => {
                let line = player.line(&position, &mut random_of(&position, seed.unwrap_or(0)));
                line.map(|line| Choice::ByRules(named(line)))
            }
        };
        Ok(Suggested { position: position.to_string(), penalty, choice })
    }
}
