//! The scores of a slab in memory.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::Buffer;

/// Scores of one slab, row-major; clones share the memory.
#[derive(Clone, Default)]
pub struct Scores(Arc<Buffer>);

impl Scores {
    /// Scores that only the caller holds.
    pub fn new(scores: Vec<i8>) -> Self {
        Buffer::from(scores).into()
    }

    /// Whether there is another holder of these scores.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

impl From<Buffer> for Scores {
    fn from(scores: Buffer) -> Self {
        Self(Arc::new(scores))
    }
}

impl PartialEq for Scores {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Deref for Scores {
    type Target = [i8];

    #[inline]
    fn deref(&self) -> &[i8] {
        &self.0
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scores", self.len())
    }
}
