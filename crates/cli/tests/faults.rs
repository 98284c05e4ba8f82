//! Other faults of runs: two processes, directories that cannot be written, layers that cannot be believed.

use crate::common;

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
    fails(dir.path(), &book, 3, &["cannot create /sys/book.", "permissions"]);
}

#[test]
fn a_damaged_format_number_is_damage() {
    let dir = solved("2x2");
    let run = dir.path().join("runs/2x2");
    let flip = |name: &str, at: usize| {
        let mut bytes = fs::read(run.join(name)).unwrap();
        bytes[at] ^= 2;
        fs::write(run.join(name), bytes).unwrap();
    };
    let digest = json(dir.path(), &["info", "runs/2x2", "--json"])["digest"].clone();
    // Solved again, as any other damaged layer, or repaired.
    flip("layer-04.score", 8);
    fails(dir.path(), &["verify", "runs/2x2"], 4, &["layer-04.score is damaged: checksum of the header", "--repair"]);
    let done = dab(dir.path(), &["solve", "2x2"]).success();
    assert!(stderr(&done).contains("checksum of the header: expected"), "{}", stderr(&done));
    assert!(stderr(&done).contains("layer 4 is solved again"), "{}", stderr(&done));
    flip("layer-04.score", 8);
    says(dir.path(), &["verify", "runs/2x2", "--repair"]);
    // The remedy that is named works.
    let text = fs::read_to_string(run.join("manifest.json")).unwrap();
    flip("manifest.json", text.find("\"format\": 5").unwrap() + "\"format\": ".len());
    fails(
        dir.path(),
        &["solve", "2x2"],
        4,
        &["manifest.json is damaged: checksum", "delete it and run the same solve again"],
    );
    fs::remove_file(run.join("manifest.json")).unwrap();
    says(dir.path(), &["solve", "2x2"]);
    assert_eq!(json(dir.path(), &["info", "runs/2x2", "--json"])["digest"], digest);
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
runs/2x2: layers 0-2 4 6-12 are kept as listed; 'dab verify runs/2x2' checks their blocks
";
    assert_eq!(stderr(&done), expected);
    assert_eq!(json(dir.path(), &["info", "runs/2x2", "--json"])["digest"], digest);
}
