//! A finished layer in numbers, as its file and the manifest list it.

use dab_space::{Layer, serialize_fields};

use crate::digest::Digests;
use crate::{Damage, Digest};

/// A finished layer in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSummary {
    /// Number of the layer.
    pub layer: Layer,
    /// Number of slabs.
    pub slabs: usize,
    /// Number of scores.
    pub positions: u64,
    /// Bytes they occupy.
    pub bytes: u64,
    /// Digest over the decoded scores.
    pub digest: Digest,
    /// Digest over their marks, if they have any.
    pub marks_digest: Option<Digest>,
}

serialize_fields!(LayerSummary { layer, slabs, positions, bytes, digest, marks_digest unless Option::is_none });

impl LayerSummary {
    /// `Ok` when this summary of a file is the one that `listed` it.
    pub(crate) fn check(&self, listed: &Self) -> Result<(), Damage> {
        Damage::check("slabs as listed", listed.slabs, self.slabs)?;
        Damage::check("positions as listed", listed.positions, self.positions)?;
        Damage::check("length as listed", listed.bytes, self.bytes)?;
        listed.digests().check(&self.digests(), ["digest as listed", "digest of the marks as listed"])
    }

    /// Both digests.
    pub(crate) fn digests(&self) -> Digests {
        Digests { scores: self.digest, marks: self.marks_digest }
    }

    /// The digests of a run, of all of whose layers these are the summaries, from layer 0 on.
    pub(crate) fn digests_of_run<'a>(marks: bool, layers: impl Iterator<Item = &'a Self> + Clone) -> Digests {
        let of_marks = || Digest::of_run(layers.clone().filter_map(|layer| layer.marks_digest));
        Digests { marks: marks.then(of_marks), scores: Digest::of_run(layers.clone().map(|layer| layer.digest)) }
    }
}
