//! The graph of slabs: the order in which they are solved, and the slabs that each of them reads.
//!
//! ```text
//!    unsolved layers ─► stacks ─► order of their slabs ─► edges, from a slab to those that it reads       [`order`], made once
//!                                                         │
//!    may it be solved?        all that it reads is solved ┤       `schedule/ready`
//!    may it be released?      nothing unsolved reads it   ┤       [`Readers`]
//!    is it needed soon?       the next slab that reads it ┤       [`Readers`]
//!    may a layer go?          the lowest layer that reads it      [`Discards`]
//! ```
//! Edges are the moves of the kernel, worked out waist by waist. Where all of them do not fit in memory, those of a stack are worked out
//! again when the stack begins.

mod discards;
mod order;
mod readers;
mod waist_order;

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use dab_space::{Layer, Layout, SlabId, SlabKey, SlabNumbers, Space};
use rayon::prelude::*;

pub(crate) use discards::Discards;
#[cfg(test)]
use order::LAYERS;
pub(crate) use order::stacks;
pub(crate) use readers::Readers;

use crate::kernel::Kernel;

/// No place: of a slab that is solved already, or of the next one that reads a slab, where none is known.
const LATER: u32 = u32::MAX;

/// A slab that a slab reads. Slabs are numbered layer by layer.
#[derive(Clone, Copy)]
struct Edge {
    read: u32,
    /// The place of the next slab of the order that reads it.
    next: u32,
}

/// Edges by place.
type Edges = Vec<Box<[Edge]>>;

/// Slabs that are to be solved in an order, and what they read.
pub(crate) struct Graph<'a> {
    kernel: &'a Kernel<'a>,
    space: &'a Space,
    numbers: SlabNumbers,
    /// Layers that are solved together, the last ones first.
    stacks: Vec<Vec<Layer>>,
    /// For each stack, the place of its first slab.
    firsts: Vec<usize>,
    /// The slabs of all stacks in the order in which they are solved.
    order: Vec<SlabId>,
    /// By number: the place of a slab in this order, if it has one.
    places: Vec<u32>,
    /// Of all stacks, if there is room for them.
    edges: Option<Edges>,
    /// Bytes of the edges that are in memory at a time.
    bytes: u64,
    /// By number: how many slabs of the stacks read a slab.
    readers: Vec<u32>,
    /// By layer: the lowest layer of the stacks that reads it, or itself if none does.
    lowest: Vec<Layer>,
}

/// The slabs of a stack in their order, with what they read.
pub(crate) struct Stack<'g> {
    graph: &'g Graph<'g>,
    /// Its layers, the last one first.
    pub layers: &'g [Layer],
    /// Its slabs.
    pub order: &'g [SlabId],
    /// The place of its first slab in the order of all stacks.
    first: usize,
    edges: Cow<'g, [Box<[Edge]>]>,
}

