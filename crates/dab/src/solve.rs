//! A board or a position solved into a run directory or into memory.
//!
//! ```text
//!    Solve (options) ─ plan ─► Planned (what it takes) ─ index ─► Indexed ─ run directory or memory ─► Tablebase
//! ```
//! [`Solve::into_dir`] and [`Solve::in_memory`] take all steps at once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dab_board::Position;
use dab_solve::plan::load::Machines;
use dab_solve::plan::{DryRun, Plan, least_memory};
use dab_solve::{Observer, Shares};
use dab_space::count::least_stored;
use dab_space::{Budget, Layer, Layout, Rules, Space, SpaceError, SpaceKind, Units};
use dab_store::{Game, MemoryStore, RunDir, ScoreWrite, makes_holes};
use dab_table::{IndexLimits, available_memory};

use crate::figures::{Bytes, Count, Size};
use crate::limits::{Limits, check_memory};
use crate::machine::{on_threads, room_for};
use crate::temporary::Place;
use crate::{Error, ErrorKind, Files, Remedy, Tablebase};

/// Slabs and configurations of the largest solve that is run dry: that takes some seconds.
const MOST_DRY: (usize, u64) = (3 << 19, 1 << 23);

/// The factor by which starts in the middle of a game take less than their plan says, at most: 1.9 where it was measured, and room.
const MOST_OFF: u128 = 3;
/// A plan of more quiet positions takes long.
const MANY: u128 = 100_000_000_000;
/// Quiet positions that take no less than a byte of disk even if layers leave it: long rows have up to 132 by dry runs, files had at most 21.
const MOST_TO_A_BYTE: u128 = 512;
/// Before a solve is refused, its last layers are tried for one second, and one more for every `MEASURED` seconds of its time.
const MEASURED: u32 = 6;

/// A solve of every position that `start` can lead to, with defaults for all else.
pub fn solve(start: Position) -> Solve<'static> {
    Solve {
        start,
        space: SpaceKind::Quiet,
        penalty: 0,
        marks: false,
        keep: usize::MAX,
        down_to: 0,
        check: 0,
        // No pool is begun before it is known which one solves.
        limits: Limits::new(0, available_memory() / 2),
        resumes: None,
        observer: &(),
    }
}

/// A solve with its options: `Solve { penalty: 1, ..solve(start) }` charges a penalty.
#[derive(Clone)]
pub struct Solve<'a> {
    /// The position from which all others arise.
    pub start: Position,
    /// The positions that are stored: quiet ones (the default), or all.
    pub space: SpaceKind,
    /// The penalty charged to the player who draws the last line, in boxes; 0 by default.
    pub penalty: i32,
    /// Whether loony marks are solved with the scores; they are not by default. Only the quiet space has marks, and open boxes and penalty are
    /// at most 31 together.
    pub marks: bool,
    /// The last layer whose scores are kept; all are by default.
    pub keep: usize,
    /// The layer after which the solve stops; 0, the start, by default. Before that nothing can be dropped, so all layers are kept.
    pub down_to: usize,
    /// Scores of every slab that are derived again before the slab is written into a directory; none by default.
    pub check: usize,
    /// Threads (0, the default, for as many as the current pool has), memory, disk and time of planning. Solving takes the time it needs: `time` is for solves on demand.
    pub limits: Limits,
    /// The run directory that may hold a part of the solve: its cut is kept, whatever cut is the best for this memory.
    pub resumes: Option<PathBuf>,
    /// Hears of progress and may stop the plan and the solve, as an [`AtomicBool`](std::sync::atomic::AtomicBool) does.
    pub observer: &'a dyn Observer,
}

