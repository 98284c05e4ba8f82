//! The symbols in use and their last parts by context: what a decoder searches, and what an encoder takes parts from.

use std::sync::OnceLock;

use super::model::{ByContext, PLACES, by_context};
use crate::tiles::frequencies::{Frequencies, USUAL};
use crate::tiles::marks::MarkFrequencies;
use crate::tiles::model::{self, ESCAPE, SYMBOLS, Slot};

/// Flipped in parts, so that comparisons of signed bytes order them.
pub(super) const BIAS: u8 = 128;
/// The last part of an escape, and the one before the first of all, flipped.
pub(super) const BEYOND: u8 = u8::MAX ^ BIAS;

/// The last parts, [`BIAS`] flipped, of the symbols in use but the escape. In a context without parts for a symbol they end
/// where those of the symbol before end.
pub(super) struct Thresholds {
    /// Those that every search looks at, the last of them again where there are fewer. More are in few files.
    pub(super) usual: [ByContext; USUAL],
    pub(super) rare: Vec<ByContext>,
    /// Those of marks 0 and 1, if scores have marks.
    pub(super) marks: [ByContext; 2],
    /// Score minus prediction, by number among the symbols in use.
    pub(super) differences: [u8; SYMBOLS],
    /// Number among the symbols in use, by symbol; of others that of the escape, behind them all.
    pub(super) numbers: [u8; SYMBOLS],
    /// See [`Thresholds::by_part`].
    by_part: OnceLock<Box<ByPart>>,
    by_symbol: OnceLock<Box<BySymbol>>,
}

/// For each place of a table by context, and each part: how many parts its symbol has, those before it in the symbol, and score minus
/// prediction.
type ByPart = [[[u8; 4]; 256]; PLACES];

/// For each place and each symbol: `256 - parts`, the parts before it, and 1 if it escapes.
type BySymbol = [[[u8; 4]; SYMBOLS]; PLACES];

/// In the place of a difference, which is even: the symbol is an escape.
pub(super) const ESCAPED: u8 = 1;

impl Thresholds {
    pub(super) fn new(frequencies: &Frequencies) -> Self {
        let mut all: Vec<ByContext> = Vec::with_capacity(SYMBOLS);
        let (mut differences, mut numbers) = ([0; SYMBOLS], [u8::MAX; SYMBOLS]);
        for symbol in (0..ESCAPE).filter(|&symbol| frequencies.uses(symbol)) {
            differences[all.len()] = model::difference(symbol) as u8;
            numbers[usize::from(symbol)] = all.len() as u8;
            all.push(by_context(|context| frequencies.last_part(context, symbol) ^ BIAS));
        }
        let last = *all.last().expect("symbol 0 has a part in every context");
        all.resize(all.len().max(USUAL), last);
        let numbers = numbers.map(|number| number.min(all.len() as u8));
        let rare = all.split_off(USUAL);
        let usual = all.try_into().expect("as many as are usual");
        let marks = [0, 1].map(|mark| {
            let last_part = |of_marks: &MarkFrequencies, context| of_marks.last_part(context, mark) ^ BIAS;
            let of =
                |context: usize| frequencies.marks.as_ref().map_or(0, |of_marks| last_part(of_marks, context as u8));
            ByContext(std::array::from_fn(of))
        });
        Self { usual, rare, marks, differences, numbers, by_part: OnceLock::new(), by_symbol: OnceLock::new() }
    }

    /// The last parts of all symbols but the escape.
    pub(super) fn last(&self) -> &ByContext {
        self.rare.last().unwrap_or(&self.usual[USUAL - 1])
    }

    /// The meaning of every part, for a search that looks them up. It is made when it is first needed.
    pub(super) fn by_part(&self) -> &ByPart {
        self.by_part.get_or_init(|| {
            let mut table = vec![[[0; 4]; 256]; PLACES];
            for (place, meanings) in table.iter_mut().enumerate() {
                let last_parts = self.usual.iter().chain(&self.rare).map(|table| usize::from(table.0[place] ^ BIAS));
                let symbols = last_parts.zip(self.differences).chain([(255, ESCAPED)]);
                let mut start = 0;
                for (last, difference) in symbols {
                    let parts = (last + 1).saturating_sub(start);
                    for (meaning, offset) in meanings[start..start + parts].iter_mut().zip(0..) {
                        *meaning = [parts as u8, offset, difference, 0];
                    }
                    start += parts;
                }
            }
            table.try_into().expect("a table of all places")
        })
    }

    /// What codes every symbol, for an encoder that looks them up; `frequencies` are those that this was made of.
    pub(super) fn by_symbol(&self, frequencies: &Frequencies) -> &BySymbol {
        self.by_symbol.get_or_init(|| {
            let contexts = by_context(|context| context);
            Box::new(contexts.0.map(|context| {
                std::array::from_fn(|symbol| {
                    let Slot { parts, start, is_escape } = frequencies.of(context, symbol as u8);
                    [parts.wrapping_neg(), start, is_escape.into(), 0]
                })
            }))
        })
    }
}
