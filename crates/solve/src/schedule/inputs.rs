//! The slabs that one slab of a stack reads. Those that it has read may leave the memory before those that it still
//! has to read.

use dab_space::SlabId;
use dab_store::{Buffer, Scores, StoreError, Wanted};

use crate::cache::slab_keeper::SlabKeeper;
use crate::graph::{Readers, Stack};
use crate::kernel::source::SlabSource;

/// The keeper of a solve, as the slab at a place of a stack sees it.
pub(super) struct Inputs<'a> {
    pub(super) keeper: &'a SlabKeeper<'a>,
    pub(super) readers: &'a Readers<'a>,
    pub(super) stack: &'a Stack<'a>,
    pub(super) place: usize,
}

impl SlabSource for Inputs<'_> {
    fn slab(&self, id: SlabId, wanted: &dyn Fn() -> Wanted) -> Result<Scores, StoreError> {
        self.keeper.slab(id, wanted)
    }

    fn passed(&self, ids: &[SlabId]) {
        let is_passed = |(_, read): &(usize, SlabId)| ids.contains(read);
        let passed = self.stack.reads(self.place).enumerate().filter(is_passed);
        passed.for_each(|(nth, _)| self.readers.passed(self.stack, self.place, nth));
    }

    fn buffer(&self, len: usize) -> Buffer {
        self.keeper.buffer(len)
    }

    fn batch_bytes(&self, positions: u64) -> u64 {
        self.keeper.batch_bytes(positions)
    }

    fn lend(&self, bytes: [u64; 2]) {
        self.keeper.lend(bytes);
    }

    fn give_back(&self, bytes: [u64; 2]) {
        self.keeper.give_back(bytes);
    }

    fn table_bytes(&self) -> u64 {
        self.keeper.table_bytes()
    }

    fn set_table_bytes(&self, bytes: u64) {
        self.keeper.set_table_bytes(bytes);
    }

    fn is_wanted(&self) -> bool {
        self.keeper.is_wanted()
    }
}
