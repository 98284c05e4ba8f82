//! Numbers of layers, and the names under which slabs are stored.

use std::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A layer by the number of filled units of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layer(pub usize);

impl Layer {
    /// Above every layer.
    pub const MAX: Self = Self(usize::MAX);
}

impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        usize::deserialize(deserializer).map(Self)
    }
}

impl From<usize> for Layer {
    fn from(n_filled: usize) -> Self {
        Self(n_filled)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A stored slab by its layer and its number within the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlabId {
    /// The layer.
    pub layer: Layer,
    /// Number of the slab within the layer, from 0.
    pub slab: usize,
}

impl SlabId {
    /// Slab number `slab` of a layer.
    #[inline]
    pub fn new(layer: impl Into<Layer>, slab: usize) -> Self {
        Self { layer: layer.into(), slab }
    }
}

impl fmt::Display for SlabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layer {}, slab {}", self.layer, self.slab)
    }
}
