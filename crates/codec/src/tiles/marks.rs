//! The model of marks: the contexts in which they are coded, behind the scores of their tile.
//!
//! ```text
//!   U, L, UL    marks of the reference row, of the reference column, and where these cross: 0, 1 or 2
//!   context     9 * U + 3 * L + UL
//!               27 + L in the root row, 30 in the root column; 31 is none
//!               plus 32 where the score is at least 0
//! ```
//! A mark is its own symbol, and has at least one of the 256 parts of every context.

use super::model::{Slot, TOTAL, made_good};
use super::tile::{Band, Column, Strip};
use crate::Damage;

/// Number of marks.
const MARKS: usize = 3;
/// Number of contexts.
pub(super) const CONTEXTS: usize = 64;
/// Added to the mark to the left in the root row.
pub(super) const ROOT_ROW: u8 = 27;
/// Context of the root column.
pub(super) const ROOT_COL: u8 = 30;
/// Added where scores are not negative.
const NOT_NEGATIVE: u8 = 32;

/// Occurrences of each mark in each context.
pub(super) type MarkCounts = [[u32; MARKS]; CONTEXTS];

/// The context of the mark at a place, from the scores and the marks before it.
pub(super) fn context_at(
    band: &Band,
    strip: &Strip,
    (scores, marks): (&[Column], &[Column]),
    place: usize,
    lane: usize,
) -> u8 {
    let (above, left) = (usize::from(band.reference[lane]), usize::from(strip.reference[place]));
    let mark = |place: usize, lane: usize| marks[place][lane] as u8;
    let context = match (place, band.depth[lane]) {
        (0, _) => ROOT_COL,
        (_, 0) => ROOT_ROW + mark(left, lane),
        _ => 9 * mark(place, above) + 3 * mark(left, lane) + mark(left, above),
    };
    context + if scores[place][lane] < 0 { 0 } else { NOT_NEGATIVE }
}

/// Expected frequencies of the marks, in parts of 256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkFrequencies([[u8; MARKS]; CONTEXTS]);

impl MarkFrequencies {
    /// Length in bytes: two for each context, the parts of marks 0 and 1.
    pub(super) const BYTE_LEN: usize = (MARKS - 1) * CONTEXTS;

    /// The frequencies that suit these counts.
    pub(super) fn fit(counts: &MarkCounts) -> Self {
        Self(counts.map(|counts| {
            // As if each mark had been seen once more: a context that was not counted may be met.
            let counts = counts.map(|count| u64::from(count) + 1);
            let total: u64 = counts.iter().sum();
            made_good(counts.map(|count| (count * u64::from(TOTAL) / total).max(1) as u32))
        }))
    }

    /// Parts of a mark, and those before it.
    pub(super) fn of(&self, context: u8, mark: u8) -> Slot {
        let parts = self.0[usize::from(context)];
        let start = parts[..usize::from(mark)].iter().sum();
        Slot { parts: parts[usize::from(mark)], start, is_escape: false }
    }

    /// The last part of a mark and of those before it, in a context.
    pub(super) fn last_part(&self, context: u8, mark: u8) -> u8 {
        let Slot { parts, start, .. } = self.of(context, mark);
        start + (parts - 1)
    }

    /// The mark that holds part `part` of a context.
    pub(super) fn mark(&self, context: u8, part: u8) -> u8 {
        (0..MARKS as u8 - 1).map(|mark| u8::from(part > self.last_part(context, mark))).sum()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|&[first, second, _]| [first, second]).collect()
    }

    /// The frequencies that these bytes are.
    ///
    /// # Errors
    /// A mark has no part.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let mut parts = [[0; MARKS]; CONTEXTS];
        for (parts, &[first, second]) in parts.iter_mut().zip(bytes.as_chunks().0) {
            *parts = [first, second, 0u8.wrapping_sub(first).wrapping_sub(second)];
            let is_whole = u16::from(first) + u16::from(second) < TOTAL as u16;
            Damage::check("frequencies of marks", true, first > 0 && second > 0 && is_whole)?;
        }
        Ok(Self(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_add_up() {
        let mut counts: MarkCounts = [[0; MARKS]; CONTEXTS];
        (counts[0], counts[1], counts[2]) = ([1, 1, 1], [0, u32::MAX, 0], [u32::MAX; 3]);
        (counts[3], counts[63]) = ([1_000_000, 1, 7], [1, 0, 1_000_000]);
        let frequencies = MarkFrequencies::fit(&counts);
        assert_eq!(MarkFrequencies::parse(&frequencies.to_bytes()), Ok(frequencies.clone()));
        for context in 0..CONTEXTS as u8 {
            for part in 0..=255 {
                let slot = frequencies.of(context, frequencies.mark(context, part));
                assert!(part >= slot.start && part - slot.start < slot.parts);
            }
        }
        assert_eq!(frequencies.0[1], [1, 254, 1]);
    }

    #[test]
    fn marks_without_parts_are_refused() {
        let bytes = MarkFrequencies::fit(&[[1; MARKS]; CONTEXTS]).to_bytes();
        for (at, part) in [(0, 0), (127, 0), (126, 255), (3, 171)] {
            let mut bytes = bytes.clone();
            bytes[at] = part;
            assert!(MarkFrequencies::parse(&bytes).is_err(), "{at} {part}");
        }
    }
}
