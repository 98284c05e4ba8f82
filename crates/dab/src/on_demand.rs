//! Positions that no table holds, solved when they are asked about, within limits.
//!
//! ```text
//!    position ─► OnDemandSolve: plan ─► within the limits? ─► Tablebase: scores in memory, or in temporary files
//! ```
//! The plan of a position decides whether it is solved, not its board. Scores are kept in memory, a byte each, if they
//! fit; else in a run in the directory for temporary files, which is removed with the table. Where there are no files, as
//! in a browser, they are coded in memory.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::time::Duration;

use dab_board::Position;
use dab_solve::Observer;
use dab_solve::plan::Plan;
use dab_solve::plan::costs::Costs;
use dab_space::count::least_stored;
use dab_space::{Rules, SpaceKind, Units};
use dab_table::available_memory;

use crate::figures::{Bytes, Count, Time, plural};
use crate::machine::{available_space, temporary_dir};
use crate::solve::{Planned, Solve, at_least, solve};
use crate::temporary::Place;
use crate::{Error, ErrorKind, Limits, Remedy, Tablebase};

/// Limits of a solve that is quick: one core takes no longer, and no more bytes of memory.
const QUICK: (Duration, u64) = (Duration::from_secs(2), 256 << 20);

/// The factor by which a solve takes less if its scores stay in memory as bytes and none are written: 0.7 to 1.3 times as long
/// on twenty starts of 5x5 with 16 or 14 lines drawn. WebAssembly gains nothing by it ([`Costs::recorded`]).
const AS_BYTES: f64 = 0.68;
/// The factor by which a solve takes longer if its scores are coded in memory: 2.8 and 2.9 on two starts of 5x5 with 14 lines drawn.
const CODED: f64 = 2.8;

/// A position that may be solved on demand.
pub struct OnDemandSolve {
    planned: Planned<'static>,
}

impl OnDemandSolve {
    /// Plans to solve every position that `position` can lead to, with a last-move penalty. `observer` may stop that.
    ///
    /// # Errors
    /// If there are more units than can be indexed, planning takes more than the limits, or `observer` stops it.
    pub fn new(position: &Position, penalty: i32, limits: Limits, observer: &dyn Observer) -> Result<Self, Error> {
        let solve = Solve { penalty, limits, observer, ..solve(position.clone()) };
        Ok(Self { planned: solve.plan()?.observed_by(&()) })
    }

    /// The same solve with loony marks, if the position can have them.
    pub(crate) fn with_marks(mut self) -> Self {
        let Solve { start, space, penalty, marks, .. } = &mut self.planned.options;
        let rules = Rules::for_start(start, *penalty).and_then(|rules| rules.with_marks(start, *space));
        *marks = rules.is_ok();
        self
    }

    /// Solves a position at once, if that is within the limits.
    ///
    /// # Errors
    /// As [`OnDemandSolve::check`] and [`OnDemandSolve::solve`].
    pub fn run(position: &Position, penalty: i32, limits: Limits, observer: &dyn Observer) -> Result<Tablebase, Error> {
        Self::check_time(position, limits)?;
        let on_demand = Self::new(position, penalty, limits, observer)?;
        on_demand.check(1)?;
        on_demand.solve(observer)
    }

    /// Refuses at once what no plan brings within the time of the limits: so many positions that they alone take longer.
    ///
    /// # Errors
    /// If they do, with [`Remedy::Solve`].
    pub(crate) fn check_time(position: &Position, limits: Limits) -> Result<(), Error> {
        let units = Units::new(position.clone(), SpaceKind::Quiet)?;
        let Some(positions) = least_stored(&units) else { return Ok(()) };
        let seconds = positions as f64 * Costs::recorded().position * AS_BYTES * 1e-9 / limits.threads.max(1) as f64;
        if seconds <= limits.time.as_secs_f64() {
            return Ok(());
        }
        let time = Time(Duration::from_secs_f64(seconds));
        Err(too_much(
            position,
            at_least(&units, positions),
            limits,
            &too_long(format!(" take more than {time}"), limits),
        ))
    }

    /// Whether it takes so little that many can be solved side by side.
    pub(crate) fn is_quick(&self) -> bool {
        let memory = QUICK.1.min(self.limits().memory / self.limits().threads as u64);
        self.plan().time(1) <= QUICK.0 && self.memory() <= memory
    }

