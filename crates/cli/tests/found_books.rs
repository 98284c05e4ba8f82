//! Books that are found without being named: where they are looked for, what they answer, and what goes before them.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use common::{dab, fails, json, says, solved, stderr, stdout};
use serde_json::{Value, json};

/// A directory with the run of a board, and a book of its layers 0 to `last` where books are found.
fn with_book(board: &str, last: usize) -> tempfile::TempDir {
    let dir = solved(board);
    add_book(dir.path(), board, last, "data/books");
    dir
}

/// Makes a book of a run in one of the directories where books are found.
fn add_book(dir: &Path, board: &str, last: usize, into: &str) {
    fs::create_dir_all(dir.join(into)).unwrap();
    let (run, book) = (format!("runs/{board}"), format!("{into}/{board}.book"));
    says(dir, &["book", &run, "--layers", &last.to_string(), "--out", &book]);
}

fn ask(dir: &Path, args: &[&str]) -> Value {
    json(dir, &[&["query", "--json"], args].concat())
}

fn source(dir: &Path, args: &[&str]) -> String {
    ask(dir, args)["source"].as_str().unwrap().to_owned()
}

#[test]
fn a_book_that_is_found_answers_as_one_that_is_named() {
    let dir = with_book("3x3", 8);
    for args in [&["3x3:0"][..], &["3x3:0", "--json"], &["3x3:1b", "3x3:0"]] {
        let found = dab(dir.path(), &[&["query"], args].concat()).success();
        let named = [&["query", "--from", "data/books/3x3.book"], args].concat();
        assert_eq!(stdout(&found), says(dir.path(), &named));
        assert_eq!(stderr(&found).contains("3x3:0: from data/books/3x3.book\n"), !args.contains(&"--json"));
    }
    assert_eq!(source(dir.path(), &["3x3:1b"]), "book");
    let batch = "3x3:1b\n2x2:0\n3x3:ff\n";
    fs::write(dir.path().join("batch"), batch).unwrap();
    let answers = says(dir.path(), &["query", "--json", "--batch", "batch"]);
    let sources: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sources: Vec<&str> = sources.iter().map(|answer| answer["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["book", "solved", "solved"]);
}

#[test]
fn what_it_does_not_hold_is_solved() {
    let dir = with_book("2x3", 5);
    let elsewhere = tempfile::tempdir().unwrap();
    // In its last layer, whose moves are below it; below it; on another board; with another penalty.
    for args in [&["2x3:1f"][..], &["2x3:3f"], &["2x2:0"], &["2x3:0", "--penalty", "1"], &["2x3:0", "--marks"]] {
        let answer = ask(dir.path(), args);
        assert_eq!(answer["source"], "solved", "{args:?}");
        assert_eq!(answer, ask(elsewhere.path(), args));
    }
    assert_eq!(source(dir.path(), &["2x3:7"]), "book");
}

#[test]
fn a_run_or_a_book_that_is_named_goes_before() {
    let dir = with_book("2x3", 5);
    says(dir.path(), &["book", "runs/2x3", "--layers", "1", "--out", "less.book"]);
    let from = |from: &str| source(dir.path(), &["2x3:7", "--from", from]);
    assert_eq!(source(dir.path(), &["2x3:7"]), "book");
    assert_eq!([from("runs/2x3"), from("less.book")], ["run", "solved"]);
    let message = "2x2:0 does not arise from 2x3:0";
    fails(dir.path(), &["query", "2x2:0", "--from", "runs/2x3"], 2, &[message]);
}

#[test]
fn books_are_asked_one_after_the_other() {
    let dir = with_book("2x3", 5);
    let book = |name: &str| dir.path().join("data/books").join(name);
    fs::rename(book("2x3.book"), book("more.book")).unwrap();
    add_book(dir.path(), "2x3", 2, "data/books");
    let note = |position: &str| stderr(&dab(dir.path(), &["query", position]).success());
    assert!(note("2x3:1").contains("2x3:1: from data/books/2x3.book\n"));
    assert!(note("2x3:7").contains("2x3:7: from data/books/more.book\n"));
}

/// A copy of the program in `bin` of a directory, with nothing else.
fn installed(dir: &Path) -> PathBuf {
    let (bin, built) = (dir.join("bin"), env!("CARGO_BIN_EXE_dab"));
    fs::create_dir(&bin).unwrap();
    let program = bin.join("dab");
    if fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).unwrap();
    }
    program
}

