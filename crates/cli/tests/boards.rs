//! Boards of every kind through every verb.

use crate::common;

use std::fs;

use common::{fails, json, says};
use serde_json::Value;

/// Two triangles of coins with a string between them and one to the ground; exchanging them is no symmetry.
const BOW: &str = "\
# a bow on a string
coin a 0 0
coin b 2 0
coin c 1 1
coin d 1 2
coin e 0 3
coin f 2 3
string a b
string b c
string c a
string c d
string d e
string e f
string f d
string a ground
string a ground
symmetry a b c d f e   # the right half upside down
";

fn moves(answer: &Value) -> Vec<(u64, i64)> {
    let moves = answer["moves"].as_array().unwrap().iter();
    moves.map(|m| (m["line"].as_u64().unwrap(), m["score"].as_i64().unwrap())).collect()
}

#[test]
fn a_row_and_the_same_row_as_a_grid_and_as_a_graph() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // 1x3 as a graph: top, bottom, then the lines across.
    let mut file: String = (0..3).map(|i| format!("coin {i} 0 {i}\n")).collect();
    file += &(0..3).map(|i| format!("string {i} ground\n")).collect::<String>().repeat(2);
    file += "string 0 ground\nstring 0 1\nstring 1 2\nstring 2 ground\nsymmetry 2 1 0\n";
    fs::write(dir.join("row.txt"), file).unwrap();
    for board in ["1x3", "open:3", "graph:row.txt"] {
        says(dir, &["solve", board, "--out", &board.replace([':', '.'], "-")]);
    }
    for mask in ["0", "1", "49", "3f", "82", "1ff"] {
        let ask = |board: &str| {
            let run = board.replace([':', '.'], "-");
            let answer = json(dir, &["query", &format!("{board}:{mask}"), "--from", &run, "--json"]);
            (answer["score"].clone(), moves(&answer))
        };
        assert_eq!(ask("1x3"), ask("open:3"), "{mask}");
        assert_eq!(ask("1x3"), ask("graph:row.txt"), "{mask}");
    }
    // Equal boards answer for each other.
    let answer = json(dir, &["query", "1x3:49", "--from", "graph-row-txt", "--json"]);
    assert_eq!(answer["score"], json(dir, &["query", "graph:row.txt:49", "--json"])["score"]);
}

#[test]
fn closed_rows_and_triangles() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (board, run, score) in [("closed:3", "closed-3", 3), ("triangles:closed:3", "triangles-closed-3", 5)] {
        assert_eq!(json(dir, &["solve", board, "--json"])["score"], score);
        assert_eq!(json(dir, &["search", board, "--json"])["score"], score);
        assert_eq!(json(dir, &["query", board, "--json"])["score"], score);
        let run = format!("runs/{run}");
        assert!(says(dir, &["verify", &run, "--level", "full"]).contains("all correct"));
        assert!(says(dir, &["info", &run]).contains(board));
        let book = format!("{score}.book");
        says(dir, &["book", &run, "--layers", "2", "--out", &book]);
        assert_eq!(json(dir, &["query", board, "--from", &book, "--json"])["score"], score);
        assert!(says(dir, &["crosscheck", "board", "--from", &run]).contains("0 disagreements"));
    }
    let picture = says(dir, &["query", "closed:2:1"]);
    assert!(picture.contains("+----+----+\n"), "{picture}");
    let triangles = says(dir, &["solve", "triangles:open:2"]);
    assert!(triangles.contains("triangles:open:2:0, quiet space: score 1"), "{triangles}");
    assert!(says(dir, &["plan", "open:8"]).contains("open:8:0, quiet space, in runs/open-8"));
}

