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

mod bits;
mod canvas;
mod coins;
mod cursor;
mod dbl;
mod detect;
mod dots;
mod error;
mod grid;
mod grid_picture;
mod lattice;
mod littlegolem;
mod strip;
mod transcript;
mod wilson;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Board, Position};

pub use error::NotationError;
pub use transcript::{IllegalMove, Ply, Side, Transcript};

/// A way to write positions or games down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `3x3:1f`, `closed:5:1f`: board and mask of drawn lines.
    Compact,
    /// A picture of dots and lines.
    Diagram,
    /// Wilson's input files: penalty and side above a picture.
    Wilson,
    /// One digit a line, as in OpenSpiel.
    Bits,
    /// Wilson's moves: letters of row and column on the lattice.
    Lattice,
    /// `a1-b1`: a move by its two dots, rows from the bottom.
    Dots,
    /// Games of littlegolem.net.
    LittleGolem,
    /// `.dbl` files of Dabble: strings and coins, size in dots.
    Dabble,
    /// `.dbl` files of KSquares: dots, size in boxes.
    KSquares,
}

impl Notation {
    /// Every notation: those of positions, then those of games.
    pub const ALL: [Self; 9] = [
        Self::Compact,
        Self::Diagram,
        Self::Wilson,
        Self::Bits,
        Self::Lattice,
        Self::Dots,
        Self::LittleGolem,
        Self::Dabble,
        Self::KSquares,
    ];

    /// Whether it keeps the order of moves. Such a notation begins on the empty board.
    pub fn is_of_games(self) -> bool {
        match self {
            Self::Compact | Self::Diagram | Self::Wilson | Self::Bits => false,
            Self::Lattice | Self::Dots | Self::LittleGolem | Self::Dabble | Self::KSquares => true,
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Compact => "compact",
            Self::Diagram => "diagram",
            Self::Wilson => "wilson",
            Self::Bits => "bits",
            Self::Lattice => "lattice",
            Self::Dots => "dots",
            Self::LittleGolem => "littlegolem",
            Self::Dabble => "dabble",
            Self::KSquares => "ksquares",
        })
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        Self::ALL.into_iter().find(|known| known.to_string() == name).ok_or_else(|| NotationError::UnknownNotation {
            name: name.to_owned(),
            known: Self::ALL.map(|known| known.to_string()).join(", "),
        })
    }
}

/// Reads a text in any notation; space around it does not matter.
///
/// # Errors
/// If the text is in no notation or one that does not tell the board, or a move is illegal; see [`NotationError`].
pub fn read(text: &str) -> Result<Transcript, NotationError> {
    read_on(text, None)
}

/// The same for a text that is about `board`, or may be so.
///
/// # Errors
/// As [`read`], and if the text is about another board.
pub fn read_on(text: &str, board: Option<&Arc<Board>>) -> Result<Transcript, NotationError> {
    read_as(text, detect::detect(text, board)?, board)
}

/// The same for a text in a known notation.
///
/// # Errors
/// As [`read_on`].
pub fn read_as(text: &str, notation: Notation, board: Option<&Arc<Board>>) -> Result<Transcript, NotationError> {
    let transcript = match notation {
        Notation::Compact => Transcript::new(text.trim().parse()?),
        Notation::Diagram => Transcript::new(diagram::parse(text)?),
        Notation::Wilson => wilson::read(text)?,
        Notation::Bits => bits::read(text, board)?,
        Notation::Lattice => lattice::read(text, board)?,
        Notation::Dots => dots::read(text, board)?,
        Notation::LittleGolem => littlegolem::read(text, board)?,
        Notation::Dabble | Notation::KSquares => dbl::read(notation, text, board)?,
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

/// The notation that a text is in, as far as its first characters tell; only reading it shows whether it is right.
///
/// # Errors
/// If letters alone are legal in two notations.
pub fn detect(text: &str, board: Option<&Arc<Board>>) -> Result<Notation, NotationError> {
    detect::detect(text, board)
}

/// Writes a transcript, without a line break at its end. A notation of positions holds the last position alone. One of
/// games begins on the empty board: lines of the start come first, in canonical order, as if they had been drawn so.
///
/// # Errors
/// [`NotationError::CannotWrite`] or [`NotationError::NotAGrid`] if the notation cannot express the board.
pub fn write(transcript: &Transcript, notation: Notation) -> Result<String, NotationError> {
    match notation {
        Notation::Compact => Ok(transcript.end().to_string()),
        Notation::Diagram => Ok(diagram::draw(transcript.end(), |_| None)),
        Notation::Wilson => wilson::write(transcript),
        Notation::Bits => Ok(bits::write(transcript)),
        Notation::Lattice => lattice::write(transcript),
        Notation::Dots => dots::write(transcript),
        Notation::LittleGolem => littlegolem::write(transcript),
        Notation::Dabble | Notation::KSquares => dbl::write(notation, transcript),
    }
}

/// The board that a text tells, if it is the one that was asked for.
fn same_board(asked: Option<&Arc<Board>>, found: Arc<Board>) -> Result<Arc<Board>, NotationError> {
    match asked {
        Some(asked) if *asked != found => {
            Err(NotationError::OtherBoard { expected: asked.kind().to_string(), found: found.kind().to_string() })
        }
        _ => Ok(found),
    }
}