impl<'a> Graph<'a> {
    /// The graph of some stacks of layers. Its edges are kept if they take at most `bytes` bytes. `wanted` is asked now and then whether
    /// to go on.
    ///
    /// # Errors
    /// The error of `wanted`.
    pub(crate) fn new<E: Send>(
        (kernel, space): (&'a Kernel<'a>, &'a Space),
        stacks: Vec<Vec<Layer>>,
        bytes: u64,
        wanted: &(dyn Fn() -> Result<(), E> + Sync),
    ) -> Result<Self, E> {
        let (layout, mut order, mut firsts) = (space.layout(), Vec::new(), Vec::new());
        let ranks = waist_order::ranks(layout);
        for stack in &stacks {
            firsts.push(order.len());
            order.extend(order::order(layout, &ranks, stack));
        }
        let numbers = SlabNumbers::new(layout);
        let mut places = vec![LATER; numbers.n_slabs()];
        (0..).zip(&order).for_each(|(place, &id)| places[numbers.number(id) as usize] = place);
        let readers: Vec<AtomicU32> = (0..numbers.n_slabs()).map(|_| AtomicU32::new(0)).collect();
        let lowest: Vec<AtomicU32> = (0..layout.layers().len() as u32).map(AtomicU32::new).collect();
        let of_stacks: Vec<AtomicU64> = stacks.iter().map(|_| AtomicU64::new(0)).collect();
        let taken = AtomicU64::new(0);
        let mut edges = derive(&numbers, (kernel, layout), &order, wanted, |place, reads| {
            let reader = order[place].layer.0 as u32;
            for read in reads {
                readers[numbers.number(*read) as usize].fetch_add(1, Ordering::Relaxed);
                lowest[read.layer.0].fetch_min(reader, Ordering::Relaxed);
            }
            let more = bytes_of(reads.len());
            let fits = taken.fetch_add(more, Ordering::Relaxed) + more <= bytes;
            of_stacks[firsts.partition_point(|&first| first <= place) - 1].fetch_add(more, Ordering::Relaxed);
            fits
        })?;
        let taken = taken.into_inner();
        let fit = taken <= bytes;
        if fit {
            link(&numbers, 0, &mut edges);
        }
        let of_stacks: Vec<u64> = of_stacks.into_iter().map(AtomicU64::into_inner).collect();
        let bytes = if fit { taken } else { of_stacks.into_iter().max().unwrap_or(0) };
        let readers = readers.into_iter().map(AtomicU32::into_inner).collect();
        let lowest = lowest.into_iter().map(|layer| Layer(layer.into_inner() as usize)).collect();
        let edges = fit.then_some(edges);
        Ok(Self { kernel, space, numbers, stacks, firsts, order, places, edges, bytes, readers, lowest })
    }

    /// Number of stacks.
    pub(crate) fn n_stacks(&self) -> usize {
        self.stacks.len()
    }

    /// The layers of a stack, the last one first.
    pub(crate) fn layers(&self, stack: usize) -> &[Layer] {
        &self.stacks[stack]
    }

    /// A stack; works out its edges if they are not kept.
    ///
    /// # Errors
    /// The error of `wanted`.
    pub(crate) fn stack<E: Send>(
        &self,
        stack: usize,
        wanted: &(dyn Fn() -> Result<(), E> + Sync),
    ) -> Result<Stack<'_>, E> {
        let first = self.firsts[stack];
        let end = self.firsts.get(stack + 1).copied().unwrap_or(self.order.len());
        let order = &self.order[first..end];
        let edges = match &self.edges {
            Some(edges) => Cow::Borrowed(&edges[first..end]),
            None => {
                let mut edges = derive(&self.numbers, (self.kernel, self.space.layout()), order, wanted, |_, _| true)?;
                link(&self.numbers, first, &mut edges);
                Cow::Owned(edges)
            }
        };
        Ok(Stack { graph: self, layers: &self.stacks[stack], order, first, edges })
    }

    /// Bytes that edges take at a time: all of them, or those of a stack.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Bytes of the edges of a slab that reads `n_reads` others.
fn bytes_of(n_reads: usize) -> u64 {
    (size_of::<Box<[Edge]>>() + n_reads * size_of::<Edge>()) as u64
}

impl Stack<'_> {
    /// The slabs that the slab at a place of the stack reads.
    pub(crate) fn reads(&self, place: usize) -> impl Iterator<Item = SlabId> {
        self.edges[place].iter().map(|edge| self.graph.numbers.id(edge.read))
    }

    /// Positions of the slab at a place of the stack.
    pub(crate) fn positions(&self, place: usize) -> u64 {
        let layout = self.graph.space.layout();
        layout.positions(layout.key(self.order[place]))
    }

    /// The places of those of them that are slabs of the stack.
    pub(crate) fn reads_within(&self, place: usize) -> impl Iterator<Item = usize> {
        let places = self.edges[place].iter().map(|edge| self.graph.places[edge.read as usize] as usize);
        // Those of later stacks are read by none of these, those of earlier ones and of finished layers are solved.
        let within = self.first..self.first + self.order.len();
        places.filter(move |place| within.contains(place)).map(|place| place - self.first)
    }
}

