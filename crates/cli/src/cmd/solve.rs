//! `dab solve`: every position of a start, kept in a run directory.

use std::fmt::{self, Display};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dab_board::Score;
use dab_book::{Answer, Book};
use dab_solve::Observer;
use dab_solve::cost::memory::Shares;
use dab_solve::cost::plan::Plan;
use dab_space::{Layout, Rules, Space, Units};
use dab_store::{Game, LayerSummary, RunDir, ScoreRead};
use serde::Serialize;

use crate::cluster::{Cluster, Job};
use crate::failure::Usage;
use crate::options::{RunOptions, Setting, SolveOptions, available_memory};
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
    let layout = Layout::new(Units::new(options.start.clone(), options.kind)?)?;
    let plan = Plan::new(&layout);
    check_memory(&plan, layout.units(), setting, ", the quiet space or a start with more lines drawn")?;
    if !cluster.is_worker() {
        check_disk(&plan, options)?;
    }
    let budget = plan.slab_budget(setting.memory, setting.threads);
    let shared_slabs = cluster.shared_slabs(&layout, budget, setting.threads);
    let space = Space::of(layout);
    let rules = Rules::new(&space, options.penalty)?;
    let threads = setting.threads;
    let job =
        Job { space: &space, rules, budget, threads, shared_slabs: shared_slabs.as_ref(), patience: solve.patience };
    if cluster.is_worker() {
        return cluster.work(&job, &options.dir);
    }
    let shares = Shares::new(budget, plan.largest_slab(), setting.threads);
    let run = RunDir::create_or_resume(&options.dir, &Game::of(&space, rules), space.n_layers())?
        .keeping(options.keep)
        .limited_to(options.disk.unwrap_or(u64::MAX))
        .with_reorder_bytes(shares.early);
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
        let timed = Timed { progress, run: &run, layer: Mutex::new(None) };
        cluster.solve(&job, &run, &timed)?
    };
    let answer = Book::new(&space, &run).answer(&options.start)?;
    setting.output.print(&report(options, &run, &layers, answer, begin.elapsed()))
}

/// Progress that notes how long each layer takes, also if it is interrupted.
struct Timed<'a> {
    progress: Progress,
    run: &'a RunDir,
    /// The layer that is being solved, and since when.
    layer: Mutex<Option<(usize, Instant)>>,
}

impl Timed<'_> {
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

impl Observer for Timed<'_> {
    fn layer(&self, layer: usize) {
        self.begin(Some(layer));
        self.progress.layer(layer);
    }

    fn positions(&self, n: u64) {
        self.progress.positions(n);
    }

    fn should_stop(&self) -> bool {
        self.progress.should_stop()
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.begin(None);
    }
}

/// Refuses what cannot fit in memory before anything is done; `others` are more remedies.
pub(crate) fn check_memory(plan: &Plan, units: &Units, setting: &Setting, others: &str) -> anyhow::Result<()> {
    let needed = plan.least_memory(setting.threads);
    if needed > setting.memory {
        return Err(Usage(format!(
            "{} ({} space): {} positions need at least {} of memory with {} threads, but {} are allowed and {} are free; \
             use --memory {}, fewer threads{others} ('dab plan' shows what each takes)",
            units.start(),
            units.kind(),
            Count(plan.positions()),
            Bytes(needed.into()),
            setting.threads,
            Bytes(setting.memory.into()),
            Bytes(available_memory().into()),
            mebibytes(needed.into()),
        ))
        .into());
    }
    Ok(())
}

/// Refuses what cannot fit on disk before anything is written.
fn check_disk(plan: &Plan, options: &RunOptions) -> anyhow::Result<()> {
    let needed = plan.least_disk(options.keep);
    let free = free_disk(&options.dir);
    let allowed = options.disk.map_or(free, |disk| free.min(disk.into()));
    if needed <= allowed {
        return Ok(());
    }
    let (there, remedy) = match allowed < free {
        true => ("allowed".to_owned(), format!("use --disk {}", mebibytes(needed))),
        false => (format!("free for {}", options.dir.display()), "choose another place with --out".to_owned()),
    };
    let fitting = match plan.last_that_fits(allowed) {
        Some(last) if last < options.keep => format!(", or --keep {last}"),
        _ => String::new(),
    };
    Err(Usage(format!(
        "{} ({} space): {} positions need about {} of disk, but {} are {there}; {remedy}{fitting}",
        options.start,
        options.kind,
        Count(plan.positions()),
        Bytes(needed),
        Bytes(allowed),
    ))
    .into())
}

/// Bytes that the files of a run can take, those that are already there included.
fn free_disk(dir: &Path) -> u128 {
    let taken = fs::read_dir(dir).into_iter().flatten().flatten().filter_map(|entry| entry.metadata().ok());
    let taken: u128 = taken.map(|file| u128::from(file.len())).sum();
    let dir = if dir.is_absolute() { dir.to_path_buf() } else { Path::new(".").join(dir) };
    let free = dir.ancestors().find_map(|there| fs4::available_space(there).ok());
    // Where the system does not say, or has no disk at all, writing will tell what is wrong.
    free.filter(|&free| free > 0).map_or(u128::MAX, |free| taken + u128::from(free))
}

/// A size as options take it, rounded up.
fn mebibytes(bytes: u128) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
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
