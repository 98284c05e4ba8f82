//! A board or a position solved into a run directory or into memory.
//!
//! ```text
//!    Solve (options) ─ plan ─► Planned (what it takes) ─ index ─► Indexed ─ run directory or memory ─► Tablebase
//! ```
//! [`Solve::into_dir`] and [`Solve::in_memory`] take all steps at once.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use dab_board::Position;
use dab_solve::Observer;
use dab_solve::cost::plan::Plan;
use dab_solve::{PeakDisk, Shares};
use dab_space::{Layout, Rules, Space, SpaceKind, Units};
use dab_store::{Game, MemoryStore, RunDir, ScoreRead, ScoreWrite, makes_holes};
use tempfile::TempDir;

use crate::machine::{available_memory, on_threads, room_for};
use crate::{Error, Files, Tablebase};

/// Slabs and configurations of the largest index that is made to check whether the files fit.
const MOST_REPLAYED: (usize, u64) = (1 << 21, 1 << 22);

/// Whether the moves from slab to slab are few enough to be worked out before a solve.
fn is_replayed(plan: &Plan) -> bool {
    plan.slabs() <= MOST_REPLAYED.0 && plan.configurations <= MOST_REPLAYED.1
}

/// A solve of every position that `start` can lead to: its options, with defaults.
pub fn solve(start: Position) -> Solve<'static> {
    Solve {
        start,
        kind: SpaceKind::Quiet,
        penalty: 0,
        memory: available_memory() / 2,
        disk: u64::MAX,
        keep: usize::MAX,
        threads: rayon::current_num_threads(),
        observer: &(),
        cancel: None,
    }
}

/// The options of a solve.
#[derive(Clone)]
pub struct Solve<'a> {
    start: Position,
    kind: SpaceKind,
    penalty: i32,
    memory: u64,
    disk: u64,
    keep: usize,
    threads: usize,
    observer: &'a dyn Observer,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Solve<'a> {
    /// The positions that are stored: quiet ones (the default), or all.
    pub fn space(mut self, kind: SpaceKind) -> Self {
        self.kind = kind;
        self
    }

    /// The penalty charged to the player who draws the last line, in boxes; 0 by default.
    pub fn penalty(mut self, penalty: i32) -> Self {
        self.penalty = penalty;
        self
    }

    /// Bytes of memory at most; half of what is free by default.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Bytes of files at most; no limit by default.
    pub fn disk(mut self, bytes: u64) -> Self {
        self.disk = bytes;
        self
    }

    /// Keeps the scores of the layers 0 to `last` only; all by default.
    pub fn keep(mut self, last: usize) -> Self {
        self.keep = last;
        self
    }

    /// Threads; those of the current pool by default.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Reports progress to `observer`, which may stop the solve.
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Stops the solve soon after `cancel` has become true.
    pub fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Plans the solve, without listing any position.
    ///
    /// # Errors
    /// If there are more units than can be indexed.
    pub fn plan(self) -> Result<Planned<'a>, Error> {
        let layout = Layout::new(Units::new(self.start.clone(), self.kind)?)?;
        Ok(Planned { plan: Plan::new(&layout), layout, options: self })
    }

    /// Solves into a run directory, or goes on where an interrupted solve of the same game stopped.
    ///
    /// # Errors
    /// If memory or disk do not suffice, the directory holds something else, files cannot be written, or the solve is
    /// stopped; finished layers stay.
    pub fn into_dir(self, dir: impl AsRef<Path>) -> Result<Tablebase, Error> {
        let planned = self.plan()?;
        planned.check_memory()?;
        planned.check_disk(dir.as_ref())?;
        let indexed = planned.index()?;
        let run = indexed.create_run(dir.as_ref())?.listing_late();
        indexed.into_run(run)
    }

    /// Solves into memory, a byte a stored position.
    ///
    /// # Errors
    /// If memory does not suffice, or the solve is stopped.
    pub fn in_memory(self) -> Result<Tablebase, Error> {
        let planned = self.plan()?;
        planned.check_memory()?;
        planned.in_memory()
    }
}

