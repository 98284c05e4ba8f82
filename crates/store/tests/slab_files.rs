//! A layer that several processes solved stays in slab files: it reads, resumes and is repaired like any other.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::fault::Faulty;
use common::{Slabs, finished_run, game, layers, trials};
use dab_space::{Layer, SlabId};
use dab_store::{BookFile, RunDir, ScoreRead, ScoreWrite, Storage, StoreError};

/// Slabs with which the slab files of layers 1 and 2 begin; layer 0 has a score file.
const FIRSTS: [&[usize]; 3] = [&[], &[0, 1], &[0]];

fn open(storage: Arc<dyn Storage>, path: &Path, n_layers: usize) -> Result<RunDir, StoreError> {
    Ok(RunDir::create_or_resume_on(storage, path, &game("2x2", 0), n_layers)?.with_block_positions(16))
}

/// Solves the layers that are not solved yet as several processes do it.
fn solve(storage: &Arc<Faulty>, path: &Path, layers: &[Slabs]) -> Result<RunDir, StoreError> {
    let run = open(storage.clone(), path, layers.len())?;
    for (layer, slabs) in layers.iter().enumerate().rev() {
        if run.is_finished(Layer(layer)) {
            continue;
        }
        match FIRSTS[layer] {
            [] => drop(slabs.write(&run, Layer(layer))?),
            firsts => {
                let there = run.slab_files(Layer(layer))?;
                let missing: Vec<usize> = firsts.iter().copied().filter(|first| !there.contains(first)).collect();
                slabs.write_slab_files(&run, Layer(layer), firsts, &missing)?;
                slabs.list(&run, Layer(layer), firsts)?;
            }
        }
    }
    Ok(run)
}

fn solved(path: &Path) -> Vec<Slabs> {
    let layers = layers(&game("2x2", 0));
    solve(&Arc::new(Faulty::never()), path, &layers).unwrap();
    layers
}

/// Names and bytes of a directory and those in it.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => {
                files.extend(
                    self::files(&path)
                        .into_iter()
                        .map(|(name, bytes)| (entry.file_name().into(), name, bytes))
                        .map(|(dir, name, bytes): (PathBuf, PathBuf, Vec<u8>)| (dir.join(name), bytes)),
                );
            }
            path => drop(files.insert(entry.file_name().into(), fs::read(path).unwrap())),
        }
    }
    files
}

/// The files that one process writes.
fn by_one(layers: &[Slabs]) -> BTreeMap<PathBuf, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    drop(finished_run(directory.path(), &game("2x2", 0), layers));
    files(directory.path())
}

#[test]
fn reads_as_it_was_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let layers = solved(path);
    let (found, expected) = (files(path), by_one(&layers));
    // The manifest is that of one process; all else that differs is in pieces.
    let same = |name: &str| found.get(Path::new(name)) == expected.get(Path::new(name));
    assert!(same("manifest.json") && same("layer-00.score"));
    let whole = &expected[Path::new("layer-01.score")];
    let bytes = |name: &str| &found[Path::new(name)];
    let [first, second] = [bytes("layer-01.slabs/000000.slab"), bytes("layer-01.slabs/000001.slab")];
    assert_eq!(first[..52], whole[..52]);
    let tail = 60 + 3 * 48;
    assert!(whole[whole.len() - tail - (first.len() - 52)..whole.len() - tail] == first[52..]);
    let list = bytes("layer-01.score");
    assert!(list.len() == 52 + 2 * 8 + 4 + tail && list[list.len() - tail..] == whole[whole.len() - tail..]);
    assert_eq!(first.len() + second.len() + tail, whole.len() + 52);

    for run in [RunDir::open(path).unwrap(), open(Arc::new(Faulty::never()), path, 3).unwrap()] {
        assert!(run.dropped().is_empty());
        for (layer, slabs) in layers.iter().enumerate() {
            slabs.check(&run, Layer(layer));
            run.layer_file(Layer(layer)).unwrap().verify().unwrap();
        }
    }
    // A book of such a run is a book like any other.
    let [book, other] = ["book", "other"].map(|name| directory.path().join(name));
    BookFile::make(&RunDir::open(path).unwrap(), Layer(2), &book).unwrap();
    let alone = tempfile::tempdir().unwrap();
    BookFile::make(&finished_run(alone.path(), &game("2x2", 0), &layers), Layer(2), &other).unwrap();
    assert!(fs::read(book).unwrap() == fs::read(other).unwrap());
}

#[test]
fn every_fault_at_every_operation() {
    let layers = layers(&game("2x2", 0));
    let n_operations = trials::every_fault_at_every_operation(
        |storage, path| solve(storage, path, &layers),
        |path| solve(&Arc::new(Faulty::never()), path, &layers).unwrap(),
        |run| layers.iter().enumerate().for_each(|(layer, slabs)| slabs.check(run, Layer(layer))),
        files,
    );
    assert!(n_operations > 40);
}

