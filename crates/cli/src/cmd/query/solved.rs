//! Positions solved on the spot: without a run, or below the last layer of a book.
//!
//! ```text
//!    position ─► Spot: layout, plan ─► can it be solved? ─► Solved: scores in memory, or in files that are removed again
//! ```
//! What is solved depends on what the plan says it takes, not on the board. Scores are in memory, a byte each, if they
//! fit; else in the files of a run in the directory for temporary files.

use std::env::temp_dir;
use std::fs::create_dir_all;
use std::time::Duration;

use anyhow::Context;
use dab_board::{LineIdx, Position};
use dab_book::{Book, BookError};
use dab_solve::cost::plan::Plan;
use dab_solve::{Observer, SolveError, solve};
use dab_space::{Layout, Rules, Space, SpaceError, SpaceKind, Units};
use dab_store::{Game, MemoryStore, RunDir, ScoreRead, ScoreWrite, StoreError};
use tempfile::TempDir;

use super::answer::{Scored, Source};
use crate::cache::Cache;
use crate::failure::{Interrupted, Usage};
use crate::options::{Setting, available_memory};
use crate::output::{Bytes, Count, Time, message};
use crate::progress::Progress;

/// Most time that solving on the spot may take, as far as can be said before: what takes longer is worth a run.
const LONGEST: Duration = Duration::from_secs(600);
/// What may be solved in passing, many at a time: one core takes no longer, and no more memory.
const QUICK: (Duration, u64) = (Duration::from_secs(2), 256 << 20);

/// A position that is to be solved on the spot.
pub(crate) struct Spot {
    layout: Layout,
    plan: Plan,
    setting: Setting,
}

impl Spot {
    /// Plans to solve every position that `position` can lead to.
    ///
    /// # Errors
    /// If there are more units than can be indexed.
    pub(crate) fn new(position: &Position, setting: &Setting) -> Result<Self, SpaceError> {
        let layout = Layout::new(Units::new(position.clone(), SpaceKind::Quiet)?)?;
        Ok(Self { plan: Plan::new(&layout), layout, setting: *setting })
    }

    /// Whether it takes so little that many can be solved side by side.
    pub(crate) fn is_quick(&self) -> bool {
        let memory = QUICK.1.min(self.setting.memory / self.setting.threads as u64);
        self.plan.time(1) <= QUICK.0 && self.memory() <= memory
    }

    /// Refuses, with the numbers and the `remedy`, what would take too long if solved so many times, or would not fit.
    pub(crate) fn check(&self, times: u32, remedy: &str) -> anyhow::Result<()> {
        let (plan, threads) = (&self.plan, self.setting.threads);
        let time = plan.time(threads).saturating_mul(times);
        let (memory, free_memory) = (plan.least_memory(threads), available_memory());
        let disk = disk_bytes(plan);
        let why = if time > LONGEST {
            let often = if times == 1 { String::new() } else { format!(", solved {times} times,") };
            format!("{often} take about {}, but at most {} are spent on the spot", Time(time), Time(LONGEST))
        } else if memory > free_memory {
            format!(" need {} of memory, but {} are free", Bytes(memory.into()), Bytes(free_memory.into()))
        } else if !self.fits_in_memory() && disk > free_disk()? {
            let (memory, disk, free) = (Bytes(self.memory().into()), Bytes(disk), Bytes(free_disk()?));
            let dir = temp_dir();
            format!(" need {memory} of memory or {disk} of disk, but only {free} are free in {}", dir.display())
        } else {
            return Ok(());
        };
        let (position, positions) = (self.layout.units().start(), Count(plan.positions()));
        let threads = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        Err(Usage(format!("{position}: {positions} positions with {threads}{why}; {remedy}")).into())
    }

    /// What it takes.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Bytes of memory to solve it in memory.
    pub(crate) fn memory(&self) -> u64 {
        let positions = self.plan.positions().min(u64::MAX.into()) as u64;
        self.plan.least_memory(self.setting.threads).saturating_add(positions)
    }

    pub(crate) fn fits_in_memory(&self) -> bool {
        self.memory() <= self.setting.memory
    }

    /// Solves it, however long that takes.
    ///
    /// # Errors
    /// If the penalty does not fit, files cannot be written, or Ctrl-C was pressed.
    pub(crate) fn solve(self, penalty: i32) -> anyhow::Result<Solved> {
        let progress = Progress::new(self.plan.positions())?;
        self.solve_watched(penalty, &progress)
    }

    /// The same, for somebody else to follow and to stop.
    ///
    /// # Errors
    /// As [`Spot::solve`]; [`Interrupted`] if `watch` stops it.
    pub(crate) fn solve_watched(self, penalty: i32, watch: &dyn Observer) -> anyhow::Result<Solved> {
        let (in_memory, setting) = (self.fits_in_memory(), self.setting);
        let space = Space::of(self.layout);
        let rules = Rules::new(&space, penalty)?;
        let (scores, budget) = match in_memory {
            true => (Scores::Memory(MemoryStore::new(space.n_layers())), u64::MAX),
            false => (Scores::files(&space, rules)?, self.plan.slab_budget(setting.memory, setting.threads)),
        };
        match solve(&space, rules, scores.write(), budget, watch) {
            Err(SolveError::Stopped { .. }) => return Err(Interrupted.into()),
            done => done?,
        };
        Ok(Solved { space, scores, rules })
    }
}

