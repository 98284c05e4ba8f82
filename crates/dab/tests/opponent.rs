//! The player without tables: exact at the end of a game, better than a greedy one before.

use crate::{LineIdx, Position, Tablebase, suggest};

/// Boxes that a line loses.
fn cost(table: &Tablebase, position: &Position, line: LineIdx) -> i8 {
    let answer = table.answer(position).unwrap();
    answer.score.0 - answer.moves.iter().find(|m| m.line == line).unwrap().score.0
}

#[test]
fn the_end_of_a_game_is_played_perfectly() {
    for penalty in [0, 1] {
        let start: Position = "3x3".parse().unwrap();
        let table = crate::Solve { penalty, ..crate::solve(start.clone()) }.in_memory().unwrap();
        let mut random = fastrand::Rng::with_seed(5);
        for n_drawn in [13, 15, 18, 20, 23] {
            for _ in 0..20 {
                let mut lines: Vec<LineIdx> = (0..24).collect();
                random.shuffle(&mut lines);
                let drawn = lines[..n_drawn].iter().copied().collect();
                let position = Position::new(start.board().clone(), drawn).unwrap();
                let suggestion = suggest(&position, penalty as i8).unwrap();
                assert!(suggestion.is_exact);
                assert_eq!(suggestion.estimate, f64::from(table.probe(&position).unwrap().0), "{position}");
                assert_eq!(cost(&table, &position, suggestion.line), 0, "{position}");
            }
        }
    }
    assert!(suggest(&"1x1:f".parse().unwrap(), 0).is_none());
}

#[test]
fn whole_games_lose_less_than_those_of_a_greedy_player() {
    let start: Position = "3x3".parse().unwrap();
    let table = crate::solve(start.clone()).in_memory().unwrap();
    let greedy = |position: &Position| {
        let lines = position.undrawn();
        lines.iter().find(|&line| position.draw(line).1 > 0).or(lines.lowest()).unwrap()
    };
    let lost = |choose: &dyn Fn(&Position) -> LineIdx| {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut position, mut is_ours, mut lost) = (start.clone(), false, 0);
        while !position.undrawn().is_empty() {
            let best: Vec<LineIdx> = table.answer(&position).unwrap().best().collect();
            let line = if is_ours { choose(&position) } else { best[random.usize(..best.len())] };
            lost += i32::from(cost(&table, &position, line));
            let (after, closed) = position.draw(line);
            position = after;
            is_ours ^= closed == 0;
        }
        lost
    };
    let sensible = lost(&|position| suggest(position, 0).unwrap().line);
    assert!(2 * sensible < lost(&greedy), "{sensible}");
}

#[test]
fn equal_positions_have_equal_suggestions() {
    let position: Position = "5x5:3".parse().unwrap();
    let [one, other] = [suggest(&position, 0), suggest(&position, 0)].map(Option::unwrap);
    assert_eq!((one.line, one.estimate), (other.line, other.estimate));
    assert!(!one.is_exact);
}
