//! `dab census`: what it prints of runs and books, and what it refuses. `dab/tests/census.rs` counts again.

use crate::common;

use std::path::Path;

use common::{dab_fed, fails, json, says, solved, stdout};
use serde_json::Value;

/// The sum of a field of some objects.
fn sum(counts: &Value, field: &str) -> u64 {
    counts.as_array().unwrap().iter().map(|count| count[field].as_u64().unwrap()).sum()
}

#[test]
fn positions_are_counted_as_queries_answer_them() {
    let dir = solved("2x2");
    let census = json(dir.path(), &["census", "runs/2x2", "--json"]);
    for layer in census["layers"].as_array().unwrap() {
        let lines = layer["lines"].as_u64().unwrap() as u32;
        let sets = (0..1u32 << 12).filter(|drawn| drawn.count_ones() == lines);
        let batch: String = sets.map(|drawn| format!("2x2:{drawn:x}\n")).collect();
        let answers = dab_fed(dir.path(), &["query", "--json", "--from", "runs/2x2", "--batch", "-"], &batch);
        let scores = stdout(&answers.success());
        let scores = scores.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["score"].as_i64().unwrap());
        let for_first: Vec<i64> = scores.map(|score| if lines.is_multiple_of(2) { score } else { -score }).collect();
        let of_sign = |sign: i64| for_first.iter().filter(|score| score.signum() == sign).count() as u64;
        let counts = ["positions", "first", "second", "tied", "closed"].map(|field| layer[field].as_u64().unwrap());
        assert_eq!(counts, [for_first.len() as u64, of_sign(1), of_sign(-1), of_sign(0), 0], "{layer}");
        assert_eq!(sum(&layer["scores"], "positions"), counts[0]);
    }
    let first_moves = &census["first_moves"];
    assert_eq!((census["layers"].as_array().unwrap().len(), sum(first_moves, "images")), (4, 12));
    for first_move in first_moves.as_array().unwrap() {
        assert_eq!(sum(&first_move["replies"], "replies"), 11);
        let answer = json(dir.path(), &["query", "2x2:0", "--json"]);
        let same = answer["moves"].as_array().unwrap().iter().find(|m| m["line"] == first_move["line"]).unwrap();
        assert_eq!((&same["name"], &same["score"]), (&first_move["name"], &first_move["score"]));
    }
}

#[test]
fn text_has_the_counts_of_json() {
    let dir = solved("2x2");
    let census = json(dir.path(), &["census", "runs/2x2", "--json"]);
    let text = says(dir.path(), &["census", "runs/2x2"]);
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["2x2:0,", "runs/2x2"]);
    for layer in census["layers"].as_array().unwrap() {
        let counts = ["lines", "positions", "first", "second", "tied", "closed"].map(|field| layer[field].to_string());
        assert!(words.iter().any(|row| row.len() > 6 && row[..6] == counts), "{layer}\n{text}");
    }
    for first_move in census["first_moves"].as_array().unwrap() {
        let name = first_move["name"].as_str().unwrap();
        let row = words.iter().find(|row| row.first() == Some(&name)).unwrap();
        let replies = first_move["replies"].as_array().unwrap().iter();
        let replies: Vec<String> = replies.map(|count| format!("{}: {}", count["losing"], count["replies"])).collect();
        assert_eq!(row[1..3], [first_move["images"].to_string(), first_move["score"].to_string()]);
        assert_eq!(row[3..].join(" "), replies.join(", "));
    }
}

#[test]
fn what_is_not_listed_is_said() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--start", "icelandic"]);
    let run = "runs/2x2-icelandic";
    let text = says(dir.path(), &["census", run]);
    assert!(text.ends_with("\nfirst moves are not listed: three lines can close a box\n"), "{text}");
    let text = says(dir.path(), &["census", run, "--lines", "1"]);
    assert!(text.ends_with("\nfirst moves are listed from --lines 3 on\n"), "{text}");
    let census = json(dir.path(), &["census", run, "--json"]);
    assert!(census.get("first_moves").is_none() && census["layers"][2]["closed"].as_u64() > Some(0), "{census}");
}

#[test]
fn what_cannot_be_counted_is_named() {
    let dir = solved("2x2");
    says(dir.path(), &["book", "runs/2x2", "--layers", "2", "--out", "b.book"]);
    assert_eq!(json(dir.path(), &["census", "b.book", "--lines", "2", "--json"])["layers"][2]["positions"], 66);
    let census = |args: &[&str], code: i32, pieces: &[&str]| {
        fails(dir.path(), &[&["census"], args].concat(), code, pieces);
    };
    let remedy = ["a census of up to 3 lines", "b.book holds layers 0 to 2", "make a book with more layers"];
    census(&["b.book"], 3, &remedy);
    census(&["b.book", "--json"], 3, &remedy);
    census(&["runs/2x2", "--lines", "13"], 2, &["2x2:0 has 12 undrawn lines left, not 13; use a smaller --lines"]);
    census(&["runs/2x2", "--lines", "x"], 2, &["--lines"]);
    census(&["runs/2x2", "--lines", "-1"], 2, &["'-1'", "--lines"]);
    census(&["nowhere"], 3, &["nowhere"]);
}

/// The second player's positions of three lines are those that losing third moves lead to, each in all six orders of its lines.
#[test]
fn counts_of_shipped_books_fit_together() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (book, n) in [("3x6", 45), ("4x4", 40), ("4x5", 49)] {
        let census = json(&root, &["census", &format!("data/books/{book}.book"), "--json"]);
        let positions = |k: usize| census["layers"][k]["positions"].as_u64();
        assert_eq!([0, 1, 2, 3].map(positions), [1, n, n * (n - 1) / 2, n * (n - 1) * (n - 2) / 6].map(Some));
        let first_moves = census["first_moves"].as_array().unwrap();
        let losing = |replies: &Value| -> u64 {
            let times = |count: &Value| count["losing"].as_u64().unwrap() * count["replies"].as_u64().unwrap();
            replies.as_array().unwrap().iter().map(times).sum()
        };
        let by_moves: u64 =
            first_moves.iter().map(|first| first["images"].as_u64().unwrap() * losing(&first["replies"])).sum();
        assert_eq!(Some(by_moves), census["layers"][3]["second"].as_u64().map(|second| 6 * second), "{book}");
        let score = &census["layers"][0]["scores"][0]["score"];
        let best = first_moves.iter().map(|first| first["score"].as_i64().unwrap()).max();
        assert_eq!(score.as_i64(), best, "{book}");
    }
}

/// A penalty is part of the scores; the first line says so.
#[test]
fn penalties_are_named() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--penalty", "3", "--out", "run"]);
    let text = says(dir.path(), &["census", "run"]);
    assert!(text.starts_with("2x2:0, run, last-move penalty 3\n"), "{text}");
}
