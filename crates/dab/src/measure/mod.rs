//! The costs of a solve, measured on this machine: slabs of the board, drawn at random, go through the kernel, the codec and files.
//!
//! ```text
//!    slab drawn ─► slabs that it reads (invented) ─► kernel, twice ─► scores of the right entropy ─► encoded, written ─► decoded
//! ```
//! No kernel branches on a score, so invented scores cost what real ones do. The first time that a waist is met its tables of moves are
//! made; the second time counts as the cost of the slab, and the difference as that of the tables. All threads work side by side, with
//! the memory that the solve gives them, so that they are in each other's way as in a solve.

mod files;
mod invented;

use std::collections::HashSet;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use dab_solve::kernel::Kernel;
use dab_solve::plan::costs::{Measurement, Sample};
use dab_solve::{Observer, SlabKeeper, SlabSource};
use dab_space::{Layer, Layout, SlabId, SlabKey, SlabShape, Space, now};
use dab_store::{Game, LayerSink, Part, RunDir, ScoreWrite, Wanted};

pub use self::files::MeasuredFiles;
use self::invented::{Invented, Statistics, spent_inventing};
use crate::machine::{on_pool, on_threads};
use crate::temporary::Place;
use crate::{Error, Planned};

/// Slabs that are drawn: more than any time suffices for.
const DRAWN: usize = 1 << 16;
/// Positions of all slabs that are drawn: their files are removed only at the end.
const MOST_POSITIONS: u64 = 1 << 34;

/// A measurement, and the part of the positions that lie in slabs too large for it.
pub struct Measured {
    /// The samples.
    pub measurement: Measurement,
    /// The part of all positions, at most 1.
    pub left_out: f64,
}

impl Planned<'_> {
    /// Measures for so long, with files beside `dir`. Slabs that take more memory than a thread has are left out.
    ///
    /// # Errors
    /// If the index takes too much, files cannot be written, or the observer stops it.
    pub fn measure(&self, dir: &Path, time: Duration, observer: &dyn Observer) -> Result<Measured, Error> {
        let (options, layout) = (&self.options, &self.layout);
        let begin = now();
        self.on_index(|space, _| {
            let listing = (now() - begin).as_nanos() as f64;
            Ok(on_threads(options.limits.threads, || self.measure_on((space, listing), dir, time, observer)))
        })?
        .map(|measurement| {
            let positions = |id: &SlabId| layout.positions(layout.key(*id));
            let held: u128 = slabs(layout)
                .filter(|id| positions(id) <= self.largest_sample())
                .map(|id| u128::from(positions(&id)))
                .sum();
            Measured { measurement, left_out: 1.0 - held as f64 / layout.total_positions() as f64 }
        })
    }

    /// Positions of the largest slab that a thread has memory for, with what it reads and writes.
    fn largest_sample(&self) -> u64 {
        let budget = self.plan.slab_budget(self.options.limits.memory, self.options.limits.threads);
        self.plan.largest_slab().min(budget / self.options.limits.threads as u64 / 4)
    }

    fn measure_on(
        &self,
        (space, listing): (&Space, f64),
        dir: &Path,
        time: Duration,
        observer: &dyn Observer,
    ) -> Result<Measurement, Error> {
        let (plan, options) = (&self.plan, &self.options);
        let place = place_beside(dir)?;
        let rules = dab_space::Rules::new(space, options.penalty)?;
        // Invented scores are not within the bounds of any start.
        let game = Game { start: "invented scores".to_owned(), ..Game::of(space, rules) };
        let run = RunDir::create_or_resume(&place.run(), &game, space.n_layers())?;
        let drawn = draw(space.layout(), self.largest_sample());
        let shapes: Vec<SlabShape<'_>> = drawn.iter().map(|&(id, _)| space.shape(space.layout().key(id))).collect();
        let bits = 8.0 * plan.bytes() as f64 / plan.positions() as f64;
        let statistics = Statistics::with_bits(&run, &shapes, bits);
        let kernel = Kernel::best(space, rules);
        let store = Invented;
        let keeper = SlabKeeper::new(space, &store, plan.slab_budget(options.limits.memory, options.limits.threads));
        let bench = Bench { space, kernel: &kernel, keeper: &keeper, statistics, met: Mutex::default() };
        let (end, next) = (now() + time, AtomicUsize::new(drawn.len()));
        let sink = run.begin_layer(Layer(0), &shapes)?;
        let timed = Mutex::new((Vec::new(), Vec::new(), 0.0));
        let work = || -> Result<(), Error> {
            while now() < end {
                // From the last one on, as slabs are written.
                let Ok(at) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |at| at.checked_sub(1)) else {
                    break;
                };
                if observer.should_stop() {
                    return Err(dab_solve::SolveError::Stopped { layer: drawn[at - 1].0.layer }.into());
                }
                let at = at - 1;
                let (id, is_by_positions) = drawn[at];
                let (sample, tables) = bench.time(&*sink, at, id, shapes[at])?;
                let mut timed = timed.lock().unwrap_or_else(PoisonError::into_inner);
                if is_by_positions {
                    timed.0.push(sample)
                } else {
                    timed.1.push(sample)
                }
                timed.2 += tables;
            }
            Ok(())
        };
        thread::scope(|scope| {
            // Each in a pool of its own: none helps another one with a large slab.
            let n_threads = options.limits.threads;
            let start = |_| thread::Builder::new().spawn_scoped(scope, || on_pool(1, work));
            let workers = (0..n_threads).map(start).collect::<io::Result<Vec<_>>>();
            let workers = workers.map_err(|why| Error::no_threads(n_threads, &why))?;
            let ends = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            ends.collect::<Result<Vec<()>, Error>>()
        })?;
        let (large, any, tables) = timed.into_inner().unwrap_or_else(PoisonError::into_inner);
        let met = bench.met.into_inner().unwrap_or_else(PoisonError::into_inner).len();
        let waists: HashSet<u32> = space.layout().layers().iter().flatten().map(|key| key.waist).collect();
        Ok(Measurement {
            position: options.start.to_string(),
            threads: options.limits.threads,
            waist_units: space.layout().partition().sizes.waist,
            configurations: plan.index.configurations,
            begin: listing + tables * waists.len() as f64 / met.max(1) as f64,
            large,
            any,
        })
    }
}

