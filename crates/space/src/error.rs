//! Reasons why a start cannot be indexed.

use std::error::Error;

use dab_board::{Position, errors};

use crate::{Spent, caught};

errors! {
    /// Errors of the index.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SpaceError {
        /// More units than a mask has bits.
        TooManyUnits { position: String, units: usize, lines: usize } =>
            "{position} leaves {units} units to draw ({lines} lines), but at most 64 can be indexed: start from a position \
             with more lines drawn";
        /// More joints than the counts of the index can follow.
        TooManyJoints { position: String, joints: usize } =>
            "{position} has {joints} open boxes at which units end, but at most 64 can be indexed: start from a position \
             with more lines drawn, or use the quiet space";
        /// No cut leaves a waist that can be listed.
        TooWide { position: String, units: usize, max_waist: usize } =>
            "{position}: every cut of the {units} units crosses more than {max_waist} of them, or leaves a half that is \
             too large: start from a position with more lines drawn";
        /// A given cut has a waist that cannot be listed.
        TooWideCut { position: String, waist: usize, max_waist: usize } =>
            "{position}: the cut leaves a waist of {waist} units, but at most {max_waist} can be listed";
        /// A plan or an index beyond its budget.
        Spent { position: String, spent: Spent } => "{position}: {}", spent_on(*spent);
        /// A half whose configurations have no numbers of 32 bits.
        TooLongList { position: String, configurations: u64 } =>
            "{position}: the cut leaves a half with lists of {configurations} configurations, but at most {} have numbers",
            u32::MAX;
        /// The program contradicts itself.
        Defect { position: String, what: String } =>
            "{position}: a defect of dab ({what}): please report it with this start";
        /// The last-move penalty does not fit the score of every position.
        Penalty { start: String, penalty: i32, most: i32 } =>
            "penalty {penalty} is out of range: {start} allows 0 to {most}";
        /// Marks are solved in the quiet space only.
        MarksOfFull { start: String } => "{start}: marks are solved in the quiet space only; leave --space out";
        /// Marks are solved for at most `most` open boxes and boxes of penalty together.
        Marks { start: String, boxes: usize, penalty: i8, most: usize } =>
            "{start} has {boxes} open boxes and penalty {penalty}, but marks are solved for at most {most} together: start \
             from a position with more lines drawn, or solve without --marks";
    }
}

impl Error for SpaceError {}

impl Spent {
    /// The error of planning `position`.
    pub fn error(self, position: &impl ToString) -> SpaceError {
        SpaceError::Spent { position: position.to_string(), spent: self }
    }
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
