//! Reviewing games: margins, costs, turning points and mistakes.

use crate::common;

use std::fs;

use common::{dab, dab_fed, fails, json, says, solved, stderr, stdout};
use serde_json::{Value, json};

const LITTLEGOLEM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/notation/littlegolem-5x5.txt");

/// 2x2: sides first, then A opens the loop where B takes all of it.
const LOOP: &str = "1. a3-b3 2. b3-c3 3. a1-b1 4. b1-c1 5. a2-a3 6. a1-a2 7. c2-c3 8. c1-c2 9. a2-b2 \
                    10. b2-b3, b2-c2, b1-b2";

#[test]
fn a_game_of_25_boxes_in_one_command() {
    let dir = tempfile::tempdir().unwrap();
    let review = json(dir.path(), &["review", LITTLEGOLEM, "--json"]);
    assert_eq!((&review["board"], &review["penalty"]), (&json!("5x5"), &json!(0)));
    let end = &review["end"];
    assert_eq!((&end["boxes"], &end["undrawn"], &end["margin"]), (&json!([18, 7]), &json!(0), &json!(11)));
    let turns = review["turns"].as_array().unwrap();
    assert_eq!((&turns[turns.len() - 1]["turn"], &turns[turns.len() - 1]["boxes"]), (&json!(37), &json!([18, 7])));
    // Turns follow each other, and margins change by what the turn cost.
    for pair in turns.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"]);
        assert_ne!(pair[0]["by"], pair[1]["by"]);
    }
    for turn in turns {
        let number = |field: &str| turn[field].as_i64().unwrap();
        let sign = if turn["by"] == "A" { -1 } else { 1 };
        assert_eq!(number("after") - number("before"), sign * number("cost"), "{turn}");
        let costs: i64 = turn["lines"].as_array().unwrap().iter().filter_map(|line| line["cost"].as_i64()).sum();
        assert_eq!(costs, number("cost"));
    }
}

#[test]
fn lines_have_the_marks_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--marks", "--out", "runs/2x2"]);
    let review = ["review", LOOP, "--board", "2x2", "--from", "runs/2x2"];
    let turns = json(dir.path(), &[&review[..], &["--json"]].concat())["turns"].clone();
    let marks: Vec<&str> =
        turns.as_array().unwrap().iter().map(|turn| turn["lines"][0]["mark"].as_str().unwrap()).collect();
    // After c2-c3 one safe line is left, so A, who drew it, has to open the loop.
    assert_eq!(marks[6..], ["v", "^", "v", ""]);
    assert!(says(dir.path(), &review).contains("  a2-b2v "));
}

/// The margins of a review are those that queries of the same positions give.
#[test]
fn margins_are_those_of_queries() {
    let dir = solved("2x2");
    let review = json(dir.path(), &["review", LOOP, "--board", "2x2", "--from", "runs/2x2", "--json"]);
    let moves = json(dir.path(), &["convert", LOOP, "--board", "2x2", "--to", "compact", "--json"])["moves"].clone();
    let mut drawn = 0u32;
    let mut lead = 0;
    for turn in review["turns"].as_array().unwrap() {
        let sign = if turn["by"] == "A" { 1 } else { -1 };
        let answer = json(dir.path(), &["query", &format!("2x2:{drawn:x}"), "--json"]);
        assert_eq!(turn["before"].as_i64().unwrap(), lead + sign * answer["score"].as_i64().unwrap(), "{turn}");
        assert_eq!(turn["lines"][0]["best"], answer["best"]);
        for line in turn["lines"].as_array().unwrap() {
            drawn |= 1 << line["line"].as_u64().unwrap();
        }
        lead = turn["boxes"][0].as_i64().unwrap() - turn["boxes"][1].as_i64().unwrap();
    }
    assert_eq!(
        review["turns"].as_array().unwrap().iter().map(|turn| turn["lines"].as_array().unwrap().len()).sum::<usize>(),
        moves.as_array().unwrap().len()
    );
    assert_eq!((&review["position"], &review["end"]["margin"]), (&json!("2x2:0"), &json!(-4)));
}

