//! Questions about positions and games as texts: `read` finds start and moves, `review` the cost of every line as far as tables
//! hold its positions, `write` another notation, or a picture, which may move.

use base64::prelude::{BASE64_STANDARD, Engine};
use dab_board::Position;
use dab_board::notation::{self, Notation, Transcript};
use dab_draw::Style;
use dab_space::Rules;
use serde::Serialize;

use super::Explorer;
use super::endgames::arranged;
use super::fields;
use crate::review::{Review, positions};
use crate::text::{Asked, Input};
use crate::{Effort, Error, ErrorKind, Question};

/// The names of pictures, beside those of notations.
const SVG: &str = "svg";
const GIF: &str = "gif";

/// A position or a game that was read.
#[derive(Serialize)]
pub(super) struct Read {
    notation: String,
    board: String,
    start: String,
    moves: Vec<usize>,
    /// The player to move in the start.
    side: String,
    /// Boxes of A and of B in the start, as far as the text tells.
    captured: [Vec<usize>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<u8>,
}

/// A text in a notation, or a picture.
#[derive(Serialize)]
pub(super) struct Written {
    notation: String,
    text: String,
}

impl Explorer {
    pub(super) fn read(&self, fields::Text { text, board }: &fields::Text) -> Result<Read, Error> {
        // An endgame is no notation of a position, but stands for one.
        let Input { record, notation } = self.read_text(text, board.as_deref()).or_else(|error| {
            let position = arranged(text).ok_or(error)?;
            Ok::<_, Error>(Input { record: Transcript::new(position), notation: Notation::Compact })
        })?;
        let start = record.start();
        // A game begins on an empty board, where nobody has a box.
        let captured = match record.moves() {
            [] => record.captured().map(|boxes| boxes.iter().collect()),
            _ => [Vec::new(), Vec::new()],
        };
        Ok(Read {
            notation: notation.to_string(),
            board: start.board().name().to_owned(),
            start: start.to_string(),
            moves: record.moves().to_vec(),
            side: record.side().to_string(),
            captured,
            penalty: record.penalty(),
        })
    }

    pub(super) fn review(&self, fields::Game { text, board, penalty }: &fields::Game) -> Result<Review, Error> {
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

    pub(super) fn write(&self, fields::Rewrite { text, board, notation }: &fields::Rewrite) -> Result<Written, Error> {
        let Input { record, .. } = self.read_text(text, board.as_deref())?;
        let text = if notation == GIF {
            let bytes = dab_draw::gif(&record).map_err(|error| Error::new(ErrorKind::Limit, error))?;
            format!("data:image/gif;base64,{}", BASE64_STANDARD.encode(bytes))
        } else if notation == SVG {
            let answer = self.tables.answer(Asked::from(&record).question(), Effort::Tables)?;
            dab_draw::board(&record, answer.as_ref(), &Style { coordinates: true, ..Style::default() }).svg()
        } else {
            notation::write(&record, notation.parse::<Notation>()?)?
        };
        Ok(Written { notation: notation.clone(), text })
    }
}