fn edges_to(numbers: &SlabNumbers, reads: &[SlabId]) -> Box<[Edge]> {
    reads.iter().map(|&read| Edge { read: numbers.number(read), next: LATER }).collect()
}

/// Works out the edges of some slabs, waist by waist. Tells `keeps` the place of each and the slabs that it reads; its edges are kept
/// if it says so.
fn derive<E: Send>(
    numbers: &SlabNumbers,
    (kernel, layout): (&Kernel<'_>, &Layout),
    order: &[SlabId],
    wanted: &(dyn Fn() -> Result<(), E> + Sync),
    keeps: impl Fn(usize, &[SlabId]) -> bool + Sync,
) -> Result<Edges, E> {
    let mut slabs: Vec<(SlabKey, usize)> = order.iter().map(|&id| layout.key(id)).zip(0..).collect();
    slabs.par_sort_unstable();
    let edges = Mutex::new(vec![Box::default(); order.len()]);
    slabs.par_chunk_by(|(a, _), (b, _)| a.waist == b.waist).try_for_each(|slabs| {
        wanted()?;
        let keys: Vec<SlabKey> = slabs.iter().map(|&(key, _)| key).collect();
        for (&(_, place), reads) in slabs.iter().zip(kernel.sources_of_waist(&keys)) {
            if keeps(place, &reads) {
                edges.lock().unwrap_or_else(PoisonError::into_inner)[place] = edges_to(numbers, &reads);
            }
        }
        Ok(())
    })?;
    Ok(edges.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Notes in the edges of some neighbouring places, the first of which is given, the next reader of each slab.
fn link(numbers: &SlabNumbers, first: usize, edges: &mut [Box<[Edge]>]) {
    let mut next = vec![LATER; numbers.n_slabs()];
    for (place, edges) in edges.iter_mut().enumerate().rev() {
        for edge in edges {
            edge.next = std::mem::replace(&mut next[edge.read as usize], (first + place) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::cuts::cuts;
    use dab_space::partition::Partition;
    use dab_space::{Budget, Rules, SpaceKind, Units};
    use std::convert::Infallible;

    #[track_caller]
    fn check(space: &Space) {
        let kernel = Kernel::best(space, Rules::default());
        let layers: Vec<Layer> = (0..space.n_layers()).rev().map(Layer).collect();
        let stacks: Vec<Vec<Layer>> = layers.chunks(LAYERS).map(<[Layer]>::to_vec).collect();
        for bytes in [0, u64::MAX] {
            let wanted = || Ok::<_, Infallible>(());
            let graph = Graph::new((&kernel, space), stacks.clone(), bytes, &wanted).unwrap();
            for n in 0..graph.n_stacks() {
                let stack = graph.stack(n, &wanted).unwrap();
                for (place, &id) in stack.order.iter().enumerate() {
                    let reads: Vec<SlabId> = stack.reads(place).collect();
                    let of_tables = kernel.sources(space.layout().key(id), 1 << 30);
                    assert_eq!(reads, of_tables, "{} {id}", space.layout().units().start());
                    let within = |id: &SlabId| stack.order.iter().position(|other| other == id);
                    assert!(stack.reads_within(place).eq(reads.iter().filter_map(within)));
                }
            }
        }
    }

    #[test]
    fn edges_are_the_moves_of_the_kernel() {
        let all =
            [("3x3", SpaceKind::Full), ("3x4", SpaceKind::Quiet), ("2x6", SpaceKind::Quiet), ("4x4", SpaceKind::Quiet)];
        for (board, kind) in all {
            let units = Units::new(board.parse().unwrap(), kind).unwrap();
            for cut in cuts(&units) {
                let partition = Partition::new(&units, cut);
                if partition.sizes.waist <= 10 && partition.sizes.upper.max(partition.sizes.lower) <= 18 {
                    check(&Space::with_layout(
                        Layout::with_partition(units.clone(), partition, &Budget::unbounded()).unwrap(),
                    ));
                }
            }
        }
    }
}
