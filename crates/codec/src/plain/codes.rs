//! Scores to codes and back: half the range by parity, and two codes to a byte when they are small and without marks.
//!
//! ```text
//! code  = (score + parity) / 2          score = 2*code - parity          parity: 0 even, 1 odd
//!
//! nibbles, all codes of a block in -8..=7:          bytes, otherwise:
//!   bit 7       4 3       0                           bit 7             0
//!      [ code 2i+1 | code 2i ]                           [    code i    ]         with marks   [ 6 bits of code i | mark i ]
//! ```
//!
//! Codes are two's complement; an odd last nibble has 0 above it. All loops run over plain byte slices, which the
//! compiler turns into vector code.

/// The width of a block's codes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Nibbles,
    Bytes,
}

impl Packing {
    /// Bytes that `positions` codes take.
    pub(super) fn byte_len(self, positions: usize) -> usize {
        match self {
            Self::Nibbles => positions.div_ceil(2),
            Self::Bytes => positions,
        }
    }
}

/// Codes of `values` with marks into `packed`, a byte each.
pub(super) fn encode_marked(values: &[i8], parities: &[u8], packed: &mut Vec<u8>) -> Packing {
    packed.clear();
    let marked = |(&value, &parity): (&i8, &u8)| code(value >> 2, parity) << 2 | value as u8 & 3;
    packed.extend(values.iter().zip(parities).map(marked));
    Packing::Bytes
}

/// The value with a mark that has this code.
pub(super) fn decode_marked(code: u8, parity: u8) -> i8 {
    // Twice the code, its own sign above it, less the parity.
    let score = ((code & !3) as i8 >> 1).wrapping_sub(parity as i8);
    score << 2 | (code & 3) as i8
}

/// Codes of `scores` into `packed`, two to a byte if they all fit. The parities are used up: they become the codes.
pub(super) fn encode(scores: &[i8], parities: &mut [u8], packed: &mut Vec<u8>) -> Packing {
    debug_assert!(scores.iter().zip(&*parities).all(|(score, parity)| *score as u8 & 1 == *parity), "wrong parity");
    let codes = parities;
    let mut outside = 0;
    for (code, score) in codes.iter_mut().zip(scores) {
        *code = self::code(*score, *code);
        outside |= code.wrapping_add(8);
    }
    packed.clear();
    if outside >= 16 {
        packed.extend_from_slice(codes);
        return Packing::Bytes;
    }
    let (pairs, last) = codes.as_chunks::<2>();
    packed.extend(pairs.iter().map(|pair| {
        let nibbles = u16::from_le_bytes(*pair) & 0x0f0f;
        (nibbles | nibbles >> 4) as u8
    }));
    packed.extend(last.iter().map(|code| code & 15));
    Packing::Nibbles
}

/// Half the score, rounded up. Adding the parity after halving cannot overflow.
fn code(score: i8, parity: u8) -> u8 {
    ((score >> 1) as u8).wrapping_add(parity)
}

/// Scores of `packed` codes, one for each of `scores` and `parities`; `packed` has the length that takes.
pub(super) fn decode(packing: Packing, packed: &[u8], parities: &[u8], scores: &mut [i8]) {
    match packing {
        Packing::Bytes => {
            for ((score, code), parity) in scores.iter_mut().zip(packed).zip(parities) {
                *score = (code << 1).wrapping_sub(*parity) as i8;
            }
        }
        Packing::Nibbles => {
            // A nibble for each score first: a loop over pairs and a loop over single scores are both vector code,
            // one that does both at a time is not.
            let (pairs, last) = scores.as_chunks_mut::<2>();
            for (pair, &byte) in pairs.iter_mut().zip(packed) {
                let nibbles = (u16::from(byte) | u16::from(byte) << 4) & 0x0f0f;
                *pair = nibbles.to_le_bytes().map(|nibble| nibble as i8);
            }
            if let ([score], [.., byte]) = (last, packed) {
                *score = (byte & 15) as i8;
            }
            for (score, parity) in scores.iter_mut().zip(parities) {
                *score = low(*score as u8).wrapping_sub(*parity) as i8;
            }
        }
    }
}

/// The score at one index of a block.
pub(super) fn decode_one(packing: Packing, packed: &[u8], index: usize, parity: u8) -> i8 {
    let twice = match packing {
        Packing::Bytes => packed[index] << 1,
        Packing::Nibbles if index.is_multiple_of(2) => low(packed[index / 2]),
        Packing::Nibbles => high(packed[index / 2]),
    };
    twice.wrapping_sub(parity) as i8
}

/// Twice the code in the low nibble.
fn low(byte: u8) -> u8 {
    ((byte << 4) as i8 >> 3) as u8
}

/// Twice the code in the high nibble.
fn high(byte: u8) -> u8 {
    ((byte & 0xf0) as i8 >> 3) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(codes: &[i8], packing: Packing, bytes: &[u8]) {
        for flip in 0..2 {
            let parities: Vec<u8> = (0..codes.len()).map(|i| (i % 3 % 2) as u8 ^ flip).collect();
            let scores: Vec<i8> = codes.iter().zip(&parities).map(|(c, p)| (2 * *c as i16 - *p as i16) as i8).collect();
            let mut packed = vec![1, 2, 3];
            assert_eq!(encode(&scores, &mut parities.clone(), &mut packed), packing);
            assert_eq!(packed, bytes);
            let mut decoded = vec![99; scores.len()];
            decode(packing, &packed, &parities, &mut decoded);
            assert_eq!(decoded, scores);
            for (i, score) in scores.iter().enumerate() {
                assert_eq!(decode_one(packing, &packed, i, parities[i]), *score);
            }
        }
    }

    #[test]
    fn small_codes_share_bytes() {
        check(&[], Packing::Nibbles, &[]);
        check(&[-1], Packing::Nibbles, &[0x0f]);
        check(&[1, 2, -8, 7, -1], Packing::Nibbles, &[0x21, 0x78, 0x0f]);
        check(&[3; 100], Packing::Nibbles, &[0x33; 50]);
    }

    #[test]
    fn one_large_code_makes_bytes() {
        check(&[8], Packing::Bytes, &[8]);
        check(&[0, 0, -9], Packing::Bytes, &[0, 0, 0xf7]);
        check(&[0, 63, -63, 1], Packing::Bytes, &[0, 63, 0xc1, 1]);
    }

    #[test]
    fn every_score_survives_with_every_mark() {
        for value in -124..=126 {
            let parity = (value >> 2) as u8 & 1;
            let mut packed = Vec::new();
            assert_eq!(encode_marked(&[value], &[parity], &mut packed), Packing::Bytes);
            assert_eq!(decode_marked(packed[0], parity), value);
        }
    }

    #[test]
    fn every_score_survives() {
        for score in i8::MIN..=i8::MAX {
            let parity = score as u8 & 1;
            let mut packed = Vec::new();
            let packing = encode(&[score], &mut [parity], &mut packed);
            assert_eq!(decode_one(packing, &packed, 0, parity), score);
        }
    }
}
