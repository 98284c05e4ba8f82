//! The schedule run dry: a solve by one process or several, each with any number of threads, with costs in place of scores.
//!
//! ```text
//!    graph ─► slabs that are ready ─► a free thread: decodes what the cache of its node does not hold, solves, writes
//!             no such slab         ─► the thread helps with a slab in work
//!    clock     the costs of slabs        caches  slabs without scores
//!    disk      bytes of slabs            memory  bytes of slabs that are still to be read
//! ```
//! Graph, order, readiness, readers, shares of memory and the rule by which a full cache drops slabs are those of the solve. Threads that
//! help share the work of a slab evenly. A stack takes at least as long as the disk and the link of each node take for their bytes. Messages
//! take no time.

use dab_space::{Budget, Layer, Layout, PerHalf, Rules, SlabId, Space, SpaceError, Spent};
use dab_store::{CacheMemory, Held, KeptSlabs, NextUse};

use super::disk::{Disk, PeakDisk};
use super::estimate::{Plan, Work};
use super::load::{LayerLoad, Load, Machines, threads_that_fit};
use super::memory::{self, Live, PeakMemory};
use super::parts::Parts;
use crate::cache::shares::{Shares, Size};
use crate::constants::{APART, BEGIN, MAPS, OPEN, SYNC, WAIST_TABLES};
use crate::graph::{Discards, Graph, Readers, Stack, stacks};
use crate::kernel::Kernel;
use crate::schedule::ready::{Next, Ready, Task};

/// Slabs between two looks at the budget.
const OFTEN: usize = 1 << 10;

/// Time, memory and disk of a solve.
#[derive(Clone, Debug)]
pub struct DryRun {
    /// Time and traffic.
    pub load: Load,
    /// Memory for slabs on one machine; none if slabs have to go because it is full.
    pub memory: Option<PeakMemory>,
    /// Bytes on disk.
    pub disk: PeakDisk,
    /// Scores that are decoded, because memory is short.
    pub decoded: u128,
}

/// The part of a slab that is decoded.
#[derive(Clone, Copy)]
struct Decoded(f64);

/// Nobody uses scores that are not there.
impl Held for Decoded {
    fn is_in_use(&self) -> bool {
        false
    }

    fn part(&self) -> f64 {
        self.0
    }
}

impl DryRun {
    /// Goes through the solve of all positions of `space` that is planned.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub fn new((space, plan): (&Space, &Plan), machines: Machines, budget: &Budget<'_>) -> Result<Self, SpaceError> {
        Self::within(space, plan, machines, budget).map_err(|spent| spent.error(space.layout().units().start()))
    }

    fn within(space: &Space, plan: &Plan, machines: Machines, budget: &Budget<'_>) -> Result<Self, Spent> {
        let layout = space.layout();
        let threads = threads_that_fit(plan, machines.threads, machines.memory).max(1);
        let shares = Shares::new(plan.slab_budget(machines.memory, threads), plan.largest_slab(), threads);
        let stacks = stacks(layout, layout.listed_layers().rev(), shares.slabs());
        // No score is computed, so that the penalty does not matter.
        let kernel = Kernel::best(space, Rules::default());
        let wanted = || budget.check(0);
        let graph = Graph::new((&kernel, space), stacks, shares.edges(), &wanted)?;
        let (readers, shares) = (Readers::new(&graph), shares.without(graph.bytes()));
        let waist_tables = waist_tables(space);
        // Maps are dropped when there is no room for another table.
        let maps = if waist_tables > shares.tables { 0 } else { MAPS * layout.n_configurations() };
        let tables = waist_tables.min(shares.tables) + maps;
        let (work, nodes) = (plan.work(), machines.nodes);
        let together = if nodes > 1 { BEGIN } else { 0.0 };
        let mut run = Run {
            layout,
            plan,
            shares,
            work,
            machines: Machines { threads, ..machines },
            readers: &readers,
            parts: Parts::new((&kernel, space), budget),
            caches: (0..nodes).map(|_| KeptSlabs::default()).collect(),
            memory: shares.cache_memory(),
            room: shares.kept.saturating_sub(tables),
            lent: vec![0; nodes],
            live: Live::default(),
            disk: Disk::new(layout),
            now: work.begin / threads as f64 + together,
            busy: work.begin * nodes as f64,
            decoded: 0.0,
            layers: (0..layout.layers().len()).map(|layer| LayerLoad::new(plan, layout, Layer(layer))).collect(),
        };
        let mut discards = Discards::new(&graph, Layer(0));
        for n in 0..graph.n_stacks() {
            let stack = graph.stack(n, &wanted)?;
            readers.begin(&stack);
            run.solve(&stack, &wanted)?;
            run.disk.finish(stack.layers, &discards.solved(stack.layers[stack.layers.len() - 1]));
        }
        let Run { layers, now: seconds, busy, live, caches, disk, decoded, .. } = run;
        let layers: Vec<LayerLoad> = layout.listed_layers().map(|layer| layers[layer.0]).collect();
        let critical = layers.iter().map(|layer| layer.longest).sum();
        let idle = 1.0 - busy / (seconds * (threads * nodes) as f64);
        Ok(Self {
            load: Load { layers, threads, seconds, critical, idle },
            memory: (nodes == 1 && !caches[0].evicts()).then(|| PeakMemory { waist_tables, ..live.peak() }),
            disk: disk.peak(),
            decoded: decoded as u128,
        })
    }
}

