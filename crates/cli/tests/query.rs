//! Queries of runs, and of positions that are solved on demand.

use crate::common;

use std::path::Path;

use assert_cmd::Command;
use common::{dab, dab_fed, fails, json, says, solved, stderr, stdout};
use serde_json::Value;

#[test]
fn json_lines_have_exactly_these_fields() {
    let dir = solved("1x2");
    // The left box can be captured; the player who then draws at the right one first gets it.
    let position = "1x2:31";
    let expected = concat!(
        r#"{"version":1,"position":"1x2:31","penalty":0,"score":2,"best":[2],"moves":["#,
        r#"{"line":1,"name":"b2-c2","score":0,"kind":"sacrifice"},"#,
        r#"{"line":2,"name":"a1-b1","score":2,"kind":"capture"},"#,
        r#"{"line":3,"name":"b1-c1","score":0,"kind":"sacrifice"},"#,
        r#"{"line":6,"name":"c1-c2","score":0,"kind":"sacrifice"}],"source":"run"}"#,
        "\n"
    );
    assert_eq!(says(dir.path(), &["query", position, "--from", "runs/1x2", "--json"]), expected);
    let solved = expected.replace("\"run\"", "\"solved\"");
    assert_eq!(says(dir.path(), &["query", position, "--json"]), solved);
}

#[test]
fn a_human_sees_a_picture() {
    let dir = solved("3x3");
    let text = says(dir.path(), &["query", "3x3:fff", "--from", "runs/3x3"]);
    let expected = "\
3x3:fff: score -1

4  +-----+-----+-----+
  -1*   -1*   -1*   -1*
3  +-----+-----+-----+
  -1*   -1*   -1*   -1*
2  +-----+-----+-----+
  -1*   -1*   -1*   -1*
1  +-----+-----+-----+
   a     b     c     d

best moves  a3-a4 b3-b4 c3-c4 d3-d4 a2-a3 b2-b3 c2-c3 d2-d3 a1-a2 b1-b2 c1-c2
            d1-d2
";
    assert!(text.starts_with(expected), "{text}");
    let expected = "
components  chain of 3, chain of 3, chain of 3
endgame     3^3
  theory    value 1, open 3 (Allcock 4.1(4))
  table     value 1, open 3
";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_slip_of_the_keyboard_is_read() {
    let dir = solved("2x2");
    let expected = says(dir.path(), &["query", "2x2:21", "--from", "runs/2x2"]);
    // Games also say how they stand.
    let without_game = |text: &str| {
        text.lines().filter(|line| !line.starts_with("game  ")).map(|line| format!("{line}\n")).collect::<String>()
    };
    for slip in [&["2X2:0x21"][..], &["2×2:21"], &["2x2 a3 - b3, c1 – b1"], &["2x2", "a3-b3", "c1-b1"]] {
        let text = says(dir.path(), &[&["query"], slip, &["--from", "runs/2x2"]].concat());
        assert_eq!(without_game(&text), expected, "{slip:?}");
    }
    fails(dir.path(), &["query", "2x2 a3 - b3 a3 - b3"], 2, &["a3-b3"]);
    fails(dir.path(), &["query", "2x2", "a3-b4"], 2, &["does not say how large the board is"]);
}

#[test]
fn theory_follows_the_capture_run() {
    let dir = tempfile::tempdir().unwrap();
    // A box with three sides beside two chains of three.
    let done = dab(dir.path(), &["query", "+-+-+-+\n|     \n+-+-+-+\n\n+-+-+-+\n\n+-+-+-+"]).success();
    assert!(stdout(&done).contains("components  3 to be captured, chain of 3, chain of 3\nendgame     3^2\n"));
    assert!(stderr(&done).contains("3x3:1fff: solved in memory, 11 undrawn lines"), "{}", stderr(&done));
}

#[test]
fn what_does_not_fit_in_memory_is_solved_in_files_that_go_away() {
    let dir = tempfile::tempdir().unwrap();
    let temporary = dir.path().join("temporary");
    let ask = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        command.env("TMPDIR", &temporary).args(["query", "3x4:1f", "2x3:0"]).args(flags).assert().success()
    };
    std::fs::create_dir(&temporary).unwrap();
    for flags in [&["--marks"][..], &["--penalty", "2"], &["--json"]] {
        let (with, without) = (ask(flags), ask(&[flags, &["--memory", "0"]].concat()));
        assert_eq!(stdout(&with), stdout(&without));
        if flags[0] != "--json" {
            assert!(stderr(&with).contains("3x4:1f: solved in memory, 26 undrawn lines"));
            assert!(stderr(&without).contains("3x4:1f: solved in temporary files, 26 undrawn lines"));
        }
        assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    }
    let pieces = ["3x4:1f: ", "of disk, but may take at most 1.0 MB of disk"];
    fails(dir.path(), &["query", "3x4:1f", "--memory", "0", "--disk", "1000K"], 5, &pieces);
}