/// Bytes of files, with some to spare: what they take is only estimated.
fn disk_bytes(plan: &Plan) -> u128 {
    plan.bytes() / 4 * 5 + (64 << 20)
}

/// Bytes that are free where temporary files go.
fn free_disk() -> anyhow::Result<u128> {
    let dir = temp_dir();
    let free = fs4::available_space(&dir).with_context(|| no_place(&dir.display().to_string()))?;
    Ok(free.into())
}

fn no_place(dir: &str) -> String {
    format!("cannot keep scores in {dir}, the directory for temporary files; set TMPDIR to another one")
}

/// Every position that one position can lead to, with its score.
pub(crate) struct Solved {
    space: Space,
    scores: Scores,
    rules: Rules,
}

enum Scores {
    Memory(MemoryStore),
    /// Fields are dropped in order: files are closed, then removed.
    Files(Box<RunDir>, #[expect(dead_code, reason = "removes the files")] TempDir),
}

impl Scores {
    fn files(space: &Space, rules: Rules) -> anyhow::Result<Self> {
        let parent = temp_dir();
        let failed = || no_place(&parent.display().to_string());
        create_dir_all(&parent).with_context(failed)?;
        let dir = tempfile::Builder::new().prefix("dab-").tempdir_in(&parent).with_context(failed)?;
        let run = RunDir::create_or_resume(&dir.path().join("run"), &Game::of(space, rules), space.n_layers())?;
        Ok(Self::Files(Box::new(run), dir))
    }

    fn read(&self) -> &dyn ScoreRead {
        match self {
            Self::Memory(scores) => scores,
            Self::Files(run, _) => run.as_ref(),
        }
    }

    fn write(&self) -> &dyn ScoreWrite {
        match self {
            Self::Memory(scores) => scores,
            Self::Files(run, _) => run.as_ref(),
        }
    }
}

impl Solved {
    /// Solves a position; `remedy` tells what else can be done when that takes too much.
    pub(crate) fn new(position: &Position, penalty: i32, setting: &Setting, remedy: &str) -> anyhow::Result<Self> {
        let spot = Spot::new(position, setting)?;
        spot.check(1, remedy)?;
        spot.solve(penalty)
    }

    /// Solves a position if that takes so little that others can be solved at the same time.
    pub(crate) fn if_quick(position: &Position, penalty: i32, setting: &Setting) -> anyhow::Result<Option<Self>> {
        let spot = Spot::new(position, setting)?;
        if spot.is_quick() { spot.solve(penalty).map(Some) } else { Ok(None) }
    }

    /// The position from which all others arise.
    pub(crate) fn start(&self) -> &Position {
        self.space.layout().units().start()
    }

    /// The last-move penalty it was solved with.
    pub(crate) fn penalty(&self) -> i8 {
        self.rules.penalty
    }

    pub(crate) fn book(&self) -> Book<'_> {
        Book::new(&self.space, self.scores.read())
    }

    /// Where the scores are, in words.
    pub(crate) fn place(&self) -> &'static str {
        match self.scores {
            Scores::Memory(_) => "in memory",
            Scores::Files(..) => "in temporary files",
        }
    }

    /// The answer for a position that it holds.
    pub(crate) fn ask(
        &self,
        position: &Position,
        marks: bool,
        setting: &Setting,
        with_text: bool,
    ) -> anyhow::Result<Scored> {
        let penalty = self.rules.penalty;
        let cache;
        let book = match &self.scores {
            // Marks ask many questions.
            Scores::Files(run, _) if marks => {
                cache = Cache::new(&self.space, run.as_ref(), setting.memory);
                Book::new(&self.space, &cache)
            }
            _ => self.book(),
        };
        Scored::new(position, &Source { book, name: "solved", penalty, marks, setting }, with_text)
    }
}

/// Whether an answer needs layers that a book leaves out, or that a run did not keep.
pub(crate) fn is_beyond(error: &BookError) -> bool {
    matches!(error, BookError::Store(StoreError::BeyondBook { .. } | StoreError::Discarded { .. }))
}

/// Best play from a position on that a source does not hold, if anybody knows it.
pub(crate) type Beyond<'a> = dyn Fn(&Position) -> anyhow::Result<Option<Vec<LineIdx>>> + 'a;

impl Source<'_> {
    /// One line of best play, and whether it reaches the end of the game: where a book ends and `beyond` does not go on,
    /// it does not.
    pub(crate) fn best_play(&self, position: &Position, beyond: &Beyond<'_>) -> anyhow::Result<(Vec<LineIdx>, bool)> {
        let mut play = Vec::new();
        let mut now = position.clone();
        loop {
            let answer = match self.book.answer(&now) {
                Err(error) if is_beyond(&error) => {
                    let rest = beyond(&now)?;
                    let is_whole = rest.is_some();
                    play.extend(rest.unwrap_or_default());
                    return Ok((play, is_whole));
                }
                answer => answer?,
            };
            let Some(line) = answer.best().next() else { return Ok((play, true)) };
            play.push(line);
            now = now.draw(line).0;
        }
    }

    /// Best play from a position below a book, if solving it takes no more than a moment.
    pub(crate) fn solve_beyond(&self, position: &Position) -> anyhow::Result<Option<Vec<LineIdx>>> {
        let Some(solved) = Solved::if_quick(position, self.penalty.into(), self.setting)? else { return Ok(None) };
        message(format!("{position}: below the book, solved in memory for the best play"));
        Ok(Some(solved.book().best_play(position)?))
    }
}