impl<'a> Solve<'a> {
    /// Plans the solve, without listing any position.
    ///
    /// # Errors
    /// If there are more units than can be indexed, there is no such marks, there is no such layer to stop at, or planning takes more
    /// memory or time than is allowed.
    ///
    /// ```
    /// let planned = dab::solve("3x3".parse()?).plan()?;
    /// assert_eq!(planned.plan.positions(), 394_868);
    /// # Ok::<(), dab::Error>(())
    /// ```
    pub fn plan(mut self) -> Result<Planned<'a>, Error> {
        if self.marks {
            Rules::for_start(&self.start, self.penalty)?.with_marks(&self.start, self.space)?;
        }
        if self.limits.threads == 0 {
            self.limits.threads = rayon::current_num_threads();
        }
        let units = Units::new(self.start.clone(), self.space)?;
        let layout = self.layout(units)?;
        let (down_to, n_layers) = (self.down_to, layout.layers().len());
        if down_to >= n_layers {
            let start = self.start;
            return Err(Error::input(format!("{start} has {n_layers} layers from 0 on and no layer {down_to}")));
        }
        if down_to > 0 {
            self.keep = usize::MAX;
        }
        let layout = layout.down_to(Layer(down_to));
        let mut plan = Plan::new(&layout);
        if self.marks {
            plan = plan.with_marks();
        }
        plan.checks = self.check;
        Ok(Planned { plan, layout, options: self })
    }

    /// The layout of the run that is resumed, else of the cheapest cut for which the memory suffices.
    fn layout(&self, units: Units) -> Result<Layout, Error> {
        let is_cancelled = || self.observer.should_stop();
        let budget = self.budget().until(&is_cancelled);
        // Whoever opens a run that cannot be resumed says why.
        let resumed = self.resumes.as_deref().and_then(|dir| RunDir::open_to_verify(dir).ok());
        if let Some(partition) = resumed.and_then(|run| run.game().partition(&units)) {
            return Ok(Layout::with_partition(units, partition, &budget)?);
        }
        let suffices = |layout: &Layout| least_memory(layout, self.limits.threads) <= self.limits.memory;
        let first = Layout::within(units.clone(), Shares::largest(self.limits.memory, self.limits.threads), &budget)?;
        // The index takes memory, too, so that cuts with smaller slabs may be needed.
        let mut largest = first.largest_slab();
        let smaller = std::iter::from_fn(|| {
            let layout = Layout::within(units.clone(), largest - 1, &budget).ok()?;
            let is_smaller = layout.largest_slab() < largest;
            largest = layout.largest_slab();
            is_smaller.then_some(layout)
        });
        // Where memory suffices for none, the solve says what the first one needs.
        let other = if suffices(&first) { None } else { smaller.into_iter().find(suffices) };
        Ok(other.unwrap_or(first))
    }

    /// Refuses at once what no plan makes fit: so many positions that the disk of `dir` has no room for files, however few layers are kept.
    ///
    /// # Errors
    /// If it is that much.
    ///
    /// ```
    /// use dab::{ErrorKind, Limits, Solve, solve};
    ///
    /// // 181,576,236,752,527 positions.
    /// let far = Solve { limits: Limits::new(2, 20 << 30), ..solve("5x5".parse()?) };
    /// let dir = std::env::temp_dir().join("dab-doctest-check-room");
    /// assert_eq!(far.check_room(&dir).unwrap_err().kind(), ErrorKind::Limit);
    /// solve("2x2".parse()?).check_room(&dir)?;
    /// # Ok::<(), dab::Error>(())
    /// ```
    pub fn check_room(&self, dir: &Path) -> Result<(), Error> {
        // What goes on needs no more than it was begun with.
        if self.space != SpaceKind::Quiet || self.down_to > 0 || dir.exists() {
            return Ok(());
        }
        // Its error, if there is one, comes with the plan.
        let Ok(units) = Units::new(self.start.clone(), self.space) else { return Ok(()) };
        let Some(positions) = least_stored(&units).filter(|&positions| positions > MANY) else { return Ok(()) };
        let (least, free) = (positions / MOST_TO_A_BYTE, room_for(dir));
        let room = free.min(self.limits.disk.into());
        if least <= room {
            return Ok(());
        }
        let (positions, least, free_there, start) =
            (at_least(&units, positions), Bytes(least), Bytes(room), &self.start);
        let lack = match room == free {
            true => format!("{free_there} are free for {}", dir.display()),
            false => format!("{free_there} are allowed"),
        };
        let what = format!("{start} (quiet space): {positions} positions need more than {least} of disk, but {lack}");
        Err(Error::new(ErrorKind::Limit, what).at(start.to_string()).with(Remedy::MoreDrawn { or_memory: false }))
    }

    /// The budget of planning, from now on.
    fn budget(&self) -> Budget<'static> {
        IndexLimits::from(self.limits).budget()
    }

    /// Solves into a run directory, or goes on where an interrupted solve of the same game stopped.
    ///
    /// # Errors
    /// If memory or disk do not suffice, the directory holds something else, files cannot be written, or the solve is
    /// stopped; finished layers stay.
    ///
    /// ```
    /// # let dir = std::env::temp_dir().join(format!("dab-doc-{}", std::process::id()));
    /// let limits = dab::Limits::new(1, 1 << 30); // a thread, a GiB
    /// let table = dab::Solve { limits, ..dab::solve("2x2".parse()?) }.into_dir(&dir)?;
    /// assert_eq!(table.files().kind(), "run");
    /// # std::fs::remove_dir_all(dir)?;
    /// # Ok::<(), dab::Error>(())
    /// ```
    pub fn into_dir(mut self, dir: impl AsRef<Path>) -> Result<Tablebase, Error> {
        self.resumes = Some(dir.as_ref().to_path_buf());
        self.check_room(dir.as_ref())?;
        self.plan()?.into_dir(dir)
    }

    /// Solves into memory, a byte a stored position.
    ///
    /// # Errors
    /// If memory does not suffice, or the solve is stopped.
    ///
    /// ```
    /// let table = dab::solve("2x2".parse()?).in_memory()?;
    /// assert_eq!(table.probe(table.start())?, dab::Score(2));
    /// # Ok::<(), dab::Error>(())
    /// ```
    pub fn in_memory(self) -> Result<Tablebase, Error> {
        self.plan()?.in_memory()
    }
}