/// A solve before anything is listed.
pub struct Planned<'a> {
    options: Solve<'a>,
    layout: Layout,
    plan: Plan,
}

impl<'a> Planned<'a> {
    /// The slabs and layers.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Positions, memory, time and disk.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The last-move penalty asked for, in boxes.
    pub fn penalty(&self) -> i32 {
        self.options.penalty
    }

    /// Bytes of memory for decoded slabs.
    pub fn slab_budget(&self) -> u64 {
        self.plan.slab_budget(self.options.memory, self.options.threads)
    }

    /// Checks that the memory allowed is enough.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`].
    pub fn check_memory(&self) -> Result<(), Error> {
        check_memory(&self.plan, self.layout.units(), self.options.threads, self.options.memory)
    }

    /// Checks that the files fit, both in the bytes allowed and on the disk of `dir`.
    ///
    /// # Errors
    /// [`Error::TooLittleDisk`].
    pub fn check_disk(&self, dir: &Path) -> Result<(), Error> {
        let (plan, Solve { start, kind, keep, disk, .. }) = (&self.plan, &self.options);
        let (needed, free) = (plan.least_disk(*keep), room_for(dir));
        let room = free.min((*disk).into());
        if needed <= room {
            return Ok(());
        }
        let peak = (is_replayed(plan) && makes_holes(dir)).then(|| PeakDisk::new(&Space::of(self.layout.clone())));
        let (needed, last_that_fits) = match &peak {
            Some(peak) => (peak.least_disk(*keep), peak.last_that_fits(room)),
            None => (needed, plan.last_that_fits(room)),
        };
        if needed <= room {
            return Ok(());
        }
        Err(Error::TooLittleDisk {
            start: start.to_string().into(),
            space: *kind,
            positions: plan.positions(),
            needed,
            room,
            dir: (room == free).then(|| dir.into()),
            last_that_fits: last_that_fits.filter(|last| last < keep),
        })
    }

    /// Lists the positions.
    ///
    /// # Errors
    /// If the penalty does not fit.
    pub fn index(self) -> Result<Indexed<'a>, Error> {
        let (budget, plan, options) = (self.slab_budget(), self.plan, self.options);
        let space = Space::of(self.layout);
        let rules = Rules::new(&space, options.penalty)?;
        Ok(Indexed { space, rules, budget, largest_slab: plan.largest_slab(), options })
    }

    pub(crate) fn observed_by<'b>(self, observer: &'b dyn Observer) -> Planned<'b>
    where
        'a: 'b,
    {
        Planned { options: Solve { observer, ..self.options }, layout: self.layout, plan: self.plan }
    }

    pub(crate) fn in_memory(self) -> Result<Tablebase, Error> {
        let indexed = self.index()?;
        let store = MemoryStore::new(indexed.space.n_layers());
        indexed.solve(&store, u64::MAX)?;
        let Indexed { space, rules, .. } = indexed;
        Ok(Tablebase::solved(Files::Memory(store, Game::of(&space, rules)), space, rules))
    }

    /// Solves into a run inside `dir`, which is removed with the table.
    pub(crate) fn in_temporary_files(self, dir: TempDir) -> Result<Tablebase, Error> {
        let indexed = self.index()?;
        let game = Game::of(&indexed.space, indexed.rules);
        let run = RunDir::create_or_resume(&dir.path().join("run"), &game, indexed.space.n_layers())?;
        indexed.solve(&run, indexed.budget)?;
        let Indexed { space, rules, .. } = indexed;
        Ok(Tablebase::solved(Files::Temporary(Box::new(run), dir), space, rules))
    }
}

/// A solve ready to run.
pub struct Indexed<'a> {
    /// The index of the positions.
    pub space: Space,
    /// The rules.
    pub rules: Rules,
    /// Bytes of memory for decoded slabs.
    pub budget: u64,
    largest_slab: u64,
    options: Solve<'a>,
}

