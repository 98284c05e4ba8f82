//! Interrupted commands: they stop at a good place, and say whether the same command goes on from there.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{says, solved};

/// Starts a command and sends it a signal after a while, later if it does not listen yet; its standard error.
fn interrupt(dir: &Path, args: &[&str], signal: &str) -> String {
    for wait in [100, 300, 900, 2700] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        let command = command.current_dir(dir).args(args).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let done = child.wait_with_output().unwrap();
        // Without a code the signal ended it before it listened.
        if let Some(code) = done.status.code() {
            assert_eq!(code, 130, "{args:?}");
            return String::from_utf8(done.stderr).unwrap();
        }
    }
    panic!("{args:?} never listens");
}

#[test]
fn a_solve_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "3x5", "--threads", "1", "--check", "200"];
    for signal in ["-TERM", "-INT"] {
        let said = interrupt(dir.path(), &solve, signal);
        assert!(said.contains("stopping; press Ctrl-C again"), "{said}");
        assert!(said.contains("; run the same command again to go on from there\n"), "{said}");
    }
    assert!(dir.path().join("runs/3x5/manifest.json").exists());
}

#[test]
fn a_check_does_not_promise_to_go_on() {
    let dir = solved("3x4");
    says(dir.path(), &["solve", "3x4", "--space", "full"]);
    for check in [
        &["verify", "runs/3x4-full", "--level", "full", "--threads", "1"][..],
        &["crosscheck", "runs", "runs/3x4-full", "runs/3x4", "--threads", "1"],
    ] {
        let said = interrupt(dir.path(), check, "-TERM");
        assert!(said.contains("stopped before everything was checked; nothing was wrong so far\n"), "{said}");
    }
}