#[test]
fn the_finished_position_has_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let answer = json(dir.path(), &["query", "2x2:fff", "--json"]);
    assert_eq!((answer["score"].as_i64(), answer["moves"].as_array().map(Vec::len)), (Some(0), Some(0)));
    assert!(says(dir.path(), &["query", "2x2:fff"]).contains("components  4 closed\n"));
}

#[test]
fn batches_come_from_files_and_standard_input() {
    let dir = solved("2x2");
    let batch = "# four positions\n2x2:0\n\n  2x2:1  \n2x2:3\n2x2:b73\n";
    std::fs::write(dir.path().join("batch.txt"), batch).unwrap();
    let from_run = ["query", "--from", "runs/2x2", "--json", "--batch"];
    let from_file = says(dir.path(), &[&from_run[..], &["batch.txt"]].concat());
    let from_stdin = stdout(&dab_fed(dir.path(), &[&from_run[..], &["-"]].concat(), batch).success());
    let on_the_spot = says(dir.path(), &["query", "--json", "--batch", "batch.txt"]);
    assert_eq!(from_file.lines().count(), 4);
    assert!(
        from_file.lines().next().unwrap().starts_with(r#"{"version":1,"position":"2x2:0","penalty":0,"score":2,"#),
        "{from_file}"
    );
    assert_eq!(from_file, from_stdin);
    assert_eq!(from_file.replace("\"run\"", "\"solved\""), on_the_spot);
    // One after the other, as what takes more than a moment is.
    let patient = says(dir.path(), &["query", "--json", "--batch", "batch.txt", "--memory", "0"]);
    assert_eq!(patient, on_the_spot);
    let one = json(dir.path(), &["query", "--from", "runs/2x2", "2x2:3", "--batch", "/dev/null"]);
    assert_eq!(one["position"], "2x2:3");
    // A batch is answered in JSON, asked for or not.
    assert_eq!(says(dir.path(), &["query", "--batch", "batch.txt"]), on_the_spot);
}

#[test]
fn many_positions_keep_their_order() {
    let dir = solved("2x3");
    let batch: String = (0..60_000).map(|i| format!("2x3:{:x}\n", i * 7 % (1 << 17))).collect();
    let done = dab_fed(dir.path(), &["query", "--json", "--from", "runs/2x3", "--batch", "-"], &batch).success();
    for (answer, asked) in stdout(&done).lines().zip(batch.lines()) {
        assert!(answer.starts_with(&format!("{{\"version\":1,\"position\":\"{asked}\",")), "{asked}: {answer}");
    }
    assert_eq!(stdout(&done).lines().count(), 60_000);
}

#[test]
fn a_bad_line_is_answered_by_its_error() {
    let dir = solved("2x2");
    let ask = |flags: &[&str]| {
        let args = [&["query", "--from", "runs/2x2", "--batch", "-"], flags].concat();
        dab_fed(dir.path(), &args, "2x2:0\n#\n2x2:x\n2x2:1\n\u{7}\n")
    };
    let wrong = "'x' is no hexadecimal mask of drawn lines: character 1 of the mask is 'x'";
    let done = ask(&[]).code(1);
    let answers: Vec<Value> = stdout(&done).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["position"], &answers[2]["position"]), (&"2x2:0".into(), &"2x2:1".into()));
    assert_eq!((&answers[1]["error"], &answers[1]["line"]), (&wrong.into(), &3.into()));
    assert_eq!(answers[3]["line"], 5);
    assert_eq!(stderr(&done), "dab: standard input: 2 of 4 lines could not be answered\n");
    // What precedes it is answered.
    let done = ask(&["--strict"]).code(2);
    assert_eq!(stdout(&done).lines().count(), 1);
    assert_eq!(stderr(&done), format!("dab: standard input, line 3: {wrong}\n"));
}

#[test]
fn a_full_run_says_the_same() {
    let dir = tempfile::tempdir().unwrap();
    for space in ["quiet", "full"] {
        says(dir.path(), &["solve", "2x2", "--space", space, "--penalty", "2", "--out", space]);
    }
    let batch: String = (0..1 << 12).map(|drawn| format!("2x2:{drawn:x}\n")).collect();
    let ask =
        |dir: &Path, run| stdout(&dab_fed(dir, &["query", "--json", "--from", run, "--batch", "-"], &batch).success());
    assert_eq!(ask(dir.path(), "quiet"), ask(dir.path(), "full"));
}

