//! Positions as text: the compact form `RxC:HEX` and diagrams.
//!
//! ```
//! let drawn = "
//!     +---+   +
//!     | A |   |
//!     +---+---+
//! ";
//! let position = dab_board::notation::parse(drawn)?;
//! assert_eq!(position, dab_board::notation::parse("1x2:7d")?);
//! # Ok::<(), dab_board::BoardError>(())
//! ```

pub mod compact;
pub mod diagram;

use crate::{BoardError, Position};

/// Reads a position in either form: a diagram if the text has several rows or begins with a dot, else the compact
/// form. Space around the text does not matter.
///
/// # Errors
/// If the text is neither, or describes a board that is too large; see [`BoardError`].
pub fn parse(text: &str) -> Result<Position, BoardError> {
    let trimmed = text.trim();
    if trimmed.contains('\n') || trimmed.starts_with(diagram::DOTS) { diagram::parse(text) } else { trimmed.parse() }
}
