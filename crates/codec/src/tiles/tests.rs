//! Laws of the codec: encoded scores come out again, every way of decoding agrees, vectors follow the definition, and
//! damage is an error or another score, never a panic.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use bitvec::prelude::*;
use dab_isa::Isa;

use super::decoder::{Decoder, TileBytes, TileDecoder};
use super::encoder::tests::encoded;
use super::key::KeyPart;
use super::tile::Column;
use super::tiling::Tiling;
use crate::parity::Parities;
use crate::{Crew, Damage, Decoded, Fault, ReadError, Shape, Wanted};

/// Numbers that look random: the upper bits of a linear congruence.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A slab: parities and scores that have them.
struct Slab {
    rows: BitVec,
    cols: BitVec,
    scores: Vec<i8>,
    tiling: Tiling,
}

impl Slab {
    /// Rows and columns in families: a score is the sum of a part of its row and one of its column, and now and then
    /// something else; `noise` of 1000 are.
    fn new(n_rows: usize, n_cols: usize, noise: u64, seed: u64) -> Self {
        Self::of(n_rows, n_cols, noise, seed, false)
    }

    /// The same scores, with marks that are sums likewise or without.
    fn of(n_rows: usize, n_cols: usize, noise: u64, seed: u64, marks: bool) -> Self {
        let mut random = Random(seed);
        let mut bits = |n: usize| (0..n).map(|_| random.below(2) == 1).collect::<BitVec>();
        let (rows, cols) = (bits(n_rows), bits(n_cols));
        let mut parts = |n: usize| (0..n).map(|_| random.below(9) as i8 - 4).collect::<Vec<i8>>();
        let (row_parts, col_parts) = (parts(n_rows), parts(n_cols));
        let shape = Shape { rows: &rows, cols: &cols, is_odd: false };
        let scores = (0..n_rows * n_cols)
            .map(|i| {
                let (row, col) = (i / n_cols, i % n_cols);
                let half = match random.below(1000) < noise {
                    true if marks => random.below(30) as i8 - 15,
                    true => random.below(126) as i8 - 63,
                    false => (row_parts[row] + col_parts[col]) / 2,
                };
                let score = 2 * half + shape.parity(row, col) as i8;
                let mark = (row_parts[row] + 3 * col_parts[col] + (random.below(1000) < noise) as i8).rem_euclid(3);
                if marks { score << 2 | mark } else { score }
            })
            .collect();
        Self { tiling: Tiling::of(n_rows, n_cols, 16).unwrap().with_marks(marks), rows, cols, scores }
    }

    fn shape(&self) -> Shape<'_> {
        Shape { rows: &self.rows, cols: &self.cols, is_odd: false }
    }
}

fn check(slab: &Slab) {
    let parities = Parities::of(slab.shape());
    let (key, tiles) = encoded((Isa::portable(), Crew::Alone), slab.tiling, &slab.scores, &parities);
    assert_eq!(tiles.len(), slab.tiling.n_tiles());
    assert!(tiles.iter().all(|tile| tile.len() as u64 <= slab.tiling.most_bytes()));
    for isa in Isa::available() {
        for crew in [Crew::Alone, Crew::Together] {
            let again = encoded((isa, crew), slab.tiling, &slab.scores, &parities);
            assert!(again == (key.clone(), tiles.clone()), "{isa:?} or threads differ");
        }
    }

    let n_cols = slab.cols.len();
    for isa in Isa::available() {
        let decoder = Decoder::with(isa, slab.tiling, &key, &parities).unwrap();
        let mut scores = Vec::new();
        for crew in [Crew::Together, Crew::Alone] {
            scores = vec![99; slab.scores.len()];
            all_of(&decoder, crew, |tile| Ok(&tiles[tile]), &mut scores).unwrap();
            assert!(scores == slab.scores);
        }
        check_parts(slab, &decoder, &tiles);

        let positions: Vec<usize> = (0..scores.len()).step_by(scores.len() / 97).collect();
        for (&position, at) in positions.iter().zip(decoder.locate(&positions)) {
            let read = |columns: &[Column]| columns[at.col][at.lane];
            assert_eq!(decoder.tile(at.block, Ok(&tiles[at.block]), read).unwrap(), slab.scores[position]);
            let place = (position / n_cols, position % n_cols);
            let tile = slab.tiling.tile(place.0, place.1);
            let part = KeyPart::of(&key, &tile, slab.tiling);
            let one = TileDecoder::with(isa, slab.tiling, &tile, &part, slab.shape(), place).unwrap();
            assert_eq!(one.block, at.block);
            assert_eq!(one.score(&tiles[one.block]).unwrap(), slab.scores[position]);
        }
    }
}

/// Tiles one by one.
struct Each<'f, 't>(&'f (dyn Fn(usize) -> Result<&'t [u8], Damage> + Sync));

impl TileBytes for Each<'_, '_> {
    fn tiles<'b>(
        &'b self,
        _: Range<usize>,
        _: &'b mut Vec<u8>,
    ) -> Result<impl Fn(usize) -> Result<&'b [u8], Damage>, ReadError> {
        Ok(|tile| (self.0)(tile))
    }
}

/// Decodes all tiles.
fn all_of<'a>(
    decoder: &Decoder,
    crew: Crew,
    tile: impl Fn(usize) -> Result<&'a [u8], Damage> + Sync,
    scores: &mut [i8],
) -> Result<(), Fault> {
    let all = decoder.missing(&Wanted::ALL, &mut Decoded::default());
    decoder.some(crew, &Each(&tile), &all, scores, &|_| Ok(()))
}