impl Plan {
    /// Bytes of memory at most, when `memory` bytes are allowed: the need of the solve if nothing bounds it, or the part of
    /// a bound that solves take. Without a dry run the peak of its slabs is guessed.
    pub fn memory(&self, threads: usize, memory: u64, dry: Option<&DryRun>) -> u64 {
        let bounded = memory::bounded(memory.max(self.least_memory(threads)), self.largest_slab());
        let live = match dry.map(|dry| dry.memory) {
            None => self.guess(),
            Some(Some(live)) => live,
            Some(None) => return bounded,
        };
        // The slab that a thread solves, and some that it turns for that.
        let slabs = if self.turns { 3 * threads as u64 } else { threads as u64 };
        let working = slabs.saturating_mul(self.largest_slab());
        memory::unbounded(self.index, live, working).min(bounded)
    }
}

/// Bytes of the tables of moves at the waist.
fn waist_tables(space: &Space) -> u64 {
    let (class, pair_tenths) = WAIST_TABLES;
    let tables = space.layout().waists().iter().map(|waist| {
        let PerHalf([upper, lower]) = space.boundaries(waist).map(|boundary| boundary.classes.len() as u64);
        class * (upper + lower) + pair_tenths * upper * lower / 10
    });
    tables.sum()
}

/// The part of a slab that is decoded once a part is wanted of which some is there.
fn with_wanted(there: f64, wanted: f64) -> f64 {
    let (nested, independent) = (there.max(wanted), there + wanted - there * wanted);
    nested + APART * (independent - nested)
}

/// A slab in work.
struct InWork {
    task: Task,
    node: usize,
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
    machines: Machines,
    readers: &'a Readers<'a>,
    parts: Parts<'a>,
    /// By node.
    caches: Vec<KeptSlabs<Decoded>>,
    memory: CacheMemory,
    /// Bytes that slabs of a cache may take, and those of them that slabs in work of each node take.
    room: u64,
    lent: Vec<u64>,
    live: Live,
    disk: Disk,
    now: f64,
    /// Seconds that all threads together have worked.
    busy: f64,
    /// Scores that were decoded.
    decoded: f64,
    /// By number.
    layers: Vec<LayerLoad>,
}

