//! An interrupted run ends with the bytes of an uninterrupted one.

use super::common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dab_space::Layer;

use crate::{RunDir, ScoreRead, ScoreWrite, StoreError};
use common::fault::Faulty;
use common::{Slabs, game, records, run};

const SCORES: &str = "layer-00.score";
const PART: &str = "layer-00.score.part";

/// Files of an uninterrupted run.
fn files(directory: &Path) -> (Vec<u8>, Vec<u8>) {
    (fs::read(directory.join(SCORES)).unwrap(), fs::read(directory.join("manifest.json")).unwrap())
}

#[test]
fn from_truncations_and_flipped_bytes() {
    check_resumes(3);
}

#[test]
#[ignore = "long: every byte of a file"]
fn from_every_truncation_and_a_flip_in_every_byte() {
    check_resumes(1);
}

/// Resumes from a file that ends at, or is damaged in, every byte, or some by this step.
fn check_resumes(step: usize) {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
    let whole = files(directory.path());

    let interrupted = tempfile::tempdir().unwrap();
    let path = interrupted.path();
    let resume = |part: &[u8]| {
        for file in fs::read_dir(path).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
        let storage = Arc::new(Faulty::never());
        let run = RunDir::create_or_resume_on(storage, path, &game, 1).unwrap().with_block_positions(16);
        fs::write(path.join(PART), part).unwrap();
        let shapes = slabs.shapes();
        let n_resumed = run.begin_layer(Layer(0), &shapes).unwrap().resumed_slabs().len();
        slabs.write(&run, Layer(0)).unwrap();
        assert!(files(path) == whole);
        assert!(!path.join(PART).exists());
        n_resumed
    };
    let mut n_resumed = 0;
    for len in (0..whole.0.len()).step_by(step).chain([whole.0.len()]) {
        let now = resume(&whole.0[..len]);
        assert!(now == n_resumed || now == n_resumed + 1, "{now} slabs after {len} bytes");
        n_resumed = now;
        // Bytes that were allocated but never written.
        let mut zero_filled = whole.0[..len].to_vec();
        zero_filled.resize(whole.0.len(), 0);
        // Bytes of the file that are 0 are right.
        let right = zero_filled.iter().zip(&whole.0).take_while(|(a, b)| a == b).count();
        let expected = if right == len { now } else { resume(&whole.0[..right]) };
        assert_eq!(resume(&zero_filled), expected);
    }
    assert_eq!(n_resumed, 4);
    for byte in (0..whole.0.len()).step_by(step) {
        let mut flipped = whole.0.clone();
        flipped[byte] ^= 1 << (byte % 8);
        resume(&flipped);
    }
}

/// A solve alone leaves what lies behind a damaged record until something takes its place; others must not take it for records.
#[test]
fn others_follow_whole_records_only() {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
    let (mut part, _) = files(directory.path());
    let second = records(&part).0[1];
    part[second.end - 1] ^= 1;
    let interrupted = tempfile::tempdir().unwrap();
    let run = run(interrupted.path(), &game);
    let path = interrupted.path().join(PART);
    fs::write(&path, &part).unwrap();
    let (shapes, len) = (slabs.shapes(), || fs::metadata(&path).unwrap().len());
    assert_eq!(run.begin_layer(Layer(0), &shapes).unwrap().resumed_slabs().len(), 1);
    assert_eq!(len(), part.len() as u64);
    let run = run.shared();
    assert_eq!(run.begin_layer(Layer(0), &shapes).unwrap().resumed_slabs().len(), 1);
    assert_eq!(len(), second.start as u64);
}

