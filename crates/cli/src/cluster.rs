//! Solving together with other processes that mpirun or a scheduler started, if this program is built for that.

use std::time::Duration;

use dab_space::{Rules, Space};
use dab_store::SharedSlabs;

#[cfg(feature = "mpi")]
pub(crate) use with_mpi::Cluster;
#[cfg(not(feature = "mpi"))]
pub(crate) use without_mpi::Cluster;

/// What is to be solved, and with what.
pub(crate) struct Job<'a> {
    pub(crate) space: &'a Space,
    pub(crate) rules: Rules,
    /// Bytes for slabs.
    pub(crate) budget: u64,
    #[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "all of them are in the pool"))]
    pub(crate) threads: usize,
    /// What this process shares with others of its machine.
    #[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "there is no other process"))]
    pub(crate) shared_slabs: Option<&'a SharedSlabs>,
    /// For how long another process may be silent.
    #[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "there is no other process"))]
    pub(crate) patience: Duration,
}

#[cfg(feature = "mpi")]
mod with_mpi {
    use std::fs;
    use std::path::Path;

    use dab_mpi::{ClusterError, Processes, Task};
    use dab_solve::Shares;
    use dab_solve::{Observer, SolveError};
    use dab_space::{Layout, SlabKey};
    use dab_store::{LayerSummary, RunDir, RunId, ScoreRead, SharedSlabs};

    use super::Job;
    use crate::options::Setting;
    use crate::output::message;
    use crate::progress::INTERRUPTED;

    /// The processes that this one works with; none if it was started alone.
    pub(crate) struct Cluster(Option<Processes>);

    impl Cluster {
        /// Joins the others, and takes no more than its share of the machine unless told to.
        pub(crate) fn join(setting: &mut Setting) -> anyhow::Result<Self> {
            let others = Processes::join(report);
            if let Some(others) = &others {
                setting.share(others.n_local(), processors());
            }
            Ok(Self(others))
        }

        /// Works on its own.
        pub(crate) fn alone() -> Self {
            Self(None)
        }

        /// Whether another process manages the run.
        pub(crate) fn is_worker(&self) -> bool {
            self.0.as_ref().is_some_and(|others| others.rank() > 0)
        }

        /// Whether there are no other processes.
        pub(crate) fn is_alone(&self) -> bool {
            self.0.is_none()
        }

        /// What the processes of this machine share, if there are others; all of them must ask.
        pub(crate) fn shared_slabs(
            &self,
            run: RunId,
            layout: &Layout,
            budget: u64,
            threads: usize,
        ) -> Option<SharedSlabs> {
            let others = self.0.as_ref()?;
            let share = Shares::new(budget, layout.largest_slab(), threads).shared_slabs();
            let sizes = |keys: &Vec<SlabKey>| keys.iter().map(|&key| layout.positions(key)).collect();
            let sizes: Vec<Vec<u64>> = layout.layers().iter().map(sizes).collect();
            others.shared_slabs(run, share.saturating_mul(others.n_local() as u64), &sizes)
        }

        /// Solves what the manager hands out.
        pub(crate) fn work(&self, job: &Job<'_>, dir: &Path) -> anyhow::Result<()> {
            self.0.as_ref().map_or(Ok(()), |others| Ok(dab_mpi::work(task(job), others, dir)?))
        }

        /// Solves every layer of a run, together with the workers if there are any.
        pub(crate) fn solve(
            &self,
            job: &Job<'_>,
            run: &RunDir,
            watch: &dyn Observer,
        ) -> anyhow::Result<Vec<LayerSummary>> {
            let &Job { space, rules, budget, .. } = job;
            let Some(others) = &self.0 else { return Ok(dab_solve::solve(space, rules, run, budget, watch)?) };
            dab_mpi::manage(task(job), others, run, watch)?;
            Ok((0..space.n_layers()).filter_map(|layer| run.finished(layer)).collect())
        }

        /// Ends all processes, if this one has failed and there are others.
        pub(crate) fn abort(&self, code: u8) {
            if let Some(others) = &self.0 {
                others.abort_with(code);
            }
        }
    }

    fn task<'a>(&Job { space, rules, budget, threads, shared_slabs, patience }: &Job<'a>) -> Task<'a> {
        Task { space, rules, budget, shared_slabs, threads, patience }
    }

    /// Says why this process ends all others; returns the exit code.
    fn report(rank: usize, why: &ClusterError) -> u8 {
        let remedy = match why {
            ClusterError::Silent { .. } | ClusterError::Stuck { .. } => " (--patience SECONDS waits longer)",
            ClusterError::Solve(SolveError::Stopped { .. }) => "; run the same command again to go on from there",
            _ => "",
        };
        message(format!("dab: rank {rank}: {why}{remedy}"));
        if matches!(why, ClusterError::Solve(SolveError::Stopped { .. })) { INTERRUPTED } else { 1 }
    }

    /// Processors of this machine, also those that this process may not use; none where the system does not say.
    fn processors() -> Option<usize> {
        let text = fs::read_to_string("/proc/cpuinfo").ok()?;
        let n = text.lines().filter(|line| line.starts_with("processor")).count();
        (n > 0).then_some(n)
    }
}

#[cfg(not(feature = "mpi"))]
mod without_mpi {
    use std::path::Path;

    use dab_solve::Observer;
    use dab_space::Layout;
    use dab_store::{LayerSummary, RunDir, RunId, SharedSlabs};

    use super::Job;
    use crate::failure::Usage;
    use crate::options::Setting;

    /// This process on its own.
    pub(crate) struct Cluster;

    impl Cluster {
        /// Refuses to be one of many: they would be in each other's way.
        pub(crate) fn join(_setting: &mut Setting) -> anyhow::Result<Self> {
            match std::env::var("OMPI_COMM_WORLD_SIZE") {
                Ok(size) if size != "1" => Err(Usage(format!(
                    "mpirun started this program {size} times, but it was built without MPI; build it with 'cargo build \
                     --release --features mpi' (docs/CLUSTER.md)"
                ))
                .into()),
                _ => Ok(Self),
            }
        }

        /// Works on its own.
        pub(crate) fn alone() -> Self {
            Self
        }

        /// There is no manager but this process.
        pub(crate) fn is_worker(&self) -> bool {
            false
        }

        /// Whether there are no other processes.
        pub(crate) fn is_alone(&self) -> bool {
            true
        }

        /// There is nobody to share anything with.
        pub(crate) fn shared_slabs(
            &self,
            _run: RunId,
            _layout: &Layout,
            _budget: u64,
            _threads: usize,
        ) -> Option<SharedSlabs> {
            None
        }

        /// There is no manager to hand anything out.
        pub(crate) fn work(&self, _job: &Job<'_>, _dir: &Path) -> anyhow::Result<()> {
            Ok(())
        }

        /// Solves every layer of a run.
        pub(crate) fn solve(
            &self,
            job: &Job<'_>,
            run: &RunDir,
            watch: &dyn Observer,
        ) -> anyhow::Result<Vec<LayerSummary>> {
            Ok(dab_solve::solve(job.space, job.rules, run, job.budget, watch)?)
        }

        /// There are no others to end.
        pub(crate) fn abort(&self, _code: u8) {}
    }
}
