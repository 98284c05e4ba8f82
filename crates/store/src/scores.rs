//! The scores of a slab in memory: of this process alone, or on a [`SharedSlabs`](crate::SharedSlabs) that other processes see.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::Buffer;
use crate::map::Filling;

/// Scores of one slab, row-major, shared with whoever caches them.
#[derive(Clone)]
pub struct Scores(Memory);

#[derive(Clone)]
enum Memory {
    Own(Arc<Buffer>),
    Shared(Arc<Filling>, Range<usize>),
}

impl Scores {
    /// Scores that nobody else has.
    pub fn new(scores: Vec<i8>) -> Self {
        Buffer::from(scores).into()
    }

    /// Scores that lie on a shelf.
    pub(crate) fn shared(map: Arc<Filling>, range: Range<usize>) -> Self {
        Self(Memory::Shared(map, range))
    }

    /// Whether somebody else holds these scores, too.
    pub fn is_shared(&self) -> bool {
        match &self.0 {
            Memory::Own(scores) => Arc::strong_count(scores) > 1,
            Memory::Shared(..) => true,
        }
    }

    /// The memory, to be used again, if nobody else holds these scores.
    pub fn into_buffer(self) -> Option<Buffer> {
        match self.0 {
            Memory::Own(scores) => Arc::try_unwrap(scores).ok(),
            Memory::Shared(..) => None,
        }
    }
}

impl From<Buffer> for Scores {
    fn from(scores: Buffer) -> Self {
        Self(Memory::Own(Arc::new(scores)))
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

    fn deref(&self) -> &[i8] {
        match &self.0 {
            Memory::Own(scores) => scores,
            Memory::Shared(map, range) => map.scores(range.clone()),
        }
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scores", self.len())
    }
}
