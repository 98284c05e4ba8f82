//! Books: what they hold, that they say what their run says, and what happens below their last layer.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{dab, dab_fed, fails, json, says, solved, stderr, stdout};

/// A directory with the run of a board and a book of its layers 0 to `last`.
fn with_book(board: &str, last: usize) -> tempfile::TempDir {
    let dir = solved(board);
    let run = format!("runs/{board}");
    says(dir.path(), &["book", &run, "--layers", &last.to_string(), "--out", "b.book"]);
    dir
}

/// Answers to positions, one a line.
fn ask(dir: &Path, from: &str, batch: &str) -> String {
    stdout(&dab_fed(dir, &["query", "--json", "--from", from, "--batch", "-"], batch).success())
}

/// Asserts that a book agrees with its run on every position, whether it holds it or not.
fn agrees(board: &str, n_lines: u32, lasts: &[usize], args: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &[&["solve", board, "--out", "run"], args].concat());
    let batch: String = (0..1u64 << n_lines).map(|drawn| format!("{board}:{drawn:x}\n")).collect();
    let expected = ask(dir.path(), "run", &batch);
    for &last in lasts {
        says(dir.path(), &["book", "run", "--layers", &last.to_string(), "--out", &format!("{last}.book")]);
        let answers = ask(dir.path(), &format!("{last}.book"), &batch);
        let [from_book, solved] = ["book", "solved"].map(|source| format!("\"source\":\"{source}\""));
        assert!(answers.contains(&from_book) || last == 0);
        assert_eq!(answers.contains(&solved), last < n_lines as usize);
        let as_run =
            answers.replace("\"source\":\"book\"", "\"source\":\"run\"").replace(&solved, "\"source\":\"run\"");
        assert!(as_run == expected, "{board}, layers 0 to {last}");
    }
}

#[test]
fn a_book_agrees_with_its_run_on_every_position() {
    agrees("1x3", 10, &[0, 3, 10], &[]);
    agrees("2x2", 12, &[0, 6], &["--penalty", "2"]);
    agrees("2x2", 12, &[6, 12], &["--marks"]);
    agrees("2x2", 12, &[6], &["--space", "full"]);
}

#[test]
#[ignore = "long: books of any length, many of whose positions are solved"]
fn books_of_any_length_agree_with_their_runs_on_every_position() {
    let variants = [&["--penalty", "2"][..], &["--marks"], &["--space", "full"]];
    variants.into_iter().for_each(|args| agrees("2x2", 12, &[0, 3, 12], args));
}

#[test]
fn below_the_last_layer_positions_are_solved_on_the_spot() {
    let dir = with_book("3x3", 8);
    let query = |position: &str| {
        let done = dab(dir.path(), &["query", position, "--from", "b.book"]).success();
        (stdout(&done), stderr(&done))
    };
    let from_run = |position: &str| says(dir.path(), &["query", position, "--from", "runs/3x3"]);
    // In the book; the best play leaves it.
    let (text, notes) = query("3x3:0");
    assert_eq!(text, from_run("3x3:0"));
    assert!(notes.contains("below the book, solved in memory for the best play"), "{notes}");
    // Below it, and in its last layer, whose moves are below it.
    for position in ["3x3:fff", "3x3:ff"] {
        let (text, notes) = query(position);
        assert_eq!(text, from_run(position));
        assert!(notes.contains(&format!("{position}: below the book, solved in memory, ")), "{notes}");
    }
    let sources = |position| json(dir.path(), &["query", position, "--from", "b.book", "--json"])["source"].clone();
    assert_eq!([sources("3x3:0"), sources("3x3:f"), sources("3x3:ff")], ["book", "book", "solved"]);
}

