//! Scores that a solve derived again before it wrote them: their number and their digest, for the manifest.
//!
//! Released slabs cannot be verified later, so the record of their checks stays in their place.

use dab_space::{Layer, json_fields};

use crate::Digest;

/// The checks of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Scores of every slab that are derived again, or all of them if there are fewer; 0 once a solve went on without checks.
    pub per_slab: usize,
    /// The first layer that was checked.
    pub layer: Layer,
    /// The checks of finished layers, ascending.
    pub layers: Vec<LayerCheck>,
}

json_fields!(Checks { per_slab, layer, layers });

impl Checks {
    /// Adds the checks of a layer, in place of earlier ones.
    pub(crate) fn insert(&mut self, check: LayerCheck) {
        match self.layers.binary_search_by_key(&check.layer, |other| other.layer) {
            Ok(at) => self.layers[at] = check,
            Err(at) => self.layers.insert(at, check),
        }
    }
}

/// The checks of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCheck {
    /// Its number.
    pub layer: Layer,
    /// Scores that were derived again.
    pub scores: u64,
    /// Digest of the places and scores, slab after slab.
    pub digest: Digest,
}

json_fields!(LayerCheck { layer, scores, digest });

impl LayerCheck {
    /// The checks of a layer, from those of its slabs in ascending order.
    pub fn new(layer: Layer, slabs: impl IntoIterator<Item = (usize, SlabCheck)>) -> Self {
        let (mut scores, mut bytes) = (0, Vec::new());
        for (slab, check) in slabs {
            scores += check.scores;
            bytes.extend_from_slice(&(slab as u64).to_le_bytes());
            bytes.extend_from_slice(&check.digest.0);
        }
        Self { layer, scores, digest: Digest::of(&bytes) }
    }
}

/// The checks of a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlabCheck {
    scores: u64,
    digest: Digest,
}

impl SlabCheck {
    /// The checks of some places of a slab, `row * cols + col`, and the scores there.
    pub fn new(places: &[usize], scores: &[i8]) -> Self {
        let mut bytes = Vec::with_capacity(9 * places.len());
        for (&place, &score) in places.iter().zip(scores) {
            bytes.extend_from_slice(&(place as u64).to_le_bytes());
            bytes.push(score as u8);
        }
        Self { scores: places.len() as u64, digest: Digest::of(&bytes) }
    }
}