#[test]
fn a_part_of_another_run_or_shape_is_started_anew() {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    let part = directory.path().join(PART);
    let interrupt = |game: &crate::Game, slabs: &Slabs| {
        let elsewhere = tempfile::tempdir().unwrap();
        let run = run(elsewhere.path(), game);
        let shapes = slabs.shapes();
        let sink = run.begin_layer(Layer(0), &shapes).unwrap();
        [3, 2].into_iter().for_each(|slab| sink.put(slab, slabs.scores[slab].clone()).unwrap());
        drop(sink);
        fs::copy(elsewhere.path().join(PART), &part).unwrap();
    };
    let run = run(directory.path(), &game);
    let shapes = slabs.shapes();
    let n_resumed = || run.begin_layer(Layer(0), &shapes).unwrap().resumed_slabs().len();
    interrupt(&game, &slabs);
    assert_eq!(n_resumed(), 2);
    interrupt(&common::game("2x3", 0), &slabs);
    assert_eq!(n_resumed(), 0);
    interrupt(&game, &Slabs::new(&game, &[(16, 64), (3, 11), (1, 1), (4, 9)], 20, 2));
    assert_eq!(n_resumed(), 0);
    let mut other = slabs.clone();
    let wider = Slabs::new(&game, &[(1, 2)], 20, 1);
    (other.scores[2], other.parities[2]) = (wider.scores[0].clone(), wider.parities[0].clone());
    interrupt(&game, &other);
    assert_eq!(n_resumed(), 1);
    slabs.write(&run, Layer(0)).unwrap();
    slabs.check(&run, Layer(0));
}

#[test]
fn killed_between_rename_and_manifest() {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    let manifest = directory.path().join("manifest.json");
    let run_of = || run(directory.path(), &game);
    drop(run_of());
    let empty = fs::read(&manifest).unwrap();
    let summary = slabs.write(&run_of(), Layer(0)).unwrap();
    let whole = files(directory.path());

    fs::write(&manifest, &empty).unwrap();
    assert!(!RunDir::open(directory.path()).unwrap().is_finished(Layer(0)));
    assert_eq!(run_of().finished(Layer(0)), Some(summary));
    assert!(files(directory.path()) == whole);

    fs::remove_file(&manifest).unwrap();
    assert_eq!(run_of().finished(Layer(0)), Some(summary));
    assert!(files(directory.path()) == whole);
}

#[test]
fn what_cannot_be_believed_is_computed_again() {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    slabs.write(&run(path, &game), Layer(0)).unwrap();
    let whole = files(path);
    let damages: [&dyn Fn(); 4] = [
        &|| fs::remove_file(path.join(SCORES)).unwrap(),
        &|| fs::write(path.join(SCORES), b"").unwrap(),
        &|| fs::write(path.join(SCORES), &whole.0[..whole.0.len() - 1]).unwrap(),
        &|| {
            let mut flipped = whole.0.clone();
            flipped[200] ^= 1;
            fs::write(path.join(SCORES), flipped).unwrap();
            fs::remove_file(path.join("manifest.json")).unwrap();
        },
    ];
    for damage in damages {
        damage();
        let run = run(path, &game);
        assert!(!run.is_finished(Layer(0)));
        assert!(matches!(run.stored_layer(Layer(0)), Err(StoreError::Unfinished { layer: Layer(0), .. })));
        slabs.write(&run, Layer(0)).unwrap();
        assert!(files(path) == whole);
    }
}

#[test]
fn a_file_without_slabs_that_count_is_removed() {
    let game = game("2x2", 0);
    let layers = common::layers(&game);
    let [two, one, now] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    drop(common::run_of_two_files(two.path(), &game, &layers));
    let run = |path: &Path| RunDir::create_or_resume(path, &game, 3).unwrap().with_block_positions(16);
    common::interrupt(&run(one.path()), Layer(1), &layers[1], &[0, 1, 2]);
    let run = run(now.path());
    let [old, new] = ["layer-01.score", "layer-01.1.score"].map(|name| now.path().join(name));
    fs::copy(two.path().join("layer-01.score"), &old).unwrap();
    fs::copy(one.path().join("layer-01.score.part"), now.path().join("layer-01.1.score.part")).unwrap();
    layers[1].write(&run, Layer(1)).unwrap();
    assert!(!old.exists() && new.exists());
    layers[1].check(&run, Layer(1));
    layers[1].check(&RunDir::open(now.path()).unwrap(), Layer(1));
}
