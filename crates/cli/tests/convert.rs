//! Converting between notations, and giving them to the other verbs.

use crate::common;

use std::fs;
use std::path::Path;

use common::{dab, dab_fed, fails, json, says, stderr, stdout};

/// The game of docs/NOTATIONS.md.
const GAME: &str = "abbacbbcad";

fn empty() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn texts_files_and_standard_input() {
    let dir = empty();
    let expected = "1. a2-b2 2. a1-a2 3. a1-b1 4. b1-b2, b2-c2\n";
    assert_eq!(says(dir.path(), &["convert", GAME, "--board", "1x2", "--to", "dots"]), expected);
    fs::write(dir.path().join("game.dbl"), says(dir.path(), &["convert", GAME, "--board", "1x2", "--to", "dabble"]))
        .unwrap();
    for input in ["@game.dbl", "game.dbl"] {
        assert_eq!(says(dir.path(), &["convert", input, "--to", "dots"]), expected);
    }
    let fed = dab_fed(dir.path(), &["convert", "-", "--to", "lattice"], ";b[haa];r[vaa]\n").code(2);
    let message = "dab: standard input: littlegolem notation does not say how large the board is: name it, such as \
                   --board 3x3\n";
    assert_eq!(stderr(&fed), message);
    let fed = dab_fed(dir.path(), &["convert", "-", "--to", "lattice", "--board", "1x2"], ";b[haa];r[vaa]\n");
    assert_eq!(stdout(&fed.success()), "abba\n");
}

#[test]
fn files_from_old_windows_programs() {
    let dir = empty();
    let text = b"[Size \"1\"]\r\n[Red \"Andr\xe9\"]\r\n;b[haa];r[vaa]\r\n";
    fs::write(dir.path().join("game"), [&b"\xef\xbb\xbf"[..], text].concat()).unwrap();
    assert_eq!(says(dir.path(), &["convert", "@game", "--to", "lattice"]), "abba\n");
}

#[test]
fn every_notation_into_every_other() {
    let dir = empty();
    let names = ["compact", "diagram", "wilson", "bits", "lattice", "dots", "littlegolem", "dabble", "ksquares"];
    for from in names {
        let text = says(dir.path(), &["convert", GAME, "--board", "1x2", "--to", from]);
        fs::write(dir.path().join("text"), &text).unwrap();
        for to in names {
            fs::write(
                dir.path().join("again"),
                says(dir.path(), &["convert", "@text", "--board", "1x2", "--notation", from, "--to", to]),
            )
            .unwrap();
            let read = json(dir.path(), &["convert", "@again", "--board", "1x2", "--to", "compact", "--json"]);
            assert_eq!((&read["from"], &read["text"]), (&to.into(), &"1x2:37".into()), "{from} to {to}");
        }
    }
}

#[test]
fn json_has_exactly_these_fields() {
    let dir = empty();
    let expected = concat!(
        r#"{"version":1,"from":"lattice","to":"bits","start":"1x2:0","position":"1x2:37","moves":[0,4,2,5,1],"#,
        r#""move_names":["a2-b2","a1-a2","a1-b1","b1-b2","b2-c2"],"to_move":"A","#,
        r#""penalty":null,"text":"1110110"}"#,
        "\n"
    );
    assert_eq!(says(dir.path(), &["convert", GAME, "--board", "1x2", "--to", "bits", "--json"]), expected);
}

#[test]
fn what_is_made_up_is_said() {
    let dir = empty();
    let done = dab(dir.path(), &["convert", "1x2:3", "--to", "dots"]).success();
    assert_eq!(stdout(&done), "1. a2-b2 2. b2-c2\n");
    let said = "read as compact: 1x2:3\n2 lines drawn before the first move: their order is made up\n";
    assert_eq!(stderr(&done), said);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let dir = empty();
    let refused = |args: &[&str], pieces: &[&str]| fails(dir.path(), &[&["convert"], args].concat(), 2, pieces);
    fs::write(dir.path().join("game.txt"), "1. a1-b1\n2. a1-c1\n").unwrap();
    let place = "game.txt: dots, row 2, column 4: a1 and c1 are not neighbours";
    refused(&["@game.txt", "--board", "3x3", "--to", "lattice"], &[place]);
    refused(&["game.txt", "--board", "3x3", "--to", "lattice"], &[place]);
    fails(dir.path(), &["convert", "@missing", "--to", "dots"], 3, &["cannot read missing"]);
    refused(&[GAME, "--to", "dots"], &["lattice notation does not say how large the board is", "--board 3x3"]);
    refused(&["3x3", "--board", "2x2", "--to", "dots"], &["the text is about board 3x3, not 2x2"]);
    refused(&["3x3", "--to", "pgn"], &["unknown notation 'pgn': expected compact, diagram"]);
    refused(&["1x13", "--to", "lattice"], &["1x13 cannot be written in lattice notation", "26 letters"]);
    refused(&["3x3"], &["--to"]);
}

