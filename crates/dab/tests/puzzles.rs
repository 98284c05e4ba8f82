//! Puzzles made from games, each against the solved position.

use std::collections::BTreeSet;

use crate::{Position, Puzzles};
use serde_json::{Value, json};

#[test]
fn one_line_keeps_the_result() {
    let mut puzzles = Puzzles::new("3x3".parse().unwrap(), 16, 1);
    let mut found = Vec::new();
    for _ in 0..60 {
        found.extend(puzzles.in_game(|position| crate::solve(position.clone()).in_memory()).unwrap());
    }
    assert!(found.len() > 10, "{}", found.len());
    let mut unique = BTreeSet::new();
    for puzzle in &found {
        let Value::Object(puzzle) = serde_json::to_value(puzzle).unwrap() else { panic!("{puzzle}") };
        let position: Position = puzzle["position"].as_str().unwrap().parse().unwrap();
        let symmetric = position.board().symmetries().iter();
        let least = symmetric.map(|map| position.drawn().iter().fold(0u128, |set, line| set | 1 << map[line])).min();
        assert!(unique.insert(least), "{position}");
        let answer = crate::solve(position.clone()).in_memory().unwrap().answer(&position).unwrap();
        assert_eq!(puzzle["score"], json!(answer.score), "{position}");
        assert_eq!(puzzle["best"], json!(answer.best().collect::<Vec<_>>()), "{position}");
        let others = puzzle["others"].as_i64().unwrap();
        assert!(i64::from(answer.score.0).signum() > others.signum(), "{position}");
        assert!((1..=4).contains(&puzzle["grade"].as_u64().unwrap()), "{position}");
    }
}