/// A number of stored positions of [`least_stored`] in words.
pub(crate) fn at_least(units: &Units, positions: u128) -> String {
    let more = if units.symmetries().len() > 1 { "at least " } else { "" };
    format!("{more}{}", Count(positions))
}

/// A solve before anything is listed.
pub struct Planned<'a> {
    /// The solve.
    pub options: Solve<'a>,
    /// Its slabs and layers.
    pub layout: Layout,
    /// Its positions, memory, time and disk.
    pub plan: Plan,
}

impl<'a> Planned<'a> {
    /// The same solve with another observer.
    pub(crate) fn observed_by<'b>(self, observer: &'b dyn Observer) -> Planned<'b> {
        let Self { options, layout, plan } = self;
        let Solve { start, space, penalty, marks, keep, down_to, check, limits, resumes, observer: _ } = options;
        let options = Solve { start, space, penalty, marks, keep, down_to, check, limits, resumes, observer };
        Planned { options, layout, plan }
    }

    /// Checks that the memory allowed is enough.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_memory(&self) -> Result<(), Error> {
        check_memory(&self.plan, self.layout.units(), self.options.limits, 0)
    }

    /// Checks that the files fit, both in the bytes allowed and on the disk of `dir`. One process releases slabs as soon as nothing
    /// reads them, several processes after each layer. Before a solve from the middle of a game is refused that might fit, its last layers
    /// are solved in files beside `dir`, because the shape of the board tells little of its bytes.
    ///
    /// # Errors
    /// If they do not, with [`Remedy::MoreDisk`]; if files cannot be written, or the observer stops it.
    pub fn check_disk(&mut self, dir: &Path, is_alone: bool, observer: &dyn Observer) -> Result<(), Error> {
        let Err(refusal) = self.check_disk_of_plan(dir) else { return Ok(()) };
        let might_fit =
            matches!(refusal.remedy(), Some(Remedy::MoreDisk { bytes, room, .. }) if bytes / MOST_OFF <= *room);
        let time = self.plan.time(self.options.limits.threads) / MEASURED + Duration::from_secs(1);
        let time = time.min(self.options.limits.planning);
        let may_learn = is_alone && might_fit && self.is_guessed();
        match may_learn && self.measure_files(dir, time, observer)?.is_some() {
            true => self.check_disk_of_plan(dir),
            false => Err(refusal),
        }
    }

    /// Whether only the last layers tell the bytes of the files: starts in the middle of a game differ by more than their shape.
    pub fn is_guessed(&self) -> bool {
        self.options.space == SpaceKind::Quiet && !self.layout.units().root().is_empty()
    }

    fn check_disk_of_plan(&self, dir: &Path) -> Result<(), Error> {
        let (plan, Solve { start, space, keep, limits, .. }) = (&self.plan, &self.options);
        let (needed, free) = (plan.least_disk(*keep), room_for(dir));
        let room = free.min(limits.disk.into());
        if needed <= room {
            return Ok(());
        }
        // A solve that stops early keeps all layers.
        let may_keep_less = self.options.down_to == 0;
        let peak = match may_keep_less && makes_holes(dir) && self.may_run_dry() {
            true => Some(self.dry_run(self.machine())?.disk),
            false => None,
        };
        let (needed, last_that_fits) = match &peak {
            Some(peak) => (peak.least_disk(*keep), peak.last_that_fits(room)),
            None => (needed, plan.last_that_fits(room)),
        };
        if needed <= room {
            return Ok(());
        }
        let positions = Count(plan.positions());
        let (least, free_there) = (Bytes(needed), Bytes(room));
        let lack = match room == free {
            true => format!("about {least} of disk, but {free_there} are free for {}", dir.display()),
            false => format!("more disk: {} are allowed", Size(room as u64)),
        };
        let what = format!("{start} ({space} space): {positions} positions need {lack}");
        Err(Error::new(ErrorKind::Limit, what).at(start.to_string()).with(Remedy::MoreDisk {
            bytes: needed,
            room,
            is_full: room == free,
            keep: last_that_fits.filter(|last| may_keep_less && last < keep),
        }))
    }

    /// Whether the solve is small enough to be run dry for a plan.
    pub(crate) fn may_run_dry(&self) -> bool {
        self.plan.slabs() <= MOST_DRY.0 && self.plan.index.configurations <= MOST_DRY.1
    }

    /// This machine, whose disk is as fast as it is.
    pub(crate) fn machine(&self) -> Machines {
        Machines::one(self.options.limits.threads, self.options.limits.memory, f64::INFINITY)
    }

    /// The solve run dry on some machines.
    pub(crate) fn dry_run(&self, machines: Machines) -> Result<DryRun, Error> {
        self.on_index(|space, budget| DryRun::new((space, &self.plan), machines, budget))
    }

    /// Makes the index and plans with it, within the budget of planning.
    pub(crate) fn on_index<T>(
        &self,
        plan: impl FnOnce(&Space, &Budget<'_>) -> Result<T, SpaceError>,
    ) -> Result<T, Error> {
        let is_cancelled = || self.options.observer.should_stop();
        let budget = self.options.budget().until(&is_cancelled);
        Ok(plan(&Space::within(self.layout.clone(), &budget)?, &budget)?)
    }

    /// Lists the positions.
    ///
    /// # Errors
    /// If the penalty does not fit, or the observer stops it.
    pub fn index(self) -> Result<Indexed<'a>, Error> {
        let Self { options, layout, plan } = self;
        // A solve checks its memory; its index takes no longer than a small part of it.
        let budget = Budget::unbounded();
        let space = Space::within(layout, &budget.until(&|| options.observer.should_stop()))?;
        let mut rules = Rules::new(&space, options.penalty)?;
        if options.marks {
            rules = rules.with_marks(&options.start, options.space)?;
        }
        let budget = plan.slab_budget(options.limits.memory, options.limits.threads);
        Ok(Indexed { space, rules, budget, options })
    }

    /// As [`Solve::into_dir`].
    ///
    /// # Errors
    /// As [`Solve::into_dir`].
    pub fn into_dir(mut self, dir: impl AsRef<Path>) -> Result<Tablebase, Error> {
        self.check_memory()?;
        self.check_disk(dir.as_ref(), true, self.options.observer)?;
        let indexed = self.index()?;
        let run = indexed.create_run(dir.as_ref())?.listing_late(Layer(indexed.options.down_to));
        indexed.solve(&run, indexed.budget)?;
        // The table only reads: it does not keep others from the directory.
        drop(run);
        match indexed.options.down_to {
            0 => Ok(indexed.into_table(Files::open(dir)?)),
            // Its index has the other layers, too.
            _ => Ok(Tablebase::open_within(dir, indexed.options.limits)?),
        }
    }

    /// As [`Solve::in_memory`].
    ///
    /// # Errors
    /// As [`Solve::in_memory`].
    pub fn in_memory(self) -> Result<Tablebase, Error> {
        check_memory(&self.plan, self.layout.units(), self.options.limits, self.plan.positions())?;
        let indexed = self.index()?;
        let store = MemoryStore::new(indexed.space.n_layers()).with_marks(indexed.rules.marks);
        indexed.solve(&store, u64::MAX)?;
        let game = Game::of(&indexed.space, indexed.rules);
        Ok(indexed.into_table(Files::Memory(store, game)))
    }

    /// Bytes of memory that are enough for the scores as they are in files; their size is only estimated.
    pub(crate) fn coded_bytes(&self) -> u64 {
        let bytes = self.plan.bytes();
        u64::try_from(bytes + bytes / 4).unwrap_or(u64::MAX)
    }

    /// Solves into memory, where scores are coded as in files.
    pub(crate) fn in_coded_memory(self) -> Result<Tablebase, Error> {
        let limits = self.options.limits;
        let budget = self.plan.slab_budget(limits.memory.saturating_sub(self.coded_bytes()), limits.threads);
        let indexed = self.index()?;
        let game = Game::of(&indexed.space, indexed.rules);
        let store = MemoryStore::new(indexed.space.n_layers()).with_marks(indexed.rules.marks).coded(game.is_odd());
        indexed.solve(&store, budget)?;
        Ok(indexed.into_table(Files::Memory(store, game)))
    }

    /// Solves into a run inside `place`, which is gone with the table.
    pub(crate) fn in_temporary_files(self, place: Place) -> Result<Tablebase, Error> {
        let indexed = self.index()?;
        let game = Game::of(&indexed.space, indexed.rules);
        let run = RunDir::create_or_resume(&place.run(), &game, indexed.space.n_layers())?
            .limited_to(indexed.options.limits.disk);
        indexed.solve(&run, indexed.budget)?;
        Ok(indexed.into_table(Files::Temporary(Box::new(run), Box::new(place.into_open_files()))))
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
    options: Solve<'a>,
}

