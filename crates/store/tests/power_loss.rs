//! After a power cut at any operation, whatever is lost of what was not synced, the same solve goes on and ends in the same scores:
//! no finished layer is lost, and nothing was given back that an unsolved slab still reads.
#![cfg(target_os = "linux")]

use super::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::{RunDir, ScoreRead, ScoreRelease, ScoreWrite, Storage, StoreError};
use common::fault::Faulty;
use common::power::Power;
use common::{Random, Slabs, game};
use dab_space::{Layer, SlabId};

/// Four layers, most slabs of some blocks of the file system.
fn layers() -> Vec<Slabs> {
    let sizes = [
        &[(30, 200)][..],
        &[(40, 200), (3, 11), (60, 200)],
        &[(60, 200), (7, 3), (40, 300), (30, 300)],
        &[(50, 200), (60, 200), (5, 5)],
    ];
    sizes.iter().zip(1..).map(|(sizes, seed)| Slabs::new(&game("2x2", 0), sizes, 100, seed)).collect()
}

/// The slabs that a slab reads: some of the layer above.
fn sources(layers: &[Slabs], id: SlabId) -> Vec<SlabId> {
    let above = id.layer.0 + 1;
    let Some(slabs) = layers.get(above) else { return Vec::new() };
    let n = slabs.scores.len();
    [id.slab % n, (id.slab + 1) % n].map(|slab| SlabId::new(above, slab)).into()
}

/// Solves what is not solved yet and keeps layer 0 and, if two layers are solved together, reads slabs of an open layer.
fn solve(storage: Arc<dyn Storage>, path: &Path, layers: &[Slabs]) -> Result<RunDir, StoreError> {
    let run = RunDir::create_or_resume_on(storage, path, &game("2x2", 0), layers.len())?;
    assert!(run.dropped().is_empty(), "{:?}", run.dropped());
    let run = run.with_block_positions(64).keeping(Layer(0)).limited_to(1 << 20);
    let shapes: Vec<_> = layers.iter().map(Slabs::shapes).collect();
    let mut unsolved: BTreeSet<SlabId> = (0..layers.len())
        .filter(|&layer| !run.is_finished(Layer(layer)))
        .flat_map(|layer| (0..layers[layer].scores.len()).map(move |slab| SlabId::new(layer, slab)))
        .collect();
    let unread = |unsolved: &BTreeSet<SlabId>, layer: usize| -> Vec<SlabId> {
        let all = (0..layers[layer].scores.len()).map(|slab| SlabId::new(layer, slab));
        all.filter(|id| !unsolved.iter().any(|&reader| sources(layers, reader).contains(id))).collect()
    };
    for layer in (0..layers.len()).rev().filter(|&layer| !run.is_finished(Layer(layer))) {
        let sink = run.begin_layer(Layer(layer), &shapes[layer])?;
        let there = sink.resumed_slabs();
        there.ranges().flatten().for_each(|slab| assert!(unsolved.remove(&SlabId::new(layer, slab))));
        for slab in (0..shapes[layer].len()).filter(|&slab| !there.contains(slab)) {
            let id = SlabId::new(layer, slab);
            for source in sources(layers, id) {
                let scores = run.read_slab(source, shapes[source.layer.0][source.slab])?;
                assert!(scores == layers[source.layer.0].scores[source.slab]);
            }
            sink.put(slab, layers[layer].scores[slab].clone())?;
            unsolved.remove(&id);
            if layer + 1 < layers.len() && run.wants_release() {
                sink.sync()?;
                run.release(&unread(&unsolved, layer + 1))?;
            }
        }
        sink.finish()?;
        if layer + 2 < layers.len() {
            run.discard(Layer(layer + 2))?;
        }
    }
    run.discard(Layer(1))?;
    Ok(run)
}

#[test]
fn a_loss_at_every_operation_resumes_to_the_same_scores() {
    check_losses(100, |at, round| at % 3 == round);
}

#[test]
#[ignore = "long: one, two and three losses from every operation on"]
fn every_loss_resumes_to_the_same_scores() {
    check_losses(300, |_, _| true);
}

/// Cuts the power at operations, in some of three rounds: once, twice, and three times before a solve ends.
fn check_losses(least: usize, choose: impl Fn(usize, usize) -> bool) {
    let layers = layers();
    let whole = tempfile::tempdir().unwrap();
    let storage = Arc::new(Power::new(whole.path(), usize::MAX));
    let run = solve(storage.clone(), whole.path(), &layers).unwrap();
    let (digest, n_operations) = (run.digest(), storage.n_done());
    assert!(digest.is_some() && n_operations > 60, "{n_operations}");
    let mut random = Random(7);
    let mut n_lost = 0;
    for round in 0..3 {
        for at in (0..n_operations).filter(|&at| choose(at, round)) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            // The first cut is at every operation, later ones at any.
            let mut cut = at;
            for _ in 0..1 + round {
                let storage = Arc::new(Power::new(path, cut));
                let stopped = solve(storage.clone(), path, &layers).map(drop);
                if let Err(error) = stopped {
                    let told = common::told(&error);
                    assert!(told.contains("the power is gone"), "{told}");
                    n_lost += 1;
                }
                storage.lose(path, &mut random);
                cut = random.below(n_operations as u64) as usize;
            }
            let run = solve(Arc::new(Faulty::never()), path, &layers).unwrap();
            assert_eq!(run.digest(), digest, "{at}");
            layers[0].check(&run, Layer(0));
        }
    }
    assert!(n_lost > least, "{n_lost}");
}
