//! Positions and games as text, in every notation that people use.
//!
//! A text becomes a [`Transcript`]: a start, and the moves from it if the notation is one of games. [`read`] finds out
//! the notation by itself, [`write()`] goes the other way; there is one file a notation. `docs/NOTATIONS.md` shows the
//! same position and game in all of them.
//!
//! ```
//! use dab_board::notation::{self, Notation};
//! let drawn = "
//!     +---+   +
//!     | A |   |
//!     +---+---+
//! ";
//! let transcript = notation::read(drawn)?;
//! assert_eq!(transcript.end(), notation::read("1x2:7d")?.end());
//! assert_eq!(notation::write(&transcript, Notation::Bits)?, "1011111");
//! # Ok::<(), dab_board::notation::NotationError>(())
//! ```

pub mod compact;
pub mod diagram;

mod address;
mod all;
mod bits;
mod canvas;
mod coins;
mod context;
mod cursor;
mod dbl;
mod detect;
mod dot_picture;
mod dots;
mod error;
mod grid;
mod lattice;
mod littlegolem;
mod score_picture;
mod transcript;
mod wilson;

use std::str::FromStr;

use crate::{Position, Start};
use context::same_board;

pub use all::Notation;
pub use context::Context;
pub use detect::detect;
pub use dot_picture::Rim;
pub use error::NotationError;
pub use transcript::{Ply, Side, Transcript};

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| NotationError::UnknownNotation {
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// Reads a text in any notation; space around it does not matter.
///
/// # Errors
/// If the text is in no notation or one that does not tell the board, or a move is illegal; see [`NotationError`].
pub fn read(text: &str) -> Result<Transcript, NotationError> {
    read_as(text, detect(text, Context::default())?, Context::default())
}

/// The same for a text in a known notation, in a context that tells its board, or the lines drawn before the first move.
///
/// # Errors
/// As [`read`], and if the text says something else than the context.
pub fn read_as<'a>(
    text: &str,
    notation: Notation,
    context: impl Into<Context<'a>>,
) -> Result<Transcript, NotationError> {
    let context @ Context { board, start } = context.into();
    let tells_all = matches!(notation, Notation::Diagram | Notation::Wilson | Notation::Bits);
    if tells_all && start != Start::American {
        return Err(NotationError::NoRoomForStart { start });
    }
    let transcript = match notation {
        Notation::Compact => Transcript::new(compact::read(text.trim(), context)?),
        Notation::Diagram => Transcript::new(diagram::parse(text)?),
        Notation::Wilson => wilson::read(text)?,
        Notation::Bits => bits::read(text, board)?,
        Notation::Lattice => lattice::read(text, context)?,
        Notation::Dots => dots::read(text, context)?,
        Notation::Address => address::read(text, context)?,
        Notation::LittleGolem => littlegolem::read(text, context)?,
        Notation::Dabble | Notation::KSquares => dbl::read(notation, text, context)?,
    };
    same_board(board, transcript.start().board().clone())?;
    Ok(transcript)
}

/// Reads a text and drops the moves: the position that it ends in.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str) -> Result<Position, NotationError> {
    read(text).map(|transcript| transcript.end().clone())
}

/// The file of the graph that a text is about, if it is about one. The text does not have the graph itself: the caller reads
/// the file and gives the board as [`Context`].
pub fn graph_file_of(text: &str) -> Option<String> {
    let text = text.trim();
    let head = address::head(text).or(dots::head(text).map(Into::into)).unwrap_or(text.into());
    compact::split(&head).0.strip_prefix("graph:").map(str::to_owned)
}

/// Writes a transcript, without a line break at its end. A notation of positions holds the last position alone. Most
/// of games begin on the empty board: lines of the start come first, in canonical order, as if they had been drawn so
/// ([`Notation::makes_up_moves`]).
///
/// # Errors
/// [`NotationError::CannotWrite`] or [`NotationError::NotAGrid`] if the notation cannot express the board.
pub fn write(transcript: &Transcript, notation: Notation) -> Result<String, NotationError> {
    match notation {
        Notation::Compact => Ok(transcript.end().to_string()),
        Notation::Diagram => Ok(diagram::draw(transcript.end(), Rim::Bare, |_| None)),
        Notation::Wilson => wilson::write(transcript),
        Notation::Bits => Ok(bits::write(transcript)),
        Notation::Lattice => lattice::write(transcript),
        Notation::Dots => Ok(dots::write(transcript)),
        Notation::Address => Ok(address::write(transcript)),
        Notation::LittleGolem => littlegolem::write(transcript),
        Notation::Dabble | Notation::KSquares => dbl::write(notation, transcript),
    }
}
