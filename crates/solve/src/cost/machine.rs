//! Time, traffic and disk of a solve by one process with any number of threads, replayed stack by stack.
//!
//! ```text
//!    order of the stack ─► the slabs that are looked at ─► the first one whose inputs are solved ─► a free thread
//!                                                          no such slab ─► the thread helps with a slab in work
//! ```
//! This is the schedule of `schedule/stack.rs` with costs in place of scores. A thread decodes the slabs that the cache
//! does not hold; threads that help share the work of a slab evenly. A stack takes at least as long as the disk takes for its bytes.

use std::collections::VecDeque;

use dab_space::{Budget, Layer, Layout, SlabId, Space, Spent};
use rustc_hash::FxHashSet;

use super::cluster::{LayerLoad, Load, Machines, threads_that_fit};
use super::decodes::Decodes;
use super::density::Density;
use super::peak_disk::PeakDisk;
use super::plan::{Plan, Work};
use super::replay::Step;
use crate::cache::shares::{Shares, Size};
use crate::schedule::hand_out::LOOKED_AT;

/// Replays a solve of all positions of `space` with the costs of `plan` on one of `machines`. Also returns its bytes of disk.
///
/// # Errors
/// If that takes longer than the budget allows.
pub fn simulate(
    space: &Space,
    plan: &Plan,
    machines: Machines,
    budget: &Budget<'_>,
) -> Result<(Load, PeakDisk), Spent> {
    let layout = space.layout();
    let threads = threads_that_fit(plan, machines.threads, machines.memory).max(1);
    let shares = Shares::new(plan.slab_budget(machines.memory, threads), plan.largest_slab(), threads);
    let mut decodes = Decodes::within(layout, shares.slabs());
    let of_layer = |layer| LayerLoad {
        layer,
        positions: layout.layer_positions(layer),
        bytes: plan.density().bytes(Layer(layer), layout.layer_positions(layer), layout.layers()[layer].len()),
        ..LayerLoad::default()
    };
    let mut machine = Machine {
        layout,
        shares,
        density: plan.density(),
        work: plan.work(),
        decode: plan.costs.decode * 1e-9,
        disk: machines.disk,
        threads,
        now: plan.work().begin / threads as f64,
        busy: plan.work().begin,
        layers: (0..layout.layers().len()).map(of_layer).collect(),
    };
    let mut tasks = VecDeque::new();
    let disk = PeakDisk::of((space, plan), budget, Some(shares.slabs()), |step| match *step {
        Step::Slab(id, reads, unread) => {
            let before = decodes.scores();
            let fetched = decodes.solve(id, reads, unread);
            tasks.push_back(machine.task(id, reads, fetched, decodes.scores() - before));
        }
        Step::Stack(stack, _) => machine.solve(stack, std::mem::take(&mut tasks)),
    })?;
    let Machine { layers, now: seconds, busy, .. } = machine;
    let layers: Vec<LayerLoad> = layout.listed_layers().map(|layer| layers[layer.0]).collect();
    let critical = layers.iter().map(|layer| layer.longest).sum();
    Ok((Load { layers, threads, seconds, critical, idle: 1.0 - busy / (seconds * threads as f64) }, disk))
}

/// A slab to be solved.
struct Task {
    id: SlabId,
    /// The slabs that it reads and that may not be solved yet.
    unsolved: Vec<SlabId>,
    /// Seconds of a thread that are left of it.
    left: f64,
    /// Bytes that it moves.
    bytes: f64,
    size: Size,
    /// Threads that work on it.
    threads: usize,
}

struct Machine<'a> {
    layout: &'a Layout,
    shares: Shares,
    density: &'a Density,
    work: Work,
    /// Seconds to decode a score.
    decode: f64,
    /// Bytes a second.
    disk: f64,
    threads: usize,
    now: f64,
    /// Seconds that all threads together have worked.
    busy: f64,
    /// By number.
    layers: Vec<LayerLoad>,
}

