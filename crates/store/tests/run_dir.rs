//! A run directory accepts what continues it, refuses the rest, and says why.

use super::common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dab_space::Layer;

use crate::{RunDir, ScoreRead, ScoreWrite, StoreError};
use common::fault::Faulty;
use common::{Slabs, game, run, told};

/// Asserts that a result is an error whose message has all these parts.
#[track_caller]
fn check<T>(result: Result<T, StoreError>, parts: &[&str]) {
    let Err(error) = result else { panic!("expected an error") };
    let error = told(&error);
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

fn create(path: &Path) -> Result<RunDir, StoreError> {
    RunDir::create_or_resume(path, &game("2x2", 0), 1)
}

#[test]
fn one_writer_and_any_number_of_readers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/run");
    let writer = create(&path).unwrap();
    check(create(&path), &["new/run", "another process"]);
    let reader = RunDir::open(&path).unwrap();
    assert_eq!((reader.game(), reader.n_layers(), reader.digest()), (writer.game(), 1, None));
    check(reader.stored_layer(Layer(0)), &["layer 0 of", "new/run is not solved yet"]);
    check(reader.stored_layer(Layer(1)), &["new/run", "no layer 1"]);
    check(reader.begin_layer(Layer(0), &[]).map(drop), &["new/run", "reading only"]);
    drop(writer);
    create(&path).unwrap();
}

#[test]
fn a_finished_layer_is_not_written_again() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    let run = run(directory.path(), &game);
    Slabs::small(&game).write(&run, Layer(0)).unwrap();
    check(run.begin_layer(Layer(0), &[]).map(drop), &["layer 0", "already finished"]);
    check(run.begin_layer(Layer(1), &[]).map(drop), &["no layer 1"]);
}

#[test]
fn the_run_of_another_game_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    create(directory.path()).unwrap();
    let other = |game, n_layers| RunDir::create_or_resume(directory.path(), &game, n_layers);
    check(other(game("2x3", 0), 1), &["holds another run", "board", "expected 2x3, got 2x2"]);
    check(other(game("2x2", 1), 1), &["penalty", "expected 1, got 0"]);
    check(other(game("2x2", 0), 2), &["layers", "expected 2, got 1"]);

    fs::remove_file(directory.path().join("manifest.json")).unwrap();
    let slabs = Slabs::small(&game("2x2", 0));
    slabs.write(&run(directory.path(), &game("2x2", 0)), Layer(0)).unwrap();
    fs::remove_file(directory.path().join("manifest.json")).unwrap();
    check(other(game("2x3", 0), 1), &["layer-00.score", "belongs to run"]);
}

#[test]
fn what_is_no_run_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    check(RunDir::open(directory.path()), &["not a run", "no manifest.json"]);
    check(RunDir::open(&directory.path().join("nothing")), &["not a run", "no such directory"]);
    let letter = directory.path().join("letter.txt");
    fs::write(&letter, "dear").unwrap();
    check(create(directory.path()), &["there can be no run", "letter.txt"]);
    check(create(&letter), &["letter.txt", "cannot list"]);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn missing_and_exchanged_layers_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    Slabs::small(&game).write(&run(directory.path(), &game), Layer(0)).unwrap();
    let scores = directory.path().join("layer-00.score");

    let elsewhere = tempfile::tempdir().unwrap();
    Slabs::new(&game, &[(3, 11), (1, 1), (4, 9)], 20, 2).write(&run(elsewhere.path(), &game), Layer(0)).unwrap();
    fs::copy(elsewhere.path().join("layer-00.score"), &scores).unwrap();
    let exchanged = RunDir::open(directory.path()).and_then(|run| run.stored_layer(Layer(0)).map(drop));
    check(exchanged, &["layer-00.score", "is damaged"]);

    fs::remove_file(&scores).unwrap();
    check(RunDir::open(directory.path()), &["layer-00.score", "missing", "layer 0"]);
}

#[test]
fn garbage_manifests_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    Slabs::small(&game).write(&run(directory.path(), &game), Layer(0)).unwrap();
    let manifest = directory.path().join("manifest.json");
    let json = fs::read(&manifest).unwrap();
    for len in 0..json.trim_ascii_end().len() {
        fs::write(&manifest, &json[..len]).unwrap();
        check(RunDir::open(directory.path()), &["manifest.json is damaged"]);
        check(create(directory.path()), &["manifest.json is damaged"]);
    }
    // The remedy works.
    fs::remove_file(&manifest).unwrap();
    assert!(create(directory.path()).unwrap().is_finished(Layer(0)));
    assert_eq!(fs::read(&manifest).unwrap(), json);
}

#[cfg(target_os = "linux")]
#[test]
fn links_are_not_followed_where_files_are_written() {
    use std::os::unix::fs::symlink;
    let directory = tempfile::tempdir().unwrap();
    let (path, victim) = (directory.path().join("run"), directory.path().join("victim"));
    fs::create_dir(&path).unwrap();
    fs::write(&victim, "precious").unwrap();
    let linked = |name: &str, write: &dyn Fn() -> Result<(), StoreError>| {
        symlink(&victim, path.join(name)).unwrap();
        check(write(), &[name, "symbolic link"]);
        fs::remove_file(path.join(name)).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "{name}");
    };
    linked("lock", &|| create(&path).map(drop));
    linked("manifest.json.part", &|| create(&path).map(drop));
    let game = game("2x2", 0);
    let (run, slabs) = (run(&path, &game), Slabs::small(&game));
    linked("layer-00.score.part", &|| slabs.write(&run, Layer(0)).map(drop));
    // The layer is complete but cannot be listed: nothing finished is lost.
    linked("manifest.json.part", &|| slabs.write(&run, Layer(0)).map(drop));
    assert!(run.is_finished(Layer(0)));
    drop(run);
    assert!(create(&path).unwrap().is_finished(Layer(0)));
}

#[test]
fn every_directory_that_is_made_is_durable() {
    let directory = tempfile::tempdir().unwrap();
    let [above, path] = ["a", "a/b/run"].map(|name| directory.path().join(name));
    let storage = Arc::new(Faulty::never());
    RunDir::create_or_resume_on(storage.clone(), &path, &game("2x2", 0), 1).unwrap();
    let synced = storage.synced_dirs();
    for dir in [directory.path(), &above, &above.join("b"), &path] {
        assert!(synced.contains(dir), "{}", dir.display());
    }
}

#[test]
fn a_run_can_be_read_where_nothing_can_be_written() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
    fs::remove_file(directory.path().join("lock")).unwrap();
    let writable = fs::metadata(directory.path()).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    fs::set_permissions(directory.path(), read_only).unwrap();
    slabs.check(&RunDir::open(directory.path()).unwrap(), Layer(0));
    assert!(!directory.path().join("lock").exists());
    fs::set_permissions(directory.path(), writable).unwrap();
}