#[test]
fn a_book_is_completed_where_only_a_few_moves_are_below_it() {
    let dir = with_book("3x3", 8);
    // Seven lines, of which two are at one box: moves into it lead to nine.
    let query =
        |flags: &[&str]| dab(dir.path(), &[&["query", "3x3:38f", "--json", "--from"], flags].concat()).success();
    let from_run = stdout(&query(&["runs/3x3"]));
    let sources = [(&["b.book"][..], "solved"), (&["b.book", "--memory", "1M"], "book")];
    for (flags, source) in sources {
        assert_eq!(stdout(&query(flags)), from_run.replace("\"run\"", &format!("\"{source}\"")));
    }
    let done = dab(dir.path(), &["query", "3x3:38f", "--from", "b.book", "--memory", "1M"]).success();
    assert!(stderr(&done).contains("3x3:38f: 1 score below the book, solved with "), "{}", stderr(&done));
    assert!(stdout(&done).contains(" and on below the book\n"));
}

#[test]
fn best_play_goes_on_below_a_book_if_that_takes_little() {
    let dir = with_book("1x10", 1);
    let query = |flags: &[&str]| says(dir.path(), &[&["query", "1x10:0", "--from"], flags].concat());
    let from_run = query(&["runs/1x10"]);
    assert_eq!(query(&["b.book"]), from_run);
    // With little memory nothing is solved in passing, so that best play ends where the book does.
    let ended = query(&["b.book", "--memory", "1M"]);
    let (play, rest) = ended.split_once(" and on below the book\n").unwrap();
    assert!(from_run.starts_with(play) && from_run.ends_with(rest), "{ended}");
    // The position asked for is solved, however little memory there is.
    let done = dab(dir.path(), &["query", "1x10:1", "--from", "b.book", "--memory", "1M"]).success();
    assert!(stderr(&done).contains("1x10:1: below the book, solved in temporary files, 30 undrawn lines"));
    assert_eq!(stdout(&done), says(dir.path(), &["query", "1x10:1", "--from", "runs/1x10"]));
    fails(dir.path(), &["query", "1x9:0", "--from", "b.book"], 2, &["1x9:0 does not arise from 1x10:0"]);
}

#[test]
fn the_largest_book_that_fits() {
    let dir = solved("2x3");
    let make = |args: &[&str]| json(dir.path(), &[&["book", "runs/2x3", "--json"], args].concat());
    let held = |book: &serde_json::Value| book["layers"].as_array().unwrap().len();
    let five = make(&["--layers", "5", "--out", "5.book"]);
    let size = fs::metadata(dir.path().join("5.book")).unwrap().len();
    let six = make(&["--max-size", &size.to_string(), "--out", "same.book"]);
    assert_eq!((held(&five), held(&six)), (6, 6));
    assert_eq!(fs::read(dir.path().join("5.book")).unwrap(), fs::read(dir.path().join("same.book")).unwrap());
    assert_eq!(held(&make(&["--max-size", &(size - 1).to_string(), "--out", "less.book"])), 5);
    assert_eq!(held(&make(&["--max-size", "1G", "--out", "all.book"])), 18);
    let done = dab(dir.path(), &["book", "runs/2x3", "--max-size", "1M", "--out", "noted.book"]).success();
    assert_eq!(stderr(&done), "noted.book holds layers 0 to 17 of runs/2x3\n");
    fails(
        dir.path(),
        &["book", "runs/2x3", "--max-size", "500", "--out", "no.book"],
        2,
        &["no book of runs/2x3 fits in 500 bytes: layer 0 alone takes ", "larger --max-size"],
    );
    assert!(!dir.path().join("no.book").exists());
}

#[test]
fn info_describes_runs_and_books() {
    let dir = with_book("2x3", 5);
    let run = json(dir.path(), &["info", "runs/2x3", "--json"]);
    let book = json(dir.path(), &["info", "b.book", "--json"]);
    let report = json(dir.path(), &["solve", "2x3", "--json"]);
    for field in ["positions", "bytes", "digest", "space", "penalty"] {
        assert_eq!(run[field], report[field], "{field}");
    }
    for field in ["board", "start", "space", "penalty", "n_layers", "digest"] {
        assert_eq!(run[field], book[field], "{field}");
    }
    assert_eq!((run["kind"].as_str(), book["kind"].as_str()), (Some("run"), Some("book")));
    assert_eq!(run["layers"].as_array().unwrap()[..6], book["layers"].as_array().unwrap()[..]);
    let text = says(dir.path(), &["info", "b.book"]);
    let expected = "\
book       b.book
board      2x3
start      2x3:0
space      quiet
penalty    0
layers     6 of 18
positions  ";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains(book["digest"].as_str().unwrap()), "{text}");
}