impl Machine<'_> {
    /// A slab that reads others, `fetched` of which it decodes, so many scores in all.
    fn task(&mut self, id: SlabId, reads: &[SlabId], fetched: u64, decoded: f64) -> Task {
        let key = self.layout.key(id);
        let positions = self.layout.positions(key);
        let most = reads.iter().map(|&read| self.layout.positions(self.layout.key(read))).max().unwrap_or(0);
        let seconds = positions as f64 * self.work.position + self.work.slab + decoded * self.decode;
        let read = decoded * self.density.bits(id.layer) / 8.0;
        let load = &mut self.layers[id.layer.0];
        load.inputs += reads.len() as u64;
        load.fetched += fetched;
        load.bytes_read += read as u128;
        load.longest = load.longest.max(seconds);
        self.busy += seconds;
        let bytes = read + self.density.record(id.layer, self.layout.rows(key), self.layout.cols(key));
        let size = self.shares.size(positions, most);
        // Those of other stacks are solved.
        Task { id, unsolved: reads.to_vec(), left: seconds, bytes, size, threads: 1 }
    }

    /// Solves a stack, whose slabs come in their order. The next one begins when all threads are done.
    fn solve(&mut self, stack: &[Layer], mut rest: VecDeque<Task>) {
        let (begin, bytes) = (self.now, rest.iter().map(|task| task.bytes).sum::<f64>());
        let mut unsolved: FxHashSet<SlabId> = rest.iter().map(|task| task.id).collect();
        let (mut waiting, mut in_work): (VecDeque<Task>, Vec<Task>) = (VecDeque::new(), Vec::new());
        let mut layers: Vec<f64> = vec![0.0; stack.len()];
        loop {
            // Threads that helped look for a slab of their own first.
            in_work.iter_mut().for_each(|task| task.threads = 1);
            while in_work.len() < self.threads {
                while waiting.len() < LOOKED_AT * self.threads
                    && let Some(task) = rest.pop_front()
                {
                    waiting.push_back(task);
                }
                let has_large = in_work.iter().any(|task| task.size == Size::Large);
                let is_ready = |task: &mut Task| {
                    task.unsolved.retain(|read| unsolved.contains(read));
                    task.unsolved.is_empty() && !(has_large && task.size == Size::Large)
                };
                let Some(next) = waiting.iter_mut().position(is_ready) else { break };
                in_work.extend(waiting.remove(next));
            }
            for _ in in_work.len()..self.threads {
                let shared = in_work.iter_mut().filter(|task| task.size != Size::Small);
                let Some(task) = shared.max_by(|a, b| a.seconds().total_cmp(&b.seconds())) else { break };
                task.threads += 1;
            }
            let Some(step) = in_work.iter().map(Task::seconds).min_by(f64::total_cmp) else { break };
            self.now += step;
            for task in &mut in_work {
                let done = step * task.threads as f64;
                task.left -= done;
                layers[stack[0].0 - task.id.layer.0] += done;
            }
            for solved in in_work.extract_if(.., |task| task.left <= 1e-12) {
                unsolved.remove(&solved.id);
            }
        }
        let transferring = begin + bytes / self.disk;
        let limit = if transferring > self.now { "disk" } else { "cores" };
        self.now = self.now.max(transferring);
        let all = layers.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (&layer, worked) in stack.iter().zip(layers) {
            let load = &mut self.layers[layer.0];
            (load.seconds, load.limit) = ((self.now - begin) * worked / all, limit);
        }
    }
}

impl Task {
    /// Seconds until it is solved.
    fn seconds(&self) -> f64 {
        self.left / self.threads as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::SpaceKind;

    fn load(board: &str, threads: usize, memory: u64, disk: f64) -> (Load, PeakDisk) {
        let space = Space::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let machines = Machines { nodes: 1, processes: 1, threads, memory, network: disk, disk };
        simulate(&space, &Plan::new(space.layout()), machines, &Budget::unbounded()).unwrap()
    }

    #[test]
    fn more_threads_memory_and_disk_are_faster() {
        let [one, four] = [1, 4].map(|threads| load("3x5", threads, 8 << 30, 1e9).0);
        assert!(one.idle < 1e-6 && four.idle > one.idle);
        assert!(four.seconds < one.seconds && four.seconds > one.seconds / 4.0);
        assert!(one.layers.iter().all(|layer| layer.fetched == 0 && layer.limit == "cores"));
        let short = load("3x5", 1, 100 << 20, 1e9).0;
        assert!(short.seconds > one.seconds && short.layers.iter().map(|layer| layer.fetched).sum::<u64>() > 0);
        let slow = load("3x5", 4, 8 << 30, 1e6).0;
        assert!(slow.seconds > 5.0 * four.seconds && slow.layers.iter().any(|layer| layer.limit == "disk"));
    }

    #[test]
    fn work_is_that_of_the_plan() {
        let space = Space::new("3x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let (load, disk) = load("3x4", 1, 8 << 30, 1e9);
        let plan = Plan::new(space.layout());
        assert!((load.seconds / plan.time(1).as_secs_f64() - 1.0).abs() < 1e-6);
        assert_eq!(disk, PeakDisk::new(&space, &plan, &Budget::unbounded(), Some(u64::MAX)).unwrap());
    }
}
