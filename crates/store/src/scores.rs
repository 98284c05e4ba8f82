//! The scores of a slab in memory, all of them or a part.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use dab_codec::Decoded;

use crate::Buffer;

/// Scores of one slab, row-major; clones share the memory. Those that are not decoded hold anything.
#[derive(Clone)]
pub struct Scores(Arc<Part>);

/// Memory for the scores of a slab, which one owner may decode more of; nothing is decoded by default.
#[derive(Debug, Default)]
pub struct Part {
    /// All scores, row-major; those that are not decoded hold anything.
    pub scores: Buffer,
    /// The scores that are decoded.
    pub decoded: Decoded,
}

impl Scores {
    /// Scores that only the caller holds.
    pub fn new(scores: Vec<i8>) -> Self {
        Buffer::from(scores).into()
    }

    /// Whether there is another holder of these scores.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Those that are decoded.
    pub(crate) fn decoded(&self) -> &Decoded {
        &self.0.decoded
    }

    /// The same memory to decode more into, unless others hold it, too.
    ///
    /// # Errors
    /// The scores themselves, where they are shared.
    pub(crate) fn into_part(self) -> Result<Part, Self> {
        Arc::try_unwrap(self.0).map_err(Self)
    }
}

impl Default for Scores {
    fn default() -> Self {
        Buffer::default().into()
    }
}

impl From<Buffer> for Scores {
    fn from(scores: Buffer) -> Self {
        Part { decoded: Decoded::whole(scores.len()), scores }.into()
    }
}

impl From<Part> for Scores {
    fn from(part: Part) -> Self {
        Self(Arc::new(part))
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
        &self.0.scores
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scores", self.len())
    }
}
