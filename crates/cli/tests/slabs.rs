//! A run whose slabs are solved by separate commands ends in the bytes of a single one.

mod common;

use common::{fails, files, says};

const RUN: &str = "runs/3x4";

#[test]
fn slab_by_slab_the_same_bytes() {
    let whole = common::solved("3x4");
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    says(dir, &["solve", "3x4", "--prepare"]);
    let mut layers = 0;
    loop {
        let ready = says(dir, &["slabs", RUN, "--ready"]);
        let ready: Vec<Vec<&str>> = ready.lines().map(|line| line.split_whitespace().collect()).collect();
        let Some(first) = ready.first() else { break };
        for slab in &ready {
            says(dir, &["solve-slab", RUN, slab[0], slab[1]]);
        }
        // Once more changes nothing.
        says(dir, &["solve-slab", RUN, first[0], first[1]]);
        layers += 1;
    }
    assert!(layers > 1, "3x4 has layers of several pieces");
    says(dir, &["solve", "3x4"]);
    assert!(files(&dir.join(RUN)) == files(&whole.path().join(RUN)), "other bytes");
}

#[test]
fn what_is_not_there_is_named() {
    let whole = common::solved("3x3");
    fails(whole.path(), &["solve-slab", "runs/3x3", "99", "0"], 2, &["99"]);
    fails(whole.path(), &["slabs", "runs/none", "--ready"], 3, &["runs/none"]);
}
