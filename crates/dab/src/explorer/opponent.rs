//! Question `opponent`: the line that a player without tables draws.

use serde::Serialize;

use super::Explorer;
use super::fields::{Question, Turn};
use crate::Error;
use crate::opponent::{Suggestion, suggest};
use crate::players::{Player, random_of};
use crate::text::Asked;

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
    ByRules { line: usize, name: String },
}

impl Explorer {
    pub(super) fn opponent(&self, Turn { position, board, penalty, player, seed }: &Turn) -> Result<Suggested, Error> {
        let question = Question { position: position.clone(), board: board.clone(), penalty: *penalty, details: None };
        let Asked { position, penalty } = self.asked(&question)?;
        let penalty = penalty.unwrap_or(0);
        let choice = match player {
            // It was checked that it fits in a byte.
            None => suggest(&position, penalty as i8).map(Choice::Ahead),
            Some(player) => by_rules(*player, &position, seed.unwrap_or(0)),
        };
        Ok(Suggested { position: position.to_string(), penalty, choice })
    }
}

/// Equal positions and seeds have equal lines.
fn by_rules(player: Player, position: &dab_board::Position, seed: u64) -> Option<Choice> {
    let line = player.line(position, &mut random_of(position, seed))?;
    Some(Choice::ByRules { line, name: position.board().line_name(line).to_owned() })
}
