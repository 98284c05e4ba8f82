//! Solving together with other processes that mpirun or a scheduler started, if this program is built for that.

use std::error::Error as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::Duration;

use dab_mpi::{ClusterError, Processes, Task};
use dab_solve::{Observer, SolveError};
use dab_store::{LayerSummary, RunDir};

use crate::failure::{self, Result, usage};
use crate::interrupt::INTERRUPTED;
use crate::options::Setting;
use crate::output::message;

/// Exit code of a program that panicked.
const PANICKED: u8 = 101;

/// The processes that this one works with; none if it was started alone.
pub(crate) struct Cluster(Option<Box<dyn Processes>>);

impl Cluster {
    /// Joins the others, and takes no more than its share of the machine unless told to. A program that cannot send
    /// messages refuses to be one of many: they would be in each other's way.
    fn join(setting: &mut Setting, patience: Duration) -> Result<Self> {
        if cfg!(not(feature = "mpi"))
            && let Ok(size) = std::env::var("OMPI_COMM_WORLD_SIZE")
            && size != "1"
        {
            return Err(usage(format!(
                "mpirun started this program {size} times, but it was built without MPI; build it with 'cargo build \
                 --release --features mpi' (docs/GUIDE.md)"
            )));
        }
        let others = dab_mpi::join(patience, report);
        if let Some(others) = &others {
            setting.share(others.n_local(), processors());
        }
        Ok(Self(others))
    }

    /// Whether another process manages the run.
    pub(crate) fn is_worker(&self) -> bool {
        self.0.as_ref().is_some_and(|others| others.rank() > 0)
    }

    /// Whether there are no other processes.
    pub(crate) fn is_alone(&self) -> bool {
        self.0.is_none()
    }

    /// Solves the work that the manager hands out.
    pub(crate) fn work(&self, task: Task<'_>, dir: &Path) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |others| dab_mpi::work(task, &**others, dir).map_err(cluster_error))
    }

    /// Solves every layer of a run, together with the workers if there are any.
    pub(crate) fn solve(&self, task: Task<'_>, run: &RunDir, observer: &dyn Observer) -> Result<Vec<LayerSummary>> {
        let Task { space, rules, budget, .. } = task;
        let Some(others) = &self.0 else { return Ok(dab_solve::solve(space, rules, run, budget, observer)?) };
        dab_mpi::manage(task, &**others, run, observer).map_err(cluster_error)
    }

    /// Ends all processes, if there are others.
    fn abort(&self, code: u8) {
        if let Some(others) = &self.0 {
            others.abort_with(code);
        }
    }
}

/// Does work together with the others. On any error a process that is one of many ends them all: they would wait
/// for it.
pub(crate) fn together(
    setting: &mut Setting,
    patience: Duration,
    work: impl FnOnce(&Cluster, &Setting) -> Result<()>,
) -> Result<()> {
    let cluster = Cluster::join(setting, patience)?;
    let work = || setting.start_threads().and_then(|()| work(&cluster, setting));
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Err(error)) if !cluster.is_alone() => {
            cluster.abort(failure::report(&error, setting.output));
            Err(error)
        }
        Ok(done) => done,
        Err(panic) => {
            cluster.abort(PANICKED);
            resume_unwind(panic)
        }
    }
}

/// The error of one of many processes.
fn cluster_error(error: ClusterError) -> dab::Error {
    let text = error.to_string();
    match error {
        ClusterError::Solve(error) => error.into(),
        _ => failure::wrong(text),
    }
}

/// Says why this process ends all others; returns the exit code.
fn report(rank: usize, why: &ClusterError) -> u8 {
    let is_stopped = matches!(why, ClusterError::Solve(SolveError::Stopped { .. }));
    let cause = why.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    let remedy = match why.is_impatience() {
        true => " (--patience SECONDS waits longer)",
        false if is_stopped => "; run the same command again to go on from there",
        false => "",
    };
    message(format!("dab: rank {rank}: {why}{cause}{remedy}"));
    if is_stopped { INTERRUPTED } else { 1 }
}

/// Processors of this machine, also those that this process may not use; none where the system does not say.
fn processors() -> Option<usize> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let n = text.lines().filter(|line| line.starts_with("processor")).count();
    (n > 0).then_some(n)
}