#[test]
fn turning_points_and_mistakes_are_named() {
    let dir = solved("2x2");
    let review = json(dir.path(), &["review", LOOP, "--board", "2x2", "--json"]);
    let results: Vec<i64> = review["turns"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|turn| [&turn["before"], &turn["after"]])
        .map(|margin| margin.as_i64().unwrap().signum())
        .collect();
    let changes = results.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes > 0);
    assert_eq!(review["turning_points"].as_array().unwrap().len(), changes);
    let costs: Vec<i64> = costs(&review["mistakes"]);
    assert!(!costs.is_empty() && costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
    let lost: i64 = review["lost"].as_array().unwrap().iter().map(|lost| lost.as_i64().unwrap()).sum();
    assert_eq!(lost, costs.iter().sum::<i64>());
    let text = says(dir.path(), &["review", LOOP, "--board", "2x2"]);
    let point = &review["turning_points"][0];
    let text_of = |field: &str| point[field].as_str().unwrap();
    let named = format!("  turn {}: {} draws {}, ", point["turn"], text_of("by"), text_of("name"));
    assert!(text.contains(&named), "{text}");
    assert!(text.ends_with("end             A 0, B 4: B wins by 4\n"), "{text}");
}

fn costs(mistakes: &Value) -> Vec<i64> {
    mistakes.as_array().unwrap().iter().map(|mistake| mistake["cost"].as_i64().unwrap()).collect()
}

#[test]
fn runs_books_and_solving_agree() {
    let dir = solved("2x2");
    says(dir.path(), &["book", "runs/2x2", "--layers", "4", "--out", "2x2.book"]);
    let review = |from: &[&str]| says(dir.path(), &[&["review", LOOP, "--board", "2x2", "--json"], from].concat());
    assert_eq!(review(&[]), review(&["--from", "runs/2x2"]));
    assert_eq!(review(&[]), review(&["--from", "2x2.book"]));
    // A run that starts later knows nothing of what is before.
    says(dir.path(), &["solve", "2x2:33"]);
    let later: Value = serde_json::from_str(&review(&["--from", "runs/2x2-33"])).unwrap();
    assert_eq!((&later["position"], &later["turns"][0]["turn"]), (&json!("2x2:33"), &json!(5)));
}

#[test]
fn games_may_end_early_and_captures_may_be_left() {
    let dir = tempfile::tempdir().unwrap();
    // A leaves the first box of a chain of two open; B declines to take it, and the game breaks off.
    let done = dab_fed(dir.path(), &["review", "--board", "1x2", "-"], "1. a2-b2 2. a1-a2 3. a1-b1 4. b2-c2").success();
    let text = stdout(&done);
    assert!(text.contains("end             A 0, B 0, 3 undrawn lines left; under best play "), "{text}");
    assert!(text.contains("\ncostliest mistakes\n  turn "), "{text}");
    assert!(stderr(&done).contains("1x2:0: solved in memory, 7 undrawn lines"), "{}", stderr(&done));
}

#[test]
fn a_penalty_falls_on_the_last_line() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--penalty", "3"]);
    let review = |args: &[&str]| json(dir.path(), &[&["review", LOOP, "--board", "2x2", "--json"], args].concat());
    assert_eq!(review(&["--penalty", "3"])["end"]["margin"], -4 + 3);
    assert_eq!(review(&["--penalty", "3"]), review(&["--from", "runs/2x2-p3"]));
}

