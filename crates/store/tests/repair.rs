//! A repaired layer has the bytes it had, and just what was damaged is computed again.

mod common;

use std::fs;
use std::path::Path;

use dab_space::Layer;

use common::{Slabs, finished_run, game, layers};
use dab_store::{RunDir, Scores, StoreError};

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

/// A finished run of three layers and the slabs of layer 1, of which there are three.
fn with_run(check: impl Fn(&Path, &[u8], &Slabs)) {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    drop(finished_run(directory.path(), &game, &layers));
    let bytes = fs::read(directory.path().join(FILE)).unwrap();
    check(directory.path(), &bytes, &layers[1]);
}

#[test]
fn every_flipped_byte_costs_at_most_one_slab() {
    with_run(|run, bytes, slabs| {
        let (found, asked) = repair(run, slabs).unwrap();
        assert!(found.is_empty() && asked.is_empty());
        for byte in 0..bytes.len() {
            let mut flipped = bytes.to_vec();
            flipped[byte] ^= 1 << (byte % 8);
            fs::write(run.join(FILE), flipped).unwrap();
            let (found, asked) = repair(run, slabs).unwrap();
            assert!(!found.is_empty() && found.iter().all(|fault| fault.contains(FILE)), "{found:?}");
            assert!(asked.len() <= 1, "byte {byte}: {asked:?}");
            assert!(fs::read(run.join(FILE)).unwrap() == bytes, "byte {byte}");
        }
        RunDir::open(run).unwrap().layer_file(Layer(1)).unwrap().verify().unwrap();
    });
}

#[test]
fn truncated_zero_filled_and_missing_files() {
    with_run(|run, bytes, slabs| {
        for len in (0..bytes.len()).step_by(5) {
            let mut zero_filled = bytes[..len].to_vec();
            zero_filled.resize(bytes.len(), 0);
            for damaged in [&bytes[..len], &zero_filled] {
                fs::write(run.join(FILE), damaged).unwrap();
                assert_eq!(repair(run, slabs).unwrap().0.len(), 1);
                assert!(fs::read(run.join(FILE)).unwrap() == bytes, "{len}");
            }
        }
        fs::remove_file(run.join(FILE)).unwrap();
        let (found, asked) = repair(run, slabs).unwrap();
        assert!(found[0].contains("layer-01.score is missing"), "{found:?}");
        assert_eq!(asked, [2, 1, 0]);
        assert!(fs::read(run.join(FILE)).unwrap() == bytes);
    });
}

#[test]
fn each_damaged_slab_is_named() {
    with_run(|run, bytes, slabs| {
        let mut flipped = bytes.to_vec();
        // Digest of the last slab, which comes first, and last block of slab 0.
        flipped[52 + 30] ^= 1;
        flipped[bytes.len() - 60 - 3 * 48 - 1] ^= 1;
        fs::write(run.join(FILE), flipped).unwrap();
        let (found, asked) = repair(run, slabs).unwrap();
        assert_eq!(asked, [2, 0]);
        assert!(found[0].contains("layer-01.score, slab 0, block 2 is damaged: checksum of the block"), "{found:?}");
        assert!(found[1].contains("layer-01.score, slab 2 is damaged: checksum of the slab record"), "{found:?}");
    });
}

#[test]
fn another_layer_than_the_listed_one_is_refused() {
    with_run(|run, bytes, slabs| {
        let mut flipped = bytes.to_vec();
        flipped[52 + 30] ^= 1;
        fs::write(run.join(FILE), &flipped).unwrap();
        let mut wrong = slabs.clone();
        wrong.scores[2] = Scores::new(slabs.scores[2].iter().map(|score| score + 2).collect());
        let error = repair(run, &wrong).unwrap_err().to_string();
        assert!(error.contains("layer-01.score cannot be repaired"), "{error}");
        assert!(fs::read(run.join(FILE)).unwrap() == flipped);
        assert!(!run.join("layer-01.score.part").exists());
        repair(run, slabs).unwrap();
    });
}

#[test]
fn an_interrupted_repair_goes_on() {
    with_run(|run, bytes, slabs| {
        fs::remove_file(run.join(FILE)).unwrap();
        let stopping = RunDir::open_to_repair(run).unwrap().with_block_positions(16);
        let stopped = stopping.repair(Layer(1), &slabs.shapes(), |id| match id.slab {
            2 => Ok(slabs.scores[2].clone()),
            _ => Err(StoreError::Exists { path: "stop".into() }),
        });
        assert!(stopped.is_err());
        assert!(matches!(RunDir::open_to_repair(run), Err(StoreError::Locked { .. })));
        drop(stopping);
        assert_eq!(repair(run, slabs).unwrap().1, [1, 0]);
        assert!(fs::read(run.join(FILE)).unwrap() == bytes);
    });
}