#[test]
fn a_fault_during_recovery() {
    let layers = layers(&game("2x2", 0));
    trials::faults_during_recovery((500, 4), |storage, path| solve(storage, path, &layers), files);
}

#[test]
fn one_process_goes_on_with_slab_files() {
    let layers = layers(&game("2x2", 0));
    let expected = by_one(&layers);
    for written in [&[0][..], &[1], &[0, 1]] {
        let directory = tempfile::tempdir().unwrap();
        let run = open(Arc::new(Faulty::never()), directory.path(), 3).unwrap();
        layers[2].write(&run, Layer(2)).unwrap();
        layers[1].write_slab_files(&run, Layer(1), &[0, 1], written).unwrap();
        drop(run);
        drop(finished_run(directory.path(), &game("2x2", 0), &layers));
        assert!(files(directory.path()) == expected, "{written:?}");
    }
}

#[test]
fn a_layer_that_one_process_began_is_known() {
    let layers = layers(&game("2x2", 0));
    let directory = tempfile::tempdir().unwrap();
    let run = open(Arc::new(Faulty::never()), directory.path(), 3).unwrap();
    layers[2].write(&run, Layer(2)).unwrap();
    assert!(!run.is_begun_by_one(Layer(1), 3).unwrap());
    let shapes = layers[1].shapes();
    let sink = run.begin_layer(Layer(1), &shapes).unwrap();
    sink.put(2, layers[1].scores[2].clone()).unwrap();
    drop(sink);
    assert!(run.is_begun_by_one(Layer(1), 3).unwrap());
    // A list that was interrupted is none.
    fs::write(directory.path().join("layer-01.score.part"), b"DABSCORE\x04\0\0\0").unwrap();
    assert!(!run.is_begun_by_one(Layer(1), 3).unwrap());
}

#[test]
fn who_writes_later_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let layers = solved(directory.path());
    let before = files(directory.path());
    let late = RunDir::open(directory.path()).unwrap().with_block_positions(32);
    layers[1].write_slab_files(&late, Layer(1), &[0, 1], &[0, 1]).unwrap();
    assert!(files(directory.path()) == before);
}

#[test]
fn every_flipped_bit_of_the_list_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let layers = solved(path);
    let list = path.join("layer-01.score");
    let intact = fs::read(&list).unwrap();
    let reopen = || RunDir::open_to_verify(path).unwrap().layer_file(Layer(1)).map(drop);
    for bit in 0..8 * intact.len() {
        let mut flipped = intact.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&list, flipped).unwrap();
        let error = reopen().unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "bit {bit}: {error}");
    }
    for len in 0..intact.len() {
        fs::write(&list, &intact[..len]).unwrap();
        assert!(matches!(reopen(), Err(StoreError::Damaged { .. })), "{len} bytes");
    }
    // The slab files are there: the layer is listed again.
    let run = solve(&Arc::new(Faulty::never()), path, &layers).unwrap();
    assert_eq!(run.dropped().len(), 1);
    assert!(fs::read(&list).unwrap() == intact);
}

#[test]
fn every_damaged_byte_of_a_slab_file_is_named_and_mended() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let layers = solved(path);
    let (before, expected) = (files(path), by_one(&layers));
    let name = Path::new("layer-01.slabs/000001.slab");
    let restore = || {
        fs::create_dir_all(path.join("layer-01.slabs")).unwrap();
        before.iter().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
    };
    let repair = |told: &str| {
        let file = RunDir::open(path).unwrap().layer_file(Layer(1)).unwrap();
        let faults: Vec<String> = (0..3).flat_map(|slab| file.faults(slab)).map(|fault| fault.to_string()).collect();
        assert!(!faults.is_empty() && faults.iter().all(|fault| fault.contains("000001.slab")), "{told}: {faults:?}");
        let mut asked = Vec::new();
        let run = RunDir::open_to_repair(path).unwrap().with_block_positions(16);
        let found = run.repair(Layer(1), &layers[1].shapes(), |id| {
            asked.push(id.slab);
            Ok::<_, StoreError>(layers[1].scores[id.slab].clone())
        });
        assert!(!found.unwrap().is_empty(), "{told}");
        // Repaired, the layer is in one file.
        assert!(fs::read(path.join("layer-01.score")).unwrap() == expected[Path::new("layer-01.score")], "{told}");
        assert!(!path.join("layer-01.slabs").exists());
        asked
    };
    for byte in (0..before[name].len()).step_by(7) {
        restore();
        let mut flipped = before[name].clone();
        flipped[byte] ^= 1 << (byte % 8);
        fs::write(path.join(name), flipped).unwrap();
        let asked = repair(&format!("byte {byte}"));
        assert!(asked.len() <= if byte < 52 { 2 } else { 1 }, "byte {byte}: {asked:?}");
    }
    restore();
    fs::write(path.join(name), &before[name][..before[name].len() - 1]).unwrap();
    assert_eq!(repair("truncated"), [2, 1]);
    restore();
    fs::remove_file(path.join(name)).unwrap();
    assert_eq!(repair("missing"), [2, 1]);
    // The list is damaged, too: intact slab files are looked through.
    restore();
    fs::write(path.join("layer-01.score"), "short").unwrap();
    let run = RunDir::open_to_repair(path).unwrap().with_block_positions(16);
    let nothing = |id: SlabId| panic!("slab {} is intact", id.slab);
    let nothing = |id| -> Result<_, StoreError> { nothing(id) };
    assert_eq!(run.repair(Layer(1), &layers[1].shapes(), nothing).unwrap().len(), 1);
    assert!(fs::read(path.join("layer-01.score")).unwrap() == expected[Path::new("layer-01.score")]);
}

