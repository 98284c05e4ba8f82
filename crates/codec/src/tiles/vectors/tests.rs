//! Every instruction set codes tiles as the definition does.

use dab_isa::Isa;

use super::super::definition;
use super::super::frequencies::Frequencies;
use super::super::model::{CONTEXTS, SYMBOLS};
use super::super::scalar::{self, Symbols};
use super::super::tests::Random;
use super::super::tile::{Band, CLOSE_BIT, Column, LANES, MOST_DEPTH, Parts, Strip, TileToDecode, Values};
use super::{TileCoder, Work, coder};

/// A tile whose references, frequencies and scores mean nothing.
struct Sample {
    band: Band,
    strip: Strip,
    frequencies: Frequencies,
    scores: Vec<Column>,
    marks: Option<Vec<Column>>,
    /// Scores with their marks, if they have any.
    values: Vec<Column>,
    bytes: Vec<u8>,
}

impl Sample {
    fn new(n_rows: usize, n_cols: usize, with_marks: bool, random: &mut Random) -> Self {
        let parities = |n: usize, random: &mut Random| (0..n).map(|_| random.below(2) as u8).collect::<Vec<u8>>();
        let (row_parities, col_parities) = (parities(n_rows, random), parities(n_cols, random));
        let rows = tree(n_rows, MOST_DEPTH, random);
        let rows: Vec<u16> = rows.iter().map(|&row| row | (CLOSE_BIT * random.below(2) as u16)).collect();
        let band = Band::of_window(0, &rows, &row_parities).unwrap().remove(0);
        let strip = Strip::new(0, &tree(n_cols, n_cols, random), &col_parities).unwrap();
        let frequencies = frequencies(with_marks, random);
        // Small scores, all scores, and the least and the greatest ones; with marks, those that fit a byte.
        let spread = if with_marks { [8, 60, 60] } else { [8, 256, 0] }[random.below(3) as usize];
        let mut score = |row: usize, col: usize| {
            let score = match spread {
                0 => i8::MIN.wrapping_sub(random.below(2) as i8),
                spread => (random.below(spread) as i64 - spread as i64 / 2) as i8,
            };
            (score & !1) | (row_parities[row] ^ col_parities[col]) as i8
        };
        let mut column = |&col: &u16| {
            let mut column = [0; LANES];
            (0..n_rows).for_each(|row| column[row] = score(row, col.into()));
            column
        };
        let scores: Vec<Column> = strip.cols.iter().map(&mut column).collect();
        let mut mark = |column: &Column| {
            let mut marks = [0; LANES];
            // Often that of a score that is as large.
            let of = |score: i8, random: &mut Random| (score as u64 / 2 + random.below(8) / 6) % 3;
            (0..n_rows).for_each(|row| marks[row] = of(column[row], random) as i8);
            marks
        };
        let marks: Option<Vec<Column>> = with_marks.then(|| scores.iter().map(&mut mark).collect());
        let mut values = scores.clone();
        for (values, marks) in values.iter_mut().zip(marks.iter().flatten()) {
            values.iter_mut().zip(marks).for_each(|(value, mark)| *value = *value << 2 | mark);
        }
        let mut sample = Self { band, strip, frequencies, scores, marks, values, bytes: Vec::new() };
        sample.bytes = sample.encoded(&definition::Coder::new(&sample.frequencies));
        sample
    }

    fn encoded(&self, coder: &dyn TileCoder) -> Vec<u8> {
        let (mut symbols, mut bytes) = (vec![Symbols([9; 2 * LANES]); self.scores.len()], vec![1, 2, 3]);
        let values = Values { scores: &self.scores, marks: self.marks.as_deref() };
        coder.encode((&self.band, &self.strip), values, &mut symbols, &mut vec![7; 9], &mut bytes);
        bytes.split_off(3)
    }

    /// Contexts and symbols, without those of idle lanes.
    fn symbols(&self, coder: &dyn TileCoder) -> Vec<u8> {
        let mut symbols = vec![Symbols([9; 2 * LANES]); self.scores.len()];
        coder.symbols(&self.band, &self.strip, &self.scores, &mut symbols);
        if let Some(marks) = &self.marks {
            let mut of_marks = symbols.clone();
            coder.mark_symbols(&self.band, &self.strip, &self.scores, marks, &mut of_marks);
            symbols.extend(of_marks);
        }
        let n = self.band.n_rows();
        symbols.iter().flat_map(|column| [&column.0[..n], &column.0[LANES..][..n]]).flatten().copied().collect()
    }

    /// The tile with these bytes, if they can be taken apart.
    fn tile<'a>(&'a self, bytes: &'a [u8]) -> Option<TileToDecode<'a>> {
        let parts = Parts::parse(self.band.n_rows(), bytes).ok()?;
        Some(TileToDecode { band: &self.band, strip: &self.strip, parts })
    }

    /// The columns of a tile with these bytes by the definition.
    fn columns(&self, bytes: &[u8]) -> Option<Vec<Column>> {
        let mut columns = vec![[0; LANES]; self.scores.len()];
        scalar::decode_into(self.tile(bytes)?, &self.frequencies, &mut columns).ok()?;
        Some(columns)
    }
}

