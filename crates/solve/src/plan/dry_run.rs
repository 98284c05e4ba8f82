//! The schedule run dry: a solve by one process with any number of threads, with costs in place of scores.
//!
//! ```text
//!    graph ─► slabs that are ready ─► a free thread: decodes what the cache does not hold, solves, writes
//!             no such slab         ─► the thread helps with a slab in work
//!    clock     the costs of slabs        cache   slabs without scores
//!    disk      bytes of slabs            memory  bytes of slabs that are still to be read
//! ```
//! Graph, order, readiness, readers, shares of memory and the rule by which a full cache drops slabs are those of the solve. Threads that
//! help share the work of a slab evenly. A stack takes at least as long as the disk takes for its bytes.

use dab_space::{Budget, Layer, Layout, PerHalf, Rules, SlabId, Space, SpaceError, Spent};
use dab_store::{CacheMemory, KeptSlabs};

use super::disk::{Disk, PeakDisk};
use super::load::{LayerLoad, Load, threads_that_fit};
use super::memory::{Live, PeakMemory};
use super::{Plan, Work};
use crate::cache::shares::{Shares, Size};
use crate::constants::CLASS_PAIR;
use crate::graph::{Discards, Graph, Readers, Stack, stacks};
use crate::kernel::Kernel;
use crate::schedule::ready::{Next, Ready, Task};

/// Slabs between two looks at the budget.
const OFTEN: usize = 1 << 10;

/// The machine of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Threads, of which as many solve as the memory allows.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes a second that its disk takes or gives.
    pub disk: f64,
    /// Whether others solve with it: then layers are solved one after the other, and room is given back a layer later.
    pub has_others: bool,
}

/// Time, memory and disk of a solve.
#[derive(Clone, Debug)]
pub struct DryRun {
    /// Time and traffic.
    pub load: Load,
    /// Memory for slabs; none if slabs have to go because the memory is full.
    pub memory: Option<PeakMemory>,
    /// Bytes on disk.
    pub disk: PeakDisk,
}

impl DryRun {
    /// Goes through the solve of all positions of `space` that is planned.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub fn new((space, plan): (&Space, &Plan), machine: Machine, budget: &Budget<'_>) -> Result<Self, SpaceError> {
        Self::within(space, plan, machine, budget).map_err(|spent| spent.error(space.layout().units().start()))
    }

    fn within(space: &Space, plan: &Plan, machine: Machine, budget: &Budget<'_>) -> Result<Self, Spent> {
        let layout = space.layout();
        let threads = threads_that_fit(plan, machine.threads, machine.memory).max(1);
        let shares = Shares::new(plan.slab_budget(machine.memory, threads), plan.largest_slab(), threads);
        let layers = layout.listed_layers().rev();
        let stacks = match machine.has_others {
            true => layers.map(|layer| vec![layer]).collect(),
            false => stacks(layout, layers, shares.slabs()),
        };
        // No score is computed, so that the penalty does not matter.
        let kernel = Kernel::best(space, Rules { penalty: 0 });
        let wanted = || budget.check(0);
        let graph = Graph::new((&kernel, space), stacks, shares.edges(), &wanted)?;
        let (readers, shares) = (Readers::new(&graph), shares.without(graph.bytes()));
        let class_pairs = class_pairs(space);
        let tables = class_pairs.saturating_mul(CLASS_PAIR).min(shares.tables);
        let mut run = Run {
            layout,
            plan,
            shares,
            work: plan.work(),
            bandwidth: machine.disk,
            threads,
            readers: &readers,
            cache: KeptSlabs::default(),
            memory: shares.cache_memory(),
            room: shares.kept - tables,
            live: Live::default(),
            disk: Disk::new(layout, machine.has_others),
            now: plan.work().begin / threads as f64,
            busy: plan.work().begin,
            layers: (0..layout.layers().len()).map(|layer| LayerLoad::of(plan, layout, Layer(layer))).collect(),
        };
        let mut discards = Discards::new(&graph, Layer(0));
        for n in 0..graph.n_stacks() {
            let stack = graph.stack(n, &wanted)?;
            readers.begin(&stack);
            run.solve(&stack, &wanted)?;
            run.disk.finish(stack.layers, &discards.solved(stack.layers[stack.layers.len() - 1]));
        }
        let Run { layers, now: seconds, busy, live, cache, disk, .. } = run;
        let layers: Vec<LayerLoad> = layout.listed_layers().map(|layer| layers[layer.0]).collect();
        let critical = layers.iter().map(|layer| layer.longest).sum();
        let idle = 1.0 - busy / (seconds * threads as f64);
        Ok(Self {
            load: Load { layers, threads, seconds, critical, idle },
            memory: (!cache.evicts()).then(|| PeakMemory { class_pairs, ..live.peak() }),
            disk: disk.peak(),
        })
    }
}