#[test]
fn books_lie_beside_the_program_or_where_it_is_installed() {
    for place in ["bin/books", "share/dab/books"] {
        let dir = solved("2x3");
        let program = installed(dir.path());
        add_book(dir.path(), "2x3", 5, place);
        let elsewhere = tempfile::tempdir().unwrap();
        let found = Command::new(program).current_dir(elsewhere.path()).args(["query", "2x3:0"]).assert().success();
        let place = dir.path().canonicalize().unwrap().join(place).join("2x3.book");
        assert!(stderr(&found).contains(&format!("2x3:0: from {}\n", place.display())), "{}", stderr(&found));
    }
}

#[test]
fn info_lists_them() {
    let dir = with_book("2x3", 5);
    says(dir.path(), &["solve", "3x4", "--start", "swedish"]);
    add_book(dir.path(), "3x4-swedish", 2, "data/books");
    let listed = json(dir.path(), &["info", "--json"]);
    let book = json(dir.path(), &["info", "data/books/2x3.book", "--json"]);
    let expected = json!({
        "path": "data/books/2x3.book", "board": "2x3", "start": "2x3:0", "penalty": 0,
        "first_layer": 0, "last_layer": 5, "n_layers": 18, "bytes": book["bytes"],
    });
    assert_eq!(listed["books"][0], expected);
    let (starts, directories) = (listed["books"][1]["start"].clone(), listed["directories"].as_array().unwrap());
    assert_eq!((starts, directories[2].as_str()), (json!("3x4:4631f00f"), Some("data/books")));
    let text = says(dir.path(), &["info"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["board", "start", "penalty", "layers", "of", "bytes", "book"]);
    assert_eq!(rows[1][..5], ["2x3", "2x3:0", "0", "0-5", "18"]);
    assert_eq!((rows[1][6], rows.len()), ("data/books/2x3.book", 3));
    let nowhere = tempfile::tempdir().unwrap();
    assert!(says(nowhere.path(), &["info"]).starts_with("no books in /"));
    assert_eq!(json(nowhere.path(), &["info", "--json"])["books"], json!([]));
}

#[test]
fn a_damaged_book_is_named() {
    let dir = with_book("2x3", 5);
    let path = dir.path().join("data/books/2x3.book");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    for args in [&["query", "2x3:0"][..], &["query", "1x1:0"], &["info"], &["serve", "--port", "0"]] {
        fails(dir.path(), args, 4, &["data/books/2x3.book is damaged", "make the book again"]);
    }
    assert_eq!(source(dir.path(), &["2x3:0", "--from", "runs/2x3"]), "run");
}

#[test]
fn pictures_and_reviews_take_scores_from_them() {
    let dir = with_book("2x3", 17);
    let draw = |args: &[&str]| {
        says(dir.path(), &[&["draw", "2x3:3", "--scores", "--out", "p.svg"], args].concat());
        fs::read(dir.path().join("p.svg")).unwrap()
    };
    assert_eq!(draw(&[]), draw(&["--from", "runs/2x3"]));
    let review = |args: &[&str]| dab(dir.path(), &[&["review", "abbacb", "--board", "2x3"], args].concat()).success();
    let found = review(&[]);
    assert_eq!(stdout(&found), stdout(&review(&["--from", "runs/2x3"])));
    // Nothing was solved.
    assert_eq!(stderr(&found), "");
}
