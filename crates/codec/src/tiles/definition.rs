//! The definition as a coder: what tests hold the others against.

use super::coder::TileCoder;
use super::frequencies::Frequencies;
use super::model;
use super::scalar::{Symbols, decode, decode_into, model_at};
use super::tile::{Band, Column, LEAST_STATE, Parts, Strip};
use super::vectors::Work;
use super::{LANES, TileToDecode};

/// Contexts and symbols of all columns of a tile.
fn symbols(band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
    for (place, symbols) in symbols.iter_mut().enumerate() {
        for lane in 0..band.n_rows() {
            let (prediction, context) = model_at(band, strip, scores, place, lane);
            symbols.0[lane] = context;
            symbols.0[LANES + lane] = model::symbol(scores[place][lane], prediction);
        }
    }
}

/// Codes tiles by the definition.
pub(super) struct Coder(Frequencies);

impl Coder {
    pub(super) fn new(frequencies: &Frequencies) -> Self {
        Self(frequencies.clone())
    }
}

impl TileCoder for Coder {
    fn decode(
        &self,
        (first, second): (TileToDecode<'_>, Option<TileToDecode<'_>>),
        _: &mut Work,
        columns: &mut [Vec<Column>; 2],
        sides: [usize; 2],
    ) -> bool {
        let mut tiles = [Some(first), second].into_iter().flatten().zip(sides);
        tiles.all(|(tile, side)| decode_into(tile, &self.0, &mut columns[side]).is_ok())
    }

    fn decode_one(&self, tile: TileToDecode<'_>, _: &mut Work, place: usize, lane: usize) -> Option<i8> {
        Some(decode(tile, &self.0).ok()?[place][lane])
    }

    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], found: &mut [Symbols]) {
        symbols(band, strip, scores, found);
    }

    fn encode(
        &self,
        (band, strip): (&Band, &Strip),
        scores: &[Column],
        found: &mut [Symbols],
        _: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        symbols(band, strip, scores, found);
        encode(band, strip, scores, found, &self.0, bytes);
    }
}

/// Appends the bytes of a tile: the decoder's way back, from the last symbol to the first.
fn encode(
    band: &Band,
    strip: &Strip,
    scores: &[Column],
    symbols: &[Symbols],
    frequencies: &Frequencies,
    bytes: &mut Vec<u8>,
) {
    let (n, n_cols) = (band.n_rows(), strip.n_cols());
    let mut states = [LEAST_STATE; LANES];
    let (mut code, mut escapes) = (Vec::new(), Vec::new());
    for step in (0..n_cols + band.most_depth).rev() {
        for lane in (0..n).rev() {
            let Some(place) = band.column_at(step, lane, n_cols) else { continue };
            let slot = frequencies.of(symbols[place].0[lane], symbols[place].0[LANES + lane]);
            if slot.is_escape {
                escapes.push(scores[place][lane] as u8);
            }
            let (parts, state) = (u32::from(slot.parts), &mut states[lane]);
            if *state >= parts << 12 {
                code.push(*state as u8);
                *state >>= 8;
            }
            *state = (*state / parts) << 8 | (*state % parts + u32::from(slot.start));
        }
    }
    code.reverse();
    escapes.reverse();
    Parts { states, escapes: &escapes, code: &code }.append_to(n, bytes);
}
