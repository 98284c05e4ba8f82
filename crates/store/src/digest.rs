//! Digests over decoded scores: blake3, 32 bytes, written as 64 lower-case hexadecimal digits.
//!
//! A slab digest hashes the scores row by row, a layer digest the slabs in order, a run digest the layers in order.
//! None of them sees a compressed byte, so they stay the same when the files become smaller or the code faster.
//! Marks have digests of their own, so those of scores are the same with marks and without.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use dab_codec::{Crew, SHARED_OUT};
use dab_space::{Rules, SlabShape};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Damage;
use crate::bytes::Fields;

/// A blake3 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; Digest::LEN]);

impl Digest {
    /// Length in bytes.
    pub const LEN: usize = 32;

    /// Digest of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Digest of the scores of one slab, row-major.
    #[cfg(test)]
    pub(crate) fn of_scores(scores: &[i8]) -> Self {
        Self::of(bytemuck::cast_slice(scores))
    }

    /// Digest of a run: the digests of its layers from layer 0 on.
    pub fn of_run(layers: impl IntoIterator<Item = Self>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for layer in layers {
            hasher.update(&layer.0);
        }
        Self(*hasher.finalize().as_bytes())
    }
}

/// The digest of some scores, and that of their marks if they have any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digests {
    pub(crate) scores: Digest,
    pub(crate) marks: Option<Digest>,
}

/// Values whose scores and marks are hashed at a time.
const AT_ONCE: usize = 1 << 16;

impl Digests {
    /// Length in bytes.
    pub(crate) const fn byte_len(marks: bool) -> usize {
        if marks { 2 * Digest::LEN } else { Digest::LEN }
    }

    /// The digests of the values of a slab, row-major; of a small one by the calling thread alone.
    pub(crate) fn of_values(values: &[i8], marks: bool, crew: Crew) -> Self {
        let update = |hasher: &mut blake3::Hasher, bytes: &[u8]| match crew {
            #[cfg(feature = "parallel")]
            Crew::Together if values.len() >= SHARED_OUT => drop(hasher.update_rayon(bytes)),
            _ => drop(hasher.update(bytes)),
        };
        let mut hashers = [blake3::Hasher::new(), blake3::Hasher::new()];
        if marks {
            let rules = Rules { marks, penalty: 0 };
            // Threads that share the bytes out want many at a time.
            let at_once = if values.len() >= SHARED_OUT { SHARED_OUT } else { AT_ONCE };
            let mut bytes = Vec::with_capacity(at_once.min(values.len()));
            for values in values.chunks(at_once) {
                bytes.clear();
                bytes.extend(values.iter().map(|&value| rules.score(value).0 as u8));
                update(&mut hashers[0], &bytes);
                bytes.clear();
                bytes.extend(values.iter().map(|&value| value as u8 & 3));
                update(&mut hashers[1], &bytes);
            }
        } else {
            update(&mut hashers[0], bytemuck::cast_slice(values));
        }
        let [scores, of_marks] = hashers.map(|hasher| Digest(*hasher.finalize().as_bytes()));
        Self { scores, marks: marks.then_some(of_marks) }
    }

    /// The digests of a layer: its number, its number of slabs, then rows, columns and digest of each slab in order.
    pub(crate) fn of_layer(layer: u32, marks: bool, slabs: &[SlabDigest]) -> Self {
        let of = |digests: Vec<Digest>| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&layer.to_le_bytes());
            hasher.update(&(slabs.len() as u64).to_le_bytes());
            for (slab, digest) in slabs.iter().zip(digests) {
                hasher.update(&slab.rows.to_le_bytes());
                hasher.update(&slab.cols.to_le_bytes());
                hasher.update(&digest.0);
            }
            Digest(*hasher.finalize().as_bytes())
        };
        let of_marks = || of(slabs.iter().filter_map(|slab| slab.digests.marks).collect());
        Self { scores: of(slabs.iter().map(|slab| slab.digests.scores).collect()), marks: marks.then(of_marks) }
    }

    /// The digests that begin some fields.
    pub(crate) fn read(fields: &mut Fields<'_>, marks: bool) -> Self {
        let scores = Digest(fields.array());
        Self { scores, marks: marks.then(|| Digest(fields.array())) }
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [&self.scores.0[..], self.marks.as_ref().map_or(&[], |marks| &marks.0)].concat()
    }

    /// `Ok` when these are the digests of what was read, each named as that of `scores` or `marks`.
    pub(crate) fn check(&self, got: &Self, [scores, marks]: [&'static str; 2]) -> Result<(), Damage> {
        let text = |digest: Option<Digest>| digest.map_or("none".to_owned(), |digest| digest.to_string());
        Damage::check(scores, self.scores, got.scores)?;
        Damage::check(marks, text(self.marks), text(got.marks))
    }
}

