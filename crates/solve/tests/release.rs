//! Slabs are released as soon as nothing unsolved reads them, never earlier, and what is kept is the same as ever.
#![cfg(target_os = "linux")]

use super::common;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::plan::load::Machines;
use crate::plan::{DryRun, Plan};
use crate::{Observer, SolveError, solve};
use common::{space, start};
use dab_board::Start;
use dab_space::{Budget, Layer, Rules, SlabId, Space, SpaceKind};
use dab_store::{Game, RunDir, ScoreRead, StoreError};

/// Scores of a slab that are checked.
const CHECKED: usize = 5;

/// Stops after some positions, and notes the most bytes that were released at a time.
struct Watch<'a> {
    run: &'a RunDir,
    positions_left: AtomicU64,
    released: AtomicU64,
    n_slabs: AtomicUsize,
}

impl<'a> Watch<'a> {
    fn new(run: &'a RunDir, positions: u64) -> Self {
        Self { run, positions_left: positions.into(), released: 0.into(), n_slabs: 0.into() }
    }
}

impl Observer for Watch<'_> {
    fn layer(&self, _layer: Layer) {
        self.released.fetch_max(self.run.released_bytes(), Ordering::Relaxed);
        let n_slabs = (0..self.run.n_layers()).map(|layer| self.run.released(Layer(layer)).len()).sum();
        self.n_slabs.fetch_max(n_slabs, Ordering::Relaxed);
    }

    fn positions(&self, n: u64) {
        let left = self.positions_left.load(Ordering::Relaxed);
        self.positions_left.store(left.saturating_sub(n), Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.positions_left.load(Ordering::Relaxed) == 0
    }
}

fn run(path: &Path, (space, rules): (&Space, Rules), keep: usize) -> RunDir {
    let game = Game::of(space, rules);
    RunDir::create_or_resume(path, &game, space.n_layers()).unwrap().keeping(Layer(keep))
}

/// Names and lengths of the score files.
fn files(path: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.filter(|name| name.starts_with("layer-")).collect();
    names.sort_unstable();
    names.into_iter().map(|name| (name.clone(), fs::metadata(path.join(name)).unwrap().len())).collect()
}

