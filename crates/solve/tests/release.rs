//! Slabs are released as soon as nothing unsolved reads them, never earlier, and what is kept is the same as ever.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use common::{space, start};
use dab_board::Start;
use dab_solve::{Observer, SolveError, solve};
use dab_space::{Layer, Rules, SlabId, Space, SpaceKind};
use dab_store::{Game, RunDir, ScoreRead, StoreError};

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

fn run(path: &Path, space: &Space, keep: usize) -> RunDir {
    let game = Game::of(space, Rules::new(space, 0).unwrap());
    RunDir::create_or_resume(path, &game, space.n_layers()).unwrap().keeping(Layer(keep)).with_reorder_bytes(1000)
}

/// Names and bytes of the score files.
fn scores(path: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.filter(|name| name.starts_with("layer-")).collect();
    names.sort_unstable();
    names.into_iter().map(|name| (name.clone(), fs::read(path.join(name)).unwrap())).collect()
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
    let boards = [(3, 3, SpaceKind::Full), (3, 3, SpaceKind::Quiet), (3, 4, SpaceKind::Quiet)];
    for (rows, cols, kind) in boards {
        let space = space(&start(rows, cols, Start::American), kind);
        let rules = Rules::new(&space, 0).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let whole = run(directory.path(), &space, usize::MAX);
        solve(&space, rules, &whole, u64::MAX, &()).unwrap();
        let all = scores(directory.path());
        let positions = space.layout().total_positions() as u64;
        for (keep, stops) in [(0, 0), (8, 4), (space.n_layers() - 2, 1)] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            let (mut released, mut n_seen) = (0, 0);
            for stop in 1..=stops {
                let run = run(path, &space, keep);
                assert!(run.dropped().is_empty());
                let watch = Watch::new(&run, positions * stop / (stops + 1));
                // Without a budget every input is read from the file, so that none that is released too early goes unnoticed.
                assert!(matches!(solve(&space, rules, &run, 0, &watch), Err(SolveError::Stopped { .. })));
                drop(run);
                n_seen += check_held(&space, &RunDir::open(path).unwrap(), &whole);
            }
            let run = run(path, &space, keep);
            let watch = Watch::new(&run, u64::MAX);
            solve(&space, rules, &run, 0, &watch).unwrap();
            released += watch.released.into_inner();
            assert_eq!(run.digest(), whole.digest());
            assert!(scores(path) == all[..=keep], "{rows}x{cols} {kind}, {keep} kept");
            // In the full space a layer is discarded as soon as the next one is solved.
            if keep <= 8 && kind == SpaceKind::Quiet {
                assert!(
                    released > 0 && watch.n_slabs.into_inner() > 10,
                    "{rows}x{cols} {kind}: {released} bytes released"
                );
                assert!(stops == 0 || n_seen > 0);
            }
            assert!((0..space.n_layers()).all(|layer| run.released(Layer(layer)).is_empty()));
        }
    }
}
