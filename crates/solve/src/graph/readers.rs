//! The readers of every slab that are not solved yet: how many they are, and which comes next.

use std::sync::atomic::{AtomicU32, Ordering};

use dab_space::SlabId;

use super::{Graph, LATER, Stack};

/// For every slab the unsolved slabs that read it.
pub(crate) struct Readers<'g> {
    graph: &'g Graph<'g>,
    /// By number: how many they are.
    left: Vec<AtomicU32>,
    /// By number: the place of the one that is solved next, if slabs are solved in order.
    next: Vec<AtomicU32>,
}

impl<'g> Readers<'g> {
    /// The readers before any slab of the graph is solved.
    pub(crate) fn new(graph: &'g Graph<'g>) -> Self {
        let left = graph.readers.iter().map(|&readers| AtomicU32::new(readers)).collect();
        let readers = Self { graph, left, next: graph.readers.iter().map(|_| AtomicU32::new(LATER)).collect() };
        if let Some(edges) = &graph.edges {
            readers.note_first(0, edges);
        }
        readers
    }

    /// Begins a stack: the next readers of its slabs are known from now on.
    pub(crate) fn begin(&self, stack: &Stack<'_>) {
        self.note_first(stack.first, &stack.edges);
    }

    fn note_first(&self, first: usize, edges: &[Box<[super::Edge]>]) {
        for (place, edges) in edges.iter().enumerate().rev() {
            let place = (first + place) as u32;
            edges.iter().for_each(|edge| self.next[edge.read as usize].store(place, Ordering::Relaxed));
        }
    }

    /// Notes that the slab at a place of a stack reads the `nth` of its slabs no more, though it is not solved yet.
    pub(crate) fn passed(&self, stack: &Stack<'_>, place: usize, nth: usize) {
        let edge = &stack.edges[place][nth];
        let next = &self.next[edge.read as usize];
        // Threads are a few slabs apart: a late one must not bring back a reader that is solved.
        if next.load(Ordering::Relaxed) < edge.next {
            next.store(edge.next, Ordering::Relaxed);
        }
    }

    /// Notes that the slab at a place of a stack is solved; returns the slabs that nothing reads any more. The caller then sees
    /// everything that other threads did before they noted the other readers of these slabs.
    pub(crate) fn solved(&self, stack: &Stack<'_>, place: usize) -> Vec<SlabId> {
        let mut unread = Vec::new();
        for (nth, edge) in stack.edges[place].iter().enumerate() {
            self.passed(stack, place, nth);
            if self.left[edge.read as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                unread.push(self.graph.numbers.id(edge.read));
            }
        }
        unread
    }

    /// The place of the next slab that reads this one; the greatest number if none is known.
    pub(crate) fn next(&self, id: SlabId) -> u32 {
        self.next[self.graph.numbers.number(id) as usize].load(Ordering::Relaxed)
    }

    /// The slabs that no unsolved slab reads.
    pub(crate) fn unread(&self) -> impl Iterator<Item = SlabId> {
        let numbers = (0..).zip(&self.left).filter(|(_, left)| left.load(Ordering::Relaxed) == 0);
        numbers.map(|(number, _)| self.graph.numbers.id(number))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use dab_space::{Layer, Rules, Space, SpaceKind};

    use super::super::stacks;
    use super::*;
    use crate::kernel::Kernel;

    /// Readers come in the order of solving, across stacks if all edges are kept, else within each.
    #[test]
    fn next_readers_follow_from_the_order() {
        let space = Space::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let kernel = Kernel::best(&space, Rules::default());
        let layers = || (0..space.n_layers()).rev().map(Layer);
        for bytes in [0, u64::MAX] {
            let stacks = stacks(space.layout(), layers(), 0);
            let graph = Graph::new((&kernel, &space), stacks, bytes, &|| Ok::<_, Infallible>(())).unwrap();
            assert_eq!(graph.edges.is_some(), bytes > 0);
            let readers = Readers::new(&graph);
            let reads: Vec<Vec<SlabId>> =
                graph.order.iter().map(|&id| kernel.sources(space.layout().key(id), 1 << 30)).collect();
            for n in 0..graph.n_stacks() {
                let stack = graph.stack(n, &|| Ok::<_, Infallible>(())).unwrap();
                readers.begin(&stack);
                let end = if bytes > 0 { graph.order.len() } else { stack.first + stack.order.len() };
                for place in 0..stack.order.len() {
                    let at = stack.first + place;
                    for &other in &graph.order {
                        let is_reader = |&reader: &usize| reads[reader].contains(&other);
                        let next = (at..end).find(is_reader).map_or(LATER, |reader| reader as u32);
                        assert_eq!(readers.next(other), next, "{other} at {at}");
                        let left = (at..graph.order.len()).filter(is_reader).count();
                        assert_eq!(
                            readers.left[graph.numbers.number(other) as usize].load(Ordering::Relaxed),
                            left as u32
                        );
                    }
                    // Those that are behind a slab wait for the next one, though it is not solved yet.
                    for (nth, &read) in reads[at].iter().enumerate() {
                        readers.passed(&stack, place, nth);
                        let is_next = |&other: &usize| reads[other].contains(&read);
                        let next = (at + 1..end).find(is_next).map_or(LATER, |reader| reader as u32);
                        assert_eq!(readers.next(read), next, "{read} at {at}");
                    }
                    let unread = readers.solved(&stack, place);
                    let is_last =
                        |read: &&SlabId| !(at + 1..graph.order.len()).any(|reader| reads[reader].contains(read));
                    assert_eq!(unread, reads[at].iter().filter(is_last).copied().collect::<Vec<_>>());
                }
            }
            assert_eq!(readers.unread().count(), graph.order.len());
        }
    }
}
