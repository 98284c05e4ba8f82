//! Slabs that are released while a run is solved: known to be gone, never damaged, and as many after any fault.
#![cfg(target_os = "linux")]

use super::common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use crate::{RunDir, ScoreRead, ScoreRelease, ScoreWrite, StoreError};
use common::fault::Faulty;
use common::{Slabs, finished_run, game, record_of, trials};
use dab_space::{Layer, SlabId};

/// Three layers with slabs of a few blocks of the file system each.
fn layers() -> Vec<Slabs> {
    let sizes =
        [&[(60, 400)][..], &[(20, 300), (30, 400), (3, 11), (60, 400)], &[(60, 300), (7, 3), (40, 300), (30, 400)]];
    sizes.iter().zip(1..).map(|(sizes, seed)| Slabs::new(&game("2x2", 0), sizes, 100, seed)).collect()
}

/// Solves the layers that are not solved yet and keeps layer 0, slabs in a strange order. Layer 1 is the last one to read all slabs
/// of layer 2 but one.
fn solve(storage: &Arc<Faulty>, path: &Path, layers: &[Slabs], disk: u64) -> Result<RunDir, StoreError> {
    let run = RunDir::create_or_resume_on(storage.clone(), path, &game("2x2", 0), layers.len())?;
    let run = run.with_block_positions(64).keeping(Layer(0)).limited_to(disk);
    for (layer, slabs) in layers.iter().enumerate().rev() {
        if !run.is_finished(Layer(layer)) {
            let shapes = slabs.shapes();
            let sink = run.begin_layer(Layer(layer), &shapes)?;
            let there = sink.resumed_slabs();
            for slab in [2, 3, 1, 0].into_iter().filter(|&slab| slab < shapes.len() && !there.contains(slab)) {
                sink.put(slab, slabs.scores[slab].clone())?;
                // Slab 1 of layer 2 is read by slabs 3 and 2 of layer 1.
                if layer == 1 && slab < 2 && run.wants_release() {
                    sink.sync()?;
                    run.release(&[SlabId::new(2, 1)])?;
                }
            }
            sink.finish()?;
        }
        if layer == 1 {
            run.release(&[0, 1, 2].map(|slab| SlabId::new(2, slab)))?;
        }
    }
    Ok(run)
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Bytes that a file takes on disk.
fn taken(path: &Path) -> u64 {
    fs::metadata(path).unwrap().blocks() * 512
}

/// The least disk with which a solve succeeds, and the length of all score files.
fn least_disk(layers: &[Slabs]) -> (u64, u64) {
    let directory = tempfile::tempdir().unwrap();
    let run = solve(&Arc::new(Faulty::never()), directory.path(), layers, u64::MAX).unwrap();
    let all: u64 = (0..3).map(|layer| run.finished(Layer(layer)).unwrap().bytes).sum();
    let (mut too_little, mut enough) = (0, all + (1 << 20));
    while enough - too_little > 64 {
        let disk = too_little.midpoint(enough);
        let directory = tempfile::tempdir().unwrap();
        match solve(&Arc::new(Faulty::never()), directory.path(), layers, disk) {
            Ok(_) => enough = disk,
            Err(StoreError::DiskSpent { .. }) => too_little = disk,
            Err(error) => panic!("{error}"),
        }
    }
    (enough, all)
}

#[test]
fn a_reader_hears_of_what_is_released_meanwhile() {
    let layers = layers();
    let directory = tempfile::tempdir().unwrap();
    let run = finished_run(directory.path(), &game("2x2", 0), &layers).keeping(Layer(0));
    let reader = RunDir::open(directory.path()).unwrap();
    let shapes = layers[2].shapes();
    reader.read_slab(SlabId::new(2, 0), shapes[0]).unwrap();
    run.release(&[0, 1, 2].map(|slab| SlabId::new(2, slab))).unwrap();
    assert!(run.released_bytes() > 0);
    for read in [
        reader.read_slab(SlabId::new(2, 0), shapes[0]).map(drop),
        reader.read_score(SlabId::new(2, 0), shapes[0], 30, 200).map(drop),
        reader.read_scores(SlabId::new(2, 0), shapes[0], &[9000]).map(drop),
    ] {
        assert!(matches!(read, Err(StoreError::Released { slab: 0, .. })), "{read:?}");
    }
    reader.read_slab(SlabId::new(2, 3), shapes[3]).unwrap();
}

#[test]
fn released_slabs_are_gone_and_known_to_be() {
    let layers = layers();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run = solve(&Arc::new(Faulty::never()), path, &layers, u64::MAX).unwrap();
    let file = path.join("layer-02.score");
    let bytes = run.finished(Layer(2)).unwrap().bytes;
    let digest = run.digest();
    assert_eq!(run.released(Layer(2)).to_string(), "0-2");
    assert!(run.released_bytes() > 2 * 4096 && taken(&file) <= bytes.next_multiple_of(4096) - run.released_bytes());
    drop(run);
    let resumed = RunDir::create_or_resume(path, &game("2x2", 0), 3).unwrap();
    assert!(resumed.dropped().is_empty());
    drop(resumed);

    let reader = RunDir::open(path).unwrap();
    assert_eq!((reader.digest(), reader.finished(Layer(2)).unwrap().bytes), (digest, bytes));
    let (shapes, scores) = (layers[2].shapes(), &layers[2].scores);
    for (slab, &shape) in shapes.iter().enumerate().take(3) {
        let id = SlabId::new(2, slab);
        let errors = [
            reader.read_slab(id, shape).map(drop).unwrap_err(),
            reader.read_score(id, shape, 1, 2).map(drop).unwrap_err(),
            reader.read_scores(id, shape, &[0, 3]).map(drop).unwrap_err(),
            reader.stored_layer(Layer(2)).unwrap().record(slab).map(drop).unwrap_err(),
        ];
        for error in errors {
            assert!(
                matches!(error, StoreError::Released { .. }) && error.to_string().contains("was released"),
                "{error}"
            );
        }
    }
    assert!(reader.read_slab(SlabId::new(2, 3), shapes[3]).unwrap() == scores[3]);
    layers[1].check(&reader, Layer(1));
    layers[0].check(&reader, Layer(0));
    drop(reader);

    // Another slab that is damaged comes into a file of its own, and its room is given back, too; damage of the directory is named.
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[record_of(&whole, 3).start + 200] ^= 1;
    fs::write(&file, damaged).unwrap();
    let run = RunDir::open_to_repair(path).unwrap();
    let recompute = |id: SlabId| Ok::<_, StoreError>(scores[id.slab].clone());
    assert_eq!(run.repair(Layer(2), &shapes, recompute).unwrap().len(), 1);
    assert_eq!(run.repair(Layer(2), &shapes, recompute).unwrap().len(), 0);
    assert!(run.read_slab(SlabId::new(2, 3), shapes[3]).unwrap() == scores[3]);
    assert_eq!((run.digest(), run.released(Layer(2)).to_string()), (digest, "0-2".into()));
    assert!(taken(&file) <= 2 * 4096 && path.join("layer-02.1.score").exists());
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&file, damaged).unwrap();
    assert!(matches!(run.repair(Layer(2), &shapes, recompute), Err(StoreError::Released { .. })));
    fs::write(&file, whole).unwrap();
    run.discard(Layer(2)).unwrap();
    assert!(run.released(Layer(2)).is_empty() && run.released_bytes() == 0);
}

