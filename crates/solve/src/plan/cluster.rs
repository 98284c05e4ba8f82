//! Time and traffic of a solve on many machines. The schedule of [`pieces`](crate::schedule::pieces) and
//! [`queue`](crate::schedule::queue) is replayed on the real graph of slabs, with costs instead of scores.
//!
//! ```text
//!    thread   reads inputs that its node does not hold ─► solves ─► writes
//!    node     its processes share what they hold
//!    link     of a node: its bytes, in and out; a layer takes at least as long
//!    disk     the bytes of all nodes; a layer takes at least as long
//!    manager  completes files while the next layer is solved
//! ```
//! Assumptions: a layer begins when every slab of the one before is on disk; a node keeps decoded slabs as the
//! [slab cache](dab_store::SlabCache) does; a position costs the same everywhere on a board.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::convert::Infallible;

use dab_space::{Budget, Half, Layer, Layout, PerHalf, Rules, SlabId, SlabKey, Space, SpaceError, Spent};
use dab_store::KeptSlabs;

use super::Plan;
use super::load::{LayerLoad, Load, Machines, threads_that_fit};
use crate::cache::shares::Shares;
use crate::constants::{BEGIN, OPEN, SYNC, WRITE};
use crate::graph::Graph;
use crate::kernel::Kernel;
use crate::schedule::pieces::Pieces;
use crate::schedule::queue::{Queue, Sized};

/// Goes through the solve that is planned on the real graph of slabs.
///
/// # Errors
/// If that takes longer than the budget allows.
pub fn simulate(space: &Space, plan: &Plan, machines: Machines, budget: &Budget<'_>) -> Result<Load, SpaceError> {
    let simulate = || -> Result<Load, Spent> {
        // No score is computed, so that the penalty does not matter.
        let kernel = Kernel::best(space, Rules { penalty: 0 });
        let wanted = || budget.check(0);
        let layers: Vec<Layer> = space.layout().listed_layers().rev().collect();
        let stacks = layers.iter().map(|&layer| vec![layer]).collect();
        let graph = Graph::new((&kernel, space), stacks, machines.memory / 32, &wanted)?;
        simulate_reading(space.layout(), plan, machines, |layer| {
            let stack = graph.stack(layers[0].0 - layer.0, &wanted)?;
            let mut reads = vec![Vec::new(); stack.order.len()];
            (0..).zip(stack.order).for_each(|(place, id)| reads[id.slab] = stack.reads(place).collect());
            Ok(reads)
        })
    };
    simulate().map_err(|spent| spent.error(space.layout().units().start()))
}

/// Goes through the solve that is planned where slabs read just what moves inside a half lead to: nothing is listed for that.
pub fn simulate_halves(layout: &Layout, plan: &Plan, machines: Machines) -> Load {
    let reads = |layer: Layer| -> Result<_, Infallible> {
        Ok(layout.layers()[layer.0].iter().map(|&key| neighbours(layout, key)).collect())
    };
    let Ok(load) = simulate_reading(layout, plan, machines, reads);
    load
}

/// The stored slabs that safe moves inside a half lead to.
fn neighbours(layout: &Layout, key: SlabKey) -> Vec<SlabId> {
    let PerHalf([upper, lower]) = key.filled;
    let targets = [SlabKey::new(key.waist, upper + 1, lower), SlabKey::new(key.waist, upper, lower + 1)];
    let sizes = layout.partition().sizes;
    let is_there = |target: &&SlabKey| {
        usize::from(target.filled[Half::Upper]) <= sizes.upper
            && usize::from(target.filled[Half::Lower]) <= sizes.lower
            && layout.positions(**target) > 0
    };
    let id = |&target: &SlabKey| layout.id(layout.least(target).0);
    targets.iter().filter(is_there).map(id).collect()
}

