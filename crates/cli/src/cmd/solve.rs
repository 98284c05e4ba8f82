//! `dab solve`: every position of a start, kept in a run directory.

use std::fmt::{self, Write};
use std::time::{Duration, Instant};

use dab::{Book, TableError};
use dab_board::{Position, Score};

use dab_mpi::Task;
use dab_space::Layer;
use dab_store::{ScoreRead, StoreError};
use serde::Serialize;

use crate::args::Solve;
use crate::cluster::{self, Cluster};
use crate::failure::{Result, usage};
use crate::options::{RunOptions, Setting};
use crate::output::{Bytes, Count, Time, message, picture, rows, with_penalty};
use crate::progress::{Heartbeat, Progress};

#[derive(Serialize)]
struct Report {
    position: String,
    space: String,
    penalty: i32,
    /// Whether loony marks are solved with the scores.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    marks: bool,
    dir: String,
    /// Of the start, if it is solved.
    #[serde(flatten)]
    start: Option<StartReport>,
    positions: u64,
    bytes: u64,
    /// Bytes of the layers that were not discarded.
    kept: u64,
    bits_per_position: f64,
    seconds: f64,
    /// Scores that were decoded for each position that was solved, for want of memory; of one process.
    #[serde(skip_serializing_if = "Option::is_none")]
    decodes_per_position: Option<f64>,
    digest: String,
    /// The same of the marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks_digest: Option<String>,
    /// Scores that were derived again before they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<u64>,
}

#[derive(Serialize)]
struct StartReport {
    score: Score,
    /// Unless the scores after the moves were discarded.
    #[serde(flatten)]
    best: Option<Best>,
}

#[derive(Serialize)]
struct Best {
    best: Vec<usize>,
    best_names: Vec<String>,
    /// The start with the score of every move.
    #[serde(skip)]
    picture: String,
}

pub(crate) fn run(Solve { run, patience }: Solve, mut setting: Setting) -> Result<()> {
    let options = RunOptions::try_from(run)?;
    let patience = Duration::from_secs(patience);
    cluster::together(&mut setting, patience, |cluster, setting| solve(&options, patience, setting, cluster))
}

fn solve(options: &RunOptions, patience: Duration, setting: &Setting, cluster: &Cluster) -> Result<()> {
    if options.solve.check > 0 && !cluster.is_alone() {
        return Err(usage("--check is for a solve by one process: leave it out, or leave out mpirun"));
    }
    let begin = Instant::now();
    options.solve.check_room(&options.dir)?;
    let mut planned = options.plan(setting)?;
    planned.check_memory()?;
    if !cluster.is_worker() {
        let _heartbeat = Heartbeat::new(|| "finding out whether the files fit".to_owned());
        planned.check_disk(&options.dir, cluster.is_alone(), &Progress::new(0)?)?;
    }
    let indexed = planned.index()?;
    let (space, rules, budget) = (&indexed.space, indexed.rules, indexed.budget);
    let task = Task { space, rules, budget, patience };
    if cluster.is_worker() {
        return cluster.work(task, &options.dir);
    }
    let run = indexed.create_run(&options.dir)?;
    let run = if cluster.is_alone() { run.listing_late(Layer(options.solve.down_to)) } else { run.shared() };
    run.dropped().iter().for_each(message);
    let dir = options.dir.display();
    match (0..space.n_layers()).filter(|&layer| run.is_finished(Layer(layer))).count() {
        0 => {}
        kept if kept == space.n_layers() => setting.output.note(format!("{dir} is already solved")),
        kept => setting.output.note(format!("{dir}: {kept} of {} layers are already solved", space.n_layers())),
    }
    if !run.unverified().is_empty() {
        let layers = run.unverified();
        setting
            .output
            .note(format!("{dir}: layers {layers} are kept as listed; 'dab verify {dir}' checks their blocks"));
    }
    let (layers, decodes) = {
        let progress = Progress::new(space.layout().total_positions())?;
        (cluster.solve(task, &run, &progress)?, progress.decodes())
    };
    let start = match run.is_finished(Layer(0)) {
        true => Some(StartReport::new(&options.solve.start, &Book::new(space, &run).under(rules))?),
        false => None,
    };
    let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
    let bytes: u64 = layers.iter().map(|layer| layer.bytes).sum();
    let kept = layers.iter().filter(|layer| !run.is_discarded(layer.layer)).map(|layer| layer.bytes).sum();
    let report = Report {
        position: options.solve.start.to_string(),
        space: options.solve.space.to_string(),
        penalty: options.solve.penalty,
        marks: options.solve.marks,
        dir: options.dir.display().to_string(),
        start,
        positions,
        bytes,
        kept,
        bits_per_position: 8.0 * bytes as f64 / positions as f64,
        seconds: begin.elapsed().as_secs_f64(),
        decodes_per_position: cluster.is_alone().then_some(decodes),
        digest: run.digest().map(|digest| digest.to_string()).unwrap_or_default(),
        marks_digest: run.marks_digest().map(|digest| digest.to_string()),
        checked: run.checks().map(|checks| checks.layers.iter().map(|layer| layer.scores).sum()),
    };
    setting.output.print_as(&report, text)
}

impl StartReport {
    fn new(start: &Position, book: &Book<'_>) -> Result<Self> {
        let answer = match book.answer(start) {
            Err(TableError::Store(StoreError::Discarded { .. } | StoreError::Released { .. })) => {
                return Ok(Self { score: book.probe(start)?, best: None });
            }
            answer => answer?,
        };
        let best_names = answer.best().map(|line| start.board().line_name(line).to_owned()).collect();
        let (best, picture) = (answer.best().collect(), picture(start, &answer));
        Ok(Self { score: answer.score, best: Some(Best { best, best_names, picture }) })
    }
}

fn text(report: &Report, f: &mut String) -> fmt::Result {
    let penalty = with_penalty(report.penalty);
    write!(f, "{}, {} space{penalty}: ", report.position, report.space)?;
    match &report.start {
        Some(start) => {
            writeln!(f, "score {}\n", start.score)?;
            match &start.best {
                Some(best) => {
                    writeln!(f, "{}\n", best.picture)?;
                    writeln!(f, "{}", rows("best first moves  ", &best.best_names))?;
                }
                None => writeln!(f, "best first moves  not kept: 'dab query' finds them")?,
            }
        }
        None => writeln!(f, "the start is not solved yet\n")?,
    }
    writeln!(f, "positions         {}", Count(report.positions.into()))?;
    writeln!(f, "time              {}", Time(Duration::from_secs_f64(report.seconds)))?;
    let bits = report.bits_per_position;
    write!(f, "files             {} in {}, {bits:.2} bits a position", Bytes(report.kept.into()), report.dir)?;
    match report.bytes - report.kept {
        0 => writeln!(f)?,
        discarded => writeln!(f, "; {} were discarded", Bytes(discarded.into()))?,
    }
    if let Some(checked) = report.checked {
        writeln!(f, "checked           {} scores, derived again before they were written", Count(checked.into()))?;
    }
    match report.digest.as_str() {
        "" => write!(f, "digest            none before all layers are solved"),
        digest => write!(f, "digest            {digest}"),
    }?;
    report.marks_digest.as_ref().map_or(Ok(()), |digest| write!(f, "\nof the marks      {digest}"))
}
