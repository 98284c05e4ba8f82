//! Encoding a slab: references, frequencies from a sample of its tiles, then tile after tile.

use std::cell::RefCell;
use std::ops::Range;

use dab_isa::Isa;

use super::frequencies::{self, Frequencies};
use super::marks::{self, MarkCounts};
use super::model::{CONTEXTS, SYMBOLS};
use super::references::References;
use super::scalar::{self, Symbols};
use super::tile::{Band, Column, LANES, Strip, Values};
use super::tiling::{STRIP, Tiling};
use super::vectors::{TileCoder, coder};
use super::{key, transpose};
use crate::parity::Parities;
use crate::{Crew, Effort};

/// Tiles that are counted, if there are as many; of many tiles an eighth.
const COUNTED: usize = 4;
const MOST_STEP: usize = 8;
/// Bands that a thread encodes before they are put: so threads seldom wait for each other.
const AT_A_TIME: usize = 16;
/// Of a tile every so manyth column is counted.
const COUNTED_COLS: usize = 2;

/// Buffers of a thread.
#[derive(Default)]
struct Workspace {
    /// The columns of a tile, from left to right.
    columns: Vec<Column>,
    /// The same in the order of the strip; and those of its marks, if there are any.
    scores: Vec<Column>,
    marks: Vec<Column>,
    symbols: Vec<Symbols>,
    code: Vec<u8>,
    bytes: Vec<u8>,
}

/// The tiles of a band.
#[derive(Default)]
struct EncodedBand {
    bytes: Vec<u8>,
    /// Where each tile ends.
    ends: Vec<usize>,
}

impl EncodedBand {
    fn tiles(&self) -> impl Iterator<Item = &[u8]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.bytes[begin..end])
    }
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Occurrences of symbols and of marks.
struct Counts {
    scores: frequencies::Counts,
    marks: MarkCounts,
}

impl Default for Counts {
    fn default() -> Self {
        Self { scores: [[0; SYMBOLS]; CONTEXTS], marks: [[0; 3]; marks::CONTEXTS] }
    }
}