/// Pairs of classes of both halves under every waist configuration: each has its moves at the waist.
fn class_pairs(space: &Space) -> u64 {
    let pairs = space.layout().waists().iter().map(|waist| {
        let PerHalf([upper, lower]) = space.boundaries(waist).map(|boundary| boundary.classes.len() as u64);
        upper * lower
    });
    pairs.sum()
}

/// A slab in work.
struct InWork {
    task: Task,
    /// Bytes of its record.
    record: f64,
    /// Seconds of a thread that are left of it.
    left: f64,
    /// Threads that work on it.
    threads: usize,
}

impl InWork {
    /// Seconds until it is solved.
    fn seconds(&self) -> f64 {
        self.left / self.threads as f64
    }
}

struct Run<'a> {
    layout: &'a Layout,
    plan: &'a Plan,
    shares: Shares,
    work: Work,
    /// Bytes a second of the disk.
    bandwidth: f64,
    threads: usize,
    readers: &'a Readers<'a>,
    cache: KeptSlabs<()>,
    memory: CacheMemory,
    /// Bytes that slabs of the cache may take.
    room: u64,
    live: Live,
    disk: Disk,
    now: f64,
    /// Seconds that all threads together have worked.
    busy: f64,
    /// By number.
    layers: Vec<LayerLoad>,
}

