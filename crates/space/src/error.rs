//! Reasons why a start cannot be indexed.

use dab_board::Position;
use thiserror::Error;

use crate::{Spent, caught};

/// Errors of the index.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum SpaceError {
    /// More units than a mask has bits.
    #[error(
        "{position} leaves {units} units to draw ({lines} lines), but at most 64 can be indexed: \
         start from a position with more lines drawn"
    )]
    TooManyUnits { position: String, units: usize, lines: usize },
    /// More joints than the counts of the index can follow.
    #[error(
        "{position} has {joints} open boxes at which units end, but at most 64 can be indexed: start from a position \
         with more lines drawn, or use the quiet space"
    )]
    TooManyJoints { position: String, joints: usize },
    /// No cut leaves a waist that can be listed.
    #[error(
        "{position}: every cut of the {units} units crosses more than {max_waist} of them, or leaves a half that is too large: \
         start from a position with more lines drawn"
    )]
    TooWide { position: String, units: usize, max_waist: usize },
    /// A given cut has a waist that cannot be listed.
    #[error("{position}: the cut leaves a waist of {waist} units, but at most {max_waist} can be listed")]
    TooWideCut { position: String, waist: usize, max_waist: usize },
    /// A plan or an index beyond its budget.
    #[error("{position}: {}", spent_on(*spent))]
    Spent { position: String, spent: Spent },
    /// A half whose configurations have no numbers of 32 bits.
    #[error(
        "{position}: the cut leaves a half with lists of {configurations} configurations, but at most {} have numbers",
        u32::MAX
    )]
    TooLongList { position: String, configurations: u64 },
    /// The program contradicts itself.
    #[error("{position}: a defect of dab ({what}): please report it with this start")]
    Defect { position: String, what: String },
    /// The last-move penalty does not fit the score of every position.
    #[error("penalty {penalty} is out of range: {start} allows 0 to {most}")]
    Penalty { start: String, penalty: i32, most: i32 },
}

impl SpaceError {
    /// The result of `work` on a start; a panic in it is an error that names the start.
    pub(crate) fn or_defect<T>(start: &Position, work: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        caught(work).unwrap_or_else(|what| Err(Self::Defect { position: start.to_string(), what }))
    }
}

fn spent_on(spent: Spent) -> String {
    match spent {
        Spent::Bytes { needed, allowed } => {
            format!("its index needs at least {needed} bytes of memory, but {allowed} are allowed")
        }
        Spent::Time(time) => format!("planning takes longer than the {} seconds allowed", time.as_secs_f64()),
        Spent::Cancelled => "planning was cancelled".to_owned(),
    }
}
