//! The problems that come with the program, and files of other ones.

use crate::common;

use std::fs;
use std::path::Path;

use common::{dab, fails, says, stdout};
use serde_json::Value;

fn all(dir: &Path, args: &[&str]) -> Vec<Value> {
    let text = says(dir, &[&["problems", "--json"], args].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn none_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let problems = all(dir.path(), &[]);
    assert!(problems.len() >= 35, "{}", problems.len());
    for problem in &problems {
        assert!(problem["ok"].as_bool().unwrap() && problem["wrong"].as_array().unwrap().is_empty(), "{problem}");
        for field in ["source", "verified"] {
            assert!(!problem[field].as_str().unwrap().is_empty(), "{problem}");
        }
    }
}

#[test]
fn those_of_the_program_are_those_of_the_repository() {
    let dir = tempfile::tempdir().unwrap();
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../dab/problems");
    let names = |args: &[&str]| -> Vec<String> {
        let mut names: Vec<String> = all(dir.path(), args).iter().map(|problem| problem["name"].to_string()).collect();
        names.sort();
        names
    };
    let here = names(&[]);
    assert_eq!(here, names(&[files]));
    let mut unique = here.clone();
    unique.dedup();
    assert_eq!(here, unique);
}

/// The nimdots game of Figure 1, and the lines of Figure 2, as the text of the paper has them.
#[test]
fn figures_of_buzzard_and_ciere() {
    let dir = tempfile::tempdir().unwrap();
    let figure = |name: &str| {
        let found = all(dir.path(), &["--only", name]);
        let position = found[0]["position"].as_str().unwrap().to_owned();
        assert_eq!(found.len(), 1);
        common::json(dir.path(), &["nimstring", &position, "--json"])
    };
    let first = figure("Figure 1:");
    assert_eq!((first["nimber"].as_u64(), first["wins"].as_bool()), (Some(1), Some(true)));
    let names: Vec<&str> =
        first["components"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    let expected = ["chain of 1", "chain of 2", "chain of 2", "chain of 4", "chain of 8", "loop of 4", "loop of 4"];
    assert_eq!(names, expected);
    let second = figure("Figure 2:");
    assert!(second["moves"].as_array().unwrap().iter().all(|m| m["nimber"].is_null()), "{second}");
    assert!(second["components"].as_array().unwrap().iter().any(|c| c["name"] == "7 joined boxes with 1 joint"));
}

#[test]
fn wrong_answers_are_told_and_fail() {
    let dir = tempfile::tempdir().unwrap();
    let problem = "problem first\nscore 1\nbest 0 b2-c2\nposition 1x2:0\n\nproblem second\nendgame 3^2\nscore -2\nopen 3\n\
                   problem third\nendgame 4\nscore -3\nposition 1x3:3f\n";
    fs::write(dir.path().join("a.txt"), problem).unwrap();
    fs::write(dir.path().join("not-read"), "?").unwrap();
    let done = dab(dir.path(), &["problems", "."]).code(1);
    let text = stdout(&done);
    assert!(text.contains("wrong  first"), "{text}");
    assert!(text.contains("\n       best: expected a2-b2 b2-c2, found "), "{text}");
    assert!(text.contains("\nok     second"), "{text}");
    assert!(text.contains("\n       endgame: expected 4, found 3"), "{text}");
    assert!(String::from_utf8_lossy(&done.get_output().stderr).contains("2 of 3 problems wrong"));
    let only = says(dir.path(), &["problems", "a.txt", "--only", "sec"]);
    assert_eq!(only.lines().count(), 1);
}

#[test]
fn notations_and_penalties_of_positions() {
    let dir = tempfile::tempdir().unwrap();
    let text = "# comment\nproblem wilson\nsource here\n  and there\nscore 0\nposition\n-1 16 1 A\n+-+-+\n| |\n+-+-+\n\n\
                problem penalty\npenalty 1\nscore 0\nposition 1x2:37\n";
    fs::write(dir.path().join("p.txt"), text).unwrap();
    let done = dab(dir.path(), &["problems", "p.txt", "--json"]);
    let text = stdout(&done);
    let problems: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&problems[0]["penalty"], &problems[1]["penalty"]), (&1.into(), &1.into()));
    assert_eq!(problems[0]["source"], "here and there");
    for problem in problems {
        let score = |penalty: &str| {
            let position = problem["position"].as_str().unwrap();
            let asked = common::json(dir.path(), &["query", position, "--penalty", penalty, "--json"]);
            asked["score"].to_string()
        };
        assert_eq!(problem["found"]["score"].to_string(), score("1"));
    }
}

/// A text is refused with all these pieces.
#[track_caller]
fn refused(text: &str, pieces: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("p.txt"), text).unwrap();
    fails(dir.path(), &["problems", "p.txt"], 2, pieces);
}

#[test]
fn wrong_files_are_named() {
    refused("", &["no problem to solve"]);
    refused("score 1\n", &["p.txt, row 1: expected 'problem NAME', found 'score'"]);
    refused("problem\n", &["row 1: a problem needs a name"]);
    refused("problem x\n+score\n", &["row 2: expected a field and its value"]);
    refused("problem x\nscor 1\n", &["row 2, scor of problem 'x': unknown field: expected source"]);
    refused("problem x\nscore 1\nscore 2\n", &["row 3, score of problem 'x': given twice"]);
    refused("problem x\nscore one\n", &["row 2, score", "expected a whole number, found 'one'"]);
    refused("problem x\nscore 1\n", &["row 1, problem 'x': there is nothing to solve"]);
    refused("problem x\nposition 1x1:0\n", &["there is nothing to compare"]);
    refused("problem x\nendgame 3\nbest 1\n", &["best and others are lines of a position"]);
    refused("problem x\nopen 3\nposition 1x1:0\n", &["open is about an endgame"]);
    refused("problem x\npenalty 1\nendgame 3\nscore 3\n", &["the theory of endgames is for penalty 0"]);
    refused("problem x\nbest 4\nposition 1x1:0\n", &["best has line 4, which cannot be drawn in 1x1:0"]);
    refused("problem x\nendgame 3+2\nscore 1\n", &["column 3: a chain has at least 3 boxes, not 2"]);
    refused("problem x\nendgame 3^2\nopen 3^2\n", &["expected single chains and loops such as '3 4l', found '3^2'"]);
    refused("problem x\nscore 1\n\nposition\n+-+\n/ |\n+-+\n", &["position of problem 'x'", "row 6, column 1"]);
    refused("problem x\nscore 1\nposition 6x6:0\n", &["problem 'x'"]);
    refused("problem x\npenalty 200\nscore 1\nposition 1x1:0\n", &["problem 'x'", "penalty"]);
    let dir = tempfile::tempdir().unwrap();
    fails(dir.path(), &["problems", "nowhere"], 3, &["cannot read nowhere"]);
    fails(dir.path(), &["problems", "--only", "?"], 2, &["no name contains"]);
}
