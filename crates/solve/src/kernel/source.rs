//! The seam between the kernels and the keeper of slabs: a kernel asks for slabs and memory, and knows nothing else of
//! caches, files or other processes.

use dab_space::SlabId;
use dab_store::{Buffer, Scores, StoreError, Wanted};

/// A keeper of slabs, as a kernel sees it.
pub trait SlabSource: Sync {
    /// The scores of a stored slab; those that are not wanted may be anything. `wanted` is called if it matters.
    ///
    /// # Errors
    /// If the slab cannot be read.
    fn slab(&self, id: SlabId, wanted: &dyn Fn() -> Wanted) -> Result<Scores, StoreError>;

    /// Notes that the slab that is computed reads these no more.
    fn passed(&self, _ids: &[SlabId]) {}

    /// Memory for the `len` scores of a slab that is computed, or of a copy of one; its contents are arbitrary.
    fn buffer(&self, len: usize) -> Buffer;

    /// Bytes of the slabs that a slab of `positions` may read at a time.
    fn batch_bytes(&self, positions: u64) -> u64;

    /// Lends room of slabs to others and to copies, until it is given back: bytes of large buffers, and of the allocator.
    fn lend(&self, _bytes: [u64; 2]) {}

    /// Has room that was lent.
    fn give_back(&self, _bytes: [u64; 2]) {}

    /// Bytes that tables of moves may take.
    fn table_bytes(&self) -> u64;

    /// Notes the bytes that tables of moves take now.
    fn set_table_bytes(&self, bytes: u64);

    /// Whether the slab that is computed is still wanted; asked now and then while a large one is.
    fn is_wanted(&self) -> bool {
        true
    }
}

/// Room of slabs that is lent until this is dropped.
pub(crate) struct Lent<'s> {
    source: &'s dyn SlabSource,
    bytes: [u64; 2],
}

impl<'s> Lent<'s> {
    /// Lends bytes of large buffers, and of the allocator.
    pub(crate) fn new(source: &'s dyn SlabSource, bytes: [u64; 2]) -> Self {
        source.lend(bytes);
        Self { source, bytes }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.source.give_back(self.bytes);
    }
}

/// No slabs at all.
#[cfg(test)]
pub(super) struct Nothing;

#[cfg(test)]
impl SlabSource for Nothing {
    fn slab(&self, _: SlabId, _: &dyn Fn() -> Wanted) -> Result<Scores, StoreError> {
        Ok(Scores::default())
    }

    fn buffer(&self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn batch_bytes(&self, _: u64) -> u64 {
        0
    }

    fn table_bytes(&self) -> u64 {
        0
    }

    fn set_table_bytes(&self, _: u64) {}
}
