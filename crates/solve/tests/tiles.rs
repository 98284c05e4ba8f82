//! A solve that is short of memory decodes just the tiles that it reads, some of them again and again, and gets the same scores.
//!
//! Debug builds put scores that no position has in place of those that are not decoded, so that reading one is noticed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::plan::load::Machines;
use crate::plan::{DryRun, Plan};
use crate::{Observer, Shares, solve};
use dab_space::{Budget, Layer, Rules, Space, SpaceKind};
use dab_store::{Game, MemoryStore, RunDir, ScoreRead};

/// Counts scores that were decoded.
#[derive(Default)]
struct Decoded(AtomicU64);

impl Observer for Decoded {
    fn decoded(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }
}

#[test]
fn few_tiles_are_decoded_and_scores_are_the_same() {
    for (start, kind, marks) in [
        ("3x4", SpaceKind::Quiet, false),
        ("3x4", SpaceKind::Quiet, true),
        ("3x3", SpaceKind::Full, false),
        ("2x6", SpaceKind::Quiet, false),
        ("2x6", SpaceKind::Quiet, true),
        ("5x5:510264066c84442", SpaceKind::Quiet, false),
    ] {
        let space = Space::new(start.parse().unwrap(), kind).unwrap();
        let mut rules = Rules::new(&space, 0).unwrap();
        if marks {
            rules = rules.with_marks(space.layout().units().start(), kind).unwrap();
        }
        let expected = MemoryStore::new(space.n_layers()).with_marks(marks);
        solve(&space, rules, &expected, u64::MAX, &()).unwrap();
        let largest = space.layout().largest_slab();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let least = Shares::least(largest, threads);
            let decodes = [0, least, 8 * least, u64::MAX].map(|budget| {
                let (dir, decoded) = (tempfile::tempdir().unwrap(), Decoded::default());
                let run = RunDir::create_or_resume(dir.path(), &Game::of(&space, rules), space.n_layers()).unwrap();
                // Slabs of 16 rows and 64 columns have tiles.
                let run = run.with_block_positions(16);
                pool.install(|| solve(&space, rules, &run, budget, &decoded)).unwrap();
                for layer in (0..space.n_layers()).map(Layer) {
                    let digests = |store: &dyn ScoreRead| {
                        let layer = store.finished(layer).unwrap();
                        (layer.digest, layer.marks_digest)
                    };
                    let said = format!("{start} {kind}, marks {marks}, {threads} threads, {budget}: {layer}");
                    assert_eq!(digests(&run), digests(&expected), "{said}");
                }
                decoded.0.load(Ordering::Relaxed) as f64 / space.layout().total_positions() as f64
            });
            assert!(decodes[0] > decodes[2] && decodes[3] == 0.0, "{start} {kind}, {threads} threads: {decodes:?}");
        }
    }
}

/// The schedule run dry decodes about what the solve does.
#[test]
fn decodes_are_foretold() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for start in ["3x4", "2x6", "5x5:510264066c84442"] {
        let space = Space::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let (rules, plan) = (Rules::new(&space, 0).unwrap(), Plan::new(space.layout()));
        for more in [0, 2 << 20] {
            let memory = plan.least_memory(1) + more;
            let dry = DryRun::new((&space, &plan), Machines::one(1, memory, 1e9), &Budget::unbounded()).unwrap();
            let (dir, decoded) = (tempfile::tempdir().unwrap(), Decoded::default());
            let run = RunDir::create_or_resume(dir.path(), &Game::of(&space, rules), space.n_layers()).unwrap();
            pool.install(|| solve(&space, rules, &run, plan.slab_budget(memory, 1), &decoded)).unwrap();
            let ratio = dry.decoded as f64 / decoded.0.load(Ordering::Relaxed) as f64;
            assert!((0.75..1.1).contains(&ratio), "{start} with {memory}: {ratio}");
        }
    }
}
