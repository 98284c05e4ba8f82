//! Nimbers, and scores by last-move penalty, on the command line.

use crate::common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{dab_fed, json, says, stdout};

#[test]
fn a_human_sees_the_parts() {
    let dir = tempfile::tempdir().unwrap();
    // A box of its own beside a chain of three.
    let text = says(dir.path(), &["nimstring", "+ + +-+-+\n  |      \n+-+-+-+-+"]);
    let expected = "\
1x4:2fc: nimber 1, the player to move wins

2  + 0* +  L +----+----+
  0*    |    L    L    L
1  +----+----+----+----+
   a    b    c    d    e

winning moves  a2-b2 a1-a2
L              loony
components     chain of 1: 1, chain of 3: 0
nim-sum        1
";
    assert_eq!(text, expected);
}

#[test]
fn json_names_every_move() {
    let dir = tempfile::tempdir().unwrap();
    let report = json(dir.path(), &["nimstring", "3x3:0", "--json"]);
    assert_eq!((report["nimber"].as_u64(), report["wins"].as_bool()), (Some(2), Some(true)));
    assert_eq!(report["moves"].as_array().unwrap().len(), 24);
    // Three boxes of which two can be left: loony.
    let report = json(dir.path(), &["nimstring", "1x3:7f", "--json"]);
    assert!(report["nimber"].is_null() && report["wins"] == true && report["capturable"] == 3);
    // The last box closed obliges to move, and there is no move.
    let report = json(dir.path(), &["nimstring", "1x1:7", "--json"]);
    assert_eq!((report["nimber"].as_u64(), report["wins"].as_bool()), (Some(0), Some(false)));
    assert!(report["moves"][0]["captures"] == true && report["moves"][0]["wins"] == false);
}

/// 35 undrawn lines on a board that no table of this program holds.
#[test]
fn a_midgame_of_5x5() {
    let dir = tempfile::tempdir().unwrap();
    let diagram = "\
+-+-+-+ + +
|
+ + + +-+-+
|     |
+-+-+ + + +
|     |   |
+ + + + + +
|       | |
+-+-+ +-+ +
|   |   |
+-+-+ + +-+";
    let report = json(dir.path(), &["nimstring", diagram, "--json"]);
    assert_eq!(report["moves"].as_array().unwrap().len(), 35);
    assert!(report["nimber"].is_u64(), "{report}");
}

#[test]
fn several_positions_are_answered_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["nimstring", "1x1:0", "2x2:0", "--json"]);
    assert_eq!(text.lines().count(), 2);
    assert!(
        text.lines().nth(1).unwrap().starts_with(r#"{"version":1,"position":"2x2:0","nimber":0,"wins":false,"#),
        "{text}"
    );
}

#[test]
fn batches_go_on_after_a_bad_line() {
    let dir = tempfile::tempdir().unwrap();
    let batch = "1x1:0\n2x2:x\n2x2:0\n3x3:0\n";
    let done = dab_fed(dir.path(), &["nimstring", "--batch", "-"], batch).code(1);
    let lines: Vec<String> = stdout(&done).lines().map(str::to_owned).collect();
    let alone = says(dir.path(), &["nimstring", "1x1:0", "2x2:0", "3x3:0", "--json"]);
    assert_eq!([&lines[0], &lines[2], &lines[3]].map(String::as_str), alone.lines().collect::<Vec<_>>()[..]);
    assert!(lines[1].contains("character 1 of the mask is 'x'\",") && lines[1].contains("\"line\":2,"), "{}", lines[1]);
    // Too much for the memory, whichever nimbers were kept before.
    let done = dab_fed(dir.path(), &["nimstring", "--batch", "-", "--memory", "1M"], "1x1:0\n3x3:0\n1x1:0\n").code(1);
    let text = stdout(&done);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].contains("bytes of memory allowed") && lines[0] == lines[2], "{text}");
}

#[test]
fn penalties_step_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["penalties", "1x1:0", "--max-penalty", "2"]);
    let expected = "\
1x1:0

penalty  score  best moves
      0     -1  a2-b2 a1-b1 a1-a2 b1-b2
      1      0  a2-b2 a1-b1 a1-a2 b1-b2
      2      1  a2-b2 a1-b1 a1-a2 b1-b2

interpolation holds: every score changes by 1 from each penalty to the next
";
    assert_eq!(text, expected);
    let report = json(dir.path(), &["penalties", "2x2:0", "--json"]);
    let penalties = report["penalties"].as_array().unwrap();
    // Up to a penalty above all boxes, which makes the game nimstring; 2x2 is a loss there.
    assert_eq!((penalties.len(), report["interpolates"].as_bool()), (6, Some(true)));
    assert!(penalties[5]["score"].as_i64() < Some(0));
    for entry in penalties {
        let answer = json(dir.path(), &["query", "2x2:0", "--json", "--penalty", &entry["penalty"].to_string()]);
        assert_eq!((&entry["score"], &entry["best"]), (&answer["score"], &answer["best"]));
    }
}

/// Rows that were found stand there even if the last ones are not: a table that took long is not lost.
#[cfg(unix)]
#[test]
fn a_table_that_is_interrupted_shows_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    for wait in [500, 1_000, 2_000, 4_000, 8_000] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        command.current_dir(dir.path()).args(["penalties", "3x4", "--max-penalty", "100", "--threads", "1"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let done = child.wait_with_output().unwrap();
        let [table, said] = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_ne!(done.status.code(), Some(0), "all of it was done within {wait} ms");
        if table.is_empty() {
            continue;
        }
        assert_eq!(done.status.code(), Some(130), "{said}");
        assert!(
            table.starts_with("3x4:0\n\npenalty  score  best moves\n      0      0  c3-c4 c2-c3 c1-c2\n"),
            "{table}"
        );
        assert!(table.contains("interpolation holds") && !table.contains("\n    100 "), "{table}");
        return;
    }
    panic!("no row within 8 s");
}

#[test]
fn long_work_says_how_far_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
    command.current_dir(dir.path()).args(["nimstring", "4x4"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.contains(" components known, "), "{said}");
}