impl Run<'_> {
    /// Solves a stack. The next one begins when all threads are done.
    fn solve(&mut self, stack: &Stack<'_>, wanted: &dyn Fn() -> Result<(), Spent>) -> Result<(), Spent> {
        let (layout, shares, Machines { nodes, threads, network, disk, .. }) =
            (self.layout, self.shares, self.machines);
        let size = |place: usize| shares.size_of(layout, stack.order[place], stack.reads(place));
        let mut ready = Ready::new(stack, |_| false, &size, &vec![threads; nodes]);
        let mut in_work: Vec<InWork> = Vec::new();
        // Bytes that the link of each node moves, and threads that have no slab of their own.
        let (mut moved, mut free) = (vec![0.0; nodes], vec![threads; nodes]);
        let (begin, mut worked, mut n) = (self.now, vec![0.0; stack.layers.len()], 0_usize);
        loop {
            // Threads that helped look for a slab of their own first.
            in_work.iter_mut().for_each(|slab| slab.threads = 1);
            for node in 0..nodes {
                while free[node] > 0
                    && let Next::Slab(task) = ready.next(node)
                {
                    let (slab, read) = self.begin(stack, task, node)?;
                    moved[node] += read + slab.record;
                    free[node] -= 1;
                    in_work.push(slab);
                    n += 1;
                    if n.is_multiple_of(OFTEN) {
                        wanted()?;
                    }
                }
                for _ in 0..free[node] {
                    let is_shared = |slab: &&mut InWork| slab.node == node && slab.task.size != Size::Small;
                    let shared = in_work.iter_mut().filter(is_shared);
                    let Some(slab) = shared.max_by(|a, b| a.seconds().total_cmp(&b.seconds())) else { break };
                    slab.threads += 1;
                }
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
                free[solved.node] += 1;
                ready.solved(&solved.task);
            }
        }
        if nodes > 1 {
            // Files of workers are completed, then the manager's, and the manifest is written.
            self.now += (2 + 4 * stack.layers.len()) as f64 * SYNC;
        }
        let most = moved.iter().copied().fold(0.0, f64::max);
        // Of equal ones the last counts: a layer without slabs.
        let network = ("network", begin + most / network);
        let ends = [network, ("disk", begin + moved.iter().sum::<f64>() / disk), ("cores", self.now)];
        let (limit, end) = ends.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(ends[0]);
        self.now = end;
        let all = worked.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (&layer, worked) in stack.layers.iter().zip(worked) {
            let load = &mut self.layers[layer.0];
            (load.seconds, load.limit) = ((self.now - begin) * worked / all, limit);
        }
        Ok(())
    }

    /// A thread of a node begins a slab; also returns the bytes that it reads.
    fn begin(&mut self, stack: &Stack<'_>, task: Task, node: usize) -> Result<(InWork, f64), Spent> {
        let (id, density) = (task.id, self.plan.density());
        let (mut decoded, mut n_found, mut bytes) = (0.0, 0_u32, 0.0);
        self.lent[node] += Shares::in_work(task.positions).iter().sum::<u64>();
        // Slabs of a batch stay until the next one begins.
        let (limit, mut batch, mut first) = (self.shares.batch(task.positions), 0, 0);
        for (nth, read) in stack.reads(task.place).enumerate() {
            let positions = self.positions(read);
            batch += positions;
            if batch > limit {
                (first..nth).for_each(|nth| self.readers.passed(stack, task.place, nth));
                (batch, first) = (positions, nth);
            }
            self.layers[id.layer.0].inputs += 1;
            let there = self.caches[node].touch(read).map_or(0.0, |there| there.0);
            if there == 1.0 {
                continue;
            }
            let part = with_wanted(there, self.parts.decoded(id, read)?);
            if there < part {
                self.hold(read, positions, Decoded(part), node);
                self.layers[id.layer.0].fetched += 1;
                n_found += 1;
                let scores = (part - there) * positions as f64;
                decoded += scores;
                bytes += scores * density.bits(read.layer) / 8.0;
            }
        }
        self.decoded += decoded;
        let key = self.layout.key(id);
        let positions = self.positions(id);
        let find = if self.machines.nodes > 1 { OPEN } else { 0.0 };
        let read = decoded * self.work.decode + f64::from(n_found) * find;
        let left = self.work.slab(positions as f64) + read;
        let load = &mut self.layers[id.layer.0];
        load.bytes_read += bytes as u128;
        load.longest = load.longest.max(left);
        self.busy += left;
        let record = density.record(id.layer, self.layout.rows(key), self.layout.cols(key));
        Ok((InWork { task, node, record, left, threads: 1 }, bytes))
    }

    /// The slab is solved, and written.
    fn end(&mut self, stack: &Stack<'_>, InWork { task, node, record, .. }: &InWork) {
        let (id, positions) = (task.id, self.positions(task.id));
        self.live.add(positions);
        let unread = self.readers.solved(stack, task.place);
        for &id in &unread {
            for cache in &mut self.caches {
                cache.remove(id);
            }
            self.live.remove(self.positions(id));
        }
        self.disk.write(id, record.ceil() as u64);
        self.disk.unread(&unread);
        self.lent[*node] -= Shares::in_work(task.positions).iter().sum::<u64>();
        self.hold(id, positions, Decoded(1.0), *node);
    }

    /// Keeps a slab in the memory of a node, from which others may have to go. Only the manager knows when slabs are read next.
    fn hold(&mut self, id: SlabId, positions: u64, part: Decoded, node: usize) {
        let bytes = self.memory.taken(positions as usize);
        let next_use = |id| self.readers.next(id);
        let next_use: Option<NextUse<'_>> = if node == 0 { Some(&next_use) } else { None };
        let (cache, room) = (&mut self.caches[node], self.room.saturating_sub(self.lent[node]));
        cache.make_room(bytes, room, next_use);
        cache.insert(id, part, bytes);
        cache.make_room(0, room, next_use);
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
        run_by(board, Machines::one(threads, memory, disk))
    }

    fn run_by(board: &str, machines: Machines) -> DryRun {
        let space = Space::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        DryRun::new((&space, &Plan::new(space.layout())), machines, &Budget::unbounded()).unwrap()
    }

    #[test]
    fn many_nodes_are_faster_and_read_what_others_solved() {
        let load = |nodes, network| {
            let machines = Machines { nodes, threads: 1, memory: 8 << 30, network, disk: 1e9 };
            run_by("3x5", machines).load
        };
        let [one, two, four] = [1, 2, 4].map(|nodes| load(nodes, 1e9));
        assert!(four.seconds < two.seconds && two.seconds < one.seconds && four.seconds > one.seconds / 4.0);
        let fetched = |load: &Load| load.layers.iter().map(|layer| layer.fetched).sum::<u64>();
        assert!(fetched(&one) == 0 && fetched(&two) > 0 && fetched(&four) > fetched(&two));
        assert!(four.critical < four.seconds);
        let slow = load(4, 1e6);
        assert!(slow.seconds > 2.0 * four.seconds);
        assert!(slow.layers.iter().filter(|layer| layer.limit == "network").count() > 5);
    }

    #[test]
    fn memory_bounds_threads() {
        let layout = Layout::new(dab_space::Units::new("4x5".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        let plan = Plan::new(&layout);
        assert_eq!(threads_that_fit(&plan, 64, u64::MAX), 64);
        let memory = plan.least_memory(10);
        assert_eq!((threads_that_fit(&plan, 64, memory), threads_that_fit(&plan, 64, 1)), (10, 0));
    }

    #[test]
    fn more_threads_memory_and_disk_are_faster() {
        let [one, four] = [1, 4].map(|threads| dry_run("3x5", threads, 8 << 30, 1e9).load);
        assert!(one.idle < 1e-6 && four.idle > one.idle);
        assert!(four.seconds < one.seconds && four.seconds > one.seconds / 4.0);
        assert!(one.layers.iter().all(|layer| layer.fetched == 0 && layer.limit == "cores"));
        let slow = dry_run("3x5", 4, 8 << 30, 1e6).load;
        assert!(slow.seconds > 5.0 * four.seconds && slow.layers.iter().any(|layer| layer.limit == "disk"));
        let decoded = [8000, 300, 200, 100].map(|mb| {
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
        let (kernel, store) = (Kernel::best(space, Rules::default()), MemoryStore::new(space.n_layers()));
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
            solver.solve(&graph.stack(n, &|| Ok::<_, SolveError>(()))?, &readers, &shapes, None)?;
        }
        Ok(observer.held.load(Ordering::Relaxed))
    }

    #[test]
    fn holds_what_a_solve_holds() {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for (start, kind) in [
            ("2x3", SpaceKind::Quiet),
            ("2x3", SpaceKind::Full),
            ("3x3", SpaceKind::Quiet),
            ("2x5", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("5x5:510264066c84442", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let machine = Machines::one(1, u64::MAX, 1e9);
            let run = DryRun::new((&space, &Plan::new(space.layout())), machine, &Budget::unbounded()).unwrap();
            let held = one_thread.install(|| held_by_a_solve(&space)).unwrap();
            let memory = run.memory.unwrap();
            // No slab is so large that its buffer is kept to be used again.
            assert_eq!((memory.bytes, memory.small), (held, held), "{start} {kind}");
        }
    }
}
