//! A run whose slabs are solved by separate commands has the scores of a single one.

mod common;

use std::fs;
use std::path::Path;

use common::{fails, manifest, says};

const RUN: &str = "runs/3x4";

#[test]
fn slab_by_slab_the_same_scores() {
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
    assert_eq!(manifest(&dir.join(RUN)), manifest(&whole.path().join(RUN)));
    says(dir, &["verify", RUN, "--level", "full"]);
    // A book and answers come from slab files as from any other.
    let answer = |dir: &Path| says(dir, &["query", "3x4:0", "--from", RUN, "--json"]);
    assert_eq!(answer(dir), answer(whole.path()));
    let book = |dir: &Path| {
        says(dir, &["book", RUN, "--layers", "12", "--out", "b.book"]);
        fs::read(dir.join("b.book")).unwrap()
    };
    assert!(book(dir) == book(whole.path()), "other bytes");
    // A slab file that is lost is named and computed again; the layer is in one file then.
    let slabs = (0..).map(|layer| dir.join(RUN).join(format!("layer-{layer:02}.slabs"))).find(|slabs| slabs.exists());
    let slabs = slabs.unwrap();
    fs::remove_file(slabs.join("000000.slab")).unwrap();
    fails(dir, &["verify", RUN], 4, &["000000.slab is missing", "--repair"]);
    says(dir, &["verify", RUN, "--repair"]);
    assert!(!slabs.exists());
    let file = |dir: &Path| fs::read(dir.join(RUN).join(slabs.with_extension("score").file_name().unwrap())).unwrap();
    assert!(file(dir) == file(whole.path()), "other bytes");
    assert_eq!(manifest(&dir.join(RUN)), manifest(&whole.path().join(RUN)));
}

#[test]
fn what_is_not_there_is_named() {
    let whole = common::solved("3x3");
    fails(whole.path(), &["solve-slab", "runs/3x3", "99", "0"], 2, &["99"]);
    fails(whole.path(), &["slabs", "runs/none", "--ready"], 3, &["runs/none"]);
}
