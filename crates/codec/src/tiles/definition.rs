//! The definition as a coder: what tests hold the others against.

use super::frequencies::Frequencies;
use super::marks;
use super::model::{self, Slot};
use super::scalar::{Symbols, decode, decode_into, model_at};
use super::tile::{Band, Column, LANES, LEAST_STATE, Parts, Strip, TileToDecode, Values};
use super::vectors::TileCoder;
use super::vectors::Work;

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

/// The same of marks.
fn mark_symbols(band: &Band, strip: &Strip, scores: &[Column], marks: &[Column], symbols: &mut [Symbols]) {
    for (place, symbols) in symbols.iter_mut().enumerate() {
        for lane in 0..band.n_rows() {
            symbols.0[lane] = marks::context_at(band, strip, (scores, marks), place, lane);
            symbols.0[LANES + lane] = marks[place][lane] as u8;
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
    ) -> bool {
        let mut tiles = [Some(first), second].into_iter().flatten().zip(columns);
        tiles.all(|(tile, columns)| decode_into(tile, &self.0, columns).is_ok())
    }

    fn decode_one(&self, tile: TileToDecode<'_>, _: &mut Work, place: usize, lane: usize) -> Option<i8> {
        Some(decode(tile, &self.0).ok()?[place][lane])
    }

    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], found: &mut [Symbols]) {
        symbols(band, strip, scores, found);
    }

    fn mark_symbols(&self, band: &Band, strip: &Strip, scores: &[Column], marks: &[Column], found: &mut [Symbols]) {
        mark_symbols(band, strip, scores, marks, found);
    }

    fn encode(
        &self,
        (band, strip): (&Band, &Strip),
        values: Values<'_>,
        found: &mut [Symbols],
        _: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        encode(band, strip, values, found, &self.0, bytes);
    }
}

/// Appends the bytes of a tile: the decoder's way back, from the last symbol to the first.
fn encode(
    band: &Band,
    strip: &Strip,
    Values { scores, marks }: Values<'_>,
    found: &mut [Symbols],
    frequencies: &Frequencies,
    bytes: &mut Vec<u8>,
) {
    let n_cols = strip.n_cols();
    let mut states = [LEAST_STATE; LANES];
    let (mut code, mut escapes) = (Vec::new(), Vec::new());
    let mut put = |state: &mut u32, slot: Slot| {
        let parts = u32::from(slot.parts);
        if *state >= parts << 12 {
            code.push(*state as u8);
            *state >>= 8;
        }
        *state = (*state / parts) << 8 | (*state % parts + u32::from(slot.start));
    };
    if let (Some(marks), Some(of_marks)) = (marks, &frequencies.marks) {
        mark_symbols(band, strip, scores, marks, found);
        for (place, lane) in band.order(n_cols).rev() {
            put(&mut states[lane], of_marks.of(found[place].0[lane], found[place].0[LANES + lane]));
        }
    }
    symbols(band, strip, scores, found);
    for (place, lane) in band.order(n_cols).rev() {
        let slot = frequencies.of(found[place].0[lane], found[place].0[LANES + lane]);
        if slot.is_escape {
            escapes.push(scores[place][lane] as u8);
        }
        put(&mut states[lane], slot);
    }
    code.reverse();
    escapes.reverse();
    Parts { states, escapes: &escapes, code: &code }.append_to(band.n_rows(), bytes);
}