/// A random tree, at most `most_depth` deep: the parent of each item, that of the root itself.
fn tree(n: usize, most_depth: usize, random: &mut Random) -> Vec<u16> {
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
    let (mut parents, mut depths) = (vec![order[0] as u16; n], vec![0; n]);
    // Trees of all shapes, from a path to a star.
    let reach = 1 + random.below(n as u64);
    for i in 1..n {
        let last = order[i - 1 - random.below(reach.min(i as u64)) as usize];
        let parent = if depths[last] < most_depth { last } else { order[0] };
        (parents[order[i]], depths[order[i]]) = (parent as u16, depths[parent] + 1);
    }
    parents
}

/// Any frequencies that a key may have, of few or of all symbols.
fn frequencies(with_marks: bool, random: &mut Random) -> Frequencies {
    let mut bytes = vec![0; Frequencies::byte_len(with_marks)];
    let (of_scores, of_marks) = bytes.split_at_mut(CONTEXTS * SYMBOLS);
    let most = 1 + random.below(SYMBOLS as u64);
    for parts in of_marks.as_chunks_mut::<2>().0 {
        parts[0] = 1 + random.below(254) as u8;
        parts[1] = 1 + random.below(255 - u64::from(parts[0])) as u8;
    }
    for parts in of_scores.as_chunks_mut::<SYMBOLS>().0 {
        let mut left = u8::MAX;
        for _ in 0..random.below(40) {
            let part = random.below(u64::from(left)) as u8 / 2;
            parts[random.below(most) as usize] += part;
            left -= part;
        }
        parts[0] += 1;
        parts[SYMBOLS - 1] += left;
        let sum: u32 = parts.iter().map(|&part| u32::from(part)).sum();
        assert_eq!(sum, 256);
    }
    Frequencies::parse(&bytes).unwrap()
}

fn samples(seed: u64, n: usize) -> Vec<Sample> {
    let mut random = Random(seed);
    let sizes = [(32, 512), (32, 64), (31, 100), (16, 65), (17, 2), (1, 70), (2, 1), (32, 15), (32, 16), (32, 17)];
    let sample = |i: usize| {
        let (n_rows, n_cols) = sizes[i / 2 % sizes.len()];
        Sample::new(n_rows, n_cols, i % 2 == 1, &mut random)
    };
    (0..n).map(sample).collect()
}

#[test]
fn all_encode_as_the_definition() {
    for sample in samples(1, 60) {
        let definition = definition::Coder::new(&sample.frequencies);
        for isa in Isa::available() {
            let coder = coder(isa, &sample.frequencies);
            assert!(sample.symbols(&*coder) == sample.symbols(&definition), "{isa:?}");
            assert!(sample.encoded(&*coder) == sample.bytes, "{isa:?}");
        }
    }
}

#[test]
fn all_decode_as_the_definition() {
    let (samples, mut work) = (samples(2, 60), Work::default());
    for isa in Isa::available() {
        for (i, one) in samples.iter().enumerate() {
            let coder = coder(isa, &one.frequencies);
            // Tiles of one slab have the same frequencies, so the second is the first one's; the sizes of both are tested by
            // slabs.
            let expected = one.columns(&one.bytes).unwrap();
            for second in [None, one.tile(&one.bytes)] {
                let mut columns = [vec![[9; LANES]; expected.len()], vec![[9; LANES]; expected.len()]];
                assert!(coder.decode((one.tile(&one.bytes).unwrap(), second), &mut work, &mut columns));
                assert!(columns[0] == expected, "{isa:?}, sample {i}");
                assert!(second.is_none() || columns[1] == expected, "{isa:?}, sample {i}");
            }
            let mut random = Random(i as u64);
            for _ in 0..20 {
                let place = random.below(one.scores.len() as u64) as usize;
                let lane = random.below(one.band.n_rows() as u64) as usize;
                let score = coder.decode_one(one.tile(&one.bytes).unwrap(), &mut work, place, lane);
                assert_eq!(score, Some(one.values[place][lane]), "{isa:?}, sample {i}");
            }
        }
    }
}

#[test]
fn damage_is_seen_as_by_the_definition() {
    let (samples, mut work, mut random) = (samples(3, 30), Work::default(), Random(4));
    let mut n_damaged = 0;
    for isa in Isa::available() {
        for one in &samples {
            let coder = coder(isa, &one.frequencies);
            for i in 0..60 {
                let mut bytes = one.bytes.clone();
                let at = random.below(bytes.len() as u64) as usize;
                match i % 3 {
                    0 => bytes.truncate(at),
                    1 => bytes[at] ^= 1 << random.below(8),
                    _ => bytes.extend_from_slice(&[random.below(256) as u8; 40][..1 + at % 40]),
                }
                let Some(tile) = one.tile(&bytes) else { continue };
                let expected = one.columns(&bytes);
                n_damaged += usize::from(expected.is_none());
                let whole = one.tile(&one.bytes).unwrap();
                for tiles in [(tile, None), (tile, Some(whole)), (whole, Some(tile))] {
                    let mut columns = [vec![[0; LANES]; one.scores.len()], vec![[0; LANES]; one.scores.len()]];
                    assert_eq!(coder.decode(tiles, &mut work, &mut columns), expected.is_some(), "{isa:?}");
                    if let (Some(expected), None) = (&expected, tiles.1) {
                        assert!(columns[0] == *expected, "{isa:?}");
                    }
                }
                let (place, lane) = (one.scores.len() - 1, one.band.n_rows() - 1);
                let score = coder.decode_one(tile, &mut work, place, lane);
                if let (Some(score), Some(expected)) = (score, &expected) {
                    assert_eq!(score, expected[usize::from(one.strip.cols[place])][lane], "{isa:?}");
                }
            }
        }
    }
    assert!(n_damaged > 0);
}