#[test]
fn every_line_has_a_kind() {
    let dir = tempfile::tempdir().unwrap();
    // A box that can be captured beside one with two sides, at a joint.
    let text = says(dir.path(), &["query", "+-+-+-+-+\n|        \n+-+-+ + +"]);
    assert!(text.contains("\ncapture     b1-b2\nsacrifice   c1-c2\nloony       c1-d1 d1-e1 d1-d2 e1-e2\n"), "{text}");
    assert!(says(dir.path(), &["query", "2x2:3"]).contains("\nsafe        "));
    // Two chains, of one box and of three.
    let text = says(dir.path(), &["query", "+ + +-+-+\n  |      \n+-+-+-+-+"]);
    assert!(text.contains("\nsacrifice   a2-b2 a1-a2\nloony       b2-c2 c1-c2 d1-d2 e1-e2\n"), "{text}");
}

#[test]
fn marks_follow_scores() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["query", "3x3:fff", "--marks"]);
    assert!(text.starts_with("3x3:fff: score -1v\n"), "{text}");
    assert_eq!(text.matches("-1v*").count(), 12);
    // A chain of one and a chain of three: the player who sacrifices the one leaves the other to the opponent.
    let answer = json(dir.path(), &["query", "+ + +-+-+\n  |      \n+-+-+-+-+", "--marks", "--json"]);
    let marks: Vec<&str> = answer["moves"].as_array().unwrap().iter().map(|m| m["mark"].as_str().unwrap()).collect();
    assert_eq!((answer["mark"].as_str(), &marks[..]), (Some("^"), &["^", "v", "^", "v", "v", "v"][..]));
    assert!(json(dir.path(), &["query", "1x1:0", "--json"])["mark"].is_null());
}

/// Wilson's marks are about A and B, ours about the player to move: what he writes `^` is `v` for B.
#[test]
fn a_mark_of_a_wilson_file_names_its_player() {
    let dir = tempfile::tempdir().unwrap();
    let picture = "+-+-+-+\n\n+-+-+-+\n\n+-+-+-+\n\n+-+-+-+";
    for (side, other) in [("A", "B"), ("B", "A")] {
        let text = says(dir.path(), &["query", &format!("0 16 1 {side}\n{picture}"), "--marks"]);
        assert!(text.starts_with("3x3:fff: score -1v\n"), "{text}");
        let stands =
            format!("{side} to move; under best play {other} wins by 1, {side} must make the next loony move\n");
        // A begins a game where nothing else is said.
        assert_eq!(text.ends_with(&format!("game        A 0, B 0, {stands}")), side == "B", "{text}");
    }
}

/// A run that was solved with marks answers like a search of one without, in the same scores.
#[test]
fn marks_are_read_or_searched_for() {
    let dir = solved("2x4");
    says(dir.path(), &["solve", "2x4", "--marks"]);
    let batch: String = (0..1u64 << 22).step_by(9973).map(|drawn| format!("2x4:{drawn:x}\n")).collect();
    let ask = |run: &str, more: &[&str]| {
        let args = [&["query", "--batch", "-", "--details", "--from", run], more].concat();
        stdout(&dab_fed(dir.path(), &args, &batch).success())
    };
    let (searched, plain) = (ask("runs/2x4", &["--marks"]), ask("runs/2x4", &[]));
    assert_eq!(ask("runs/2x4-marks", &["--marks"]), searched);
    assert_eq!(ask("runs/2x4-marks", &[]), searched);
    assert!(searched.contains("\"mark\":\"^\"") && searched.contains("\"mark\":\"\"") && !plain.contains("mark"));
    let note = |run| stderr(&dab(dir.path(), &["query", "2x4:f", "--marks", "--from", run]).success());
    assert_eq!(note("runs/2x4"), "runs/2x4 has no marks: they are searched for\n");
    assert_eq!(note("runs/2x4-marks"), "");
    let digest = |run: &str| json(dir.path(), &["info", run, "--json"])["digest"].clone();
    assert_eq!(digest("runs/2x4"), digest("runs/2x4-marks"));
    assert!(says(dir.path(), &["verify", "runs/2x4-marks", "--level", "full"]).contains("all correct"));
}

