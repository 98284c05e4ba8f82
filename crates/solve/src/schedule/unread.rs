//! Slabs that nothing reads any more, until they may be released.
//!
//! A slab that read one of them may be lost in a power cut, and then it is solved again. So a slab waits until all that read it
//! will survive that. A slab of a layer that is being solved waits until the layer is finished.

use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::{Layout, SlabId};
use dab_store::StoreError;

use super::open_layers::OpenLayers;
use crate::graph::Stack;

/// Slabs that nothing unsolved reads, while a stack is solved.
pub(super) struct Unread<'a, 'b> {
    layout: &'b Layout,
    stack: &'b Stack<'b>,
    open: &'b OpenLayers<'a>,
    /// Each with a number of slabs: the first so many of the order have read it.
    waiting: Mutex<Vec<(usize, SlabId)>>,
    /// Locked by the thread that releases.
    releasing: Mutex<()>,
}

impl<'a, 'b> Unread<'a, 'b> {
    /// Begins with the slabs `unread`.
    pub(super) fn new(layout: &'b Layout, stack: &'b Stack<'b>, open: &'b OpenLayers<'a>, unread: Vec<SlabId>) -> Self {
        let waiting = unread.into_iter().map(|id| (0, id)).collect();
        Self { layout, stack, open, waiting: Mutex::new(waiting), releasing: Mutex::default() }
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
        let mut n_safe = self.stack.order.len();
        for &layer in self.stack.layers {
            let n_unsafe = self.layout.layers()[layer.0].len() - self.open.sync(layer)?;
            if let Some(slab) = n_unsafe.checked_sub(1) {
                // Slabs of a waist configuration come in another order than in the file.
                let waist = |id: SlabId| Reverse(self.layout.key(id).waist);
                let first = waist(SlabId { layer, slab });
                n_safe = n_safe.min(self.stack.order.partition_point(|&id| waist(id) < first));
            }
        }
        let mut waiting = self.waiting();
        let is_due = |&mut (n, id): &mut (usize, SlabId)| n <= n_safe && !self.stack.layers.contains(&id.layer);
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
