//! Completions and man pages, and help that fits a terminal.

use crate::common;

use std::fs;

use assert_cmd::Command;
use common::{fails, says};

const VERBS: [&str; 12] = [
    "solve",
    "plan",
    "query",
    "convert",
    "review",
    "problems",
    "verify",
    "book",
    "export",
    "draw",
    "endgame",
    "crosscheck",
];

#[test]
fn completions_know_the_verbs() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = says(dir.path(), &["completions", shell]);
        for verb in VERBS {
            assert!(script.contains(verb), "{shell} {verb}");
        }
    }
    fails(dir.path(), &["completions", "tcsh"], 2, &["invalid value 'tcsh'", "bash"]);
}

#[test]
fn every_verb_has_a_man_page() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["man", "pages/man1"]);
    for name in VERBS.map(|verb| format!("dab-{verb}.1")).iter().map(String::as_str).chain(["dab.1"]) {
        let page = fs::read_to_string(dir.path().join("pages/man1").join(name)).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}");
    }
}

/// Every help text fits a terminal of 80 columns.
#[test]
fn help_fits_80_columns() {
    let dir = tempfile::tempdir().unwrap();
    for verb in VERBS.iter().chain(&["caribou", "nimstring", "penalties", "search", "plot", "serve", "info"]) {
        let help =
            Command::new(env!("CARGO_BIN_EXE_dab")).env("COLUMNS", "80").args([verb, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{verb}: {} columns: {line}", line.chars().count());
        }
        // Nothing that is set in columns is broken.
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1).take_while(|line| !line.is_empty());
        examples.for_each(|line| assert!(line.starts_with("    "), "{verb}: {line}"));
    }
    let help = says(dir.path(), &["--help"]);
    let verbs = help.lines().take_while(|line| *line != "Options:");
    verbs.for_each(|line| assert!(line.chars().count() <= 80, "{line}"));
    assert!(help.contains("Exit codes: 0 done"));
}