impl Run<'_> {
    /// Solves a stack. The next one begins when all threads are done.
    fn solve(&mut self, stack: &Stack<'_>, wanted: &dyn Fn() -> Result<(), Spent>) -> Result<(), Spent> {
        let (layout, shares) = (self.layout, self.shares);
        let size = |place: usize| shares.size_of(layout, stack.order[place], stack.reads(place));
        let mut ready = Ready::new(stack, |_| false, &size, self.threads);
        let mut in_work: Vec<InWork> = Vec::new();
        let (begin, mut moved, mut worked, mut n) = (self.now, 0.0, vec![0.0; stack.layers.len()], 0_usize);
        loop {
            // Threads that helped look for a slab of their own first.
            in_work.iter_mut().for_each(|slab| slab.threads = 1);
            while in_work.len() < self.threads
                && let Next::Slab(task) = ready.next()
            {
                let (slab, read) = self.begin(stack, task);
                moved += read + slab.record;
                in_work.push(slab);
                n += 1;
                if n.is_multiple_of(OFTEN) {
                    wanted()?;
                }
            }
            for _ in in_work.len()..self.threads {
                let shared = in_work.iter_mut().filter(|slab| slab.task.size != Size::Small);
                let Some(slab) = shared.max_by(|a, b| a.seconds().total_cmp(&b.seconds())) else { break };
                slab.threads += 1;
            }
            let Some(step) = in_work.iter().map(InWork::seconds).min_by(f64::total_cmp) else { break };
            self.now += step;
            for slab in &mut in_work {
                let done = step * slab.threads as f64;
                slab.left -= done;
                worked[stack.layers[0].0 - slab.task.id.layer.0] += done;
            }
            for solved in in_work.extract_if(.., |slab| slab.left <= 1e-12) {
                self.end(stack, &solved);
                ready.solved(&solved.task);
            }
        }
        let transferring = begin + moved / self.bandwidth;
        let limit = if transferring > self.now { "disk" } else { "cores" };
        self.now = self.now.max(transferring);
        let all = worked.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (&layer, worked) in stack.layers.iter().zip(worked) {
            let load = &mut self.layers[layer.0];
            (load.seconds, load.limit) = ((self.now - begin) * worked / all, limit);
        }
        Ok(())
    }

    /// A thread begins a slab; also returns the bytes that it reads.
    fn begin(&mut self, stack: &Stack<'_>, task: Task) -> (InWork, f64) {
        let (id, density) = (task.id, self.plan.density());
        let (mut decoded, mut bytes) = (0, 0.0);
        for read in stack.reads(task.place) {
            self.layers[id.layer.0].inputs += 1;
            if self.cache.touch(read).is_none() {
                let positions = self.positions(read);
                self.hold(read, positions);
                self.layers[id.layer.0].fetched += 1;
                decoded += positions;
                bytes += positions as f64 * density.bits(read.layer) / 8.0;
            }
        }
        let key = self.layout.key(id);
        let positions = self.positions(id);
        let left = positions as f64 * self.work.position + self.work.slab + decoded as f64 * self.work.decode;
        let load = &mut self.layers[id.layer.0];
        load.bytes_read += bytes as u128;
        load.longest = load.longest.max(left);
        self.busy += left;
        let record = density.record(id.layer, self.layout.rows(key), self.layout.cols(key));
        (InWork { task, record, left, threads: 1 }, bytes)
    }

    /// The slab is solved, and written.
    fn end(&mut self, stack: &Stack<'_>, InWork { task, record, .. }: &InWork) {
        let (id, positions) = (task.id, self.positions(task.id));
        self.live.add(positions);
        let unread = self.readers.solved(stack, task.place);
        for &id in &unread {
            self.cache.remove(id);
            self.live.remove(self.positions(id));
        }
        self.disk.write(id, record.ceil() as u64);
        self.disk.unread(&unread);
        self.hold(id, positions);
    }

    /// Keeps a slab in memory, from which others may have to go.
    fn hold(&mut self, id: SlabId, positions: u64) {
        let bytes = self.memory.taken(positions as usize);
        let next_use = |id| self.readers.next(id);
        self.cache.make_room(bytes, self.room, Some(&next_use));
        self.cache.insert(id, (), bytes);
        self.cache.make_room(0, self.room, Some(&next_use));
    }

    fn positions(&self, id: SlabId) -> u64 {
        self.layout.positions(self.layout.key(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::slab_keeper::SlabKeeper;
    use crate::schedule::open_layers::OpenLayers;
    use crate::schedule::stack::StackSolver;
    use crate::schedule::sweep::shapes;
    use crate::{Observer, SolveError};
    use dab_space::SpaceKind;
    use dab_store::MemoryStore;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn dry_run(board: &str, threads: usize, memory: u64, disk: f64) -> DryRun {
        let space = Space::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let machine = Machine { threads, memory, disk, has_others: false };
        DryRun::new((&space, &Plan::new(space.layout())), machine, &Budget::unbounded()).unwrap()
    }

    #[test]
    fn more_threads_memory_and_disk_are_faster() {
        let [one, four] = [1, 4].map(|threads| dry_run("3x5", threads, 8 << 30, 1e9).load);
        assert!(one.idle < 1e-6 && four.idle > one.idle);
        assert!(four.seconds < one.seconds && four.seconds > one.seconds / 4.0);
        assert!(one.layers.iter().all(|layer| layer.fetched == 0 && layer.limit == "cores"));
        let slow = dry_run("3x5", 4, 8 << 30, 1e6).load;
        assert!(slow.seconds > 5.0 * four.seconds && slow.layers.iter().any(|layer| layer.limit == "disk"));
        let decoded = [8000, 400, 200, 100].map(|mb| {
            let DryRun { load, memory, .. } = dry_run("3x5", 1, mb << 20, 1e9);
            assert_eq!(memory.is_some(), mb == 8000);
            (load.seconds, load.layers.iter().map(|layer| layer.fetched).sum::<u64>())
        });
        assert!(decoded.is_sorted_by(|less, more| less.0 < more.0 && less.1 < more.1), "{decoded:?}");
    }

    #[test]
    fn work_is_that_of_the_plan() {
        let space = Space::new("3x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let seconds = dry_run("3x4", 1, 8 << 30, 1e9).load.seconds;
        assert!((seconds / Plan::new(space.layout()).time(1).as_secs_f64() - 1.0).abs() < 1e-6);
    }

    /// Notes the most scores that are held when a slab is solved.
    struct Most<'a> {
        keeper: &'a SlabKeeper<'a>,
        held: AtomicU64,
    }

    impl Observer for Most<'_> {
        fn positions(&self, n: u64) {
            self.held.fetch_max(self.keeper.cache().n_scores() + n, Ordering::Relaxed);
        }
    }

    /// The most that a solve with one thread holds.
    fn held_by_a_solve(space: &Space) -> Result<u64, SolveError> {
        let (kernel, store) = (Kernel::best(space, Rules { penalty: 0 }), MemoryStore::new(space.n_layers()));
        let shapes: Vec<_> = (0..space.n_layers()).map(|layer| shapes(space, Layer(layer))).collect();
        let open = OpenLayers::new(&store, space.n_layers());
        let keeper = SlabKeeper::new(space, &open, u64::MAX);
        let all = stacks(space.layout(), (0..space.n_layers()).rev().map(Layer), u64::MAX);
        let graph = Graph::new((&kernel, space), all, u64::MAX, &|| Ok::<_, SolveError>(()))?;
        let readers = Readers::new(&graph);
        let observer = Most { keeper: &keeper, held: AtomicU64::new(0) };
        let (keeper, open, observer) = (&keeper, &open, &observer);
        let solver = StackSolver { kernel: &kernel, space, keeper, open, observer, checker: None };
        for n in 0..graph.n_stacks() {
            solver.solve(&graph.stack(n, &|| Ok::<_, SolveError>(()))?, &readers, &shapes)?;
        }
        Ok(observer.held.load(Ordering::Relaxed))
    }

    #[test]
    fn holds_what_a_solve_holds() {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for (start, kind) in [
            ("2x3", SpaceKind::Quiet),
            ("3x3", SpaceKind::Quiet),
            ("2x5", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("5x5:510264066c84442", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let machine = Machine { threads: 1, memory: u64::MAX, disk: 1e9, has_others: false };
            let run = DryRun::new((&space, &Plan::new(space.layout())), machine, &Budget::unbounded()).unwrap();
            let held = one_thread.install(|| held_by_a_solve(&space)).unwrap();
            let memory = run.memory.unwrap();
            // No slab is so large that its buffer is kept to be used again.
            assert_eq!((memory.bytes, memory.small), (held, held), "{start} {kind}");
        }
    }
}