/// Every slab that is not released has the scores of the whole run; returns the number of those that are.
fn check_held(space: &Space, run: &RunDir, whole: &RunDir) -> usize {
    let mut n_released = 0;
    for (layer, keys) in space.layout().layers().iter().enumerate() {
        if !run.is_finished(Layer(layer)) || run.is_discarded(Layer(layer)) {
            continue;
        }
        for (slab, &key) in keys.iter().enumerate() {
            let (id, shape) = (SlabId::new(layer, slab), space.shape(key));
            match run.read_slab(id, shape) {
                Ok(scores) => assert!(scores == whole.read_slab(id, shape).unwrap(), "layer {layer}, slab {slab}"),
                Err(StoreError::Released { slab: named, .. }) => {
                    assert_eq!(named, slab);
                    n_released += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    n_released
}

#[test]
fn what_is_kept_is_the_same_after_any_stop() {
    let boards = [
        (3, 3, SpaceKind::Full, false),
        (3, 3, SpaceKind::Quiet, true),
        (3, 4, SpaceKind::Quiet, false),
        (3, 4, SpaceKind::Quiet, true),
    ];
    for (rows, cols, kind, marks) in boards {
        let start = start(rows, cols, Start::American);
        let space = space(&start, kind);
        let mut rules = Rules::new(&space, 0).unwrap();
        if marks {
            rules = rules.with_marks(&start, kind).unwrap();
        }
        let directory = tempfile::tempdir().unwrap();
        let whole = run(directory.path(), (&space, rules), usize::MAX);
        solve(&space, rules, &whole, u64::MAX, &()).unwrap();
        let all = files(directory.path());
        let positions = space.layout().total_positions() as u64;
        for keep in if cols == 4 { vec![8] } else { vec![0, 8, space.n_layers() - 2] } {
            let mut manifest = None;
            for stops in [0, 4] {
                let directory = tempfile::tempdir().unwrap();
                let path = directory.path();
                // The less disk is allowed, the more often slabs are released.
                let disk = all.iter().map(|(_, bytes)| bytes).sum::<u64>() + (1 << 20);
                let run_in = |path| run(path, (&space, rules), keep).checking(CHECKED).limited_to(disk);
                let mut n_seen = 0;
                for stop in 1..=stops {
                    let run = run_in(path);
                    assert!(run.dropped().is_empty());
                    let watch = Watch::new(&run, positions * stop / (stops + 1));
                    // Without a budget every input is read from the file: one that was released too early is noticed.
                    assert!(matches!(solve(&space, rules, &run, 0, &watch), Err(SolveError::Stopped { .. })));
                    drop(run);
                    n_seen += check_held(&space, &RunDir::open(path).unwrap(), &whole);
                }
                let run = run_in(path);
                let watch = Watch::new(&run, u64::MAX);
                solve(&space, rules, &run, 0, &watch).unwrap();
                assert_eq!(run.digest(), whole.digest());
                let what = format!("{rows}x{cols} {kind}, {keep} kept, {stops} stops");
                assert!(files(path) == all[..=keep], "{what}");
                let kept = (0..=keep).map(|layer| run.stored_layer(Layer(layer)).unwrap());
                kept.for_each(|layer| layer.verify().unwrap());
                // In the full space nothing reads a layer once the next one is solved.
                if keep <= 8 && kind == SpaceKind::Quiet {
                    let (released, n_slabs) = (watch.released.into_inner(), watch.n_slabs.into_inner());
                    // Slabs of 3x3 share blocks of the file system with others.
                    assert!(n_slabs > 10 && (cols == 3 || released > 0), "{what}: {released} bytes, {n_slabs} slabs");
                    assert!(stops == 0 || n_seen > 0, "{what}");
                }
                assert!((0..space.n_layers()).all(|layer| run.released(Layer(layer)).is_empty()));
                let checks = run.checks().unwrap();
                let checked = |key| space.layout().positions(key).min(CHECKED as u64);
                let expected: u64 = space.layout().layers().iter().flatten().map(|&key| checked(key)).sum();
                assert_eq!(checks.layers.iter().map(|layer| layer.scores).sum::<u64>(), expected, "{what}");
                let found = fs::read_to_string(path.join("manifest.json")).unwrap();
                assert!(*manifest.get_or_insert_with(|| found.clone()) == found, "{what}: another manifest");
            }
        }
    }
}

/// Makes every so many-th slab wait until the others do not get on.
struct Stall {
    every: usize,
    n_solved: AtomicUsize,
}

impl Observer for Stall {
    fn positions(&self, _n: u64) {
        let n_solved = || self.n_solved.load(Ordering::Relaxed);
        if !(self.n_solved.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.every) {
            return;
        }
        let mut before = 0;
        while before != n_solved() {
            before = n_solved();
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn the_disk_planned_is_enough_when_slabs_are_slow() {
    let space = space(&start(2, 7, Start::American), SpaceKind::Quiet);
    let rules = Rules::new(&space, 0).unwrap();
    let plan = Plan::new(space.layout());
    let machine = Machines::one(2, u64::MAX, 1e9);
    let peak = DryRun::new((&space, &plan), machine, &Budget::unbounded()).unwrap().disk;
    let disk = peak.least_disk(0).try_into().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let run = run(directory.path(), (&space, rules), 0).limited_to(disk);
    let stall = Stall { every: 100, n_solved: 0.into() };
    pool.install(|| solve(&space, rules, &run, u64::MAX, &stall)).unwrap();
}

#[test]
fn only_what_was_checked_is_said_to_be() {
    let space = space(&start(3, 3, Start::American), SpaceKind::Quiet);
    let rules = Rules::new(&space, 0).unwrap();
    let positions = space.layout().total_positions() as u64;
    let directory = tempfile::tempdir().unwrap();
    // Without checks, with some, without, with more. Each goes on in another stack of layers, where checks begin anew.
    for (per_slab, until) in [(0, positions / 12), (3, positions / 4 * 3), (0, positions / 12 * 11), (5, u64::MAX)] {
        let run = run(directory.path(), (&space, rules), 4).checking(per_slab);
        let watch = Watch::new(&run, until);
        let _ = solve(&space, rules, &run, 0, &watch);
        assert_eq!(run.checks().map_or(0, |checks| checks.per_slab), per_slab);
    }
    let checks = RunDir::open(directory.path()).unwrap().checks().unwrap();
    let sum: u64 = checks.layers.iter().map(|layer| layer.scores).sum();
    let checked = |key| space.layout().positions(key).min(5);
    let below: u64 = space.layout().layers()[..checks.layer.0].iter().flatten().map(|&key| checked(key)).sum();
    let all: u64 = space.layout().layers().iter().flatten().map(|&key| checked(key)).sum();
    assert!((below..all).contains(&sum), "{below} {sum} {all}");
    assert!((0..checks.layer.0).all(|layer| checks.layers.iter().any(|check| check.layer == Layer(layer))));
}
