//! Scores come out again, by every way of decoding and from every compression; what is damaged is an error or changes nothing.
#![cfg(feature = "encode")]

use std::ops::Range;

use crate::{Body, Crew, Damage, Decoded, Effort, Fault, Payload, ReadError, Shape, Wanted};
use bitvec::prelude::*;

/// Layer and slab.
const PLACE: (u32, u64) = (3, 70);
/// Positions of a plain block.
const BLOCK: usize = 16;

/// A matrix and its payload.
struct Sample {
    rows: BitVec,
    cols: BitVec,
    scores: Vec<i8>,
    marks: bool,
    payload: Payload,
    bytes: Vec<u8>,
}

impl Sample {
    fn new(rows: usize, cols: usize, marks: bool) -> Self {
        let mut state = (rows * cols) as u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut bits = |n: usize| (0..n).map(|_| random(2) == 1).collect::<BitVec>();
        let (row_bits, col_bits) = (bits(rows), bits(cols));
        let score = |i: usize| {
            let is_odd = !(row_bits[i / cols] ^ col_bits[i % cols]);
            let score = 2 * (random(20) as i8 - 10) + i8::from(is_odd);
            if marks { score << 2 | random(3) as i8 } else { score }
        };
        let scores = (0..rows * cols).map(score).collect();
        let payload = Payload::new(PLACE, (rows as u32, cols as u32), BLOCK, marks).unwrap();
        let mut sample = Self { rows: row_bits, cols: col_bits, scores, marks, payload, bytes: Vec::new() };
        sample.bytes = sample.encoded(Effort::Run, Crew::Alone);
        sample
    }

    /// The penalty is odd.
    fn shape(&self) -> Shape<'_> {
        Shape { rows: &self.rows, cols: &self.cols, is_odd: true }
    }

    fn encoded(&self, effort: Effort, crew: Crew) -> Vec<u8> {
        let mut bytes = b"before".to_vec();
        self.payload.encode(self.shape(), &self.scores, effort, crew, &mut bytes);
        bytes.split_off(6)
    }

    /// The same matrix in another place.
    fn elsewhere(self, place: (u32, u64)) -> Self {
        let size = (self.rows.len() as u32, self.cols.len() as u32);
        Self { payload: Payload::new(place, size, BLOCK, self.marks).unwrap(), ..self }
    }

    fn decoded(&self, bytes: &[u8]) -> Result<Vec<i8>, Fault> {
        let mut scores = vec![99; self.scores.len()];
        let part = (&Wanted::ALL, &mut Decoded::default(), &mut scores[..]);
        let (head, body) = bytes.split_at(self.payload.head_len());
        self.payload.decode((head, Body::Here(body)), self.shape(), Crew::Alone, part, &|_| Ok(()))?;
        // The same where the blocks lie somewhere else.
        let mut elsewhere = vec![99; self.scores.len()];
        let part = (&Wanted::ALL, &mut Decoded::default(), &mut elsewhere[..]);
        let body = Body::There(body.len() as u64, &|range, to| read(body, range, to));
        self.payload.decode((head, body), self.shape(), Crew::Together, part, &|_| Ok(()))?;
        assert!(elsewhere == scores);
        Ok(scores)
    }

    fn score(&self, bytes: &[u8], place: usize) -> Result<i8, Fault> {
        let read = |range, to: &mut Vec<u8>| read(bytes, range, to);
        let (cols, byte_len) = (self.cols.len(), bytes.len() as u64);
        self.payload.score(self.shape(), (place / cols, place % cols), byte_len, &read, &mut vec![1, 2, 3])
    }
}

/// Appends a range of some bytes to others.
fn read(bytes: &[u8], range: Range<u64>, to: &mut Vec<u8>) -> Result<(), ReadError> {
    let part = bytes.get(range.start as usize..range.end as usize);
    to.extend_from_slice(part.ok_or(Damage::Short { what: "the bytes", expected: range.end, got: 0 })?);
    Ok(())
}

/// Small and large matrices, without marks and with.
fn samples() -> impl Iterator<Item = Sample> {
    let sizes = [(0, 5), (1, 1), (3, 11), (16, 64), (40, 600)];
    sizes.into_iter().flat_map(|(rows, cols)| [false, true].map(|marks| Sample::new(rows, cols, marks)))
}

#[test]
fn scores_are_found_again() {
    for sample in samples() {
        let n = sample.scores.len();
        let places: Vec<usize> = (0..n).rev().step_by(1 + n / 50).collect();
        let expected: Vec<i8> = places.iter().map(|&place| sample.scores[place]).collect();
        assert_eq!(sample.encoded(Effort::Run, Crew::Together), sample.bytes);
        for bytes in [&sample.bytes, &sample.encoded(Effort::Book, Crew::Alone)] {
            let head = &bytes[..sample.payload.head_len()];
            assert_eq!(sample.payload.byte_len(head), Ok(bytes.len() as u64));
            assert_eq!(sample.decoded(bytes).unwrap(), sample.scores);
            let (head, body) = bytes.split_at(sample.payload.head_len());
            assert_eq!(sample.payload.faults((head, body)).count(), 0);
            let elsewhere = Body::There(body.len() as u64, &|range, to| read(body, range, to));
            for body in [Body::Here(body), elsewhere] {
                assert_eq!(sample.payload.scores((head, body), sample.shape(), &places).unwrap(), expected);
            }
            for (&place, &score) in places.iter().zip(&expected) {
                assert_eq!(sample.score(bytes, place).unwrap(), score);
            }
        }
    }
}

#[test]
fn every_flipped_bit_is_detected() {
    for sample in samples().filter(|sample| (1..2000).contains(&sample.scores.len())) {
        for bit in 0..8 * sample.bytes.len() {
            // The checksum in the head is the owner's.
            if (sample.payload.head_len() - 4..sample.payload.head_len()).contains(&(bit / 8)) {
                continue;
            }
            let mut bytes = sample.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(sample.decoded(&bytes).is_err(), "bit {bit}");
            for place in (0..sample.scores.len()).step_by(1 + sample.scores.len() / 5) {
                let read = sample.score(&bytes, place);
                assert!(read.is_err() || read.is_ok_and(|score| score == sample.scores[place]), "bit {bit}");
            }
        }
    }
}

#[test]
fn what_lies_in_the_wrong_place_or_ends_early_is_refused() {
    for sample in samples().filter(|sample| !sample.scores.is_empty()) {
        let mut places = 0..sample.scores.len();
        for len in [0, sample.payload.head_len() - 1, sample.payload.head_len()] {
            assert!(places.clone().all(|place| sample.score(&sample.bytes[..len], place).is_err()));
        }
        let all_but_one = &sample.bytes[..sample.bytes.len() - 1];
        assert!(places.any(|place| sample.score(all_but_one, place).is_err()));
        assert!(sample.decoded(all_but_one).is_err());
        for place in [(4, 70), (3, 7)] {
            let sample = Sample::new(sample.rows.len(), sample.cols.len(), sample.marks).elsewhere(place);
            let fault = sample.decoded(&sample.bytes).unwrap_err();
            assert!(fault.block.is_some() && matches!(fault.error, ReadError::Damage(Damage::Checksum { .. })));
            assert!(sample.score(&sample.bytes, 0).is_err());
        }
    }
}
