//! Running `dab` and looking at what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use tempfile::TempDir;

/// The program with some arguments, run in `dir`.
pub(crate) fn dab(dir: &Path, args: &[&str]) -> Assert {
    dab_fed(dir, args, "")
}

/// The same with something on standard input.
pub(crate) fn dab_fed(dir: &Path, args: &[&str], input: &str) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_dab")).current_dir(dir).args(args).write_stdin(input).assert()
}

pub(crate) fn stdout(done: &Assert) -> String {
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

pub(crate) fn stderr(done: &Assert) -> String {
    String::from_utf8(done.get_output().stderr.clone()).unwrap()
}

/// Standard output of a command that succeeds.
#[track_caller]
pub(crate) fn says(dir: &Path, args: &[&str]) -> String {
    stdout(&dab(dir, args).success())
}

/// The only line of JSON that a command prints, without the version that every line has.
#[track_caller]
pub(crate) fn json(dir: &Path, args: &[&str]) -> Value {
    let mut value: Value = serde_json::from_str(&says(dir, args)).unwrap();
    assert_eq!(value.as_object_mut().unwrap().remove("version"), Some(1.into()));
    value
}

/// A command fails with an exit code and a message that has all these pieces, and prints no result.
#[track_caller]
pub(crate) fn fails(dir: &Path, args: &[&str], code: i32, pieces: &[&str]) {
    let done = dab(dir, args).code(code);
    let message = stderr(&done);
    for piece in pieces {
        assert!(message.contains(piece), "{args:?}: no '{piece}' in\n{message}");
    }
    assert_eq!(stdout(&done), "", "{args:?}");
    assert!(!message.contains("panicked"), "{args:?}: {message}");
}

/// An empty directory with the run of a board in `runs`.
pub(crate) fn solved(board: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", board]);
    dir
}

/// Every file of a run but the one that says how long it took.
pub(crate) fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(run).unwrap().map(Result::unwrap);
    let results = entries.filter(|entry| entry.file_name() != "seconds.tsv");
    results.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}
