//! The scores of a slab in memory: of this process alone, or in [`SharedSlabs`](crate::SharedSlabs) that other processes
//! see.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::Buffer;
use crate::shared_layer::SharedScores;

/// Scores of one slab, row-major; clones share the memory.
#[derive(Clone)]
pub struct Scores(Holder);

/// The holder of the memory.
#[derive(Clone)]
enum Holder {
    Own(Arc<Buffer>),
    Shared(SharedScores),
}

impl Scores {
    /// Scores that only the caller holds.
    pub fn new(scores: Vec<i8>) -> Self {
        Buffer::from(scores).into()
    }

    /// Whether there is another holder of these scores.
    pub fn is_shared(&self) -> bool {
        match &self.0 {
            Holder::Own(scores) => Arc::strong_count(scores) > 1,
            Holder::Shared(_) => true,
        }
    }

    /// Whether other processes of this machine see these scores.
    pub fn is_for_all(&self) -> bool {
        matches!(self.0, Holder::Shared(_))
    }
}

impl From<Buffer> for Scores {
    fn from(scores: Buffer) -> Self {
        Self(scores.complete().map_or_else(|own| Holder::Own(Arc::new(own)), Holder::Shared))
    }
}

impl From<SharedScores> for Scores {
    fn from(scores: SharedScores) -> Self {
        Self(Holder::Shared(scores))
    }
}

impl PartialEq for Scores {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Default for Scores {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Deref for Scores {
    type Target = [i8];

    #[inline]
    fn deref(&self) -> &[i8] {
        match &self.0 {
            Holder::Own(scores) => scores,
            Holder::Shared(scores) => scores,
        }
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scores", self.len())
    }
}