#[test]
fn a_run_of_a_graph_needs_its_file_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("bow.txt"), BOW).unwrap();
    let solved = json(dir, &["solve", "graph:bow.txt", "--json"]);
    assert_eq!(solved["score"], json(dir, &["search", "graph:bow.txt", "--json"])["score"]);
    let before = json(dir, &["query", "graph:bow.txt:3", "--from", "runs/graph-bow", "--json"]);
    // The same graph with other comments is the same run, wherever its file lies.
    fs::create_dir(dir.join("else")).unwrap();
    fs::write(dir.join("else/bow.txt"), format!("# moved\n\n{BOW}")).unwrap();
    fs::remove_file(dir.join("bow.txt")).unwrap();
    let again = json(dir, &["solve", "graph:else/bow.txt", "--json"]);
    assert_eq!(again["digest"], solved["digest"]);
    fs::remove_file(dir.join("else/bow.txt")).unwrap();
    let after = json(dir, &["query", "graph:runs/graph-bow:3", "--from", "runs/graph-bow", "--json"]);
    assert_eq!((after["score"].clone(), moves(&after)), (before["score"].clone(), moves(&before)));
    assert!(says(dir, &["verify", "runs/graph-bow", "--level", "full"]).contains("all correct"));
    says(dir, &["book", "runs/graph-bow", "--layers", "3", "--out", "bow.book"]);
    let from_book = json(dir, &["query", "graph:bow.book:3", "--from", "bow.book", "--json"]);
    assert_eq!(moves(&from_book), moves(&before));
    let picture = says(dir, &["query", "graph:bow.book", "--from", "runs/graph-bow"]);
    assert!(picture.contains("  a-ground  "), "{picture}");
}

#[test]
fn another_graph_is_another_run() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("bow.txt"), BOW).unwrap();
    says(dir, &["solve", "graph:bow.txt"]);
    fs::write(dir.join("bow.txt"), format!("{BOW}string b ground\n")).unwrap();
    fails(dir, &["solve", "graph:bow.txt"], 3, &["graph"]);
    fails(dir, &["query", "graph:bow.txt:1", "--from", "runs/graph-bow"], 2, &["does not arise from"]);
}

#[test]
fn graph_files_that_are_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let refused = |file: &str, pieces: &[&str]| {
        fs::write(dir.join("bad.txt"), file).unwrap();
        for verb in ["solve", "plan", "query", "search"] {
            fails(dir, &[verb, "graph:bad.txt"], 2, pieces);
        }
    };
    refused("coin a\nstring a b\n", &["bad.txt", "line 2", "unknown coin 'b'"]);
    refused("coin a\nstring a a\n", &["bad.txt", "line 2", "a string from coin 'a' to itself"]);
    refused(&format!("coin a\n{}", "string a ground\n".repeat(200)), &["line 130", "too many strings: at most 128"]);
    refused(&BOW.replace("a b c d f e", "b a c d e f"), &["line 17", "no symmetry", "from ground to a", ": 2"]);
    refused("", &["there are no coins"]);
    fails(dir, &["query", "graph:nowhere.txt"], 3, &["cannot read nowhere.txt"]);
    fs::write(dir.join("bytes"), b"coin \xff").unwrap();
    fails(dir, &["plan", "graph:bytes"], 2, &["bytes is no graph file: it is not text"]);
    says(dir, &["solve", "1x1"]);
    fails(dir, &["plan", "graph:runs/1x1"], 2, &["runs/1x1 holds 1x1:0, which is no graph"]);
}

#[test]
fn other_boards_that_are_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], pieces: &[&str]| fails(dir.path(), args, 2, pieces);
    refused(&["plan", "closed:0"], &["board closed:0 is empty"]);
    refused(&["plan", "triangles:open:40"], &["board triangles:open:40 has 159 lines: at most 128"]);
    refused(&["plan", "triangles:open:18"], &["71 units", "at most 64"]);
    refused(&["plan", "closed:4", "--start", "swedish"], &["board closed:4 has no swedish start"]);
    refused(&["plan", "closed:4:0", "--start", "swedish"], &["leave out --start swedish"]);
    refused(&["search", "closed:4", "--penalty", "124"], &["penalty 124 is out of range: closed:4:0 allows 0 to 123"]);
}