/// Shape and digests of a slab: its part in the digests of the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlabDigest {
    /// Number of rows.
    pub(crate) rows: u32,
    /// Number of columns.
    pub(crate) cols: u32,
    pub(crate) digests: Digests,
}

impl SlabDigest {
    /// The digests of the values of a slab of this shape; of a small one by the calling thread alone.
    pub(crate) fn of(shape: SlabShape<'_>, values: &[i8], marks: bool, crew: Crew) -> Self {
        let digests = Digests::of_values(values, marks, crew);
        Self { rows: shape.rows() as u32, cols: shape.cols() as u32, digests }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Text that is no digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDigest(String);

impl fmt::Display for NoDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no digest: expected 64 lower-case hexadecimal digits", self.0)
    }
}

impl Error for NoDigest {}

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        // Capitals are no digest.
        let hash = blake3::Hash::from_hex(text).ok().filter(|hash| hash.to_hex().as_str() == text);
        hash.map(|hash| Self(*hash.as_bytes())).ok_or_else(|| NoDigest(text.chars().take(80).collect()))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trip() {
        let digest = Digest::of_scores(&[0, -1, 2]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!(digest, Digest::of(&[0, 255, 2]));
    }

    #[test]
    fn no_hex_is_refused() {
        for text in ["", "00", &"0".repeat(63), &"A".repeat(64), &"é".repeat(32)] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }

    #[test]
    fn scores_are_hashed_as_bytes() {
        let scores: Vec<i8> = (0..50_000).map(|i| (i % 13) as i8 - 6).collect();
        let bytes: Vec<u8> = scores.iter().map(|&score| score as u8).collect();
        assert_eq!(Digest::of_scores(&scores), Digest::of(&bytes));
    }

    #[test]
    fn order_and_shape_of_slabs_count() {
        let slab =
            |rows, cols, value| SlabDigest { rows, cols, digests: Digests::of_values(&[value], true, Crew::Alone) };
        let layer = |layer, slabs: &[SlabDigest]| Digests::of_layer(layer, true, slabs);
        let of = layer(3, &[slab(1, 2, 1), slab(2, 1, 6)]);
        for other in [
            layer(3, &[slab(2, 1, 6), slab(1, 2, 1)]),
            layer(3, &[slab(2, 1, 1), slab(2, 1, 6)]),
            layer(4, &[slab(1, 2, 1), slab(2, 1, 6)]),
        ] {
            assert!(of.scores != other.scores && of.marks.is_some() && of.marks != other.marks);
        }
        // The marks of the second slab.
        let other = layer(3, &[slab(1, 2, 1), slab(2, 1, 5)]);
        assert!(of.scores == other.scores && of.marks != other.marks);
    }

    /// The digest of the scores is that without marks, by one thread and by many.
    #[test]
    fn marks_are_hashed_apart() {
        for len in [0, 1, AT_ONCE + 7, SHARED_OUT + 12_345] {
            let scores: Vec<i8> = (0..len).map(|i| (i % 13) as i8 - 6).collect();
            let marks: Vec<i8> = (0..len).map(|i| (i % 7 % 3) as i8).collect();
            let values: Vec<i8> = scores.iter().zip(&marks).map(|(score, mark)| 4 * score + mark).collect();
            for crew in [Crew::Alone, Crew::Together] {
                let digests = Digests { scores: Digest::of_scores(&scores), marks: Some(Digest::of_scores(&marks)) };
                assert_eq!(Digests::of_values(&values, true, crew), digests);
                assert_eq!(Digests::of_values(&scores, false, crew), Digests { marks: None, ..digests });
            }
        }
    }
}
