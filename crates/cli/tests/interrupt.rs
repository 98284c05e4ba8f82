//! Interrupted commands: they stop at a good place, and say whether the same command goes on from there.
#![cfg(unix)]

use crate::common;

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
        assert!(!said.contains('\r'), "a bar in a log: {said:?}");
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

/// A query leaves no temporary files when it is asked to end; those of one that is killed are removed by the next.
#[test]
fn a_query_leaves_no_temporary_files() {
    let dir = tempfile::tempdir().unwrap();
    let temporary = dir.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let left = || -> Vec<_> {
        std::fs::read_dir(&temporary).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let query = |position: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        command.current_dir(dir.path()).env("TMPDIR", &temporary).args(["query", position, "--memory", "0"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    for signal in ["-INT", "-TERM", "-HUP", "-KILL"] {
        let mut child = query("4x4:0").spawn().unwrap();
        // The solve has begun when its run has a manifest.
        while !left().iter().any(|dir| dir.join("run/manifest.json").exists()) {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote anything");
            std::thread::sleep(Duration::from_millis(5));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let code = child.wait().unwrap().code();
        if signal == "-KILL" {
            assert_eq!((code, left().len()), (None, 1));
        } else {
            assert_eq!((code, left().len()), (Some(130), 0), "{signal}");
        }
    }
    assert!(query("3x3:0").status().unwrap().success());
    assert_eq!(left(), [] as [std::path::PathBuf; 0]);
}

/// `nohup` keeps work going when the terminal is closed.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let solve = format!("trap '' HUP; exec {} solve 3x4 --threads 1", env!("CARGO_BIN_EXE_dab"));
    let mut child =
        Command::new("sh").current_dir(dir.path()).args(["-c", &solve]).stdout(Stdio::null()).spawn().unwrap();
    while !dir.path().join("runs/3x4/manifest.json").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success());
}