/// Part after part is decoded, each tile once, until all are; whatever is decoded is right, and all else is left alone.
fn check_parts(slab: &Slab, decoder: &Decoder, tiles: &[Vec<u8>]) {
    let (n_rows, n_cols) = (slab.rows.len(), slab.cols.len());
    let (mut scores, mut decoded, mut random) = (vec![99; slab.scores.len()], Decoded::default(), Random(3));
    let taken: Vec<AtomicU32> = tiles.iter().map(|_| AtomicU32::new(0)).collect();
    while !decoded.is_whole() {
        let mut flags = |n: usize| -> Vec<bool> {
            let (first, len) = (random.below(n as u64) as usize, 1 + random.below(n as u64 / 3) as usize);
            (0..n).map(|i| (first..first + len).contains(&i)).collect()
        };
        let (rows, cols) = (flags(n_rows), flags(n_cols));
        let wanted = Wanted::of(rows.clone(), cols.clone());
        let missing = decoder.missing(&wanted, &mut decoded);
        let tile = |tile: usize| {
            taken[tile].fetch_add(1, Ordering::Relaxed);
            Ok(&tiles[tile][..])
        };
        decoder.some(Crew::Alone, &Each(&tile), &missing, &mut scores, &|_| Ok(())).unwrap();
        decoder.note(&missing, &mut decoded);
        assert!(decoded.has_all(&wanted));
        for (place, (&found, &score)) in scores.iter().zip(&slab.scores).enumerate() {
            let (row, col) = (place / n_cols, place % n_cols);
            let is_there = decoded.has_score(row, col);
            assert!(is_there || !(rows[row] && cols[col]));
            assert_eq!(found, if is_there { score } else { 99 });
        }
    }
    assert!(taken.iter().all(|taken| taken.load(Ordering::Relaxed) == 1));
}

#[test]
fn slabs_are_found_again() {
    for (rows, cols) in [(16, 64), (17, 65), (33, 100), (64, 513), (70, 1030), (1100, 64)] {
        for marks in [false, true] {
            check(&Slab::of(rows, cols, 30, rows as u64, marks));
        }
    }
    check(&Slab::of(40, 80, 1000, 6, true));
    check(&Slab::new(40, 80, 0, 5));
    check(&Slab::new(40, 80, 1000, 6));
}

#[test]
fn families_take_few_bits() {
    let slab = Slab::new(512, 512, 0, 7);
    let (_, tiles) = encoded((Isa::best(), Crew::Alone), slab.tiling, &slab.scores, &Parities::of(slab.shape()));
    let bytes: usize = tiles.iter().map(Vec::len).sum();
    assert!(bytes * 8 < slab.scores.len(), "{bytes} bytes");
}

#[test]
fn damaged_tiles_are_no_panic() {
    [false, true].into_iter().for_each(check_damaged_tiles);
}

fn check_damaged_tiles(marks: bool) {
    let slab = Slab::of(40, 80, 30, 9, marks);
    let parities = Parities::of(slab.shape());
    let (key, tiles) = encoded((Isa::best(), Crew::Alone), slab.tiling, &slab.scores, &parities);
    let mut scores = vec![0; slab.scores.len()];
    // A flipped escape may be just another score; everything else ends the code elsewhere.
    let n_escapes = usize::from(u16::from_le_bytes([tiles[0][0], tiles[0][1]]));
    for isa in Isa::available() {
        let decoder = Decoder::with(isa, slab.tiling, &key, &parities).unwrap();
        let mut n_errors = 0;
        for at in 0..tiles[0].len() {
            for bit in 0..8 {
                let mut tile = tiles[0].clone();
                tile[at] ^= 1 << bit;
                n_errors += usize::from(
                    all_of(&decoder, Crew::Alone, |i| Ok(if i == 0 { &tile } else { &tiles[i] }), &mut scores).is_err(),
                );
            }
            assert!(all_of(&decoder, Crew::Alone, |i| Ok(&tiles[i][..at.min(tiles[i].len())]), &mut scores).is_err());
        }
        assert!(n_errors >= 8 * (tiles[0].len() - n_escapes), "{isa:?}");
    }
}

#[test]
fn hostile_keys_are_refused() {
    [false, true].into_iter().for_each(check_hostile_keys);
}

fn check_hostile_keys(marks: bool) {
    let slab = Slab::of(40, 80, 30, 9, marks);
    let parities = Parities::of(slab.shape());
    let (key, tiles) = encoded((Isa::best(), Crew::Alone), slab.tiling, &slab.scores, &parities);
    let mut random = Random(3);
    for _ in 0..3000 {
        let mut key = key.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(key.len() as u64) as usize;
            key[at] = random.below(256) as u8;
        }
        let tile = slab.tiling.tile(33, 70);
        let part = KeyPart::of(&key, &tile, slab.tiling);
        let decoded = |isa: Isa| {
            let mut scores = vec![0; slab.scores.len()];
            let decoder = Decoder::with(isa, slab.tiling, &key, &parities).ok()?;
            all_of(&decoder, Crew::Alone, |i| Ok(&tiles[i]), &mut scores).ok()?;
            Some(scores)
        };
        let score = |isa: Isa| {
            let one = TileDecoder::with(isa, slab.tiling, &tile, &part, slab.shape(), (33, 70)).ok()?;
            one.score(&tiles[one.block]).ok()
        };
        let (scores, one) = (decoded(Isa::portable()), score(Isa::portable()));
        for isa in Isa::available() {
            assert!(decoded(isa) == scores, "{isa:?}");
            // Vectors decode no further than to the score.
            assert!(one.is_none() || score(isa) == one, "{isa:?}");
        }
    }
}
