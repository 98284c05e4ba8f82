//! Problems with known answers: read from text, solved and compared.
//!
//! ```text
//!    text ─ parse ─► Problem ─ check, which asks for an answer ─► Check: what was found, what of it is wrong
//! ```
//! [`KNOWN`] problems come with the library.

mod check;
mod error;
mod file;

pub use check::{Check, Wrong};
pub use error::{ProblemError, ProblemErrorKind};
pub use file::{Problem, parse};

/// The problems of `data/problems`: names of files and their texts.
pub const KNOWN: [(&str, &str); 4] = [
    ("wilson.txt", include_str!("../../../data/problems/wilson.txt")),
    ("caribou.txt", include_str!("../../../data/problems/caribou.txt")),
    ("buzzard-ciere.txt", include_str!("../../../data/problems/buzzard-ciere.txt")),
    ("single-moves.txt", include_str!("../../../data/problems/single-moves.txt")),
];
