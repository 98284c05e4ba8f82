//! Layers that are not kept: known to be finished, gone from the disk.

use super::common;

use std::fs;

use crate::{BookFile, RunDir, ScoreRead, ScoreRelease, StoreError};
use common::{Slabs, finished_run, game, layers};
use dab_space::{Layer, SlabId};

#[test]
fn a_discarded_layer_is_finished_and_gone() {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run = finished_run(path, &game, &layers);
    let (digest, summary) = (run.digest(), run.finished(Layer(2)).unwrap());
    let shapes = layers[2].shapes();
    run.read_slab(SlabId::new(2, 0), shapes[0]).unwrap();
    let file = path.join("layer-02.score");
    let bytes = fs::read(&file).unwrap();

    run.discard(Layer(2)).unwrap();
    run.discard(Layer(2)).unwrap();
    drop(run);
    assert!(!file.exists());
    // The file that a killed writer has left is removed, and nothing is solved again.
    fs::write(&file, bytes).unwrap();
    let resumed = RunDir::create_or_resume(path, &game, layers.len()).unwrap();
    assert!(!file.exists() && resumed.dropped().is_empty());
    drop(resumed);

    let reader = RunDir::open(path).unwrap();
    assert_eq!((reader.digest(), reader.finished(Layer(2))), (digest, Some(summary)));
    assert!(reader.is_discarded(Layer(2)) && !reader.is_discarded(Layer(1)));
    layers[1].check(&reader, Layer(1));
    let error = reader.read_slab(SlabId::new(2, 0), shapes[0]).unwrap_err();
    assert!(matches!(error, StoreError::Discarded { layer: Layer(2), .. }));
    assert!(error.to_string().contains("did not keep layer"), "{error}");

    // A book of the layers that are here can be made, one of the rest cannot.
    BookFile::make(&reader, Layer(1), &path.join("short.book")).unwrap();
    assert!(matches!(
        BookFile::make(&reader, Layer(2), &path.join("long.book")),
        Err(StoreError::Discarded { layer: Layer(2), .. })
    ));
    assert!(!path.join("long.book").exists());
}

#[test]
fn a_reader_hears_of_what_is_discarded_meanwhile() {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let run = finished_run(directory.path(), &game, &layers);
    let reader = RunDir::open(directory.path()).unwrap();
    run.discard(Layer(2)).unwrap();
    let read = reader.read_slab(SlabId::new(2, 0), layers[2].shapes()[0]);
    assert!(matches!(read, Err(StoreError::Discarded { layer: Layer(2), .. })), "{read:?}");
    layers[1].check(&reader, Layer(1));
    // A layer that is lost is another thing.
    fs::remove_file(directory.path().join("layer-00.score")).unwrap();
    let read = reader.read_slab(SlabId::new(0, 0), layers[0].shapes()[0]);
    assert!(matches!(read, Err(StoreError::MissingLayer { layer: Layer(0), .. })), "{read:?}");
}

#[test]
fn a_run_does_not_outgrow_its_disk() {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let whole = finished_run(&directory.path().join("whole"), &game, &layers);
    let byte_len: u64 = (0..3).map(|layer| whole.finished(Layer(layer)).unwrap().bytes).sum();
    let write = |disk: u64| {
        let run = RunDir::create_or_resume(&directory.path().join("run"), &game, layers.len())?;
        let run = run.with_block_positions(16).limited_to(disk);
        let unfinished = |layer: &usize| !run.is_finished(Layer(*layer));
        (0..layers.len())
            .rev()
            .filter(unfinished)
            .try_for_each(|layer| layers[layer].write(&run, Layer(layer)).map(drop))
    };
    let error = write(byte_len / 2).unwrap_err();
    assert!(
        matches!(error, StoreError::DiskSpent { .. }) && error.to_string().contains("would outgrow its limit of"),
        "{error}"
    );
    write(byte_len).unwrap();
    let run = RunDir::open(&directory.path().join("run")).unwrap();
    assert_eq!(run.digest(), whole.digest());
    let slabs: Vec<&Slabs> = layers.iter().collect();
    slabs.iter().enumerate().for_each(|(layer, slabs)| slabs.check(&run, Layer(layer)));
}
