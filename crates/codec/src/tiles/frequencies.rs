//! Expected frequencies of the symbols of each context, in parts of 256.
//!
//! Symbol 0 and the escape have at least one part each; a symbol without a part is coded as an escape. An encoder gives parts to few
//! symbols, a decoder takes any.

use super::marks::{MarkCounts, MarkFrequencies};
use super::model::{CONTEXTS, ESCAPE, SYMBOLS, Slot, TOTAL, made_good};
use crate::Damage;

/// Symbols that an encoder gives parts besides the escape: the first ones, whose residuals are small. The others would save a
/// thousandth of the bytes of most slabs, and a search for more symbols takes every decoder longer.
pub(super) const USUAL: usize = 7;

/// Occurrences of each symbol in each context.
pub(super) type Counts = [[u32; SYMBOLS]; CONTEXTS];

/// The frequencies of a slab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frequencies {
    parts: [[u8; SYMBOLS]; CONTEXTS],
    /// Parts before each symbol.
    starts: [[u8; SYMBOLS]; CONTEXTS],
    /// Those of the marks, if scores have any.
    pub(super) marks: Option<MarkFrequencies>,
}

impl Frequencies {
    /// Bytes of those of scores: one for each symbol of each context.
    const OF_SCORES: usize = CONTEXTS * SYMBOLS;

    /// Length in bytes.
    pub(super) const fn byte_len(marks: bool) -> usize {
        if marks { Self::OF_SCORES + MarkFrequencies::BYTE_LEN } else { Self::OF_SCORES }
    }

    /// The frequencies that suit these counts.
    pub(super) fn fit(counts: &Counts, of_marks: Option<&MarkCounts>) -> Self {
        Self::new(counts.map(|counts| fit(&counts)), of_marks.map(MarkFrequencies::fit))
    }

    fn new(parts: [[u8; SYMBOLS]; CONTEXTS], marks: Option<MarkFrequencies>) -> Self {
        let starts = parts.map(|parts| {
            let mut end = 0u8;
            parts.map(|part| {
                let start = end;
                end = end.wrapping_add(part);
                start
            })
        });
        Self { parts, starts, marks }
    }

    /// Parts of a symbol, and those before it. A symbol without parts has those of the escape.
    #[inline]
    pub(super) fn of(&self, context: u8, symbol: u8) -> Slot {
        let (context, mut symbol) = (usize::from(context), usize::from(symbol));
        let is_escape = symbol == usize::from(ESCAPE) || self.parts[context][symbol] == 0;
        if is_escape {
            symbol = ESCAPE.into();
        }
        Slot { parts: self.parts[context][symbol], start: self.starts[context][symbol], is_escape }
    }

    /// Whether some context has parts for a symbol.
    pub(super) fn uses(&self, symbol: u8) -> bool {
        self.parts.iter().any(|parts| parts[usize::from(symbol)] > 0)
    }

    /// The last part of a symbol and of those before it, in a context.
    pub(super) fn last_part(&self, context: u8, symbol: u8) -> u8 {
        let (context, symbol) = (usize::from(context), usize::from(symbol));
        (self.starts[context][symbol] + self.parts[context][symbol]) - 1
    }

    /// The symbol that holds part `part` of a context.
    #[inline]
    pub(super) fn symbol(&self, context: u8, part: u8) -> u8 {
        let (parts, starts) = (&self.parts[usize::from(context)], &self.starts[usize::from(context)]);
        let holds = |&symbol: &usize| parts[symbol] > 0 && starts[symbol] <= part;
        (0..SYMBOLS).rev().find(holds).expect("symbol 0 has the first part") as u8
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let of_marks = self.marks.as_ref().map(MarkFrequencies::to_bytes).unwrap_or_default();
        [self.parts.as_flattened(), &of_marks].concat()
    }

    /// The frequencies that these bytes are, with or without marks.
    ///
    /// # Errors
    /// The frequencies of a context do not add up, or leave out symbol 0 or the escape.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let (bytes, of_marks) = bytes.split_at(Self::OF_SCORES);
        let (contexts, _) = bytes.as_chunks::<SYMBOLS>();
        let parts: [[u8; SYMBOLS]; CONTEXTS] = contexts.try_into().expect("the caller takes as many bytes");
        for parts in &parts {
            Damage::check("sum of frequencies", TOTAL, parts.iter().map(|&part| u32::from(part)).sum())?;
            Damage::check("frequencies of 0 and escape", true, parts[0] > 0 && parts[usize::from(ESCAPE)] > 0)?;
        }
        let marks = (!of_marks.is_empty()).then(|| MarkFrequencies::parse(of_marks)).transpose()?;
        Ok(Self::new(parts, marks))
    }
}

/// Parts for the symbols of one context.
fn fit(counts: &[u32; SYMBOLS]) -> [u8; SYMBOLS] {
    let mut counts = counts.map(u64::from);
    let total: u64 = counts.iter().sum();
    let escaped = counts[USUAL..].iter().sum();
    counts[USUAL..].fill(0);
    counts[usize::from(ESCAPE)] = escaped;
    let share = |count: u64| match count * u64::from(TOTAL) {
        0 => 0,
        // An escape costs eight bits more, so a symbol that nearly deserves a part gets one.
        parts if 4 * parts >= total => ((parts + total / 2) / total).max(1) as u32,
        _ => 0,
    };
    let mut parts = counts.map(share);
    parts[0] = parts[0].max(1);
    parts[usize::from(ESCAPE)] = parts[usize::from(ESCAPE)].max(1);
    made_good(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_add_up() {
        let mut counts: Counts = [[0; SYMBOLS]; CONTEXTS];
        counts[0] = [1; SYMBOLS];
        counts[1] = std::array::from_fn(|symbol| 1000 >> symbol);
        counts[2][7] = 12;
        counts[3][0] = u32::MAX;
        counts[4] = [u32::MAX; SYMBOLS];
        counts[5][15] = 3;
        let frequencies = Frequencies::fit(&counts, None);
        assert_eq!(Frequencies::parse(&frequencies.to_bytes()), Ok(frequencies.clone()));
        for context in 0..CONTEXTS as u8 {
            for part in 0..=255 {
                let symbol = frequencies.symbol(context, part);
                let slot = frequencies.of(context, symbol);
                assert!(part >= slot.start && part - slot.start < slot.parts);
            }
        }
        assert!(frequencies.of(2, 0).parts <= 3 && frequencies.of(2, 6).is_escape);
    }

    #[test]
    fn sums_and_gaps_are_refused() {
        let bytes = Frequencies::fit(&[[5; SYMBOLS]; CONTEXTS], None).to_bytes();
        for (at, by) in [(0, 1), (100, 255), (847, 1)] {
            let mut bytes = bytes.clone();
            bytes[at] = u8::wrapping_add(bytes[at], by);
            assert!(Frequencies::parse(&bytes).is_err());
        }
        let mut without_escape = bytes;
        without_escape[14] += without_escape[15];
        without_escape[15] = 0;
        assert!(Frequencies::parse(&without_escape).is_err());
    }
}
