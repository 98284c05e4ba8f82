//! The definition of how tiles are decoded: one symbol after the other.

use super::frequencies::Frequencies;
use super::marks;
use super::model::{self, CLOSE, CORNER, ESCAPE, ROOT_COL, ROOT_ROW, Slot};
use super::tile::{Band, Column, LANES, LEAST_STATE, Strip, TileToDecode, not_decoded};
use crate::Damage;

/// The contexts of a column by lane, then its symbols: one vector, which does not cross two lines of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Symbols(pub(super) [u8; 2 * LANES]);

/// Prediction and context of the score at a place, from those that it refers to.
pub(super) fn model_at(band: &Band, strip: &Strip, scores: &[Column], place: usize, lane: usize) -> (i8, u8) {
    let (is_root_row, is_root_col) = (band.depth[lane] == 0, place == 0);
    let (above, left) = (usize::from(band.reference[lane]), usize::from(strip.reference[place]));
    let u = if is_root_row { strip.parity[place] } else { scores[place][above] };
    let l = if is_root_col { band.parity[lane] } else { scores[left][lane] };
    let ul = match (is_root_row, is_root_col) {
        (true, _) => strip.reference_parity(place),
        (false, true) => band.parity[above],
        (false, false) => scores[left][above],
    };
    let context = match (is_root_row, is_root_col) {
        (true, true) => CORNER,
        (true, false) => ROOT_ROW,
        (false, true) => ROOT_COL,
        (false, false) => model::context(u, l, ul) + CLOSE * (band.close >> lane & 1) as u8,
    };
    (model::predict(u, l, ul), context)
}

/// Adds up how often each symbol occurs in each context in some columns.
pub(super) fn count<'a, const SYMBOLS: usize, const CONTEXTS: usize>(
    n_rows: usize,
    columns: impl Iterator<Item = &'a Symbols>,
    counts: &mut [[u32; SYMBOLS]; CONTEXTS],
) {
    // Neighbours often have the same symbol in the same context, and additions to one number wait for each other.
    let mut of_odd_lanes = [[0; SYMBOLS]; CONTEXTS];
    for column in columns {
        let (contexts, symbols) = column.0.split_at(LANES);
        let add = |counts: &mut [[u32; SYMBOLS]; CONTEXTS], lane: usize| {
            counts[usize::from(contexts[lane])][usize::from(symbols[lane])] += 1;
        };
        for lane in (0..n_rows).step_by(2) {
            add(counts, lane);
            if lane + 1 < n_rows {
                add(&mut of_odd_lanes, lane + 1);
            }
        }
    }
    counts.as_flattened_mut().iter_mut().zip(of_odd_lanes.as_flattened()).for_each(|(all, odd)| *all += odd);
}

/// Decodes a tile into its columns, from left to right.
///
/// # Errors
/// As [`decode`].
pub(super) fn decode_into(
    tile: TileToDecode<'_>,
    frequencies: &Frequencies,
    columns: &mut [Column],
) -> Result<(), Damage> {
    for (&col, column) in tile.strip.cols.iter().zip(decode(tile, frequencies)?) {
        columns[usize::from(col)] = column;
    }
    Ok(())
}

/// Decodes a tile: its columns in the order of the strip.
///
/// # Errors
/// The code or the escapes end too early or too late.
pub(super) fn decode(tile: TileToDecode<'_>, frequencies: &Frequencies) -> Result<Vec<Column>, Damage> {
    let TileToDecode { band, strip, parts } = tile;
    let n_cols = strip.n_cols();
    let mut scores = vec![[0; LANES]; n_cols];
    let mut states = parts.states;
    let (mut code, mut escapes) = (parts.code.iter(), parts.escapes.iter());
    let mut advance = |state: &mut u32, slot: Slot| {
        *state = u32::from(slot.parts) * (*state >> 8) + u32::from(*state as u8 - slot.start);
        if *state < LEAST_STATE {
            *state = *state << 8 | u32::from(*code.next().ok_or_else(not_decoded)?);
        }
        Ok(())
    };
    for (place, lane) in band.order(n_cols) {
        let (prediction, context) = model_at(band, strip, &scores, place, lane);
        let symbol = frequencies.symbol(context, states[lane] as u8);
        advance(&mut states[lane], frequencies.of(context, symbol))?;
        scores[place][lane] = match symbol {
            ESCAPE => *escapes.next().ok_or_else(not_decoded)? as i8,
            _ => prediction.wrapping_add(model::difference(symbol)),
        };
    }
    if let Some(of_marks) = &frequencies.marks {
        let mut marks = vec![[0; LANES]; n_cols];
        for (place, lane) in band.order(n_cols) {
            let context = marks::context_at(band, strip, (&scores, &marks), place, lane);
            let mark = of_marks.mark(context, states[lane] as u8);
            advance(&mut states[lane], of_marks.of(context, mark))?;
            marks[place][lane] = mark as i8;
        }
        let with_marks = |(score, mark): (&mut i8, &i8)| *score = *score << 2 | mark;
        scores.as_flattened_mut().iter_mut().zip(marks.as_flattened()).for_each(with_marks);
    }
    let is_whole = code.next().is_none() && escapes.next().is_none() && states == [LEAST_STATE; LANES];
    if is_whole { Ok(scores) } else { Err(not_decoded()) }
}
