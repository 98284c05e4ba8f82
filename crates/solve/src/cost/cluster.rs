//! Time and traffic of a solve on many machines. The schedule of [`pieces`](crate::schedule::pieces) and
//! [`queue`](crate::schedule::queue) is replayed on the real graph of slabs, with costs instead of scores.
//!
//! ```text
//!    thread   reads inputs that its node does not hold ─► solves ─► hands the slab file to a writer
//!    node     its processes share what they hold
//!    link     of a node: its bytes, in and out; a layer takes at least as long
//!    disk     the bytes of all nodes; a layer takes at least as long
//!    manager  lists slab files while the next layer is solved
//! ```
//! Assumptions: a layer begins when every slab file of the one before is on disk; a node keeps decoded slabs as the
//! [slab cache](dab_store::SlabCache) does; a position costs the same everywhere on a board.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dab_space::{Layer, Layout, SlabId, SlabKey};
use rayon::prelude::*;
use serde::Serialize;

use super::constants::{BEGIN, OPEN, SYNC, WRITE};
use super::held::Held;
use super::plan::Plan;
use crate::cache::shares::Shares;
use crate::schedule::pieces::Pieces;
use crate::schedule::queue::{Queue, Sized};

/// Processes that solve together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machines {
    /// Number of nodes.
    pub nodes: usize,
    /// Processes of a node.
    pub processes: usize,
    /// Threads of a node.
    pub threads: usize,
    /// Bytes of memory of a node.
    pub memory: u64,
    /// Bytes a second between a node and the shared directory.
    pub network: f64,
    /// Bytes a second that the disks of the shared directory take or give in all.
    pub disk: f64,
}

/// Time and traffic of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LayerLoad {
    /// The layer.
    pub layer: usize,
    /// Its positions.
    pub positions: u128,
    /// Bytes of its files.
    pub bytes: u128,
    /// Slabs that its slabs read, each counted for every reader.
    pub inputs: u64,
    /// Part of `inputs`: slabs that a process has to read from the directory.
    pub fetched: u64,
    /// Bytes that processes read from the directory.
    pub bytes_read: u128,
    /// Bytes of slab files that processes write to it; a layer that one process solves has none.
    pub bytes_written: u128,
    /// Seconds in which it is solved.
    pub seconds: f64,
    /// Seconds of the piece that takes longest: no number of nodes does it faster.
    #[serde(rename = "longest_piece_seconds")]
    pub longest: f64,
    /// The limit: the busiest resource, or that some cores wait for the last piece.
    pub limit: &'static str,
}

/// Time and traffic of a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Every layer that is solved, ascending.
    pub layers: Vec<LayerLoad>,
    /// Threads of a node that its memory allows.
    pub threads: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds that any number of nodes would take: the longest piece of every layer, one after the other.
    pub critical: f64,
    /// The part of the time of all threads in which they wait.
    pub idle: f64,
}

/// Threads of a node that fit its memory, at most as many as it has cores.
pub fn threads_that_fit(plan: &Plan, cores: usize, memory: u64) -> usize {
    (1..=cores).rev().find(|&threads| plan.least_memory(threads) <= memory).unwrap_or(0)
}

/// Replays the schedule of the solve that `plan` is the plan of. `reads` lists the stored slabs that a slab reads.
pub fn simulate(
    layout: &Layout,
    plan: &Plan,
    machines: Machines,
    reads: impl Fn(SlabKey) -> Vec<SlabId> + Sync,
) -> Load {
    let threads = threads_that_fit(plan, machines.threads, machines.memory).max(1);
    let budget = plan.slab_budget(machines.memory, threads);
    let cache = Shares::new(budget, plan.largest_slab(), threads).slabs();
    let (pieces, density) = (Pieces::new(layout), plan.density());
    let mut nodes: Vec<Held<'_>> = (0..machines.nodes).map(|_| Held::within(layout, cache)).collect();
    // Seconds that the link of each node needs for the layer.
    let mut transferring = vec![0.0; machines.nodes];
    // The threads of a node belong to its processes in turn.
    let n_ranks = machines.nodes * machines.processes.min(threads);
    let threads_of = |rank: usize| (threads * machines.nodes - rank).div_ceil(n_ranks);
    let node_of = |rank: usize| rank % machines.nodes;
    let is_shared = n_ranks > 1;
    let (work, decode) = (plan.work(), plan.costs.decode * 1e-9);
    let begin = work.begin / threads_of(n_ranks - 1) as f64 + if is_shared { BEGIN } else { 0.0 };
    let (mut now, mut listed_until, mut worked) = (begin, 0.0_f64, 0.0);
    let mut layers = Vec::new();
    for Layer(layer) in layout.listed_layers().rev() {
        let keys = &layout.layers()[layer];
        let bytes_of = |layer, positions: u64, slabs: usize| density.bytes(layer, positions.into(), slabs) as f64;
        let mut load = LayerLoad { layer, positions: layout.layer_positions(layer), ..LayerLoad::default() };
        load.bytes = density.bytes(Layer(layer), load.positions, keys.len());
        let alone = pieces.is_small(Layer(layer)) || !is_shared;
        let graph: Vec<Vec<SlabId>> = keys.par_iter().with_max_len(16).map(|&key| reads(key)).collect();
        // On its own a process knows who still reads what.
        if is_shared {
            nodes.iter_mut().for_each(Held::next_layer);
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
                    if !node.hold(id) {
                        continue;
                    }
                    let size = node.positions(id);
                    let bytes = bytes_of(id.layer, size, 1);
                    load.fetched += 1;
                    load.bytes_read += bytes as u128;
                    let link = bytes / machines.network;
                    let disk = bytes / machines.disk;
                    *transferring += link;
                    (busy_links, busy_disk) = (busy_links + link, busy_disk + disk);
                    at += link.max(disk) + size as f64 * decode + OPEN;
                }
                let size = layout.positions(keys[slab]);
                at += size as f64 * (work.position + if alone { 0.0 } else { WRITE }) + work.slab;
                node.hold(SlabId::new(layer, slab));
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
    Load { layers, threads, seconds, critical, idle }
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
    use crate::kernel::Isa;
    use crate::kernel::rows::RowKernel;
    use crate::schedule::reads::Reads;
    use dab_space::{Budget, Rules, Space, SpaceKind};

    fn load(board: &str, nodes: usize, threads: usize, network: f64) -> Load {
        let space = Space::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let kernel = RowKernel::new(&space, Rules::new(&space, 0).unwrap(), Isa::best());
        let machines = Machines { nodes, processes: 1, threads, memory: 8 << 30, network, disk: 1e9 };
        let reads = Reads::new(space.layout(), &kernel, &Budget::unbounded()).unwrap();
        simulate(space.layout(), &Plan::new(space.layout()), machines, |key| reads.of(key))
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
