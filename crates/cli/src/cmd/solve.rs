//! `dab solve`: every position of a start, kept in a run directory.

use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use dab::{Answer, Book, LayerTimes};
use dab_board::Score;
use dab_mpi::Task;
use dab_store::{Game, LayerSummary, RunDir, ScoreRead};
use serde::Serialize;

use crate::cluster::Cluster;
use crate::options::{RunOptions, Setting, SolveOptions};
use crate::output::{Bytes, Count, Time, list, message, picture};
use crate::progress::Progress;

#[derive(Serialize)]
struct Report<'a> {
    position: String,
    space: String,
    penalty: i32,
    dir: String,
    score: Score,
    best: Vec<usize>,
    positions: u64,
    bytes: u64,
    /// Bytes of the layers that were not discarded.
    kept: u64,
    bits_per_position: f64,
    seconds: f64,
    digest: String,
    #[serde(skip)]
    options: &'a RunOptions,
    #[serde(skip)]
    answer: Answer,
}

pub(crate) fn run(solve: &SolveOptions, setting: &Setting, cluster: &Cluster) -> anyhow::Result<()> {
    let options = &solve.run;
    let begin = Instant::now();
    let planned = options.solve(setting).plan()?;
    planned.check_memory()?;
    if !cluster.is_worker() {
        planned.check_disk(&options.dir)?;
    }
    let indexed = planned.index()?;
    let (space, rules, budget) = (&indexed.space, indexed.rules, indexed.budget);
    let shared_slabs = cluster.shared_slabs(Game::of(space, rules).run_id(), space.layout(), budget, setting.threads);
    let (threads, patience) = (setting.threads, solve.patience);
    let task = Task { space, rules, budget, threads, shared_slabs: shared_slabs.as_ref(), patience };
    if cluster.is_worker() {
        return cluster.work(task, &options.dir);
    }
    let run = indexed.create_run(&options.dir)?;
    let run = if cluster.is_alone() { run.listing_late() } else { run };
    run.dropped().iter().for_each(message);
    let dir = options.dir.display();
    match (0..space.n_layers()).filter(|&layer| run.is_finished(layer)).count() {
        0 => {}
        kept if kept == space.n_layers() => setting.output.note(format!("{dir} is already solved")),
        kept => setting.output.note(format!("{dir}: {kept} of {} layers are already solved", space.n_layers())),
    }
    if solve.prepare {
        setting.output.note(format!("{dir} is prepared: 'dab slabs {dir} --ready' lists what can be solved"));
        return Ok(());
    }
    let layers = {
        let progress = Progress::new(space.layout().total_positions())?;
        cluster.solve(task, &run, &LayerTimes::new(&progress, &run))?
    };
    let answer = Book::new(space, &run).answer(&options.start)?;
    setting.output.print(&report(options, &run, &layers, answer, begin.elapsed()))
}

fn report<'a>(
    options: &'a RunOptions,
    run: &RunDir,
    layers: &[LayerSummary],
    answer: Answer,
    elapsed: Duration,
) -> Report<'a> {
    let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
    let bytes: u64 = layers.iter().map(|layer| layer.bytes).sum();
    let kept = layers.iter().filter(|layer| !run.is_discarded(layer.layer)).map(|layer| layer.bytes).sum();
    Report {
        position: options.start.to_string(),
        space: options.kind.to_string(),
        penalty: options.penalty,
        dir: options.dir.display().to_string(),
        score: answer.score,
        best: answer.best().collect(),
        positions,
        bytes,
        kept,
        bits_per_position: 8.0 * bytes as f64 / positions as f64,
        seconds: elapsed.as_secs_f64(),
        digest: run.digest().map(|digest| digest.to_string()).unwrap_or_default(),
        options,
        answer,
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let penalty = if self.penalty == 0 { String::new() } else { format!(", last-move penalty {}", self.penalty) };
        writeln!(f, "{}, {} space{penalty}: score {}\n", self.position, self.space, self.score)?;
        writeln!(f, "{}\n", picture(&self.options.start, &self.answer))?;
        writeln!(f, "best first moves  {}", list(&self.best, " "))?;
        writeln!(f, "positions         {}", Count(self.positions.into()))?;
        writeln!(f, "time              {}", Time(Duration::from_secs_f64(self.seconds)))?;
        let bits = self.bits_per_position;
        write!(f, "files             {} in {}, {bits:.2} bits a position", Bytes(self.kept.into()), self.dir)?;
        match self.bytes - self.kept {
            0 => writeln!(f)?,
            discarded => writeln!(f, "; {} were discarded", Bytes(discarded.into()))?,
        }
        write!(f, "digest            {}", self.digest)
    }
}
