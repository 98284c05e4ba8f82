//! After a failure, torn write or freeze at any operation, the same call goes on and ends in the same bytes.

use super::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use dab_space::Layer;

use crate::{BookFile, Part, RunDir, ScoreRead, ScoreRelease, ScoreWrite, StoreError, Wanted};
use common::fault::{Fault, Faulty};
use common::{Random, Slabs, finished_run, game, layers, told, trials};

/// Names and bytes of a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Solves the layers that are not solved yet. The last of several layers is not kept.
fn solve(storage: &Arc<Faulty>, path: &Path, layers: &[Slabs]) -> Result<(), StoreError> {
    let run = RunDir::create_or_resume_on(storage.clone(), path, &game("2x2", 0), layers.len())?;
    let run = run.with_block_positions(16);
    for (layer, slabs) in layers.iter().enumerate().rev() {
        if run.is_finished(Layer(layer)) {
            continue;
        }
        let shapes = slabs.shapes();
        let sink = run.begin_layer(Layer(layer), &shapes)?;
        let there = sink.resumed_slabs();
        for slab in (0..shapes.len()).filter(|&slab| !there.contains(slab)) {
            sink.put(slab, slabs.scores[slab].clone())?;
        }
        sink.finish()?;
    }
    if layers.len() > 1 { run.discard(Layer(layers.len() - 1)) } else { Ok(()) }
}

/// Bytes of an uninterrupted run of these layers, and the number of operations it takes.
fn uninterrupted(layers: &[Slabs]) -> (BTreeMap<String, Vec<u8>>, usize) {
    trials::uninterrupted(|storage, path| solve(storage, path, layers), files)
}

#[test]
fn every_fault_at_every_operation() {
    let layers = layers(&game("2x2", 0));
    let (expected, n_operations) = uninterrupted(&layers);
    assert!(n_operations > 40);
    for fault in Fault::ALL {
        for at in 0..n_operations {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("run");
            let result = solve(&Arc::new(Faulty::new(at, fault)), &path, &layers);
            if let Err(error) = &result {
                let error = told(error);
                assert!(error.contains("cannot "), "{error}");
                let is_named = ["manifest.json.part", "layer-0"].iter().any(|name| error.contains(name));
                assert!(fault != Fault::Full || is_named && error.contains("no storage space"), "{error}");
            }
            // Only when the disk fills up after the last write does nobody notice.
            assert!(result.is_err() || fault == Fault::Full, "{fault:?} at {at}");
            solve(&Arc::new(Faulty::never()), &path, &layers).unwrap();
            assert!(files(&path) == expected, "{fault:?} at {at}");
        }
    }
}

#[test]
fn a_fault_during_recovery() {
    let layers = layers(&game("2x2", 0));
    trials::faults_during_recovery((1000, 1), |storage, path| solve(storage, path, &layers), files);
}

#[test]
fn what_was_finished_is_not_solved_again() {
    let layers = layers(&game("2x2", 0));
    let (_, n_operations) = uninterrupted(&layers);
    for fault in Fault::ALL {
        let mut n_finished = 0;
        for at in 0..n_operations {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            let _ = solve(&Arc::new(Faulty::new(at, fault)), path, &layers);
            let resumed = RunDir::create_or_resume(path, &game("2x2", 0), layers.len()).unwrap();
            assert!(resumed.dropped().is_empty(), "{fault:?} at {at}");
            let finished = (0..layers.len()).filter(|&layer| resumed.is_finished(Layer(layer))).count();
            assert!(finished >= n_finished, "{fault:?} at {at}");
            n_finished = finished;
        }
        assert!(n_finished + 1 >= layers.len());
    }
}

#[test]
fn a_book_is_whole_or_not_there() {
    let game = game("2x2", 0);
    let directory = tempfile::tempdir().unwrap();
    let run = finished_run(directory.path(), &game, &layers(&game));
    let storage = Arc::new(Faulty::never());
    let whole = directory.path().join("whole.book");
    BookFile::make_on(storage.clone(), &run, Layer(1), &whole).unwrap();
    for fault in Fault::ALL {
        for at in 0..storage.n_done() {
            let book = directory.path().join(format!("{at}-{fault:?}.book"));
            let made = BookFile::make_on(Arc::new(Faulty::new(at, fault)), &run, Layer(1), &book);
            assert!(made.is_err() || fault == Fault::Full, "{fault:?} at {at}");
            if !book.exists() {
                BookFile::make_on(Arc::new(Faulty::never()), &run, Layer(1), &book).unwrap();
            }
            assert!(fs::read(&book).unwrap() == fs::read(&whole).unwrap(), "{fault:?} at {at}");
        }
    }
}

/// Cuts off, flips a bit of, or zero-fills the end of the newest file.
fn damage_newest(directory: &Path, random: &mut Random) {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let held = entries.filter(|path| path.metadata().unwrap().len() > 0);
    let Some(newest) = held.max_by_key(|path| path.metadata().unwrap().modified().unwrap()) else { return };
    let mut bytes = fs::read(&newest).unwrap();
    let at = random.below(bytes.len() as u64) as usize;
    match random.below(3) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        _ => bytes[at..].fill(0),
    }
    fs::write(newest, bytes).unwrap();
}