impl Indexed<'_> {
    /// Creates the run directory, or opens it to go on.
    ///
    /// # Errors
    /// If the directory holds another run, is locked by another process, or cannot be written.
    pub fn create_run(&self, dir: &Path) -> Result<RunDir, Error> {
        let shares = Shares::new(self.budget, self.largest_slab, self.options.threads);
        Ok(RunDir::create_or_resume(dir, &Game::of(&self.space, self.rules), self.space.n_layers())?
            .keeping(self.options.keep)
            .limited_to(self.options.disk)
            .with_reorder_bytes(shares.early))
    }

    /// Solves the layers of `run` that are not solved yet.
    ///
    /// # Errors
    /// If files cannot be written or the solve is stopped; finished layers stay.
    pub fn into_run(self, run: RunDir) -> Result<Tablebase, Error> {
        let timed = LayerTimes::new(self.options.observer, &run);
        self.solve_observed(&run, self.budget, &timed)?;
        drop(timed);
        Ok(Tablebase::solved(Files::Run(run.into()), self.space, self.rules))
    }

    fn solve(&self, store: &(dyn ScoreWrite + Sync), budget: u64) -> Result<(), Error> {
        self.solve_observed(store, budget, self.options.observer)
    }

    fn solve_observed(
        &self,
        store: &(dyn ScoreWrite + Sync),
        budget: u64,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let observer = Cancellable { observer, cancel: self.options.cancel };
        on_threads(self.options.threads, || {
            dab_solve::solve(&self.space, self.rules, store, budget, &observer)?;
            Ok(())
        })
    }
}

/// Checks that `memory` bytes are enough for `n_threads` threads to solve or check every position of a plan.
///
/// # Errors
/// [`Error::TooLittleMemory`].
pub(crate) fn check_memory(plan: &Plan, units: &Units, n_threads: usize, memory: u64) -> Result<(), Error> {
    let needed = plan.least_memory(n_threads);
    if needed <= memory {
        return Ok(());
    }
    Err(Error::TooLittleMemory {
        start: units.start().to_string(),
        space: units.kind(),
        positions: plan.positions(),
        needed,
        n_threads,
        allowed: memory,
        free: available_memory(),
    })
}

/// An observer that a flag stops, too.
struct Cancellable<'a> {
    observer: &'a dyn Observer,
    cancel: Option<&'a AtomicBool>,
}

impl Observer for Cancellable<'_> {
    fn layer(&self, layer: usize) {
        self.observer.layer(layer);
    }

    fn positions(&self, n: u64) {
        self.observer.positions(n);
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop() || self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// An observer that notes in the run how long each layer takes, also if the solve is interrupted.
pub struct LayerTimes<'a> {
    observer: &'a dyn Observer,
    run: &'a RunDir,
    /// The layer that is being solved, and since when.
    layer: Mutex<Option<(usize, Instant)>>,
}

impl<'a> LayerTimes<'a> {
    /// Notes times in `run`, and tells `observer` everything.
    pub fn new(observer: &'a dyn Observer, run: &'a RunDir) -> Self {
        Self { observer, run, layer: Mutex::new(None) }
    }

    /// Ends the layer before this one.
    fn begin(&self, next: Option<usize>) {
        let mut layer = self.layer.lock().unwrap_or_else(PoisonError::into_inner);
        let next = next.filter(|&next| !self.run.is_finished(next));
        if let Some((layer, begin)) = std::mem::replace(&mut *layer, next.map(|next| (next, Instant::now()))) {
            // Not worth failing for; a disk that is full says so elsewhere.
            let _ = self.run.note_time(layer, begin.elapsed());
        }
    }
}

impl Observer for LayerTimes<'_> {
    fn layer(&self, layer: usize) {
        self.begin(Some(layer));
        self.observer.layer(layer);
    }

    fn positions(&self, n: u64) {
        self.observer.positions(n);
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop()
    }
}

impl Drop for LayerTimes<'_> {
    fn drop(&mut self) {
        self.begin(None);
    }
}
