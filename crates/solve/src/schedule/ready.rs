//! The slabs of a stack that can be solved: those whose inputs are solved, in the order of the stack.
//!
//! A few slabs are looked at for every thread, and the first one of them that can be solved comes next. It knows no threads and no
//! clock, so that a plan goes through it as a solve does.

use std::collections::{BTreeSet, VecDeque};

use bitvec::vec::BitVec;
use dab_space::SlabId;

use crate::cache::shares::Size;
use crate::graph::Stack;

/// Slabs that are looked at for every thread.
const LOOKED_AT: usize = 8;

/// A slab to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) id: SlabId,
    /// Its place in the order of the stack.
    pub(crate) place: usize,
    pub(crate) size: Size,
}

/// The answer to who asks for a slab.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Slab(Task),
    /// No slab, until one that is in work is solved.
    Wait,
    /// No slab any more.
    Nothing,
}

/// The slabs of a stack that are still to be solved.
pub(crate) struct Ready<'g> {
    stack: &'g Stack<'g>,
    /// The size of a slab at a place of the stack.
    size: &'g (dyn Fn(usize) -> Size + Sync),
    most_waiting: usize,
    /// Slabs of the stack that were looked at.
    n_seen: usize,
    /// Those that wait, each with the places of slabs that it reads and that may not be solved yet.
    waiting: VecDeque<(Task, Vec<usize>)>,
    /// By place.
    solved: BitVec,
    /// Places of the slabs in work.
    in_work: BTreeSet<usize>,
    /// Slabs in work with which others help.
    n_shared: usize,
    is_large_in_work: bool,
}

impl<'g> Ready<'g> {
    /// The slabs of `stack` that are not there yet, for so many threads.
    pub(crate) fn new(
        stack: &'g Stack<'g>,
        is_there: impl Fn(SlabId) -> bool,
        size: &'g (dyn Fn(usize) -> Size + Sync),
        n_threads: usize,
    ) -> Self {
        Self {
            stack,
            size,
            most_waiting: LOOKED_AT * n_threads,
            n_seen: 0,
            waiting: VecDeque::new(),
            solved: stack.order.iter().map(|&id| is_there(id)).collect(),
            in_work: BTreeSet::new(),
            n_shared: 0,
            is_large_in_work: false,
        }
    }

    /// The next slab that can be solved. No two large ones are in work at a time.
    pub(crate) fn next(&mut self) -> Next {
        let mut at = 0;
        while at < self.waiting.len() || self.look() {
            if self.is_ready(at)
                && let Some((task, _)) = self.waiting.remove(at)
            {
                self.in_work.insert(task.place);
                self.is_large_in_work |= task.size == Size::Large;
                self.n_shared += usize::from(task.size != Size::Small);
                return Next::Slab(task);
            }
            at += 1;
        }
        if self.waiting.is_empty() { Next::Nothing } else { Next::Wait }
    }

    /// Whether a slab that waits can be solved.
    fn is_ready(&mut self, at: usize) -> bool {
        let Self { waiting, solved, is_large_in_work, .. } = self;
        let (task, unsolved) = &mut waiting[at];
        unsolved.retain(|&place| !solved[place]);
        unsolved.is_empty() && !(*is_large_in_work && task.size == Size::Large)
    }

    /// Looks at one slab more; returns whether there is one, and room for it.
    fn look(&mut self) -> bool {
        self.n_seen += self.solved[self.n_seen..].leading_ones();
        if self.n_seen == self.stack.order.len() || self.is_full() {
            return false;
        }
        let place = self.n_seen;
        self.n_seen += 1;
        let unsolved = self.stack.reads_within(place).filter(|&read| !self.solved[read]).collect();
        let task = Task { id: self.stack.order[place], place, size: (self.size)(place) };
        self.waiting.push_back((task, unsolved));
        true
    }

    /// Whether no slab is looked at until one of those that wait is handed out.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= self.most_waiting
    }

    /// Notes that the slab of a task can be read from now on.
    pub(crate) fn solved(&mut self, task: &Task) {
        self.solved.set(task.place, true);
        self.in_work.remove(&task.place);
        self.n_shared -= usize::from(task.size != Size::Small);
        self.is_large_in_work &= task.size != Size::Large;
    }

    /// The first place that is in work.
    pub(crate) fn first_in_work(&self) -> Option<usize> {
        self.in_work.first().copied()
    }

    /// Whether a large slab is in work.
    pub(crate) fn is_large_in_work(&self) -> bool {
        self.is_large_in_work
    }

    /// Whether a slab is in work with which others help.
    pub(crate) fn is_shared_in_work(&self) -> bool {
        self.n_shared > 0
    }
}