/// A file of Wilson's with a penalty of 2 on 1x2.
fn wilson(dir: &Path) {
    fs::write(dir.join("end.txt"), "-2 16 1 B\n+-+-+\n| |  \n+-+ +\n").unwrap();
}

#[test]
fn queries_take_every_notation() {
    let dir = empty();
    let ask = |position: &[&str]| says(dir.path(), &[&["query", "--json"], position].concat());
    let expected = ask(&["1x2:37"]);
    for to in ["diagram", "bits", "lattice", "dots", "address", "littlegolem", "dabble", "ksquares"] {
        fs::write(dir.path().join("text"), says(dir.path(), &["convert", GAME, "--board", "1x2", "--to", to])).unwrap();
        assert_eq!(ask(&["@text", "--board", "1x2"]), expected, "{to}");
    }
    let batch = format!("{GAME}\n1x2:37\n1110110\n");
    let answers = dab_fed(dir.path(), &["query", "--board", "1x2", "--batch", "-"], &batch).success();
    assert_eq!(stdout(&answers), expected.repeat(3));
}

#[test]
fn the_penalty_of_a_wilson_file_counts() {
    let dir = empty();
    wilson(dir.path());
    says(dir.path(), &["solve", "1x2", "--penalty", "2", "--out", "charged"]);
    says(dir.path(), &["solve", "1x2", "--out", "free"]);
    let score = |args: &[&str]| json(dir.path(), &[&["query", "--json"], args].concat())["score"].as_i64();
    let charged = score(&["1x2:37", "--from", "charged"]);
    assert_ne!(charged, score(&["1x2:37", "--from", "free"]));
    assert_eq!(score(&["@end.txt"]), charged);
    assert_eq!(score(&["@end.txt", "--from", "charged"]), charged);
    let pieces = ["a last-move penalty of 2, but the run has a penalty of 0", "ask a run with that penalty"];
    fails(dir.path(), &["query", "@end.txt", "--from", "free"], 2, &pieces);
    fs::write(dir.path().join("dear.txt"), "-127\n+-+\n| |\n+ +\n").unwrap();
    fails(dir.path(), &["query", "@dear.txt"], 2, &["penalty 127 is out of range", "allows 0 to 126"]);
    let solved = json(dir.path(), &["solve", "@end.txt", "--json"]);
    assert_eq!((solved["penalty"].as_i64(), solved["score"].as_i64()), (Some(2), charged));
    fails(dir.path(), &["solve", "@end.txt", "--penalty", "1"], 2, &["penalty of 2: leave out --penalty 1"]);
}

#[test]
fn solve_and_plan_take_every_notation() {
    let dir = empty();
    for verb in ["plan", "solve"] {
        let report = json(dir.path(), &[verb, GAME, "--board", "1x2", "--json"]);
        assert_eq!((&report["position"], &report["dir"]), (&"1x2:37".into(), &"runs/1x2-37".into()));
    }
    fails(dir.path(), &["plan", "1x2:1", "--start", "swedish"], 2, &["leave out --start swedish"]);
    let drawn = "ab is drawn already, by the start";
    fails(dir.path(), &["plan", GAME, "--board", "1x2", "--start", "swedish"], 2, &[drawn]);
    let report = json(dir.path(), &["plan", "1x2", "--start", "swedish", "--json"]);
    assert_eq!((&report["position"], &report["dir"]), (&"1x2:5f".into(), &"runs/1x2-swedish".into()));
}

#[test]
fn diagrams_with_coordinates_and_numbers() {
    let dir = empty();
    let draw = |flags: &[&str]| says(dir.path(), &[&["convert", "1x2:23", "--to", "diagram"], flags].concat());
    assert_eq!(draw(&[]), "+---+---+\n    |\n+   +   +\n");
    assert_eq!(draw(&["--coordinates"]), "2 +---+---+\n      |\n1 +   +   +\n  a   b   c\n");
    let both = draw(&["--coordinates", "--numbers"]);
    assert_eq!(both, "2 +---+---+\n  4   |   6\n1 + 2 + 3 +\n  a   b   c\n");
    fails(dir.path(), &["convert", "1x2", "--to", "dots", "--numbers"], 2, &["are for diagrams", "--to diagram"]);
}

/// A game from another start keeps it, in the notations that have a place for it.
#[test]
fn games_from_other_starts() {
    let dir = empty();
    let to =
        |to: &str| says(dir.path(), &["convert", "a2-b2 b1-b2", "--board", "1x2", "--start", "icelandic", "--to", to]);
    assert_eq!(to("dots"), "1x2:1c 1. a2-b2 2. b1-b2\n");
    assert_eq!(to("address"), "#p=1x2:1c&m=0.5\n");
    for text in [to("dots"), to("address")] {
        assert_eq!(says(dir.path(), &["convert", text.trim(), "--to", "compact"]), "1x2:3d\n");
    }
    let done = dab(dir.path(), &["convert", "1x2:1c 0 5", "--to", "lattice"]).success();
    assert!(stderr(&done).contains("their order is made up"), "{}", stderr(&done));
}