#[test]
fn damage_between_a_kill_and_the_next_start_is_named_or_repaired() {
    let layers = layers(&game("2x2", 0));
    let (_, n_operations) = uninterrupted(&layers);
    let directory = tempfile::tempdir().unwrap();
    let digest = finished_run(directory.path(), &game("2x2", 0), &layers).digest();
    let mut random = Random(2);
    let (mut named, mut dropped) = (0, 0);
    for _ in 0..600 {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let at = random.below(n_operations as u64) as usize;
        let _ = solve(&Arc::new(Faulty::new(at, Fault::Freeze)), path, &layers);
        damage_newest(path, &mut random);
        let resume = || RunDir::create_or_resume(path, &game("2x2", 0), layers.len());
        // A damaged manifest is an error that names it and the remedy; nothing else is.
        match resume() {
            Err(StoreError::Manifest { path, .. }) => {
                named += 1;
                fs::remove_file(path).unwrap();
            }
            resumed => dropped += resumed.unwrap().dropped().len(),
        }
        solve(&Arc::new(Faulty::never()), path, &layers).unwrap();
        // A block that only a reader would look at is found by verifying.
        let run = RunDir::open_to_repair(path).unwrap().with_block_positions(16);
        for (layer, slabs) in layers.iter().enumerate().rev() {
            run.repair(Layer(layer), &slabs.shapes(), |id| Ok::<_, StoreError>(slabs.scores[id.slab].clone())).unwrap();
        }
        assert!(run.digest() == digest && digest.is_some());
        drop(run);
        assert!(!files(path).keys().any(|name| name.ends_with(".part")));
    }
    assert!(named > 10 && dropped > 10, "{named} {dropped}");
}

#[test]
fn what_is_dropped_is_named() {
    let layers = layers(&game("2x2", 0));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    solve(&Arc::new(Faulty::never()), path, &layers).unwrap();
    fs::remove_file(path.join("layer-00.score")).unwrap();
    fs::write(path.join("layer-01.score"), "short").unwrap();
    let run = RunDir::create_or_resume(path, &game("2x2", 0), 3).unwrap();
    let dropped: Vec<String> = run.dropped().iter().map(ToString::to_string).collect();
    assert!(dropped[0].contains("layer-00.score is missing"), "{dropped:?}");
    assert!(dropped[0].ends_with("; layer 0 is solved again"), "{dropped:?}");
    assert!(dropped[1].contains("layer-01.score is damaged: the header ends early"), "{dropped:?}");
    assert!(dropped[1].ends_with("; layer 1 is solved again"), "{dropped:?}");
    assert_eq!(dropped.len(), 2);
}

#[test]
fn slabs_are_read_as_soon_as_they_are_put() {
    let game = game("2x2", 0);
    let slabs = Slabs::new(&game, &[(5, 40); 30], 9, 4);
    let (expected, _) = uninterrupted(std::slice::from_ref(&slabs));
    let shapes = slabs.shapes();
    let directory = tempfile::tempdir().unwrap();
    let run = RunDir::create_or_resume(directory.path(), &game, 1).unwrap().with_block_positions(16);
    let sink = run.begin_layer(Layer(0), &shapes).unwrap();
    for slab in 0..29 {
        sink.put(slab, slabs.scores[slab].clone()).unwrap();
        assert!(sink.read_part(slab, Part::default(), &Wanted::ALL).unwrap() == slabs.scores[slab]);
    }
    assert!(matches!(sink.read_scores(29, &[0]), Err(StoreError::Unfinished { .. })));
    assert_eq!(sink.resumed_slabs().to_string(), "0-28");
    sink.put(29, slabs.scores[29].clone()).unwrap();
    let places = [7, 150, 3];
    assert_eq!(sink.read_scores(29, &places).unwrap(), places.map(|place| slabs.scores[29][place]));
    sink.finish().unwrap();
    drop(run);
    assert!(files(directory.path()) == expected);

    let directory = tempfile::tempdir().unwrap();
    let disk = expected["layer-00.score"].len() as u64 / 2;
    let run = RunDir::create_or_resume(directory.path(), &game, 1).unwrap().with_block_positions(16).limited_to(disk);
    let sink = run.begin_layer(Layer(0), &shapes).unwrap();
    let error = (0..29).find_map(|slab| sink.put(slab, slabs.scores[slab].clone()).err());
    assert!(matches!(error, Some(StoreError::DiskSpent { .. })), "{error:?}");
}

#[test]
fn threads_together_do_not_outgrow_the_disk() {
    let game = game("2x2", 0);
    let slabs = Slabs::new(&game, &[(40, 60); 16], 100, 5);
    let (shapes, directory) = (slabs.shapes(), tempfile::tempdir().unwrap());
    for disk in [0, 3000, 9000, 20_000] {
        let run = RunDir::create_or_resume(directory.path(), &game, 1).unwrap().limited_to(disk);
        let Ok(sink) = run.begin_layer(Layer(0), &shapes) else { continue };
        let there = sink.resumed_slabs();
        let (sink, slabs) = (&sink, &slabs);
        std::thread::scope(|scope| {
            for slab in (0..16).filter(|&slab| !there.contains(slab)) {
                scope.spawn(move || sink.put(slab, slabs.scores[slab].clone()));
            }
        });
        let len = files(directory.path())["layer-00.score.part"].len() as u64;
        assert!(len <= disk && len + 3000 > disk, "{len} of {disk}");
    }
}
