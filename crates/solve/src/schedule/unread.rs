//! Slabs that nothing reads any more, until they may be released.
//!
//! A slab that read one of them may be lost in a power cut, and then it is solved again. So a slab waits until all that read it
//! will survive that. A slab of a layer that is being solved waits until the layer is finished.

use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::{Layer, Layout, SlabId};
use dab_store::StoreError;

use super::open_layers::OpenLayers;

/// Slabs that nothing unsolved reads, while a stack is solved.
pub(super) struct Unread<'a, 'b> {
    layout: &'b Layout,
    stack: &'b [Layer],
    /// The slabs of the stack in the order in which they are handed out.
    order: &'b [SlabId],
    open: &'b OpenLayers<'a>,
    /// Each with a number of slabs: the first so many of the order have read it.
    waiting: Mutex<Vec<(usize, SlabId)>>,
    /// Locked by the thread that releases.
    releasing: Mutex<()>,
}

impl<'a, 'b> Unread<'a, 'b> {
    /// Begins with the slabs `unread`. `order` has the slabs of the stack that are still to be solved.
    pub(super) fn new(
        layout: &'b Layout,
        stack: &'b [Layer],
        order: &'b [SlabId],
        open: &'b OpenLayers<'a>,
        unread: Vec<SlabId>,
    ) -> Self {
        let waiting = unread.into_iter().map(|id| (0, id)).collect();
        Self { layout, stack, order, open, waiting: Mutex::new(waiting), releasing: Mutex::default() }
    }

    /// Adds slabs that at most the first `n` slabs of the order have read.
    pub(super) fn add(&self, n: usize, slabs: &[SlabId]) {
        self.waiting().extend(slabs.iter().map(|&id| (n, id)));
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
        let mut n_safe = self.order.len();
        for &layer in self.stack {
            let n_unsafe = self.layout.layers()[layer.0].len() - self.open.sync(layer)?;
            if let Some(slab) = n_unsafe.checked_sub(1) {
                // Slabs of a waist configuration come in another order than in the file.
                let waist = |id: SlabId| Reverse(self.layout.key(id).waist);
                let first = waist(SlabId { layer, slab });
                n_safe = n_safe.min(self.order.partition_point(|&id| waist(id) < first));
            }
        }
        let mut waiting = self.waiting();
        let is_due = |&mut (n, id): &mut (usize, SlabId)| n <= n_safe && !self.stack.contains(&id.layer);
        let due: Vec<SlabId> = waiting.extract_if(.., is_due).map(|(_, id)| id).collect();
        drop(waiting);
        store.release(&due)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(usize, SlabId)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases all of them: the stack is finished.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        let waiting = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.open.store().release(&waiting.into_iter().map(|(_, id)| id).collect::<Vec<_>>())
    }
}