/// Encodes the tiles of a slab.
pub(super) struct Encoder<'a> {
    isa: Isa,
    crew: Crew,
    tiling: Tiling,
    scores: &'a [i8],
    bands: Vec<Band>,
    strips: Vec<Strip>,
    frequencies: Frequencies,
    key: Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// Finds references and frequencies for these scores.
    pub(super) fn new(tiling: Tiling, scores: &'a [i8], parities: &Parities, effort: Effort, crew: Crew) -> Self {
        Self::with((Isa::best(), crew), tiling, scores, parities, effort)
    }

    fn with((isa, crew): (Isa, Crew), tiling: Tiling, scores: &'a [i8], parities: &Parities, effort: Effort) -> Self {
        let references = References::find(isa, tiling, scores, effort, crew);
        let band = |rows: Range<usize>| {
            let (references, parities) = (&references.rows[rows.clone()], &parities.rows[rows.clone()]);
            Band::of_window(rows.start, references, parities).expect("references make trees")
        };
        let strip = |cols: Range<usize>| {
            let (references, parities) = (&references.cols[cols.clone()], &parities.cols[cols.clone()]);
            Strip::new(cols.start, references, parities).expect("references make trees")
        };
        let (bands, strips) = (tiling.windows().flat_map(band).collect(), tiling.strips().map(strip).collect());
        let none = Counts::default();
        let frequencies = Frequencies::fit(&none.scores, tiling.marks.then_some(&none.marks));
        let key = vec![0; tiling.key_len()];
        let mut encoder = Self { isa, crew, tiling, scores, bands, strips, frequencies, key };
        let counts = encoder.counts();
        encoder.frequencies = Frequencies::fit(&counts.scores, tiling.marks.then_some(&counts.marks));
        key::write(&mut encoder.key, &encoder.frequencies, &references);
        encoder
    }

    /// The key that all tiles are decoded by.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    /// Occurrences of each symbol and each mark in each context, in some of the tiles.
    fn counts(&self) -> Counts {
        let step = (self.tiling.n_tiles() / COUNTED).clamp(1, MOST_STEP);
        let is_counted = |band: usize, strip: usize| (band + strip).is_multiple_of(step);
        let bands = self.bands.iter().enumerate();
        let bands = bands.filter(|&(band, _)| (0..self.strips.len()).any(|strip| is_counted(band, strip)));
        let coder = coder(self.isa, &self.frequencies);
        let counts_of = |(number, band): (usize, &Band)| {
            let mut counts = Counts::default();
            WORKSPACE.with_borrow_mut(|work| {
                for (_, strip) in self.strips.iter().enumerate().filter(|&(strip, _)| is_counted(number, strip)) {
                    work.take(self, band, strip);
                    let symbols = &mut work.symbols[..strip.n_cols()];
                    coder.symbols(band, strip, &work.scores, symbols);
                    scalar::count(band.n_rows(), symbols.iter().step_by(COUNTED_COLS), &mut counts.scores);
                    if self.tiling.marks {
                        coder.mark_symbols(band, strip, &work.scores, &work.marks, symbols);
                        scalar::count(band.n_rows(), symbols.iter().step_by(COUNTED_COLS), &mut counts.marks);
                    }
                }
            });
            counts
        };
        let mut all = Counts::default();
        for Counts { scores, marks } in self.crew.map(bands.collect(), counts_of) {
            let of_all = all.scores.as_flattened_mut().iter_mut().chain(all.marks.as_flattened_mut());
            of_all.zip(scores.as_flattened().iter().chain(marks.as_flattened())).for_each(|(all, count)| *all += count);
        }
        all
    }

    /// Encodes every tile, block by block.
    pub(super) fn for_each_tile(&self, mut put: impl FnMut(&[u8]) + Send) {
        let coder = coder(self.isa, &self.frequencies);
        if self.crew == Crew::Alone {
            self.bands.iter().for_each(|band| self.encode(band, &*coder, &mut put));
            return;
        }
        // A few bands at a time, in memory that others use again: all of them would take the memory of the record once more.
        let mut groups = self.bands.chunks(AT_A_TIME * self.crew.n_threads());
        let (mut encoded, mut next) = (Vec::new(), self.encode_group(groups.next(), &*coder, Vec::new()));
        while !next.is_empty() {
            (encoded, next) = (next, encoded);
            let group = groups.next();
            ((), next) = self.crew.join(
                || encoded.iter().for_each(|band: &EncodedBand| band.tiles().for_each(&mut put)),
                || self.encode_group(group, &*coder, next),
            );
        }
    }

    /// Encodes bands, into memory of others.
    fn encode_group(
        &self,
        bands: Option<&[Band]>,
        coder: &dyn TileCoder,
        mut used: Vec<EncodedBand>,
    ) -> Vec<EncodedBand> {
        let bands = bands.unwrap_or_default();
        used.resize_with(bands.len(), EncodedBand::default);
        self.crew.map(bands.iter().zip(used).collect(), |(band, mut encoded): (&Band, EncodedBand)| {
            encoded.bytes.clear();
            encoded.ends.clear();
            self.encode(band, coder, |tile| {
                encoded.bytes.extend_from_slice(tile);
                encoded.ends.push(encoded.bytes.len());
            });
            encoded
        })
    }

    /// Encodes every tile of a band.
    fn encode(&self, band: &Band, coder: &dyn TileCoder, mut put: impl FnMut(&[u8])) {
        WORKSPACE.with_borrow_mut(|work| {
            for strip in &self.strips {
                work.take(self, band, strip);
                let Workspace { scores, marks, symbols, code, bytes, .. } = &mut *work;
                let values = Values { scores, marks: self.tiling.marks.then_some(marks) };
                bytes.clear();
                coder.encode((band, strip), values, &mut symbols[..strip.n_cols()], code, bytes);
                put(bytes);
            }
        });
    }
}

impl Workspace {
    /// Takes the columns of a strip into its order, marks apart.
    fn take(&mut self, of: &Encoder<'_>, band: &Band, strip: &Strip) {
        let cols = strip.first..strip.first + strip.n_cols();
        transpose::columns_of(band, of.scores, (of.tiling.cols, cols), &mut self.columns);
        self.scores.clear();
        self.scores.extend(strip.cols.iter().map(|&col| self.columns[usize::from(col)]));
        if of.tiling.marks {
            let of_marks = |column: &mut Column| {
                let marks = column.map(|value| value & 3);
                *column = column.map(|value| value >> 2);
                marks
            };
            self.marks.clear();
            self.marks.extend(self.scores.iter_mut().map(of_marks));
        }
        self.symbols.resize(STRIP, Symbols([0; 2 * LANES]));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Key and tiles of a slab, by an instruction set, and by one thread or by all.
    pub(in crate::tiles) fn encoded(
        by: (Isa, Crew),
        tiling: Tiling,
        scores: &[i8],
        parities: &Parities,
    ) -> (Vec<u8>, Vec<Vec<u8>>) {
        let encoder = Encoder::with(by, tiling, scores, parities, Effort::Run);
        let mut tiles = Vec::new();
        encoder.for_each_tile(|bytes| tiles.push(bytes.to_vec()));
        (encoder.key().to_vec(), tiles)
    }
}
