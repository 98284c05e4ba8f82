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
use std::sync::Arc;

use crate::{Board, Position, Start, names};

pub use context::Context;
pub use detect::detect;
pub use dot_picture::Rim;
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
    /// Addresses of the page of `dab serve`.
    Address,
    /// Games of littlegolem.net.
    LittleGolem,
    /// `.dbl` files of Dabble: strings and coins, size in dots.
    Dabble,
    /// `.dbl` files of KSquares: dots, size in boxes.
    KSquares,
}

// Those of positions, then those of games.
names!(Notation {
    Compact = "compact",
    Diagram = "diagram",
    Wilson = "wilson",
    Bits = "bits",
    Lattice = "lattice",
    Dots = "dots",
    Address = "address",
    LittleGolem = "littlegolem",
    Dabble = "dabble",
    KSquares = "ksquares",
});

impl Notation {
    /// Whether it keeps the order of moves.
    pub fn is_of_games(self) -> bool {
        match self {
            Self::Compact | Self::Diagram | Self::Wilson | Self::Bits => false,
            Self::Lattice | Self::Dots | Self::Address | Self::LittleGolem | Self::Dabble | Self::KSquares => true,
        }
    }

    /// Whether the lines that are drawn at the start of a transcript become moves in this notation, in an order that is made
    /// up.
    pub fn makes_up_moves(self, transcript: &Transcript) -> bool {
        let begins_empty = match self {
            Self::Address => false,
            Self::Dots => transcript.moves().is_empty(),
            _ => self.is_of_games(),
        };
        begins_empty && !transcript.start().drawn().is_empty()
    }
}

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

/// The board that a text tells, if it is the one that was asked for.
fn same_board(asked: Option<&Arc<Board>>, found: Arc<Board>) -> Result<Arc<Board>, NotationError> {
    match asked {
        Some(asked) if *asked != found => {
            Err(NotationError::OtherBoard { expected: asked.kind().to_string(), found: found.kind().to_string() })
        }
        _ => Ok(found),
    }
}