    /// Checks that solving it that often takes no longer than the limits allow, and fits in memory or on disk.
    ///
    /// # Errors
    /// If it does not, with the numbers and [`Remedy::Solve`].
    pub fn check(&self, times: u32) -> Result<(), Error> {
        let (plan, n_threads) = (self.plan(), self.limits().threads);
        let time = self.time().saturating_mul(times);
        let (needed, free) = (plan.least_memory(n_threads), available_memory());
        let limit = if time > self.limits().time {
            let often = if times == 1 { String::new() } else { format!(", solved {times} times,") };
            too_long(format!("{often} take about {}", Time(time)), self.limits())
        } else if needed > free {
            format!(" need {} of memory, but {} are free", Bytes(needed.into()), Bytes(free.into()))
        } else if self.fits_in_memory() {
            return Ok(());
        } else if let Some(dir) = temporary_dir() {
            // The size of files is only estimated, so some more has to be free.
            let free = available_space(&dir).map_err(no_files(&dir))?;
            let disk = plan.bytes() / 4 * 5 + (64 << 20);
            if disk <= free.min(self.limits().disk).into() {
                return Ok(());
            }
            let (memory, disk) = (Bytes(self.memory().into()), Bytes(disk));
            let room = match self.limits().disk < free {
                true => format!("may take at most {} of disk", Bytes(self.limits().disk.into())),
                false => format!("only {} are free in {}", Bytes(free.into()), dir.display()),
            };
            format!(" need {memory} of memory or {disk} of disk, but {room}")
        } else {
            let needed = plan.least_memory(n_threads).saturating_add(self.planned.coded_bytes());
            if needed <= self.limits().memory {
                return Ok(());
            }
            let (memory, most) = (Bytes(needed.into()), Bytes(self.limits().memory.into()));
            format!(" need {memory} of memory, but may take at most {most}")
        };
        Err(too_much(self.position(), Count(plan.positions()), self.limits(), &limit))
    }

    /// The position.
    pub(crate) fn position(&self) -> &Position {
        &self.planned.options.start
    }

    /// The limits.
    pub(crate) fn limits(&self) -> Limits {
        self.planned.options.limits
    }

    /// The plan of the solve.
    pub(crate) fn plan(&self) -> &Plan {
        &self.planned.plan
    }

    /// The time that it takes. Where there are no files, scores that do not fit in memory are coded there.
    pub(crate) fn time(&self) -> Duration {
        let factor = match (self.fits_in_memory(), temporary_dir()) {
            (true, Some(_)) => AS_BYTES,
            (false, None) => CODED,
            _ => 1.0,
        };
        self.plan().time(self.limits().threads).mul_f64(factor)
    }

    /// Bytes of memory of the solve with its scores.
    pub(crate) fn memory(&self) -> u64 {
        let positions = self.plan().positions().min(u64::MAX.into()) as u64;
        self.plan().least_memory(self.limits().threads).saturating_add(positions)
    }

    /// Whether the solve and its scores fit in the memory of the limits; else the scores go to temporary files.
    pub(crate) fn fits_in_memory(&self) -> bool {
        self.memory() <= self.limits().memory
    }

    /// Solves it, however long that takes.
    ///
    /// # Errors
    /// If the penalty does not fit, if temporary files cannot be written, or `observer` stops it.
    pub fn solve(self, observer: &dyn Observer) -> Result<Tablebase, Error> {
        let fits = self.fits_in_memory();
        let planned = self.planned.observed_by(observer);
        let solved = match temporary_dir() {
            _ if fits => planned.in_memory(),
            None => planned.in_coded_memory(),
            Some(dir) => in_temporary_files(planned, &dir),
        };
        solved.map_err(|error| error.or_stopped(Error::stopped_on_demand))
    }
}

/// The limit of time that a solve does not keep.
fn too_long(taken: String, limits: Limits) -> String {
    format!("{taken}, but a solve on demand may take at most {}", Time(limits.time))
}

/// Refuses a solve of so many positions for a limit that it does not keep.
fn too_much(position: &Position, positions: impl Display, limits: Limits, limit: &str) -> Error {
    let (position, threads) = (position.to_string(), plural(limits.threads as u64, "thread"));
    let what = format!("{position}: {positions} positions with {threads}{limit}");
    Error::new(ErrorKind::Limit, what).at(position.clone()).with(Remedy::Solve { position })
}

fn in_temporary_files(planned: Planned<'_>, parent: &Path) -> Result<Tablebase, Error> {
    planned.in_temporary_files(Place::new_in(parent).map_err(no_files(parent))?)
}

fn no_files(dir: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
    let dir = dir.display();
    Error::io(format!("cannot keep scores in {dir}, the directory for temporary files; set TMPDIR to another one"))
}