#[test]
fn a_missing_slab_file_is_named_and_solved_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let layers = solved(path);
    let before = files(path);
    fs::remove_file(path.join("layer-01.slabs/000001.slab")).unwrap();
    let reader = RunDir::open(path).unwrap();
    let shapes = layers[1].shapes();
    assert!(reader.read_slab(SlabId::new(1, 0), shapes[0]).unwrap() == layers[1].scores[0]);
    let error = reader.read_slab(SlabId::new(1, 2), shapes[2]).unwrap_err().to_string();
    assert!(error.contains("000001.slab is missing although the manifest lists layer 1"), "{error}");
    let run = solve(&Arc::new(Faulty::never()), path, &layers).unwrap();
    assert!(run.dropped()[0].to_string().contains("000001.slab is missing"), "{:?}", run.dropped());
    assert!(files(path) == before);
}

#[test]
fn a_damaged_slab_file_is_not_listed() {
    let layers = layers(&game("2x2", 0));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run = open(Arc::new(Faulty::never()), path, 3).unwrap();
    layers[2].write(&run, Layer(2)).unwrap();
    layers[1].write_slab_files(&run, Layer(1), &[0, 1], &[0, 1]).unwrap();
    let damaged = path.join("layer-01.slabs/000000.slab");
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[60] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let error = layers[1].list(&run, Layer(1), &[0, 1]).unwrap_err();
    assert!(error.to_string().contains("000000.slab is damaged"), "{error}");
    assert!(!damaged.exists() && !run.is_finished(Layer(1)));
    layers[1].write_slab_files(&run, Layer(1), &[0, 1], &[0]).unwrap();
    // Slab files that leave a slab out are no layer.
    let mut list = run.list_slab_files(Layer(1), 3).unwrap();
    assert!(matches!(list.add(0), Err(StoreError::Damaged { .. })));
    layers[1].write_slab_files(&run, Layer(1), &[0, 1], &[0]).unwrap();
    layers[1].list(&run, Layer(1), &[0, 1]).unwrap();
    layers[1].check(&run, Layer(1));
}

#[test]
fn a_discarded_layer_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    solved(path);
    let run = open(Arc::new(Faulty::never()), path, 3).unwrap();
    run.discard(Layer(1)).unwrap();
    assert!(!path.join("layer-01.score").exists() && !path.join("layer-01.slabs").exists());
    // A killed writer may have left them.
    fs::create_dir(path.join("layer-01.slabs")).unwrap();
    fs::write(path.join("layer-01.slabs/000000.slab"), "left").unwrap();
    drop(run);
    assert!(open(Arc::new(Faulty::never()), path, 3).unwrap().is_discarded(Layer(1)));
    assert!(!path.join("layer-01.slabs").exists());
}

#[test]
fn slab_files_of_another_run_are_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    solved(directory.path());
    // Only slab files are left, beside a manifest that came from elsewhere.
    for entry in fs::read_dir(directory.path()).unwrap().map(Result::unwrap) {
        if entry.path().is_file() {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let (other, elsewhere) = (game("2x2", 1), tempfile::tempdir().unwrap());
    drop(finished_run(elsewhere.path(), &other, &layers(&other)));
    fs::copy(elsewhere.path().join("manifest.json"), directory.path().join("manifest.json")).unwrap();
    let before = files(directory.path());
    let resumed = RunDir::create_or_resume(directory.path(), &other, 3);
    assert!(matches!(resumed, Err(StoreError::ForeignFile { .. })), "{resumed:?}");
    let after = files(directory.path());
    assert!(before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)));
}
