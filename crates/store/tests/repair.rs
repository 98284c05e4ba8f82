//! A repaired layer has the scores it had, and just what was damaged is computed again.

use super::common;

use std::fs;
use std::path::Path;

use dab_space::{Layer, SlabId};

use crate::{Digest, RunDir, ScoreRead, Scores, StoreError};
use common::{Slabs, finished_run, game, layers, record_of, records, run_of_two_files};

const FILE: &str = "layer-01.score";

/// Repairs layer 1 from its slabs; returns what was wrong and the slabs that were asked for.
fn repair(run: &Path, slabs: &Slabs) -> Result<(Vec<String>, Vec<usize>), StoreError> {
    let mut asked = Vec::new();
    let run = RunDir::open_to_repair(run)?.with_block_positions(16);
    let found = run.repair(Layer(1), &slabs.shapes(), |id| {
        assert_eq!(id.layer, Layer(1));
        asked.push(id.slab);
        Ok::<Scores, StoreError>(slabs.scores[id.slab].clone())
    })?;
    Ok((found.iter().map(ToString::to_string).collect(), asked))
}

/// A finished run of three layers, layer 1 in one file, its bytes, and its slabs, of which there are three. `reset` makes it anew.
fn with_run(check: impl Fn(&Path, &[u8], &Slabs, &dyn Fn())) {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    drop(finished_run(run, &game, &layers));
    let read = |name: &str| fs::read(run.join(name)).unwrap();
    let (bytes, manifest) = (read(FILE), read("manifest.json"));
    let reset = || {
        let _ = fs::remove_file(run.join("layer-01.1.score"));
        fs::write(run.join(FILE), &bytes).unwrap();
        fs::write(run.join("manifest.json"), &manifest).unwrap();
    };
    check(run, &bytes, &layers[1], &reset);
}

