//! A run solved piece by piece, by processes that somebody else starts.
//!
//! ```text
//!    next ─► the pieces that can be solved ─► solve, in any number of processes ─► slab files ─► next lists them
//! ```
//! One process at a time may ask for the next pieces; any number may solve.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use dab_solve::graph::{Graph, Readers};
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::{self, Pieces};
use dab_solve::{Observer, SharedRun, SlabKeeper, SolveError, solve_stack};
use dab_space::Layer;
use dab_store::{RunDir, ScoreRead};
use serde::Serialize;

use crate::limits::slab_budget;
use crate::{Error, ErrorKind, Files, Limits, Remedy, Tablebase};

/// The progress of a run that is solved piece by piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceStatus {
    /// The directory of the run.
    pub path: String,
    /// Layers of the run.
    pub layers: usize,
    /// Layers that are solved.
    pub solved: usize,
    /// The layer whose slabs can be solved, if any is left.
    pub layer: Option<Layer>,
    /// The number of its pieces.
    pub pieces: usize,
    /// The first slab of each of its pieces that has no slab file yet.
    pub ready: Vec<usize>,
}

impl PieceStatus {
    /// The status of a run with the next layer and the first slabs of its unsolved pieces.
    fn new(run: &RunDir, pieces: &Pieces, next: Option<(Layer, Vec<usize>)>) -> Self {
        let (path, layers) = (run.path().display().to_string(), run.n_layers());
        let solved = (0..layers).filter(|&layer| run.is_finished(Layer(layer))).count();
        let (layer, ready) = next.map_or((None, Vec::new()), |(layer, ready)| (Some(layer), ready));
        Self { path, layers, solved, layer, pieces: layer.map_or(0, |layer| pieces.len(layer)), ready }
    }
}

/// The progress of a run, which is only read.
///
/// # Errors
/// If it is a book.
pub fn status(table: &Tablebase) -> Result<PieceStatus, Error> {
    let run = run_of(table)?;
    let pieces = Pieces::new(table.space().layout());
    let next = next_layer(run).map(|layer| {
        let firsts = (0..pieces.len(layer)).map(|piece| pieces.slabs(layer, piece).start);
        (layer, firsts.filter(|&first| !run.has_slabs(layer, first)).collect())
    });
    Ok(PieceStatus::new(run, &pieces, next))
}

/// Finishes layers whose slab files are all there, solves those that are too small to be handed out or were begun by one
/// process, and lists the slabs that can be solved. `tell` hears of files that were given up.
///
/// # Errors
/// If another process does the same, or files cannot be read or written.
pub fn next(path: &Path, limits: Limits, observer: &dyn Observer, tell: &dyn Fn(String)) -> Result<PieceStatus, Error> {
    let found = RunDir::open(path)?;
    let table =
        Tablebase::of(Files::Run(RunDir::create_or_resume(path, found.game(), found.n_layers())?.into()), limits)?;
    let (run, space) = (run_of(&table)?, table.space());
    run.dropped().iter().for_each(|dropped| tell(dropped.to_string()));
    let pieces = Pieces::new(space.layout());
    let shared = SharedRun::new(run, &pieces);
    let keeper = SlabKeeper::new(space, &shared, slab_budget(&table, limits));
    let kernel = Kernel::best(space, table.rules());
    let mut next = None;
    while let Some(layer) = next_layer(run) {
        if pieces.is_small(layer) || run.is_begun_by_one(layer, pieces.n_slabs(layer))? {
            keeper.cache().enter(layer);
            let wanted = || match observer.should_stop() {
                true => Err(SolveError::Stopped { layer }),
                false => Ok(()),
            };
            let graph = Graph::new((&kernel, space), vec![vec![layer]], u64::MAX, &wanted)?;
            let (stack, readers) = (graph.stack(0, &wanted)?, Readers::new(&graph));
            solve_stack((&kernel, space, &keeper), run, (&stack, &readers), observer)?;
            continue;
        }
        let ready = ready(run, &pieces, layer, tell)?;
        if !ready.is_empty() {
            next = Some((layer, ready));
            break;
        }
    }
    Ok(PieceStatus::new(run, &pieces, next))
}

/// The first slabs of the pieces of a layer that are still to be solved; if there are none, the layer is finished.
fn ready(run: &RunDir, pieces: &Pieces, layer: Layer, tell: &dyn Fn(String)) -> Result<Vec<usize>, Error> {
    let there = run.slab_files(layer)?;
    let firsts = (0..pieces.len(layer)).map(|piece| pieces.slabs(layer, piece).start);
    let missing: Vec<usize> = firsts.clone().filter(|first| there.binary_search(first).is_err()).collect();
    if !missing.is_empty() {
        return Ok(missing);
    }
    let mut list = run.list_slab_files(layer, pieces.n_slabs(layer))?;
    for first in firsts.rev() {
        match list.add(first) {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(vec![first]),
            Err(error) if error.is_damage() => {
                tell(format!("{error}; it is solved again"));
                return Ok(vec![first]);
            }
            Err(error) => return Err(error.into()),
        }
    }
    list.finish()?;
    Ok(Vec::new())
}