/// `bytes` of a run are the lengths of its score files, and those of each layer the length of its own.
#[test]
fn bytes_are_the_lengths_of_files() {
    let dir = with_book("2x3", 5);
    let len = |file: &str| fs::metadata(dir.path().join(file)).unwrap().len();
    let bytes = |value: &serde_json::Value| value["bytes"].as_u64().unwrap();
    assert_eq!(bytes(&json(dir.path(), &["info", "b.book", "--json"])), len("b.book"));
    let run = json(dir.path(), &["info", "runs/2x3", "--json"]);
    let layers = run["layers"].as_array().unwrap();
    for layer in layers {
        let number = layer["layer"].as_u64().unwrap();
        assert_eq!(bytes(layer), len(&format!("runs/2x3/layer-{number:02}.score")), "layer {number}");
    }
    assert_eq!(bytes(&run), layers.iter().map(bytes).sum::<u64>());
}

#[test]
fn damaged_books_are_named() {
    let dir = with_book("3x3", 12);
    let path = dir.path().join("b.book");
    let intact = fs::read(&path).unwrap();
    assert!(
        says(dir.path(), &["verify", "b.book"])
            .starts_with("b.book: level checksums: 13 of 25 layers checked, all correct")
    );
    let mut flipped = intact.clone();
    flipped[intact.len() / 2] ^= 1;
    fs::write(&path, flipped).unwrap();
    fails(dir.path(), &["verify", "b.book"], 4, &["b.book, layer ", "is damaged", "make the book again"]);
    fails(dir.path(), &["verify", "b.book", "--repair"], 2, &["b.book is a book: make it again"]);
    fs::write(&path, &intact[..intact.len() - 1]).unwrap();
    for args in [&["verify", "b.book"][..], &["info", "b.book"], &["query", "3x3:0", "--from", "b.book"]] {
        fails(dir.path(), args, 4, &["b.book is damaged", "make the book again"]);
    }
}

#[test]
fn of_four_at_once_one_makes_the_book() {
    let dir = solved("3x4");
    let args = ["book", "runs/3x4", "--layers", "31", "--out", "b.book"];
    let made = [(); 4].map(|()| {
        let mut book = Command::new(env!("CARGO_BIN_EXE_dab"));
        book.args(args).current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    });
    let made = made.map(|book| book.wait_with_output().unwrap());
    let refused: Vec<String> = made
        .iter()
        .filter(|made| !made.status.success())
        .map(|made| String::from_utf8_lossy(&made.stderr).into())
        .collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert!(refused.iter().all(|error| error.contains("b.book is already there")), "{refused:?}");
    assert!(says(dir.path(), &["verify", "b.book"]).contains("32 of 32 layers checked, all correct"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn what_cannot_become_a_book() {
    let dir = with_book("2x2", 3);
    let book = |args: &[&'static str]| [&["book", "runs/2x2"], args].concat();
    fails(dir.path(), &book(&["--out", "x"]), 2, &["--layers", "--max-size"]);
    fails(dir.path(), &book(&["--out", "x", "--layers", "13"]), 2, &["runs/2x2 has 13 layers and no layer 13"]);
    fails(dir.path(), &book(&["--out", "b.book", "--layers", "3"]), 3, &["b.book is already there"]);
    fails(dir.path(), &["book", "b.book", "--layers", "3", "--out", "x"], 3, &["b.book"]);
    fails(dir.path(), &["verify", "b.book", "--level", "full"], 3, &["b.book holds only 4 of 13 layers"]);
    fs::remove_file(dir.path().join("runs/2x2/manifest.json")).unwrap();
    fails(dir.path(), &book(&["--out", "x", "--layers", "3"]), 3, &["runs/2x2 is not a run"]);
}
