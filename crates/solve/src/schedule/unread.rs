//! Slabs that nothing reads any more, until they may be released.
//!
//! A slab that read one of them may be lost in a power cut, and then it is solved again. So a slab is released once all slabs that
//! read it have been put and synced. A slab of a layer that is being solved waits until the layer is finished.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::{Layer, SlabId};
use dab_store::StoreError;

use super::open_layers::OpenLayers;

/// Slabs that nothing unsolved reads, while a stack is solved.
pub(super) struct Unread<'a, 'b> {
    stack: &'b [Layer],
    open: &'b OpenLayers<'a>,
    /// All slabs that read them have been put.
    waiting: Mutex<Vec<SlabId>>,
    /// Locked by the thread that releases.
    releasing: Mutex<()>,
}

impl<'a, 'b> Unread<'a, 'b> {
    /// Begins with the slabs `unread`.
    pub(super) fn new(stack: &'b [Layer], open: &'b OpenLayers<'a>, unread: Vec<SlabId>) -> Self {
        Self { stack, open, waiting: Mutex::new(unread), releasing: Mutex::default() }
    }

    /// Adds slabs; all that read them have been put.
    pub(super) fn add(&self, slabs: &[SlabId]) {
        self.waiting().extend(slabs);
    }

    /// Releases what may be released, if the store wants that and no other thread does it.
    pub(super) fn release(&self) -> Result<(), StoreError> {
        let store = self.open.store();
        if self.waiting().is_empty() || !store.wants_release() {
            return Ok(());
        }
        // Whoever finds room goes on meanwhile.
        let alone = if store.is_short() { self.releasing.lock().ok() } else { self.releasing.try_lock().ok() };
        if alone.is_none() || !store.wants_release() {
            return Ok(());
        }
        let due: Vec<SlabId> = self.waiting().extract_if(.., |id| !self.stack.contains(&id.layer)).collect();
        self.stack.iter().try_for_each(|&layer| self.open.sync(layer))?;
        store.release(&due)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<SlabId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases all of them: the stack is finished.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        self.open.store().release(&self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