impl Indexed<'_> {
    /// Creates the run directory, or opens it to go on.
    ///
    /// # Errors
    /// If the directory holds another run, is locked by another process, or cannot be written.
    pub fn create_run(&self, dir: &Path) -> Result<RunDir, Error> {
        Ok(RunDir::create_or_resume(dir, &Game::of(&self.space, self.rules), self.space.n_layers())?
            .keeping(Layer(self.options.keep))
            .checking(self.options.check)
            .limited_to(self.options.limits.disk))
    }

    pub(crate) fn solve(&self, store: &(dyn ScoreWrite + Sync), budget: u64) -> Result<(), Error> {
        on_threads(self.options.limits.threads, || {
            dab_solve::solve(&self.space, self.rules, store, budget, self.options.observer)?;
            Ok(())
        })
    }

    fn into_table(self, files: Files) -> Tablebase {
        Tablebase::new(files, self.space, self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_demand::OnDemandSolve;

    #[test]
    fn what_is_refused_before_it_is_planned_is_less_than_the_plan() -> Result<(), Error> {
        for board in ["1x16", "1x18", "2x8", "2x9", "4x4"] {
            let start: Position = board.parse().unwrap();
            let planned = Solve { limits: Limits::new(2, 4 << 30), ..solve(start.clone()) }.plan()?;
            let positions = least_stored(planned.layout.units()).unwrap();
            let disk = planned.dry_run(planned.machine())?.disk.least_disk(0);
            assert!(positions / MOST_TO_A_BYTE <= disk, "{board}: {positions} positions, {disk} bytes");
            let limits = Limits { time: planned.plan.time(2), ..planned.options.limits };
            OnDemandSolve::check_time(&start, limits)?;
        }
        Ok(())
    }
}