/// Pieces of a layer to be solved.
pub struct PieceSolve<'a> {
    table: &'a Tablebase,
    run: &'a RunDir,
    pieces: Pieces,
    layer: Layer,
    wanted: Vec<usize>,
}

impl<'a> PieceSolve<'a> {
    /// The pieces that have the given slabs; none if the layer is solved.
    ///
    /// # Errors
    /// If there is no such slab, or the layers above are not solved.
    pub fn new(table: &'a Tablebase, layer: Layer, slabs: &[usize]) -> Result<Self, Error> {
        let (run, name, pieces) = (run_of(table)?, table.files().name(), Pieces::new(table.space().layout()));
        let n_layers = run.n_layers();
        if layer.0 >= n_layers {
            return Err(Error::input(format!("{name} has layers 0 to {} and no layer {layer}", n_layers - 1)));
        }
        let n_slabs = pieces.n_slabs(layer);
        if let Some(slab) = slabs.iter().find(|&&slab| slab >= n_slabs) {
            return Err(Error::input(match n_slabs {
                0 => format!("layer {layer} of {name} has no slabs"),
                _ => format!("layer {layer} of {name} has slabs 0 to {} and no slab {slab}", n_slabs - 1),
            }));
        }
        let mut wanted: Vec<usize> = slabs.iter().map(|&slab| pieces.containing(layer, slab)).collect();
        if run.is_finished(layer) {
            wanted.clear();
        } else if let Some(above) = (layer.0 + 1..n_layers).map(Layer).find(|&above| !run.is_finished(above)) {
            return Err(Error::new(
                ErrorKind::File,
                format!("layer {layer} of {name} is not ready: it reads layer {above}, which is not solved"),
            )
            .at(name.clone())
            .with(Remedy::ListReady { name }));
        }
        wanted.sort_unstable();
        wanted.dedup();
        Ok(Self { table, run, pieces, layer, wanted })
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// The stored positions of the pieces.
    pub fn positions(&self) -> u64 {
        self.wanted.iter().map(|&piece| self.positions_of(piece)).sum()
    }

    fn positions_of(&self, piece: usize) -> u64 {
        self.pieces.positions(self.table.space().layout(), self.layer, piece)
    }

    /// Solves the pieces that have no slab file yet.
    ///
    /// # Errors
    /// If files cannot be read or written, or `observer` stops it; pieces that are solved stay.
    pub fn solve(&self, limits: Limits, observer: &dyn Observer) -> Result<(), Error> {
        let Self { table, run, pieces, layer, wanted } = self;
        let (space, layer) = (table.space(), *layer);
        let shared = SharedRun::new(run, pieces);
        let keeper = SlabKeeper::new(space, &shared, slab_budget(table, limits));
        let kernel = Kernel::best(space, table.rules());
        let solve = |piece: usize| -> Result<(), Error> {
            let slabs = pieces.slabs(layer, piece);
            if observer.should_stop() {
                return Err(SolveError::Stopped { layer }.into());
            }
            if !run.has_slabs(layer, slabs.start) {
                let solved = pieces::solve((&kernel, space, &keeper), layer, slabs.clone())?;
                run.write_slabs(&pieces::encode(space, run, layer, slabs.start, solved))?;
            }
            observer.positions(self.positions_of(piece));
            Ok(())
        };
        // These threads wait for each other's large slabs, which those of the pool compute together.
        let (left, failed) = (Mutex::new(wanted.iter()), Mutex::new(None));
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(&piece) = next() {
                if let Err(error) = solve(piece) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    while next().is_some() {}
                }
            }
        };
        thread::scope(|scope| {
            let n_threads = rayon::current_num_threads();
            let start = |_| thread::Builder::new().spawn_scoped(scope, work);
            // Those that could be started do all of it.
            let refused = (0..n_threads).map(start).filter_map(io::Result::err).collect::<Vec<io::Error>>();
            match refused.first() {
                Some(why) if refused.len() == n_threads => Err(Error::no_threads(n_threads, why)),
                _ => Ok(()),
            }
        })?;
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// The last layer that is not solved.
fn next_layer(run: &RunDir) -> Option<Layer> {
    (0..run.n_layers()).rev().map(Layer).find(|&layer| !run.is_finished(layer))
}

fn run_of(table: &Tablebase) -> Result<&RunDir, Error> {
    match table.files() {
        Files::Run(run) => Ok(run),
        files => Err(Error::not_a_run(files.name())),
    }
}