/// Asserts that layer 1 is whole: every byte of it, in no more files than it takes.
#[track_caller]
fn check(run: &Path, slabs: &Slabs, digest: Option<Digest>) {
    let opened = RunDir::open(run).unwrap();
    for (slab, (shape, scores)) in slabs.shapes().into_iter().zip(&slabs.scores).enumerate() {
        assert!(opened.read_slab(SlabId::new(1, slab), shape).unwrap() == *scores);
    }
    opened.stored_layer(Layer(1)).unwrap().verify().unwrap();
    assert!(digest.is_none() || opened.digest() == digest);
    assert!(repair(run, slabs).unwrap().0.is_empty());
    let names = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.ends_with(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_flipped_byte_costs_at_most_one_slab() {
    check_repairs(3);
}

#[test]
#[ignore = "long: every byte of a file"]
fn every_flipped_byte_costs_at_most_one_slab() {
    check_repairs(1);
}

/// Repairs a file that is damaged in every byte, or some by this step.
fn check_repairs(step: usize) {
    with_run(|run, bytes, slabs, reset| {
        let digest = RunDir::open(run).unwrap().digest();
        let (found, asked) = repair(run, slabs).unwrap();
        assert!(found.is_empty() && asked.is_empty());
        for byte in (0..bytes.len()).step_by(step) {
            let mut flipped = bytes.to_vec();
            flipped[byte] ^= 1 << (byte % 8);
            fs::write(run.join(FILE), flipped).unwrap();
            let (found, asked) = repair(run, slabs).unwrap();
            assert!(!found.is_empty() && found.iter().all(|fault| fault.contains(FILE)), "{found:?}");
            assert!(asked.len() <= 1, "byte {byte}: {asked:?}");
            check(run, slabs, digest);
            reset();
        }
    });
}

#[test]
fn truncated_zero_filled_and_missing_files() {
    with_run(|run, bytes, slabs, reset| {
        for len in (0..bytes.len()).step_by(5) {
            let mut zero_filled = bytes[..len].to_vec();
            zero_filled.resize(bytes.len(), 0);
            for damaged in [&bytes[..len], &zero_filled] {
                fs::write(run.join(FILE), damaged).unwrap();
                let (found, asked) = repair(run, slabs).unwrap();
                assert_eq!(found.len(), 1, "{len}: {found:?}");
                // Those that lie whole before the end stay.
                let lost = records(bytes).0.iter().filter(|record| record.end > len).count();
                assert_eq!(asked.len(), lost, "{len}");
                check(run, slabs, None);
                reset();
            }
        }
        fs::remove_file(run.join(FILE)).unwrap();
        let (found, asked) = repair(run, slabs).unwrap();
        assert!(found[0].contains("layer-01.score is missing"), "{found:?}");
        assert_eq!(asked, [0, 1, 2]);
        check(run, slabs, None);
    });
}

#[test]
fn each_damaged_slab_is_named() {
    with_run(|run, bytes, slabs, _| {
        let mut flipped = bytes.to_vec();
        // Digest of the last slab, and last block of slab 0.
        flipped[record_of(bytes, 2).start + 30] ^= 1;
        flipped[record_of(bytes, 0).end - 1] ^= 1;
        fs::write(run.join(FILE), flipped).unwrap();
        let (found, asked) = repair(run, slabs).unwrap();
        assert_eq!(asked, [0, 2]);
        assert!(found[0].contains("layer-01.score, slab 0, block 2 is damaged: checksum of the block"), "{found:?}");
        assert!(found[1].contains("layer-01.score, slab 2 is damaged: checksum of the front of a record"), "{found:?}");
    });
}

#[test]
fn another_layer_than_the_listed_one_is_refused() {
    with_run(|run, bytes, slabs, _| {
        let mut flipped = bytes.to_vec();
        flipped[record_of(bytes, 2).start + 30] ^= 1;
        fs::write(run.join(FILE), &flipped).unwrap();
        let mut wrong = slabs.clone();
        wrong.scores[2] = Scores::new(slabs.scores[2].iter().map(|score| score + 2).collect());
        let error = repair(run, &wrong).unwrap_err().to_string();
        assert!(error.contains("layer-01.1.score cannot be repaired"), "{error}");
        assert!(fs::read(run.join(FILE)).unwrap() == flipped);
        assert!(!run.join("layer-01.1.score.part").exists());
        repair(run, slabs).unwrap();
    });
}

#[test]
fn an_interrupted_repair_goes_on() {
    with_run(|run, bytes, slabs, reset| {
        for is_missing in [true, false] {
            match is_missing {
                true => fs::remove_file(run.join(FILE)).unwrap(),
                // The directory is lost, and the last two records.
                false => fs::write(run.join(FILE), &bytes[..records(bytes).0[1].start + 5]).unwrap(),
            }
            let stopping = RunDir::open_to_repair(run).unwrap().with_block_positions(16);
            let n_asked = std::cell::Cell::new(0);
            let stopped = stopping.repair(Layer(1), &slabs.shapes(), |id| match n_asked.replace(n_asked.get() + 1) {
                0 => Ok(slabs.scores[id.slab].clone()),
                _ => Err(StoreError::Exists { path: "stop".into() }),
            });
            assert!(stopped.is_err());
            assert!(matches!(RunDir::open_to_repair(run), Err(StoreError::Locked { .. })));
            drop(stopping);
            assert_eq!(repair(run, slabs).unwrap().1.len(), if is_missing { 2 } else { 1 });
            check(run, slabs, None);
            reset();
        }
    });
}

#[test]
fn a_solve_goes_on_where_a_repair_stopped() {
    with_run(|run, bytes, slabs, _| {
        fs::write(run.join(FILE), &bytes[..records(bytes).0[1].start + 5]).unwrap();
        let stopping = RunDir::open_to_repair(run).unwrap().with_block_positions(16);
        let stop = |_| Err(StoreError::Exists { path: "stop".into() });
        assert!(stopping.repair(Layer(1), &slabs.shapes(), stop).is_err());
        drop(stopping);
        let solving = RunDir::create_or_resume(run, &game("2x2", 0), 3).unwrap().with_block_positions(16);
        assert!(!solving.is_finished(Layer(1)) && solving.dropped().len() == 1);
        slabs.write(&solving, Layer(1)).unwrap();
        assert!(solving.digest().is_some());
        drop(solving);
        check(run, slabs, None);
    });
}

#[test]
fn each_of_two_files_can_be_lost() {
    let game = game("2x2", 0);
    let layers = layers(&game);
    for (name, n_lost) in [("layer-01.score", 1), ("layer-01.1.score", 2)] {
        let directory = tempfile::tempdir().unwrap();
        let run = directory.path();
        let digest = run_of_two_files(run, &game, &layers).digest();
        check(run, &layers[1], digest);
        fs::remove_file(run.join(name)).unwrap();
        let (found, asked) = repair(run, &layers[1]).unwrap();
        assert!(found.len() == 1 && found[0].contains(&format!("{name} is missing")), "{found:?}");
        assert_eq!(asked.len(), n_lost);
        check(run, &layers[1], digest);
    }
}
