//! The symbols in use and their last parts by context: what a decoder searches, and what an encoder takes parts from.

use super::model::{ByContext, by_context};
use crate::tiles::frequencies::{Frequencies, USUAL};
use crate::tiles::model::{self, ESCAPE, SYMBOLS};

/// Flipped in parts, so that comparisons of signed bytes order them.
pub(super) const BIAS: u8 = 128;

/// The last parts, [`BIAS`] flipped, of the symbols in use but the escape. In a context without parts for a symbol they end
/// where those of the symbol before end.
pub(super) struct Thresholds {
    /// Those that every search looks at, the last of them again where there are fewer. More are in few files.
    pub(super) usual: [ByContext; USUAL],
    pub(super) rare: Vec<ByContext>,
    /// Score minus prediction, by number among the symbols in use.
    pub(super) differences: [u8; SYMBOLS],
    /// Number among the symbols in use, by symbol; of others that of the escape, behind them all.
    pub(super) numbers: [u8; SYMBOLS],
}

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
        Self { usual: all.try_into().expect("as many as are usual"), rare, differences, numbers }
    }
}
