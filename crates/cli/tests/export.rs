//! Positions with scores and best moves, in bulk; and programs of users that are checked against them.

use crate::common;

use std::fs;
use std::path::Path;

use common::{dab, fails, json, says, solved, stderr, stdout};

/// Checks rows of a run that was solved with these flags, which have some columns besides position and layer.
#[track_caller]
fn check_rows(flags: &[&str], columns: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &[&["solve", "2x3", "--out", "run"], flags].concat());
    let text = says(dir.path(), &["export", "run", "--sample", "20"]);
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some(&*format!("position,layer,{}", columns.join(","))));
    assert_eq!(rows.clone().count(), 20);
    for row in rows {
        let found: Vec<&str> = row.split(',').collect();
        let answer = json(dir.path(), &["query", found[0], "--from", "run", "--json"]);
        let lines = answer["best"].as_array().unwrap().iter().map(|line| 1u64 << line.as_u64().unwrap());
        let best = format!("{:x}", lines.sum::<u64>());
        let mark = answer.get("mark").map(|mark| mark.as_str().unwrap().to_owned());
        let expected: Vec<String> = [answer["score"].to_string(), best].into_iter().chain(mark).collect();
        assert_eq!(found[2..], expected, "{row}");
    }
    assert_eq!(text, says(dir.path(), &["export", "run", "--sample", "20"]));
    assert_ne!(text, says(dir.path(), &["export", "run", "--sample", "20", "--seed", "1"]));
}

#[test]
fn rows_are_those_of_queries() {
    check_rows(&[], &["score", "best"]);
    check_rows(&["--marks"], &["score", "best", "mark"]);
}

#[test]
fn layers_and_arrays() {
    let dir = solved("2x2");
    let layers = json(dir.path(), &["info", "runs/2x2", "--json"])["layers"].clone();
    let all = layers[5]["positions"].as_u64().unwrap() as usize;
    let text = says(dir.path(), &["export", "runs/2x2", "--layer", "5"]);
    assert_eq!(text.lines().count(), 1 + all);
    let done = dab(dir.path(), &["export", "runs/2x2", "--layer", "5", "--format", "npy", "--out", "a.npy"]).success();
    assert_eq!((stdout(&done), stderr(&done)), (format!("a.npy: {all} positions\n"), String::new()));
    let bytes = fs::read(dir.path().join("a.npy")).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY") && bytes.len() == 192 + 18 * all, "{} bytes", bytes.len());
    says(dir.path(), &["book", "runs/2x2", "--layers", "5", "--out", "b.book"]);
    // Moves from the last layers of a book lead below it.
    fails(dir.path(), &["export", "b.book", "--layer", "5", "--out", "x"], 3, &["b.book holds layers 0 to 5"]);
    let from_book = says(dir.path(), &["export", "b.book", "--layer", "1"]);
    assert_eq!(from_book, says(dir.path(), &["export", "runs/2x2", "--layer", "1"]));
    fails(dir.path(), &["export", "runs/2x2"], 2, &["--sample", "--layer"]);
    fails(dir.path(), &["export", "runs/2x2", "--layer", "13"], 2, &["runs/2x2 has no layer 13"]);
    fails(dir.path(), &["export", "runs/2x2", "--layer", "1", "--format", "xls"], 2, &["expected csv or npy"]);
}

/// A program of the user: a table of what `dab` itself says, with a fault.
#[cfg(unix)]
fn program(dir: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(dir.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(dir.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[cfg(unix)]
fn programs_of_users_are_checked() {
    let dir = solved("1x2");
    let path = dir.path();
    let exe = env!("CARGO_BIN_EXE_dab");
    // The value and the score, out of the answers of dab.
    let cut = r#"sed 's/.*"FIELD":\([-0-9]*\),.*/\1/'"#;
    program(path, "value", &format!("{exe} endgame --batch - | {}", cut.replace("FIELD", "value")));
    let query = format!("{exe} query --batch - --from runs/1x2 | sed 's/\"best\".*//'");
    program(path, "score", &format!("{query} | {}", cut.replace("FIELD", "score")));
    let text = says(path, &["crosscheck", "program", "--endgames", "--max-boxes", "16", "--", "./value"]);
    assert!(text.starts_with("./value: ") && text.ends_with(" values, 0 wrong\n"), "{text}");
    let report = json(path, &["crosscheck", "program", "--from", "runs/1x2", "--json", "--", "./score"]);
    assert_eq!((&report["disagreements"], &report["program"]), (&0.into(), &"./score".into()));
    assert_eq!(report["asked"], json(path, &["info", "runs/1x2", "--json"])["positions"]);
    program(path, "wrong", "while read line; do echo 1; done");
    let done = dab(path, &["crosscheck", "program", "--endgames", "--max-boxes", "10", "--", "./wrong"]).code(1);
    assert!(stdout(&done).contains("\n10: expected 10, found 1\n"), "{}", stdout(&done));
    assert!(stderr(&done).contains("./wrong: ") && stderr(&done).contains(" values wrong"), "{}", stderr(&done));
    program(path, "short", "read line; echo 3");
    fails(path, &["crosscheck", "program", "--endgames", "--", "./short"], 3, &["./short: it ended after 1 of "]);
    fails(path, &["crosscheck", "program", "--endgames", "--", "./none"], 3, &["./none: cannot be started"]);
}
