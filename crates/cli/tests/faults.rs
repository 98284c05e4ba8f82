//! Other faults of runs: two processes, directories that cannot be written, layers that cannot be believed.

mod common;

use std::fs;

use common::{dab, fails, json, says, solved, stderr};
use dab_store::RunDir;

#[test]
fn two_processes_on_one_run() {
    let dir = solved("2x2");
    let ours = RunDir::open_to_repair(&dir.path().join("runs/2x2")).unwrap();
    for args in [&["solve", "2x2"][..], &["verify", "runs/2x2", "--repair"]] {
        fails(dir.path(), args, 3, &["runs/2x2 is being written by another process; wait for it"]);
    }
    says(dir.path(), &["verify", "runs/2x2"]);
    says(dir.path(), &["query", "2x2:0", "--from", "runs/2x2"]);
    drop(ours);
    says(dir.path(), &["solve", "2x2"]);
}

#[cfg(target_os = "linux")]
#[test]
fn directories_that_cannot_be_written() {
    let dir = solved("1x1");
    // Nobody makes files there, whatever his rights.
    fails(dir.path(), &["solve", "1x1", "--out", "/sys/run"], 3, &["cannot create /sys/run", "permissions"]);
    let book = ["book", "runs/1x1", "--layers", "0", "--out", "/sys/book"];
    fails(dir.path(), &book, 3, &["cannot create /sys/book.part", "permissions"]);
}

#[test]
fn nothing_is_silently_solved_again() {
    let dir = solved("2x2");
    let digest = json(dir.path(), &["info", "runs/2x2", "--json"])["digest"].clone();
    fs::remove_file(dir.path().join("runs/2x2/layer-03.score")).unwrap();
    fs::write(dir.path().join("runs/2x2/layer-05.score"), "short").unwrap();
    let done = dab(dir.path(), &["solve", "2x2"]).success();
    let expected = "\
runs/2x2/layer-03.score is missing although the manifest lists layer 3; layer 3 is solved again
runs/2x2/layer-05.score is damaged: the header ends early: expected 52 bytes, got 5; layer 5 is solved again
runs/2x2: 11 of 13 layers are already solved
";
    assert_eq!(stderr(&done), expected);
    assert_eq!(json(dir.path(), &["info", "runs/2x2", "--json"])["digest"], digest);
}