#[test]
fn without_holes_every_slab_stays() {
    let layers = layers();
    let directory = tempfile::tempdir().unwrap();
    let run = solve(&Arc::new(Faulty::without_holes()), directory.path(), &layers, u64::MAX).unwrap();
    assert!(run.released(Layer(2)).is_empty() && run.released_bytes() == 0);
    layers.iter().enumerate().for_each(|(layer, slabs)| slabs.check(&run, Layer(layer)));
}

#[test]
fn a_run_that_releases_needs_less_disk() {
    let layers = layers();
    let (least, all) = least_disk(&layers);
    assert!(least + 3 * 4096 < all, "{least} of {all} bytes");
}

#[test]
fn every_fault_at_every_operation() {
    let layers = layers();
    let (least, all) = least_disk(&layers);
    for disk in [least, all + (1 << 20)] {
        trials::every_fault_at_every_operation(
            |storage, path| solve(storage, path, &layers, disk),
            |path| solve(&Arc::new(Faulty::never()), path, &layers, all + (1 << 20)).unwrap(),
            |run| assert!(run.released_bytes() > 2 * 4096),
            files,
        );
    }
}

#[test]
fn a_fault_during_recovery() {
    let layers = layers();
    trials::faults_during_recovery((300, 3), |storage, path| solve(storage, path, &layers, u64::MAX), files);
}

/// What they were solved from may be released, too, so a solve must leave what there is to somebody who knows better.
#[test]
fn a_damaged_layer_beside_released_slabs_is_not_touched() {
    let layers = layers();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    drop(solve(&Arc::new(Faulty::never()), path, &layers, u64::MAX).unwrap());
    let file = path.join("layer-02.score");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    fs::write(&file, bytes).unwrap();
    let before = files(path);
    let resume = || RunDir::create_or_resume(path, &game("2x2", 0), 3).map(drop);
    assert!(matches!(resume(), Err(StoreError::Damaged { .. })));
    assert!(files(path) == before);
    fs::remove_file(&file).unwrap();
    assert!(matches!(resume(), Err(StoreError::MissingLayer { layer: Layer(2), .. })));
}
