//! Reasons why a start cannot be indexed.

use thiserror::Error;

/// Errors of the index.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpaceError {
    /// More units than a mask has bits.
    #[error(
        "{position} leaves {units} units to draw ({lines} lines), but at most 64 can be indexed: \
         start from a position with more lines drawn"
    )]
    TooManyUnits {
        /// The start.
        position: String,
        /// Units of the start.
        units: usize,
        /// Undrawn lines of the start.
        lines: usize,
    },
    /// More joints than the counts of the index can follow.
    #[error(
        "{position} has {joints} open boxes at which units end, but at most 64 can be indexed: start from a position \
         with more lines drawn, or use the quiet space"
    )]
    TooManyJoints {
        /// The start.
        position: String,
        /// Joints of the start.
        joints: usize,
    },
    /// No cut leaves a waist that can be listed.
    #[error(
        "{position}: every cut of the {units} units crosses more than {max_waist} of them: \
         start from a position with more lines drawn"
    )]
    TooWide {
        /// The start.
        position: String,
        /// Units of the start.
        units: usize,
        /// Largest waist that is tried.
        max_waist: usize,
    },
    /// A given cut has a waist that cannot be listed.
    #[error("{position}: the cut leaves a waist of {waist} units, but at most {max_waist} can be listed")]
    TooWideCut {
        /// The start.
        position: String,
        /// Units of the waist.
        waist: usize,
        /// Largest waist that is listed.
        max_waist: usize,
    },
    /// The last-move penalty does not fit the score of every position.
    #[error("penalty {penalty} is out of range: {start} allows 0 to {most}")]
    Penalty {
        /// The start.
        start: String,
        /// The penalty asked for.
        penalty: i32,
        /// Largest penalty that fits.
        most: i32,
    },
}
