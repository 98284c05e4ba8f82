//! A solve that is killed at a random moment and started again ends in the same bytes.

mod common;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{files, says};

const SOLVE: [&str; 6] = ["solve", "3x4", "--space", "quiet", "--threads", "1"];

/// Starts a solve in `dir` and kills it after `wait`, unless it is done by then.
fn kill_after(dir: &Path, wait: Duration) {
    let mut solve = Command::new(env!("CARGO_BIN_EXE_dab"));
    let mut solve = solve.args(SOLVE).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep(wait);
    // SIGKILL on Unix.
    solve.kill().unwrap();
    solve.wait().unwrap();
}

#[test]
fn kills_leave_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    says(dir.path(), &SOLVE);
    let whole = begin.elapsed();
    let expected = files(&dir.path().join("runs/3x4"));
    for _ in 0..10 {
        let dir = tempfile::tempdir().unwrap();
        let random = RandomState::new().hash_one(0) as f64 / u64::MAX as f64;
        kill_after(dir.path(), whole.mul_f64(random));
        kill_after(dir.path(), whole.mul_f64(random / 2.0));
        says(dir.path(), &SOLVE);
        let found = files(&dir.path().join("runs/3x4"));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        assert!(found == expected, "killed after {random} of {whole:?}: other bytes");
    }
}
