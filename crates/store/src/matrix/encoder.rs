//! Encoding a slab: references, frequencies from a sample of its tiles, then tile after tile.

use std::cell::RefCell;

use super::avx512::{Avx512, EncodeTable};
use super::frequencies::{Counts, Frequencies};
use super::model::{CONTEXTS, SYMBOLS};
use super::references::References;
use super::scalar::{self, Symbols};
use super::tile::{Band, Column, Strip};
use super::tiling::{STRIP, Tiling};
use super::{LANES, key, transpose};
use crate::parity::Parities;

/// Tiles that are counted, if there are as many; of many tiles an eighth.
const COUNTED: usize = 16;
const MOST_STEP: usize = 8;

/// Buffers of a thread.
#[derive(Default)]
struct Workspace {
    /// The columns of a band, in the order of the slab.
    columns: Vec<Column>,
    /// Those of a strip, in its order.
    scores: Vec<Column>,
    symbols: Vec<Symbols>,
    code: Vec<u8>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Encodes a slab. `begin` takes the key and `put` the tiles, block by block.
pub(crate) fn encode(
    tiling: Tiling,
    scores: &[i8],
    parities: &Parities,
    begin: impl FnOnce(&[u8]),
    put: impl FnMut(&[u8]),
) {
    encode_with(Avx512::new(), tiling, scores, parities, begin, put);
}

fn encode_with(
    avx512: Option<Avx512>,
    tiling: Tiling,
    scores: &[i8],
    parities: &Parities,
    begin: impl FnOnce(&[u8]),
    mut put: impl FnMut(&[u8]),
) {
    let references = References::find(tiling, scores);
    let bands: Vec<Band> = tiling
        .windows()
        .flat_map(|rows| {
            let (references, parities) = (&references.rows[rows.clone()], &parities.rows()[rows.clone()]);
            Band::of_window(rows.start, references, parities).expect("references make trees")
        })
        .collect();
    let strip = |cols: std::ops::Range<usize>| {
        let (references, parities) = (&references.cols[cols.clone()], &parities.cols()[cols.clone()]);
        Strip::new(cols.start, references, parities).expect("references make trees")
    };
    let strips: Vec<Strip> = tiling.strips().map(strip).collect();

    WORKSPACE.with_borrow_mut(|work| {
        work.symbols.resize(STRIP, [0; 2 * LANES]);
        let mut counts: Counts = [[0; SYMBOLS]; CONTEXTS];
        let step = (bands.len() * strips.len() / COUNTED).clamp(1, MOST_STEP);
        for (number, band) in bands.iter().enumerate() {
            let counted = |strip: usize| (number + strip).is_multiple_of(step);
            if !(0..strips.len()).any(counted) {
                continue;
            }
            transpose::columns_of(band, scores, tiling.cols, &mut work.columns);
            for (_, strip) in strips.iter().enumerate().filter(|&(strip, _)| counted(strip)) {
                work.find_symbols(avx512, band, strip);
                scalar::count(band.n_rows(), &work.symbols[..strip.n_cols()], &mut counts);
            }
        }
        let frequencies = Frequencies::fit(&counts);
        let mut bytes = vec![0; tiling.key_len()];
        key::write(&mut bytes, &frequencies, &references);
        begin(&bytes);

        let table = EncodeTable::new(&frequencies);
        for band in &bands {
            transpose::columns_of(band, scores, tiling.cols, &mut work.columns);
            for strip in &strips {
                work.find_symbols(avx512, band, strip);
                bytes.clear();
                let Workspace { scores, symbols, code, .. } = &mut *work;
                match avx512 {
                    Some(avx512) => avx512.encode(band, strip, scores, symbols, &table, code, &mut bytes),
                    None => scalar::encode(band, strip, scores, symbols, &frequencies, &mut bytes),
                }
                put(&bytes);
            }
        }
    });
}

impl Workspace {
    /// Takes the columns of a strip into its order and works out their contexts and symbols.
    fn find_symbols(&mut self, avx512: Option<Avx512>, band: &Band, strip: &Strip) {
        self.scores.clear();
        self.scores.extend(strip.cols.iter().map(|&col| self.columns[strip.first + usize::from(col)]));
        let symbols = &mut self.symbols[..strip.n_cols()];
        match avx512 {
            Some(avx512) => avx512.symbols(band, strip, &self.scores, symbols),
            None => scalar::symbols(band, strip, &self.scores, symbols),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Key and tiles of a slab, by the definition or by the fastest way.
    pub(in super::super) fn encoded(
        is_scalar: bool,
        tiling: Tiling,
        scores: &[i8],
        parities: &Parities,
    ) -> (Vec<u8>, Vec<Vec<u8>>) {
        let (mut key, mut tiles) = (Vec::new(), Vec::new());
        let avx512 = if is_scalar { None } else { Avx512::new() };
        encode_with(avx512, tiling, scores, parities, |bytes| key = bytes.to_vec(), |bytes| tiles.push(bytes.to_vec()));
        (key, tiles)
    }
}
