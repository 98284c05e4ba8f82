//! The options that verbs share: the setting of all of them, and a run to be solved or planned.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use dab::text::Asked;
use dab::{Error, Limits, Planned, Solve, Tablebase};
use dab_solve::kernel::Isa;
use dab_space::Rules;

use crate::args::{self, Batch};
use crate::failure::{Result, usage};
use crate::input;
use crate::output::Output;

/// Threads for each core at most: more only take memory.
const THREADS_PER_CORE: usize = 4;

/// The threads, the memory and the form of output that every verb may use.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) output: Output,
    pub(crate) threads: usize,
    /// Bytes of memory to use at most.
    pub(crate) memory: u64,
    /// Bytes of temporary files to use at most.
    disk: u64,
    /// Whether threads and memory were asked for.
    asked: (bool, bool),
}

impl Setting {
    /// The setting that was asked for, with defaults.
    pub(crate) fn new(output: Output, threads: Option<NonZeroUsize>, memory: Option<u64>) -> Result<Self> {
        let asked = (threads.is_some(), memory.is_some());
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = threads.map_or(cores, NonZeroUsize::get);
        let most = THREADS_PER_CORE * cores;
        if threads > most {
            let error = format!("--threads {threads} are more than can help: at most {most} for {cores} cores");
            return Err(usage(error));
        }
        // Everything would go on without the instruction set that was named.
        Isa::chosen().map_err(|error| usage(error.to_string()))?;
        Ok(Self { output, threads, memory: memory.unwrap_or(dab::available_memory() / 2), disk: u64::MAX, asked })
    }

    /// The same setting; a batch is answered in JSON.
    pub(crate) fn for_batch(&self, batch: &Batch) -> Self {
        let json = self.output.json || batch.is_asked();
        Self { output: Output { json, ..self.output }, ..*self }
    }

    /// The same setting, with at most `disk` bytes of temporary files.
    pub(crate) fn with_disk(self, disk: Option<u64>) -> Self {
        Self { disk: disk.unwrap_or(u64::MAX), ..self }
    }

    /// Starts the threads.
    pub(crate) fn start_threads(&self) -> Result<()> {
        let n_threads = self.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build_global();
        pool.map_err(|why| dab::Error::no_threads(n_threads, &why))
    }

    /// The limits of solves on demand.
    pub(crate) fn limits(&self) -> Limits {
        Limits { disk: self.disk, ..Limits::new(self.threads, self.memory) }
    }

    /// The limits of the shipped books beside solves on demand.
    pub(crate) fn book_limits(&self) -> Limits {
        Limits { memory: self.memory / 4, ..self.limits() }
    }

    /// A run or a book to answer from; it must have the penalty that was asked for, if one was.
    pub(crate) fn table(&self, path: &Path, penalty: Option<i32>) -> Result<Tablebase> {
        let table = Tablebase::open_within(path, self.limits())?;
        table.require_penalty(penalty)?;
        Ok(table)
    }

    /// Takes a fair share of the machine, which `processes` processes with `processors` processors use together. A
    /// process that is bound to some of the processors has no more threads than these.
    pub(crate) fn share(&mut self, processes: usize, processors: Option<usize>) {
        let (threads, memory) = self.asked;
        if !threads {
            let fair = processors.map_or(self.threads, |all| all / processes);
            self.threads = self.threads.min(fair).max(1);
        }
        if !memory {
            self.memory /= processes as u64;
        }
    }
}

/// A run that may not exist yet.
pub(crate) struct RunOptions {
    /// Its solve, on this machine with default memory and threads.
    pub(crate) solve: Solve<'static>,
    pub(crate) dir: PathBuf,
}

impl RunOptions {
    /// Plans the solve with the memory and the threads of a setting, in the order of the run if there is one.
    pub(crate) fn plan(&self, &Setting { threads, memory, .. }: &Setting) -> Result<Planned<'static>> {
        let limits = Limits { threads, memory, ..self.solve.limits };
        Solve { limits, resumes: Some(self.dir.clone()), ..self.solve.clone() }.plan()
    }
}

impl TryFrom<args::Run> for RunOptions {
    type Error = Error;

    fn try_from(
        args::Run { input, told, space, penalty, marks, keep, down_to, disk, check, out }: args::Run,
    ) -> Result<Self> {
        let asked = Asked::from(&input::record(&input, told.get())?);
        let penalty = asked.penalty_or(penalty)?;
        let start = asked.position;
        Rules::for_start(&start, penalty)?;
        let (keep, down_to) = (keep.unwrap_or(usize::MAX), down_to.unwrap_or(0));
        let mut solve = Solve { space, penalty, marks, keep, down_to, check, ..dab::solve(start) };
        solve.limits.disk = disk.unwrap_or(u64::MAX);
        let dir = out.unwrap_or_else(|| PathBuf::from("runs").join(solve.run_name()));
        Ok(Self { solve, dir })
    }
}
