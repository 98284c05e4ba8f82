//! `dab slabs` and `dab solve-slab`: a run solved piece by piece by processes that somebody else starts.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::bail;
use dab_solve::SlabCache;
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::{self, Pieces};
use dab_solve::{Observer, SharedRun, SolveError, solve_layer};
use dab_space::SlabShape;
use dab_store::{RunDir, ScoreRead};
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{Setting, SlabOptions};
use crate::output::message;
use crate::progress::Progress;
use dab::{Files, Tablebase};

/// How far a run is.
#[derive(Serialize)]
struct Report {
    path: String,
    layers: usize,
    solved: usize,
    /// The layer whose slabs can be solved, if any is left.
    layer: Option<usize>,
    pieces: usize,
    /// First slabs of its pieces that have no slab file yet.
    ready: Vec<usize>,
    #[serde(skip)]
    as_list: bool,
}

impl Report {
    fn new(path: &Path, run: &RunDir) -> Self {
        let layers = run.n_layers();
        let solved = (0..layers).filter(|&layer| run.is_finished(layer)).count();
        let path = path.display().to_string();
        Self { path, layers, solved, layer: None, pieces: 0, ready: Vec::new(), as_list: false }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, layers, solved, pieces, ready, .. } = self;
        if self.as_list {
            // Nothing at all when nothing is left to do, so that scripts can stop.
            let layer = self.layer.unwrap_or_default();
            let lines: Vec<String> = ready.iter().map(|slab| format!("{layer} {slab}\n")).collect();
            return f.write_str(lines.concat().trim_end());
        }
        write!(f, "{path}: {solved} of {layers} layers are solved")?;
        match self.layer {
            Some(layer) => write!(f, "; layer {layer}: {} of {pieces} pieces", pieces - ready.len()),
            None => Ok(()),
        }
    }
}

/// How far a run is, as whoever only reads it sees it.
pub(crate) fn show(path: &Path, setting: &Setting) -> anyhow::Result<()> {
    let table = Tablebase::open(path)?;
    let space = table.space();
    let run = only_run(table.files())?;
    let mut report = Report::new(path, run);
    if let Some(layer) = next_layer(run) {
        let pieces = Pieces::new(space.layout());
        report.layer = Some(layer);
        report.pieces = pieces.len(layer);
        let firsts = (0..pieces.len(layer)).map(|piece| pieces.slabs(layer, piece).start);
        report.ready = firsts.filter(|&first| !run.has_slabs(layer, first)).collect();
    }
    setting.output.print(&report)
}

/// Puts together what is complete, solves what is too small to be handed out, and lists the slabs that can be solved.
pub(crate) fn ready(path: &Path, setting: &Setting) -> anyhow::Result<()> {
    let found = RunDir::open(path)?;
    let whole = Tablebase::of(Files::Run(RunDir::create_or_resume(path, found.game(), found.n_layers())?))?;
    let budget = setting.slab_budget(&whole);
    let (files, space, rules) = (whole.files(), whole.space(), whole.rules());
    let run = only_run(files)?;
    run.dropped().iter().for_each(message);
    let pieces = Pieces::new(space.layout());
    let shared = SharedRun::new(run, &pieces);
    let inputs = SlabCache::new(space, &shared, budget);
    let kernel = Kernel::best(space, rules);
    let mut found = (None, Vec::new());
    while let Some(layer) = next_layer(run) {
        let missing = missing(run, space, &pieces, layer)?;
        if missing.is_empty() {
            continue;
        }
        if pieces.is_small(layer) {
            inputs.enter(layer);
            solve_layer((&kernel, space, &inputs), run, layer, &Progress::new(0)?, &|_| Vec::new())?;
            continue;
        }
        found = (Some(layer), missing);
        break;
    }
    let mut report = Report { as_list: true, ..Report::new(path, run) };
    report.pieces = found.0.map_or(0, |layer| pieces.len(layer));
    (report.layer, report.ready) = found;
    if report.ready.is_empty() && !setting.output.json {
        return Ok(());
    }
    setting.output.print(&report)
}

