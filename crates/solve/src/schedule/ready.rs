//! The slabs of a stack that can be solved: those whose inputs are solved, in the order of the stack.
//!
//! ```text
//!    order      ── part of process 0 ──│── part of process 1 ──│ …        shared out by positions and threads
//!    looked at  ▓▓▓░▓                   ▓▓░▓▓                             ▓ waits   ░ in work
//! ```
//! Neighbours in the order read much the same slabs, so each process has a part of it. A few slabs of a part are looked at for every
//! thread of its process, and the first one of them that can be solved comes next. A process that finds none in its own part gets one of
//! another part. Nothing here knows threads or clocks, so that a plan goes through it as a solve does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use bitvec::vec::BitVec;
use dab_space::SlabId;

use crate::cache::shares::Size;
use crate::graph::Stack;

/// Slabs that are looked at for every thread.
const LOOKED_AT: usize = 8;

/// A slab to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The slab.
    pub id: SlabId,
    /// Its place in the order of the stack.
    pub(crate) place: usize,
    /// Its positions.
    pub positions: u64,
    /// Whether others help with it.
    pub size: Size,
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

impl Next {
    /// The slab, if there is one.
    pub(crate) fn slab(self) -> Option<Task> {
        if let Self::Slab(task) = self { Some(task) } else { None }
    }
}

/// The slabs that a process has in work, as far as their size matters.
#[derive(Debug, Default)]
pub(crate) struct InWork {
    /// Those with which other threads help.
    n_shared: usize,
    has_large: bool,
}

impl InWork {
    /// Whether a slab may be begun now: no two large ones are in work at a time.
    pub(crate) fn may_begin(&self, size: Size) -> bool {
        size != Size::Large || !self.has_large
    }

    pub(crate) fn begin(&mut self, size: Size) {
        self.has_large |= size == Size::Large;
        self.n_shared += usize::from(size != Size::Small);
    }

    pub(crate) fn end(&mut self, size: Size) {
        self.has_large &= size != Size::Large;
        self.n_shared -= usize::from(size != Size::Small);
    }

    /// Whether there is a large slab.
    pub(crate) fn has_large(&self) -> bool {
        self.has_large
    }

    /// Whether there is a slab with which others help.
    pub(crate) fn has_shared(&self) -> bool {
        self.n_shared > 0
    }
}

/// The slabs of a stack that are still to be solved.
pub(crate) struct Ready<'g> {
    stack: &'g Stack<'g>,
    /// The size of a slab at a place of the stack.
    size: &'g (dyn Fn(usize) -> Size + Sync),
    /// One for each process.
    parts: Vec<Part>,
    /// By place.
    solved: BitVec,
    /// By place: the slabs in work, each with its process.
    in_work: BTreeMap<usize, (usize, Task)>,
}

/// The part of a process.
struct Part {
    most_waiting: usize,
    /// Places that were not looked at.
    unseen: Range<usize>,
    /// Slabs that wait, each with the places of slabs that it reads and that may not be solved yet; the solved ones at the end are dropped.
    waiting: VecDeque<(Task, Vec<usize>)>,
    in_work: InWork,
}

impl Part {
    /// Whether no slab is looked at until one of those that wait is handed out.
    fn is_full(&self) -> bool {
        self.waiting.len() >= self.most_waiting
    }

    /// Whether no slab of it is left.
    fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.unseen.is_empty()
    }
}

impl<'g> Ready<'g> {
    /// The slabs of `stack` that are not there yet, for processes with these numbers of threads.
    pub(crate) fn new(
        stack: &'g Stack<'g>,
        is_there: impl Fn(SlabId) -> bool,
        size: &'g (dyn Fn(usize) -> Size + Sync),
        threads: &[usize],
    ) -> Self {
        let solved: BitVec = stack.order.iter().map(|&id| is_there(id)).collect();
        let part = |(unseen, &n_threads)| Part {
            most_waiting: LOOKED_AT * n_threads,
            unseen,
            waiting: VecDeque::new(),
            in_work: InWork::default(),
        };
        let parts = shared_out(stack, &solved, threads).into_iter().zip(threads).map(part).collect();
        Self { stack, size, parts, solved, in_work: BTreeMap::new() }
    }

    /// The next slab that a process can solve, in its own part or in any.
    pub(crate) fn next(&mut self, process: usize) -> Next {
        if let Some(task) = self.next_of(process, process) {
            return Next::Slab(task);
        }
        let mut parts: Vec<usize> = (0..self.parts.len()).filter(|&part| part != process).collect();
        parts.sort_by_key(|&part| Reverse(self.parts[part].unseen.len()));
        if let Some(task) = parts.into_iter().find_map(|part| self.next_of(part, process)) {
            return Next::Slab(task);
        }
        if self.parts.iter().all(Part::is_empty) { Next::Nothing } else { Next::Wait }
    }

    /// The next slab of a part that a process can solve, if there is one now.
    pub(crate) fn next_of(&mut self, part: usize, process: usize) -> Option<Task> {
        let mut at = 0;
        while at < self.parts[part].waiting.len() || self.look(part) {
            let (task, unsolved) = &mut self.parts[part].waiting[at];
            while unsolved.pop_if(|place| self.solved[*place]).is_some() {}
            let (size, is_ready) = (task.size, unsolved.is_empty());
            if is_ready && self.parts[process].in_work.may_begin(size) {
                let (task, _) = self.parts[part].waiting.remove(at)?;
                self.in_work.insert(task.place, (process, task));
                self.parts[process].in_work.begin(size);
                return Some(task);
            }
            at += 1;
        }
        None
    }