#[test]
fn wrong_games_are_named() {
    let dir = solved("2x2");
    let wrong = |args: &[&str], pieces: &[&str]| fails(dir.path(), &[&["review"], args].concat(), 2, pieces);
    wrong(&["2x2:3"], &["2x2:3 is a position, no game", "dab query 2x2:3"]);
    wrong(&[LOOP], &["dots notation does not say how large the board is", "--board"]);
    wrong(&["1. a1-b1 2. a1-b1", "--board", "2x2"], &["dots, row 1, column 13: a1-b1 is drawn already"]);
    fs::write(dir.path().join("game"), "[Size \"2\"]\n;b[haa];b[hab]").unwrap();
    wrong(&["@game"], &["game: littlegolem, row 2, column 11: by the rules r moves here, not b"]);
    wrong(&[LOOP, "--board", "2x2", "--penalty", "-1"], &["penalty -1 is out of range"]);
    wrong(
        &[LOOP, "--board", "2x2", "--from", "runs/2x2", "--penalty", "1"],
        &["solved with last-move penalty 0, not 1"],
    );
    let game = "1. a1-b1 2. a2-b2";
    wrong(&[game, "--board", "2x3", "--from", "runs/2x2"], &["the game is on board 2x3, but runs/2x2 holds"]);
    wrong(&[game, "--board", "5x5"], &["the game ends in 5x5:", "58 undrawn lines", "--from DIR"]);
    says(dir.path(), &["solve", "2x2:fff"]);
    let missing = ["no position of the game arises from 2x2:fff", "leave out --from"];
    wrong(&[game, "--board", "2x2", "--from", "runs/2x2-fff"], &missing);
    dab(dir.path(), &["review", LOOP, "--board", "2x2", "--from", "nowhere"]).code(3);
}

#[test]
fn games_as_move_lists_from_any_start() {
    let dir = tempfile::tempdir().unwrap();
    let review = |args: &[&str]| json(dir.path(), &[&["review", "--json"], args].concat());
    let by_name = review(&["2x2 a3-b3 b3-c3 a1-b1"]);
    assert_eq!(by_name, review(&["0 1 4", "--board", "2x2"]));
    assert_eq!(by_name["turns"][1]["lines"][0]["name"], "b3-c3");
    let icelandic = review(&["a3-b3 b3-c3", "--board", "2x2", "--start", "icelandic"]);
    assert_eq!(icelandic["position"], "2x2:270");
}

/// Games that the number of turns by the Caribou page does not fit, because lines close two boxes that it does not expect.
#[test]
fn turns_are_counted_by_lines_that_close_two_boxes() {
    let dir = tempfile::tempdir().unwrap();
    let turns = |game: &str| json(dir.path(), &["review", game, "--json"])["turns"].as_array().unwrap().clone();
    let draws = |turn: &Value, name: &str| turn["lines"].as_array().unwrap().iter().any(|line| line["name"] == name);
    // Both ends of the only chain are drawn, and nobody doubledeals; c1-c2 closes two boxes.
    let both_ends = turns("1x3 a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 a1-a2 d1-d2 b1-b2 c1-c2");
    // 8 dots and 1 such line; by doubledeals there would be 8 turns.
    assert_eq!(both_ends[both_ends.len() - 1]["turn"].as_u64(), Some(9));
    // A chain of two is opened by a2-a3, declined by b3-c3 and taken by b2-b3; then a1-a2 opens the only long chain.
    let half_hearted = turns(
        "2x3 a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 a3-b3 c2-c3 c3-d3 d2-d3 a2-a3 b3-c3 b2-b3 a1-a2 b1-b2 c1-c2 d1-d2",
    );
    let opening = half_hearted.iter().find(|turn| draws(turn, "a1-a2")).unwrap();
    assert!(draws(opening, "b2-b3"), "{opening}");
    // 12 dots less 1 long chain and 1 such line; the page leaves out the last.
    assert_eq!(opening["turn"].as_u64(), Some(12));
}

#[test]
fn batches_of_games() {
    let dir = solved("2x2");
    let batch = "a3-b3 b3-c3\n2x2:3\na3-b3 a3-b3\n4 5\n";
    for from in [&[][..], &["--from", "runs/2x2"]] {
        let args = [&["review", "--board", "2x2", "--batch", "-"], from].concat();
        let done = dab_fed(dir.path(), &args, batch).code(1);
        let lines: Vec<Value> = stdout(&done).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((&lines[0]["board"], &lines[3]["board"]), (&json!("2x2"), &json!("2x2")));
        assert_eq!((&lines[1]["line"], &lines[2]["line"]), (&json!(2), &json!(3)));
        let alone = json(dir.path(), &["review", "4 5", "--board", "2x2", "--json"]);
        assert_eq!(lines[3]["turns"], alone["turns"]);
    }
}
