//! The books in `data/books`: they are intact, hold the scores that are published, and answer in a copy of the sources.

use crate::common;

use std::fs;
use std::path::PathBuf;

use common::{dab_fed, json, stdout};
use dab::figures::Count;
use dab::{Files, Limits, OnDemandSolve, Position, Tablebase};
use dab_board::Start;
use serde_json::Value;

/// A shipped book: its name, its board and start, and the score of the start.
struct Shipped {
    name: &'static str,
    board: &'static str,
    start: Start,
    score: i8,
}

const SHIPPED: [Shipped; 5] = [
    Shipped { name: "3x5", board: "3x5", start: Start::American, score: -1 },
    Shipped { name: "3x6", board: "3x6", start: Start::American, score: 0 },
    Shipped { name: "4x4", board: "4x4", start: Start::American, score: 0 },
    Shipped { name: "4x5", board: "4x5", start: Start::American, score: 0 },
    Shipped { name: "5x5-swedish", board: "5x5", start: Start::Swedish, score: -3 },
];

impl Shipped {
    fn path(&self) -> PathBuf {
        root().join(format!("data/books/{}.book", self.name))
    }

    fn start(&self) -> Position {
        let board = self.board.parse::<Position>().unwrap().board().clone();
        Position::start(board, self.start)
    }

    /// Positions of a layer, all of different games in which nobody draws a third side.
    fn positions(&self, drawn: usize, n: usize) -> Vec<Position> {
        let mut random = 1u64;
        let mut below = |n: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % n
        };
        let mut game = || {
            let mut now = self.start();
            for _ in 0..drawn {
                let safe: Vec<Position> = now.undrawn().iter().map(|line| now.draw(line).0).filter(is_quiet).collect();
                now = safe.get(below(safe.len().max(1)))?.clone();
            }
            Some(now)
        };
        std::iter::from_fn(|| Some(game())).flatten().take(n).collect()
    }
}

fn is_quiet(position: &Position) -> bool {
    position.capture_run().after == position.drawn()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn shipped_books_are_those_of_the_list() {
    let listed = json(&root(), &["info", "--json"]);
    let books: Vec<&Value> = listed["books"].as_array().unwrap().iter().collect();
    assert_eq!(books.len(), SHIPPED.len());
    for (book, shipped) in books.iter().zip(SHIPPED) {
        assert_eq!(book["path"], format!("data/books/{}.book", shipped.name));
        assert_eq!(book["start"], shipped.start().to_string());
        let answer = json(&root(), &["query", &shipped.start().to_string(), "--json"]);
        assert_eq!((&answer["source"], &answer["score"]), (&"book".into(), &shipped.score.into()), "{}", shipped.name);
    }
}

#[test]
fn books_have_marks() {
    let done = common::dab(&root(), &["query", "3x5:0"]).success();
    assert!(stdout(&done).starts_with("3x5:0: score -1v\n") && common::stderr(&done).contains("3x5.book"));
    // D. Wilson's page on 4x4: all first lines but those that touch the dot in the middle.
    let answer = json(&root(), &["query", "4x4:0", "--json"]);
    let others = answer["moves"].as_array().unwrap().iter().filter(|m| m["mark"] != "^").map(|m| &m["line"]);
    assert!(answer["source"] == "book" && others.eq(&[9, 10, 27, 32]), "{answer}");
}

/// `bytes` of a book, of the list of books and of data/books/README.md are the length of its file.
#[test]
fn bytes_of_shipped_books_are_the_lengths_of_their_files() {
    let list = fs::read_to_string(root().join("data/books/README.md")).unwrap();
    let books = json(&root(), &["info", "--json"])["books"].clone();
    for (shipped, listed) in SHIPPED.iter().zip(books.as_array().unwrap()) {
        let len = fs::metadata(shipped.path()).unwrap().len();
        let info = json(&root(), &["info", shipped.path().to_str().unwrap(), "--json"]);
        assert_eq!((info["bytes"].as_u64(), listed["bytes"].as_u64()), (Some(len), Some(len)), "{}", shipped.name);
        let row = list.lines().find(|row| row.starts_with(&format!("| `{}.book`", shipped.name))).unwrap();
        assert!(row.contains(&format!(" | {} | ", Count(len.into()))), "{row}: {len}");
        // The layers leave room for a header, a directory and a footer.
        let layers: u64 = info["layers"].as_array().unwrap().iter().filter_map(|layer| layer["bytes"].as_u64()).sum();
        assert!(0 < layers && layers < len, "{}: {layers} of {len}", shipped.name);
    }
}

#[test]
fn shipped_books_have_the_digests_that_are_published() {
    for shipped in SHIPPED {
        let book = Files::open(shipped.path()).unwrap();
        dab::verify::checksums(&book, &()).unwrap();
        let published = fs::read_to_string(root().join(format!("data/digests/quiet-{}.txt", shipped.name))).unwrap();
        let summary = book.summary();
        let digest = summary.digest.unwrap();
        let mut lines = vec![format!("start {}", summary.start), format!("digest {digest}")];
        lines.extend(summary.layers.iter().map(|layer| format!("layer {} {}", layer.layer, layer.digest)));
        for line in lines {
            assert!(published.lines().any(|published| published == line), "{}: {line}", shipped.name);
        }
    }
}

#[test]
fn shipped_books_follow_the_rules() {
    for shipped in SHIPPED {
        let book = Tablebase::open(shipped.path()).unwrap();
        let last = book.files().layers().count() - 1;
        let mut n_answered = 0;
        for position in (0..last).flat_map(|drawn| shipped.positions(drawn, 30)) {
            match book.answer(&position) {
                // A move opens a chain.
                Err(error) if error.is_beyond() => continue,
                answer => {
                    let answer = answer.unwrap();
                    let best = answer.moves.iter().map(|m| m.score).max();
                    assert_eq!(best, Some(answer.score), "{position}");
                }
            }
            n_answered += 1;
        }
        assert!(n_answered > 20 * (last - 2), "{}: {n_answered}", shipped.name);
    }
}

#[test]
fn golden_positions_are_answered_below_the_books() {
    let golden = fs::read_to_string(root().join("data/golden/positions.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = golden.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let rows: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == "4" && ["4", "5"].contains(&row[1])).collect();
    let rows: Vec<&Vec<&str>> = rows.into_iter().step_by(20).collect();
    assert!(rows.len() > 20);
    let batch: String = rows.iter().map(|row| format!("{}x{}:{}\n", row[0], row[1], row[2])).collect();
    let answers = stdout(&dab_fed(&root(), &["query", "--json", "--batch", "-"], &batch).success());
    for (row, answer) in rows.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let best: Vec<String> = answer["best"].as_array().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!((answer["score"].to_string(), best.join(",")), (row[3].to_owned(), row[4].to_owned()), "{row:?}");
    }
    assert_eq!(answers.lines().count(), rows.len());
}

#[test]
#[ignore = "long: minutes"]
fn solves_agree_with_the_last_layers_of_shipped_books() {
    for shipped in SHIPPED {
        let book = Tablebase::open(shipped.path()).unwrap();
        let last = book.files().layers().count() - 1;
        for position in shipped.positions(last, 5) {
            let solved = OnDemandSolve::run(&position, 0, Limits::default(), &()).unwrap();
            assert_eq!(book.probe(&position).unwrap(), solved.probe(&position).unwrap(), "{position}");
        }
    }
}