    /// Looks at one slab more of a part; returns whether there is one, and room for it.
    fn look(&mut self, part: usize) -> bool {
        let part = &mut self.parts[part];
        part.unseen.start += self.solved[part.unseen.clone()].leading_ones();
        if part.is_full() {
            return false;
        }
        let Some(place) = part.unseen.next() else { return false };
        let unsolved = self.stack.reads_within(place).filter(|&read| !self.solved[read]).collect();
        let (id, positions) = (self.stack.order[place], self.stack.positions(place));
        let task = Task { id, place, positions, size: (self.size)(place) };
        part.waiting.push_back((task, unsolved));
        true
    }

    /// Whether a part has no room for another look.
    pub(crate) fn is_full(&self, part: usize) -> bool {
        self.parts[part].is_full()
    }

    /// Notes that the slab of a task can be read from now on.
    pub(crate) fn solved(&mut self, task: &Task) {
        self.solved.set(task.place, true);
        if let Some((process, _)) = self.in_work.remove(&task.place) {
            self.parts[process].in_work.end(task.size);
        }
    }

    /// Whether all slabs are solved.
    pub(crate) fn is_solved(&self) -> bool {
        self.in_work.is_empty() && self.parts.iter().all(Part::is_empty)
    }

    /// The first place that is in work.
    pub(crate) fn first_in_work(&self) -> Option<usize> {
        self.in_work.first_key_value().map(|(&place, _)| place)
    }

    /// The slabs in work, each with its process.
    pub(crate) fn in_work(&self) -> impl Iterator<Item = (usize, Task)> {
        self.in_work.values().copied()
    }

    /// The slabs in work of a process.
    pub(crate) fn in_work_of(&self, process: usize) -> &InWork {
        &self.parts[process].in_work
    }
}

/// The order of a stack, cut into a part for each process: as many unsolved positions as it has threads.
fn shared_out(stack: &Stack<'_>, solved: &BitVec, threads: &[usize]) -> Vec<Range<usize>> {
    let positions = |place: usize| if solved[place] { 0 } else { u128::from(stack.positions(place)) };
    let n_threads: usize = threads.iter().sum();
    let all: u128 = (0..stack.order.len()).map(positions).sum();
    let (mut place, mut before, mut ranked) = (0, 0, 0);
    let part = |(process, &n): (usize, &usize)| {
        let begin = place;
        ranked += n;
        // The middle of a slab decides.
        while place < stack.order.len()
            && (process + 1 == threads.len()
                || (before + positions(place) / 2) * (n_threads as u128) < all * ranked as u128)
        {
            before += positions(place);
            place += 1;
        }
        begin..place
    };
    threads.iter().enumerate().map(part).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use dab_space::{Layer, Rules, Space, SpaceKind};

    use super::*;
    use crate::graph::Graph;
    use crate::kernel::Kernel;

    /// Goes `with` the second stack of 3x3.
    pub(crate) fn on_a_stack(with: impl FnOnce(&Stack<'_>)) {
        let space = Space::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let kernel = Kernel::best(&space, Rules::default());
        let layers: Vec<Layer> = (0..space.n_layers()).rev().map(Layer).collect();
        let stacks = layers.chunks(10).map(<[Layer]>::to_vec).collect();
        let wanted = || Ok::<_, Infallible>(());
        let graph = Graph::new((&kernel, &space), stacks, u64::MAX, &wanted).unwrap();
        with(&graph.stack(1, &wanted).unwrap());
    }

    /// Processes with several slabs in work at a time solve each slab once, after those that it reads.
    #[test]
    fn every_slab_is_solved_once_by_some_process() {
        on_a_stack(|stack| {
            for threads in [&[1][..], &[1, 1], &[3, 1, 2]] {
                let is_there = |id: SlabId| id.slab.is_multiple_of(11);
                let mut ready = Ready::new(stack, is_there, &|_| Size::Small, threads);
                let mut solved: BTreeSet<SlabId> = stack.order.iter().copied().filter(|&id| is_there(id)).collect();
                let (mut in_work, mut turn) = (VecDeque::new(), 0);
                while !ready.is_solved() {
                    let process = turn % threads.len();
                    turn += 1;
                    match ready.next(process) {
                        Next::Slab(task) => {
                            assert!(ready.in_work().any(|(by, other)| (by, other) == (process, task)));
                            let mut within = stack.reads(task.place).filter(|id| stack.layers.contains(&id.layer));
                            assert!(within.all(|id| solved.contains(&id)), "{}", task.id);
                            in_work.push_back(task);
                        }
                        Next::Wait => assert!(!in_work.is_empty(), "all wait"),
                        Next::Nothing => {}
                    }
                    if turn.is_multiple_of(3)
                        && let Some(task) = in_work.pop_front()
                    {
                        assert!(solved.insert(task.id), "{} twice", task.id);
                        ready.solved(&task);
                    }
                }
                assert_eq!(solved.len(), stack.order.len());
            }
        });
    }

    #[test]
    fn parts_have_as_many_positions_as_threads() {
        on_a_stack(|stack| {
            let parts = shared_out(stack, &stack.order.iter().map(|_| false).collect(), &[1, 3]);
            assert_eq!((parts[0].start, parts[0].end, parts[1].end), (0, parts[1].start, stack.order.len()));
            let positions = |part: &Range<usize>| part.clone().map(|place| stack.positions(place)).sum::<u64>() as f64;
            let ratio = positions(&parts[1]) / positions(&parts[0]);
            assert!((2.5..3.5).contains(&ratio), "{ratio}");
        });
    }
}
