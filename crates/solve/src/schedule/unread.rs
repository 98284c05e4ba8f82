//! Slabs that nothing reads any more, until they may be released.
//!
//! A slab that read one of them may be lost in a power cut, and then it is solved again. So a slab is released once all slabs that
//! read it have been put and synced. A slab of a layer that is being solved waits until the layer is finished.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::SlabId;
use dab_store::StoreError;

use super::open_layers::OpenLayers;
use crate::graph::Stack;

/// Slabs that nothing unsolved reads, while a stack is solved.
pub(super) struct Unread<'a, 'b> {
    stack: &'b Stack<'b>,
    open: &'b OpenLayers<'a>,
    state: Mutex<State>,
    /// Locked by the thread that releases.
    releasing: Mutex<()>,
}

struct State {
    /// Slabs of the stack that are solved are numbered in this order.
    n_solved: usize,
    /// Those that are not put yet.
    unput: BTreeSet<usize>,
    /// Each with a number: slabs below it may have read it, later ones have not.
    waiting: Vec<(usize, SlabId)>,
}

impl State {
    /// All slabs below this number are put.
    fn n_put(&self) -> usize {
        self.unput.first().copied().unwrap_or(self.n_solved)
    }
}

impl<'a, 'b> Unread<'a, 'b> {
    /// Begins with the slabs `unread`.
    pub(super) fn new(stack: &'b Stack<'b>, open: &'b OpenLayers<'a>, unread: Vec<SlabId>) -> Self {
        let waiting = unread.into_iter().map(|id| (0, id)).collect();
        let state = Mutex::new(State { n_solved: 0, unput: BTreeSet::new(), waiting });
        Self { stack, open, state, releasing: Mutex::default() }
    }

    /// Notes that a slab is solved, so that it reads no others any more, and will be put; returns its number.
    pub(super) fn begin(&self) -> usize {
        let mut state = self.state();
        let number = state.n_solved;
        state.unput.insert(number);
        state.n_solved += 1;
        number
    }

    /// Notes that the slab with this number is put.
    pub(super) fn put(&self, number: usize) {
        self.state().unput.remove(&number);
    }

    /// Adds slabs; all that read them are solved.
    pub(super) fn add(&self, slabs: &[SlabId]) {
        let mut state = self.state();
        let n_solved = state.n_solved;
        state.waiting.extend(slabs.iter().map(|&id| (n_solved, id)));
    }

    /// Releases what may be released, if the store wants that and no other thread does it.
    pub(super) fn release(&self) -> Result<(), StoreError> {
        let store = self.open.store();
        if self.state().waiting.is_empty() || !store.wants_release() {
            return Ok(());
        }
        // Threads that find room go on meanwhile.
        let alone = if store.is_short() { self.releasing.lock().ok() } else { self.releasing.try_lock().ok() };
        if alone.is_none() || !store.wants_release() {
            return Ok(());
        }
        let due: Vec<SlabId> = {
            let mut state = self.state();
            let n_put = state.n_put();
            let is_due = |&mut (n, id): &mut (usize, SlabId)| n <= n_put && !self.stack.layers.contains(&id.layer);
            state.waiting.extract_if(.., is_due).map(|(_, id)| id).collect()
        };
        if due.is_empty() {
            return Ok(());
        }
        self.stack.layers.iter().try_for_each(|&layer| self.open.sync(layer))?;
        store.release(&due)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases all of them: the stack is finished.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        let waiting = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).waiting;
        self.open.store().release(&waiting.into_iter().map(|(_, id)| id).collect::<Vec<_>>())
    }
}