#[test]
fn a_penalty_is_that_of_the_run_or_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--penalty", "3"]);
    let ask =
        |args: &[&str]| says(dir.path(), &[&["query", "2x2:0", "--json"], args].concat()).replace("run", "solved");
    let from_run = ["--from", "runs/2x2-p3"];
    assert_eq!(ask(&from_run), ask(&["--penalty", "3"]));
    assert_eq!(ask(&from_run), ask(&[&from_run[..], &["--penalty", "3"]].concat()));
    assert_ne!(ask(&["--penalty", "3"]), ask(&[]));
    assert!(says(dir.path(), &["query", "2x2:0", "--penalty", "3"]).starts_with("2x2:0, last-move penalty 3: score "));
}

#[test]
fn details_are_those_of_the_text() {
    let dir = solved("3x3");
    let ask =
        |flags: &[&str]| json(dir.path(), &[&["query", "3x3:fff", "--from", "runs/3x3", "--json"], flags].concat());
    let (short, long) = (ask(&[]), ask(&["--details"]));
    assert_eq!((&long["moves"], &long["best"]), (&short["moves"], &short["best"]));
    assert!(short["play"].is_null());
    let text = says(dir.path(), &["query", "3x3:fff", "--from", "runs/3x3"]);
    let play: Vec<&str> = long["play_names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let shown = text.split_once("best play   ").unwrap().1.split_once("\nloony").unwrap().0;
    // A comma ends a turn.
    assert_eq!(shown.split_whitespace().map(|name| name.trim_end_matches(',')).collect::<Vec<_>>(), play);
    assert_eq!((&long["components"][0]["name"], &long["endgame"]["name"]), (&"chain of 3".into(), &"3^3".into()));
    assert_eq!((&long["endgame"]["value"], &long["endgame"]["table"]["value"]), (&1.into(), &1.into()));
}

/// A game says whose boxes are whose, who moves and how it ends; a position of which nobody knows that says nothing of it.
#[test]
fn games_say_how_they_stand() {
    let dir = tempfile::tempdir().unwrap();
    let check = |position: &str, standing: Option<&str>| {
        let text = says(dir.path(), &["query", position]);
        let said = text.lines().find_map(|line| line.strip_prefix("game        "));
        assert_eq!(said, standing, "{position}");
    };
    check("2x2 0 2 6 7 8", Some("A 0, B 1, A to move; under best play A wins by 2"));
    check("1x1 0 1 2 3", Some("A 0, B 1: B wins by 1"));
    check("0 16 1 B\n+-+-+\n|A|\n+-+ +", Some("A 1, B 0, B to move; under best play A wins by 2"));
    check("3x3:fff", None);
    check("1x2:37", None);
    // Lines of a game need no quotes; best play shows where turns end.
    let text = says(dir.path(), &["query", "1x2", "a1-b1", "b1-c1"]);
    assert!(text.contains("A to move; under best play"), "{text}");
    for lines in [&["a1", "-", "b1", "b1-c1"][..], &["a1-b1 b1 - c1"]] {
        assert_eq!(says(dir.path(), &[&["query", "1x2"], lines].concat()), text);
    }
    let (play, _) = text.split_once("best play   ").unwrap().1.split_once("\n").unwrap();
    assert!(play.matches(',').count() > 1 && !play.ends_with(','), "{play}");
}

/// Input that is none is named in one short sentence.
#[test]
fn no_input_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("empty"), "\n").unwrap();
    std::fs::write(dir.path().join("binary"), [b'3', b'x', 0, 3]).unwrap();
    for (argument, code, error) in [
        ("", 2, "the text is empty: expected a position or a game, such as 3x3:fff"),
        ("@empty", 3, "cannot read empty: it is empty"),
        ("@binary", 3, "cannot read binary: it is a binary file, and no text"),
        (".", 2, ". is a directory: expected a position, a game, or a file that holds one"),
        ("@.", 2, "@. is a directory: expected a position, a game, or a file that holds one"),
    ] {
        fails(dir.path(), &["query", argument], code, &[&format!("dab: {error}\n")]);
    }
}

/// A move list names a position like any other text, by names, by numbers, or behind the position it begins from.
#[test]
fn move_lists_are_positions() {
    let dir = tempfile::tempdir().unwrap();
    let ask = |args: &[&str]| json(dir.path(), &[&["query", "--json"], args].concat())["position"].clone();
    for args in [
        &["2x2 a1-b1 b1-b2"][..],
        &["4 10 ", "--board", "2x2"],
        &["a1-b1, b2-b1", "--board", "2x2"],
        &["2x2:10 10"],
        &["http://127.0.0.1:3220/#p=2x2:0&m=4.10"],
    ] {
        assert_eq!(ask(args), "2x2:410", "{args:?}");
    }
    assert_eq!(ask(&["a3-b3", "--board", "2x2", "--start", "icelandic"]), "2x2:271");
    assert_eq!(ask(&["2x2", "--start", "swedish"]), "2x2:b73");
}
