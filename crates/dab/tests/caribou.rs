//! The rules of the Caribou page as a player, against scores and in games.

use crate::caribou::{Advice, Games};
use crate::theory::Endgame;
use crate::{Error, LineIdx, Position, Tablebase};
use dab_board::notation;
use serde_json::{Value, json};

fn position(text: &str) -> Position {
    notation::parse(text).unwrap()
}

fn advice(position: &Position) -> Value {
    serde_json::to_value(Advice::new(position)).unwrap()
}

/// The same beside the scores of a table.
fn beside(table: &Tablebase, position: &Position) -> Value {
    serde_json::to_value(Advice::new(position).beside(&table.answer(position).unwrap())).unwrap()
}

fn lines(advice: &Value) -> Vec<LineIdx> {
    advice["lines"].as_array().unwrap().iter().map(|line| line.as_u64().unwrap() as usize).collect()
}

#[test]
fn example_8_sacrifices() {
    // Rule 6 foresees a loss, so the rules look for a sacrifice and find the only line that wins.
    let advice = advice(&position("+   +   +   +\n    |\n+   +   +---+\n\n+---+---+---+\n|\n+   +---+   +"));
    assert_eq!((&advice["rule"], &advice["lines"]), (&json!("sacrifice"), &json!([21])), "{advice}");
}

#[test]
fn replies_of_example_1() {
    // Chains of 3 and 4, of which the shorter one is opened: all but two boxes are taken.
    let start = position("+   +---+---+\n|   |   |   |\n+   +---+---+\n|\n+---+---+---+\n\n+---+---+---+");
    let table = crate::solve(start.clone()).in_memory().unwrap();
    let first = advice(&start);
    assert_eq!((&first["rule"], &first["forecast"]), (&json!("open"), &json!(-3)));
    assert!(Advice::new(&start).to_string().contains("rules        open the chain of 3\n"), "{first}");
    let mut now = start.draw(lines(&first)[0]).0;
    let mut rules = Vec::new();
    while !now.undrawn().is_empty() {
        let advice = beside(&table, &now);
        assert_eq!(advice["costs"][0], 0, "{advice}");
        now = now.draw(lines(&advice)[0]).0;
        rules.push(advice["rule"].as_str().unwrap().to_owned());
    }
    let count = |rule: &str| rules.iter().filter(|other| *other == rule).count();
    assert_eq!((count("decline"), count("open")), (2, 1), "{rules:?}");
}

/// Every unfinished position has a line, and all lines of the rules are lines of the position.
#[test]
fn the_rules_always_have_a_line() {
    let mut random = fastrand::Rng::with_seed(8);
    for i in 0..4_000 {
        let start: Position = ["2x3", "3x3", "3x4", "closed:6", "triangles:open:5"][i % 5].parse().unwrap();
        let mut undrawn: Vec<LineIdx> = start.undrawn().iter().collect();
        random.shuffle(&mut undrawn);
        let n = random.usize(..undrawn.len());
        let drawn = start.drawn() | undrawn[..n].iter().copied().collect();
        let position = Position::new(start.board().clone(), drawn).unwrap();
        let advice = advice(&position);
        assert!(!advice["rule"].is_null() && !lines(&advice).is_empty(), "{position}");
        assert!(lines(&advice).into_iter().all(|line| position.undrawn().has(line)), "{position}");
    }
    let over = position("1x1:f");
    assert!(advice(&over)["rule"].is_null() && lines(&advice(&over)).is_empty());
    assert!(Advice::new(&over).to_string().ends_with("rules        the game is over"));
}

/// Once safe lines are gone, following the rules is what Rule 5 foresees where it is exact: in simple loony endgames up to size 11.
#[test]
fn the_rules_are_perfect_on_the_endgames_of_3x3() {
    let start = position("3x3:0");
    let table = crate::solve(start.clone()).in_memory().unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    let mut n_endgames = 0;
    for _ in 0..20_000 {
        let mut undrawn: Vec<LineIdx> = start.undrawn().iter().collect();
        random.shuffle(&mut undrawn);
        let drawn = undrawn[..random.usize(10..22)].iter().copied().collect();
        let position = Position::new(start.board().clone(), drawn).unwrap();
        if Endgame::after_captures(&position).is_some_and(|endgame| !endgame.multiset.is_empty()) {
            let advice = beside(&table, &position);
            assert_eq!(advice["forecast"], advice["score"], "{advice}");
            assert!(advice["costs"].as_array().unwrap().iter().all(|cost| *cost == 0), "{advice}");
            n_endgames += 1;
        }
    }
    assert!(n_endgames > 100, "{n_endgames}");
}

#[test]
fn games_lose_what_their_lines_lose() {
    let start = position("2x3:0");
    let table = crate::solve(start.clone()).in_memory().unwrap();
    let answer = |position: &Position| table.answer(position).map_err(Error::from);
    let play = |n, seed| serde_json::to_value(Games { n, seed }.play(&start, answer, &()).unwrap()).unwrap();
    let measured = play(60, 1);
    let of = |side: &str, count: &str| measured[side][count].as_u64().unwrap();
    assert_eq!((of("first", "games"), of("second", "games")), (30, 30));
    let by_rule = measured["rules"].as_array().unwrap().iter().map(|rule| rule["lost"].as_u64().unwrap());
    assert_eq!(of("first", "lost") + of("second", "lost"), by_rule.sum::<u64>());
    // The first player loses 2x3, so the rules never win with it; the second wins each game without loss.
    assert_eq!(of("first", "won"), 0);
    assert!(of("second", "won") >= of("second", "perfect"));
    assert_eq!(measured, play(60, 1));
    assert_ne!(measured, play(60, 2));
}