/// The means to time a slab.
struct Bench<'a> {
    space: &'a Space,
    kernel: &'a Kernel<'a>,
    keeper: &'a SlabKeeper<'a>,
    statistics: Statistics,
    /// Waists whose tables are made.
    met: Mutex<HashSet<u32>>,
}

impl Bench<'_> {
    /// Times slab `id`, which is the one number `at` of the layer that is written; also returns the nanoseconds of tables of moves.
    fn time(&self, sink: &dyn LayerSink, at: usize, id: SlabId, shape: SlabShape<'_>) -> Result<(Sample, f64), Error> {
        let key = self.space.layout().key(id);
        let is_new = self.met.lock().unwrap_or_else(PoisonError::into_inner).insert(key.waist);
        let solve = || -> Result<f64, Error> {
            let (begin, before) = (now(), spent_inventing());
            drop(self.kernel.slab(self.keeper, key)?);
            Ok(((now() - begin).saturating_sub(spent_inventing() - before)).as_nanos() as f64)
        };
        let (first, again) = (solve()?, solve()?);
        let tables = if is_new { (first - again).max(0.0) + self.walk(key.waist) } else { 0.0 };
        let scores = self.statistics.scores(shape);
        let begin = now();
        sink.put(at, scores)?;
        let writing = (now() - begin).as_nanos() as f64;
        let begin = now();
        // Into memory that others have used, as in a solve.
        let part = Part { scores: self.keeper.buffer(shape.positions()), ..Part::default() };
        drop(sink.read_part(at, part, &Wanted::ALL)?);
        let decode = (now() - begin).as_nanos() as f64;
        Ok((Sample { positions: shape.positions() as u64, solve: again + writing, decode }, tables))
    }

    /// Nanoseconds to find the slabs that all slabs of a waist read, as a solve does once to count readers.
    fn walk(&self, waist: u32) -> f64 {
        let keys = self.space.layout().layers().iter().flatten().copied();
        let keys: Vec<SlabKey> = keys.filter(|key| key.waist == waist).collect();
        let begin = now();
        drop(self.kernel.sources_of_waist(&keys));
        (now() - begin).as_nanos() as f64
    }
}

/// All slabs.
fn slabs(layout: &Layout) -> impl Iterator<Item = SlabId> {
    let of_layer = |layer: Layer| (0..layout.layers()[layer.0].len()).map(move |slab| SlabId { layer, slab });
    layout.listed_layers().flat_map(of_layer)
}

/// Slabs of at most `most` positions, drawn in turns by their positions (`true`) and from all of them.
fn draw(layout: &Layout, most: u64) -> Vec<(SlabId, bool)> {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut ends, mut end) = (Vec::new(), 0);
    let held: Vec<SlabId> = slabs(layout).filter(|&id| layout.positions(layout.key(id)) <= most).collect();
    for &id in &held {
        end += u128::from(layout.positions(layout.key(id)));
        ends.push(end);
    }
    let mut left = MOST_POSITIONS;
    let mut drawn = Vec::new();
    while drawn.len() < DRAWN && !held.is_empty() {
        let is_by_positions = drawn.len().is_multiple_of(2);
        let at = match is_by_positions {
            true => {
                let position = random.u128(0..end);
                ends.partition_point(|&end| end <= position)
            }
            false => random.usize(0..held.len()),
        };
        left = match left.checked_sub(layout.positions(layout.key(held[at]))) {
            Some(left) => left,
            None => break,
        };
        drawn.push((held[at], is_by_positions));
    }
    drawn
}

/// A temporary directory in the nearest directory that is there.
fn place_beside(dir: &Path) -> Result<Place, Error> {
    let dir = std::env::current_dir().unwrap_or_default().join(dir);
    let nearest = dir.ancestors().find(|there| there.is_dir()).unwrap_or(Path::new("."));
    Place::new_in(nearest).map_err(place_error)
}

fn place_error(source: std::io::Error) -> Error {
    let (path, action) = (PathBuf::from("a temporary directory"), "create");
    dab_store::StoreError::Io { path, action, source }.into()
}
