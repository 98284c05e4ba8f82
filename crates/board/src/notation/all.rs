//! All notations.

use super::transcript::Transcript;
use crate::names;

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
