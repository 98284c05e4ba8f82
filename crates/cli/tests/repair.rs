//! Integrity: every flipped bit of a run is detected, and repair restores the bytes.

use crate::common;

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use dab_space::Layer;

use common::{dab, fails, json, says, solved, stderr};
use dab_store::{RunDir, ScoreRead};

/// Opens a run and checks every byte of it.
fn is_intact(run: &Path) -> bool {
    let verify =
        |run: RunDir| (0..run.n_layers()).all(|layer| run.stored_layer(Layer(layer)).is_ok_and(|f| f.verify().is_ok()));
    RunDir::open(run).is_ok_and(|run| run.digest().is_some() && verify(run))
}

#[test]
fn every_flipped_bit_of_every_file_is_detected() {
    let dir = solved("2x2");
    let run = dir.path().join("runs/2x2");
    assert!(is_intact(&run));
    for entry in fs::read_dir(&run).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("seconds.tsv") {
            // No result, and under no checksum.
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        // In place, since replacing a file so often takes its time.
        let mut file = OpenOptions::new().write(true).open(&path).unwrap();
        let mut put = |at: usize, byte: u8| {
            file.seek(SeekFrom::Start(at as u64)).unwrap();
            file.write_all(&[byte]).unwrap();
        };
        for (at, &byte) in bytes.iter().enumerate() {
            for bit in 0..8 {
                put(at, byte ^ 1 << bit);
                assert!(!is_intact(&run), "{}, byte {at}, bit {bit}", path.display());
            }
            put(at, byte);
        }
    }
    assert!(is_intact(&run));
}

/// Score files of a run by layer.
fn score_files(run: &Path) -> Vec<Vec<u8>> {
    let n_layers = RunDir::open(run).unwrap().n_layers();
    (0..n_layers).map(|layer| fs::read(run.join(format!("layer-{layer:02}.score"))).unwrap()).collect()
}

fn digest_of(run: &Path) -> dab_store::Digest {
    RunDir::open(run).unwrap().digest().unwrap()
}

#[test]
fn repair_restores_every_score() {
    // A flipped bit in every part of every file, all at once; one file is cut off and one lost.
    for (part, marks) in (0..6).map(|part| (part, part % 2 == 1)) {
        let dir = tempfile::tempdir().unwrap();
        says(
            dir.path(),
            &[&["solve", "2x3", "--out", "runs/2x3"][..], if marks { &["--marks"][..] } else { &[] }].concat(),
        );
        let run = dir.path().join("runs/2x3");
        let (intact, digest) = (score_files(&run), digest_of(&run));
        for (layer, bytes) in intact.iter().enumerate() {
            let mut flipped = bytes.clone();
            flipped[part * (bytes.len() - 1) / 5] ^= 1 << part;
            fs::write(run.join(format!("layer-{layer:02}.score")), flipped).unwrap();
        }
        fs::write(run.join("layer-07.score"), &intact[7][..100 * part]).unwrap();
        fs::remove_file(run.join("layer-09.score")).unwrap();
        fails(dir.path(), &["verify", "runs/2x3"], 4, &["runs/2x3/layer-", "dab verify DIR --repair"]);
        let report = json(dir.path(), &["verify", "runs/2x3", "--repair", "--level", "full", "--json"]);
        assert_eq!(report["repaired"].as_array().unwrap().len(), intact.len());
        assert_eq!(digest_of(&run), digest, "part {part}");
        assert!(is_intact(&run));
        assert!(json(dir.path(), &["verify", "runs/2x3", "--repair", "--json"])["repaired"].is_null());
    }
}

#[test]
fn every_fault_is_named() {
    let dir = solved("2x3");
    let run = dir.path().join("runs/2x3");
    let (intact, digest) = (score_files(&run), digest_of(&run));
    for (layer, at) in [(3, 8), (5, intact[5].len() - 200), (11, intact[11].len() - 1)] {
        let mut flipped = intact[layer].clone();
        flipped[at] ^= 1;
        fs::write(run.join(format!("layer-{layer:02}.score")), flipped).unwrap();
    }
    fs::remove_file(run.join("layer-09.score")).unwrap();
    fs::write(run.join("layer-13.score"), &intact[13][..100]).unwrap();
    let said = stderr(&dab(dir.path(), &["verify", "runs/2x3"]).code(4));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 6, "{said}");
    for (line, layer) in lines.iter().zip([3, 5, 9, 11, 13]) {
        assert!(line.starts_with(&format!("runs/2x3/layer-{layer:02}.score")), "{said}");
    }
    assert!(lines[5].starts_with("dab: runs/2x3: 5 faults, the first: runs/2x3/layer-03.score is damaged"), "{said}");
    says(dir.path(), &["verify", "runs/2x3", "--repair"]);
    assert_eq!(digest_of(&run), digest);
}

#[test]
fn repair_names_what_it_repairs() {
    let dir = solved("3x3");
    let file = dir.path().join("runs/3x3/layer-10.score");
    let mut bytes = fs::read(&file).unwrap();
    let last_of_records =
        bytes.len() - 28 - 52 * RunDir::open(&dir.path().join("runs/3x3")).unwrap().finished(Layer(10)).unwrap().slabs;
    bytes[last_of_records - 1] ^= 1;
    fs::write(&file, bytes).unwrap();
    let done = dab(dir.path(), &["verify", "runs/3x3", "--repair"]).success();
    let said = stderr(&done);
    assert!(said.starts_with("runs/3x3/layer-10.score, slab ") && said.contains(", block "), "{said}");
    assert!(said.ends_with(": repaired\n"), "{said}");
    says(dir.path(), &["verify", "runs/3x3", "--level", "full"]);
}

/// `scripts/scrub` reads whatever lies below a directory and names what is damaged.
#[cfg(target_os = "linux")]
#[test]
fn a_scrub_finds_damage() {
    let dir = solved("2x3");
    says(dir.path(), &["book", "runs/2x3", "--layers", "5", "--out", "2x3.book"]);
    let scrub = || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/scrub");
        let mut scrub = std::process::Command::new(script);
        scrub.arg(dir.path()).env("DAB", env!("CARGO_BIN_EXE_dab")).env("DAYS", "0");
        let done = scrub.output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap())
    };
    let (code, said) = scrub();
    assert_eq!((code, said.lines().count()), (Some(0), 2), "{said}");

    let file = dir.path().join("2x3.book");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let (code, said) = scrub();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.lines().any(|line| line.contains("DAMAGED") && line.contains("2x3.book")), "{said}");
}
