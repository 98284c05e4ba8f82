//! A solve that is killed at a random moment and started again ends in the same scores.

use crate::common;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{files, says};

const SOLVE: [&str; 6] = ["solve", "3x4", "--space", "quiet", "--threads", "1"];

/// Starts a solve in `dir` and kills it after `wait`, unless it is done by then.
fn kill_after(dir: &Path, solve: &[&str], wait: Duration) {
    let args = solve;
    let mut solve = Command::new(env!("CARGO_BIN_EXE_dab"));
    let mut solve = solve.args(args).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep(wait);
    // SIGKILL on Unix.
    solve.kill().unwrap();
    solve.wait().unwrap();
}

/// Kills a solve at random moments, twice each, and compares its files with those of an uninterrupted one.
fn check(solve: &[&str], run: &str, n_moments: usize) {
    let dir = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    says(dir.path(), solve);
    let whole = begin.elapsed();
    let expected = files(&dir.path().join(run));
    for _ in 0..n_moments {
        let dir = tempfile::tempdir().unwrap();
        let random = RandomState::new().hash_one(0) as f64 / u64::MAX as f64;
        kill_after(dir.path(), solve, whole.mul_f64(random));
        says_nothing_damaged(dir.path(), run);
        kill_after(dir.path(), solve, whole.mul_f64(random / 2.0));
        says(dir.path(), solve);
        let found = files(&dir.path().join(run));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        // It has the digests of all layers.
        let manifest = |files: &std::collections::BTreeMap<String, Vec<u8>>| files["manifest.json"].clone();
        assert!(manifest(&found) == manifest(&expected), "killed after {random} of {whole:?}: another manifest");
        assert!(says(dir.path(), &["verify", run]).contains("all correct"));
    }
}

/// The finished layers of a killed solve are intact, but for released slabs, which are named so.
fn says_nothing_damaged(dir: &Path, run: &str) {
    if dir.join(run).join("manifest.json").exists() {
        assert!(says(dir, &["verify", run]).contains("all correct"));
        says(dir, &["info", run]);
    }
}

#[test]
fn kills_leave_no_trace() {
    check(&SOLVE, "runs/3x4", 7);
    check(&[&SOLVE[..], &["--marks"]].concat(), "runs/3x4-marks", 3);
}

/// A solve that keeps some layers, in so little disk and memory that slabs are released all the time.
fn releasing(board: &str, keep: &str, disk: &str, memory: &str, n_moments: usize) {
    check(&keeping(board, keep, disk, memory), &format!("runs/{board}"), n_moments);
}

fn keeping<'a>(board: &'a str, keep: &'a str, disk: &'a str, memory: &'a str) -> [&'a str; 12] {
    ["solve", board, "--keep", keep, "--disk", disk, "--memory", memory, "--threads", "2", "--check", "3"]
}

#[test]
fn kills_while_slabs_are_released_leave_no_trace() {
    releasing("3x4", "8", "3M", "64M", 4);
    check(&[&keeping("3x4", "8", "4M", "64M")[..], &["--marks"]].concat(), "runs/3x4-marks", 2);
}

#[test]
#[ignore = "long: 50 solves that are killed twice"]
fn kills_at_many_moments_leave_no_trace_on_3x4() {
    releasing("3x4", "8", "3M", "64M", 50);
}

#[test]
#[ignore = "long: 50 solves that are killed twice"]
fn kills_at_many_moments_leave_no_trace_on_3x5() {
    releasing("3x5", "10", "49M", "80M", 50);
}