/// Goes through the solve; `reads` lists, for each slab of a layer, the stored slabs that it reads.
fn simulate_reading<E>(
    layout: &Layout,
    plan: &Plan,
    machines: Machines,
    reads: impl Fn(Layer) -> Result<Vec<Vec<SlabId>>, E>,
) -> Result<Load, E> {
    let threads = threads_that_fit(plan, machines.threads, machines.memory).max(1);
    let budget = plan.slab_budget(machines.memory, threads);
    let cache = Shares::new(budget, plan.largest_slab(), threads).slabs();
    let (pieces, density) = (Pieces::new(layout), plan.density());
    let mut nodes: Vec<KeptSlabs<()>> = (0..machines.nodes).map(|_| KeptSlabs::default()).collect();
    let positions_of = |id: SlabId| layout.positions(layout.key(id));
    let hold = |node: &mut KeptSlabs<()>, id: SlabId| {
        node.insert(id, (), positions_of(id));
        node.make_room(0, cache, None);
    };
    // Seconds that the link of each node needs for the layer.
    let mut transferring = vec![0.0; machines.nodes];
    // The threads of a node belong to its processes in turn.
    let n_ranks = machines.nodes * machines.processes.min(threads);
    let threads_of = |rank: usize| (threads * machines.nodes - rank).div_ceil(n_ranks);
    let node_of = |rank: usize| rank % machines.nodes;
    let is_shared = n_ranks > 1;
    let work = plan.work();
    let begin = work.begin / threads_of(n_ranks - 1) as f64 + if is_shared { BEGIN } else { 0.0 };
    let (mut now, mut listed_until, mut worked) = (begin, 0.0_f64, 0.0);
    let mut layers = Vec::new();
    for Layer(layer) in layout.listed_layers().rev() {
        let keys = &layout.layers()[layer];
        let bytes_of = |layer, positions: u64, slabs: usize| density.bytes(layer, positions.into(), slabs) as f64;
        let mut load = LayerLoad::of(plan, layout, Layer(layer));
        let alone = pieces.is_small(Layer(layer)) || !is_shared;
        let graph = reads(Layer(layer))?;
        // On its own a process knows who still reads what.
        if is_shared {
            nodes.iter_mut().for_each(|node| drop(node.next_layer()));
        }
        let sized: Vec<Sized> =
            (0..pieces.len(Layer(layer))).map(|i| (i, pieces.positions(layout, Layer(layer), i))).collect();
        let working = if pieces.is_small(Layer(layer)) { 1 } else { n_ranks };
        let of_ranks: Vec<usize> = (0..working).map(threads_of).collect();
        let mut queue = Queue::new(&sized, &of_ranks);
        let free = (0..working).flat_map(|rank| std::iter::repeat_n(Reverse((Time(now), rank)), of_ranks[rank]));
        let mut free: BinaryHeap<Reverse<(Time, usize)>> = free.collect();
        let (begin, mut end) = (now, now);
        let (mut busy_threads, mut busy_links, mut busy_disk) = (0.0, 0.0, 0.0);
        while let Some(Reverse((Time(start), rank))) = free.pop() {
            let Some((piece, positions)) = queue.take(rank) else { continue };
            let mut at = start;
            let (node, transferring) = (&mut nodes[node_of(rank)], &mut transferring[node_of(rank)]);
            let slabs = pieces.slabs(Layer(layer), piece);
            for slab in slabs.clone() {
                for &id in &graph[slab] {
                    load.inputs += 1;
                    if node.touch(id).is_some() {
                        continue;
                    }
                    hold(node, id);
                    let size = positions_of(id);
                    let bytes = bytes_of(id.layer, size, 1);
                    load.fetched += 1;
                    load.bytes_read += bytes as u128;
                    let link = bytes / machines.network;
                    let disk = bytes / machines.disk;
                    *transferring += link;
                    (busy_links, busy_disk) = (busy_links + link, busy_disk + disk);
                    at += link.max(disk) + size as f64 * work.decode + OPEN;
                }
                let size = layout.positions(keys[slab]);
                at += size as f64 * (work.position + if alone { 0.0 } else { WRITE }) + work.slab;
                hold(node, SlabId::new(layer, slab));
            }
            busy_threads += at - start;
            let bytes = bytes_of(Layer(layer), positions, slabs.len());
            // A process on its own writes the score file and nothing else.
            let (link, disk) = (bytes / machines.network, bytes / machines.disk);
            *transferring += link;
            (busy_links, busy_disk) = (busy_links + link, busy_disk + disk);
            let mut durable = at + link.max(disk);
            if !alone {
                load.bytes_written += bytes as u128;
                durable += SYNC;
            }
            load.longest = load.longest.max(durable - start);
            end = end.max(durable);
            free.push(Reverse((Time(at), rank)));
        }
        // Nothing is over before all its bytes have gone through every link and the disk.
        let longest = transferring.iter_mut().map(std::mem::take).fold(0.0, f64::max);
        end = end.max(begin + longest).max(begin + busy_disk);
        // The layer before is listed before the next one begins.
        end = end.max(listed_until);
        // Written, synced, renamed, and the manifest after it.
        let published = 4.0 * SYNC;
        match alone {
            true => end += published,
            false => listed_until = end + sized.len() as f64 * OPEN + SYNC + published,
        }
        worked += busy_threads;
        load.seconds = end - begin;
        let seconds = load.seconds.max(1e-9);
        let busy = [
            ("cores", busy_threads / (seconds * (threads * machines.nodes) as f64)),
            ("network", busy_links / (seconds * machines.nodes as f64)),
            ("disk", busy_disk / seconds),
        ];
        let busiest = busy.into_iter().map(|(name, part)| (name, part.min(1.0))).max_by(|a, b| a.1.total_cmp(&b.1));
        load.limit = busiest.filter(|busiest| busiest.1 >= 0.5).map_or("last piece", |busiest| busiest.0);
        now = end;
        layers.push(load);
    }
    layers.reverse();
    let critical = begin + layers.iter().map(|layer| layer.longest).sum::<f64>();
    let seconds = now.max(listed_until);
    let idle = 1.0 - worked / (seconds * (threads * machines.nodes) as f64);
    Ok(Load { layers, threads, seconds, critical, idle })
}

