//! The rules of the Caribou page on the command line.

use crate::common;

use common::{fails, json, says, solved};

#[test]
fn words_say_why() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["caribou", "3x3:fff"]);
    let expected = "\
3x3:fff
long chains  3, the player to move wants an even number: the opponent controls
order        3 × chain of 3
forecast     -1 for the player to move
rules        open the chain of 3
             a3-a4 b3-b4 c3-c4 d3-d4
score        -1, and the rules lose nothing
";
    assert_eq!(text, expected);
}

/// Two boxes can be captured while safe lines are left: the order of the rules takes their number for fixed, and it is not.
#[test]
fn errors_of_the_rules_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let answer = json(dir.path(), &["caribou", "3x3:4bbc07", "--json"]);
    assert_eq!((answer["rule"].as_str(), answer["score"].as_i64()), (Some("decline"), Some(5)));
    assert_eq!((answer["costs"].to_string(), answer["best_names"][0].as_str()), ("[10]".to_owned(), Some("a3-b3")));
    let text = says(dir.path(), &["caribou", "3x3:4bbc07"]);
    assert!(text.ends_with("score        5, and the rules are wrong: they lose 10\nbest         a3-b3\n"), "{text}");
}

#[test]
fn scores_come_from_a_run_or_not_at_all() {
    let dir = solved("2x2");
    let answer = json(dir.path(), &["caribou", "2x2:b73", "--from", "runs/2x2", "--json"]);
    assert_eq!(
        (answer["rule"].as_str(), answer["score"].as_i64(), answer["loops"].as_i64()),
        (Some("open"), Some(-4), Some(1))
    );
    fails(dir.path(), &["caribou", "3x3:0", "--from", "runs/2x2"], 2, &["3x3:0 does not arise from 2x2:0"]);
    // Nobody can solve this board.
    let answer = json(dir.path(), &["caribou", "5x6:0", "--json"]);
    assert!(answer["rule"] == "safe" && answer.get("score").is_none() && answer.get("forecast").is_none());
}

#[test]
fn games_are_the_same_with_the_same_seed() {
    let dir = solved("2x3");
    let play = |args: &[&str]| json(dir.path(), &[&["caribou", "2x3:0", "--games", "40", "--json"], args].concat());
    let one = play(&[]);
    assert_eq!(one, play(&["--seed", "1", "--from", "runs/2x3"]));
    assert_ne!(one, play(&["--seed", "2"]));
    assert_eq!((one["first"]["games"].as_u64(), one["second"]["games"].as_u64()), (Some(20), Some(20)));
}

/// The figures of RESULTS.
#[test]
fn losses_on_3x3() {
    let dir = tempfile::tempdir().unwrap();
    let games = json(dir.path(), &["caribou", "3x3", "--games", "1000", "--json"]);
    let of = |side: &str, field: &str| games[side][field].as_u64().unwrap();
    let counts = ["first", "second"].map(|side| ["games", "lost", "perfect", "won"].map(|field| of(side, field)));
    assert_eq!(counts, [[500, 806, 187, 0], [500, 2_056, 60, 154]]);
}
