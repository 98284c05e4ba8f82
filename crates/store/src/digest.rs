//! Digests over decoded scores: blake3, 32 bytes, written as 64 lower-case hexadecimal digits.
//!
//! A slab digest hashes the scores row by row, a layer digest the slabs in order, a run digest the layers in order.
//! None of them sees a compressed byte, so they stay the same when the files become smaller or the code faster.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use dab_codec::{Crew, SHARED_OUT};
use dab_space::SlabShape;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

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
    pub(crate) fn of_scores(scores: &[i8]) -> Self {
        Self::of(bytemuck::cast_slice(scores))
    }

    /// Digest of a layer: its number, its number of slabs, then rows, columns and digest of each slab in order.
    pub(crate) fn of_layer(layer: u32, slabs: &[SlabDigest]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&layer.to_le_bytes());
        hasher.update(&(slabs.len() as u64).to_le_bytes());
        for slab in slabs {
            hasher.update(&slab.rows.to_le_bytes());
            hasher.update(&slab.cols.to_le_bytes());
            hasher.update(&slab.digest.0);
        }
        Self(*hasher.finalize().as_bytes())
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

/// Shape and digest of a slab: its part in the digest of the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlabDigest {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    /// Digest of the scores.
    pub digest: Digest,
}

impl SlabDigest {
    /// Digest of the scores of a slab of this shape; of a small one by the calling thread alone.
    pub(crate) fn of(shape: SlabShape<'_>, scores: &[i8], crew: Crew) -> Self {
        let digest = match crew {
            #[cfg(feature = "parallel")]
            Crew::Together if scores.len() >= SHARED_OUT => {
                let mut hasher = blake3::Hasher::new();
                Digest(*hasher.update_rayon(bytemuck::cast_slice(scores)).finalize().as_bytes())
            }
            _ => Digest::of_scores(scores),
        };
        Self { rows: shape.rows() as u32, cols: shape.cols() as u32, digest }
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
        let slab = |rows, cols, score| SlabDigest { rows, cols, digest: Digest::of_scores(&[score]) };
        let layer = Digest::of_layer(3, &[slab(1, 2, 0), slab(2, 1, 1)]);
        assert_ne!(layer, Digest::of_layer(3, &[slab(2, 1, 1), slab(1, 2, 0)]));
        assert_ne!(layer, Digest::of_layer(3, &[slab(2, 1, 0), slab(2, 1, 1)]));
        assert_ne!(layer, Digest::of_layer(4, &[slab(1, 2, 0), slab(2, 1, 1)]));
    }
}