/// The first slabs of the pieces of a layer that are still to be solved; if there are none, the layer is finished.
fn missing(run: &RunDir, space: &dab_space::Space, pieces: &Pieces, layer: usize) -> anyhow::Result<Vec<usize>> {
    let keys = &space.layout().layers()[layer];
    let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
    let assembly = run.assemble(layer, &shapes)?;
    assembly.adopt_all()?.iter().for_each(|damage| message(format!("{}; it is solved again", damage)));
    let held = assembly.n_slabs();
    let slabs = (0..pieces.len(layer)).map(|piece| pieces.slabs(layer, piece));
    let missing = slabs.filter(|slabs| slabs.end > held && !run.has_slabs(layer, slabs.start));
    let missing: Vec<usize> = missing.map(|slabs| slabs.start).collect();
    if missing.is_empty() && assembly.is_whole() {
        assembly.finish()?;
    }
    Ok(missing)
}

/// Solves the pieces that have the given slabs, if they are not solved yet.
pub(crate) fn solve(SlabOptions { dir, layer, slabs }: &SlabOptions, setting: &Setting) -> anyhow::Result<()> {
    let whole = Tablebase::open(dir)?;
    let budget = setting.slab_budget(&whole);
    let (files, space, rules) = (whole.files(), whole.space(), whole.rules());
    let (run, layer) = (only_run(files)?, *layer);
    let (n_layers, path) = (run.n_layers(), dir.display());
    if layer >= n_layers {
        return Err(Usage(format!("{path} has layers 0 to {} and no layer {layer}", n_layers - 1)).into());
    }
    let pieces = Pieces::new(space.layout());
    let n_slabs = pieces.n_slabs(layer);
    if let Some(slab) = slabs.iter().find(|&&slab| slab >= n_slabs) {
        return Err(Usage(match n_slabs {
            0 => format!("layer {layer} of {path} has no slabs"),
            _ => format!("layer {layer} of {path} has slabs 0 to {} and no slab {slab}", n_slabs - 1),
        })
        .into());
    }
    if run.is_finished(layer) {
        setting.output.note(format!("layer {layer} of {path} is already solved"));
        return Ok(());
    }
    if let Some(above) = (layer + 1..n_layers).find(|&above| !run.is_finished(above)) {
        bail!(
            "layer {layer} of {path} is not ready: it reads layer {above}, which is not solved; 'dab slabs {path} \
             --ready' puts layers together and lists what is ready"
        );
    }
    let mut wanted: Vec<usize> = slabs.iter().map(|&slab| pieces.containing(layer, slab)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let shared = SharedRun::new(run, &pieces);
    let inputs = SlabCache::new(space, &shared, budget);
    let kernel = Kernel::best(space, rules);
    let positions = wanted.iter().map(|&piece| pieces.positions(space.layout(), layer, piece)).sum::<u64>();
    let progress = Progress::new(positions.into())?;
    wanted.into_par_iter().with_max_len(1).try_for_each(|piece| -> Result<(), SolveError> {
        let slabs = pieces.slabs(layer, piece);
        if progress.should_stop() {
            return Err(SolveError::Stopped { layer });
        }
        if !run.has_slabs(layer, slabs.start) {
            let solved = pieces::solve((&kernel, space, &inputs), layer, slabs.clone())?;
            run.write_slabs(&pieces::encode(space, run, layer, slabs.start, solved))?;
        }
        progress.positions(pieces.positions(space.layout(), layer, piece));
        Ok(())
    })?;
    Ok(())
}

/// The last layer that is not solved.
fn next_layer(run: &RunDir) -> Option<usize> {
    (0..run.n_layers()).rev().find(|&layer| !run.is_finished(layer))
}

fn only_run(files: &Files) -> anyhow::Result<&RunDir> {
    match files {
        Files::Run(run) => Ok(run),
        _ => Err(Usage(format!("{} is a book, no run", files.name())).into()),
    }
}