/// A moment, in seconds; they have an order.
#[derive(Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::SpaceKind;

    fn load(board: &str, nodes: usize, threads: usize, network: f64) -> Load {
        let space = Space::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let machines = Machines { nodes, processes: 1, threads, memory: 8 << 30, network, disk: 1e9 };
        simulate(&space, &Plan::new(space.layout()), machines, &Budget::unbounded()).unwrap()
    }

    #[test]
    fn one_process_reads_nothing_and_many_are_faster() {
        let alone = load("3x4", 1, 1, 1e9);
        assert!(alone.layers.iter().all(|layer| layer.fetched == 0 && layer.bytes_written == 0));
        assert_eq!(alone.layers.iter().map(|layer| layer.positions).sum::<u128>(), 14_171_675);
        let [one, four] = [load("3x5", 1, 1, 1e9), load("3x5", 4, 1, 1e9)];
        assert!(four.seconds < one.seconds && four.seconds > one.seconds / 4.0);
        assert!(four.layers.iter().map(|layer| layer.fetched).sum::<u64>() > 0);
        assert!(four.critical < four.seconds);
        let slow = load("3x5", 4, 1, 1e6);
        assert!(slow.seconds > 2.0 * four.seconds);
        let limits = slow.layers.iter().map(|layer| layer.limit);
        assert!(limits.filter(|&limit| limit == "network").count() > 5);
    }

    #[test]
    fn memory_bounds_threads() {
        let layout = Layout::new(dab_space::Units::new("4x5".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        let plan = Plan::new(&layout);
        assert_eq!(threads_that_fit(&plan, 64, u64::MAX), 64);
        let memory = plan.least_memory(10);
        assert_eq!((threads_that_fit(&plan, 64, memory), threads_that_fit(&plan, 64, 1)), (10, 0));
    }
}
