//! Walks through a game of perfect play: the position, the score and the kind of each move.
//!
//!     cargo run --release -p dab-solver --example walk_game -- [POSITION]
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{Limits, OnDemandSolve, Position};

fn main() -> Result<(), dab::Error> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "3x3:fff".to_owned());
    let mut position: Position = text.parse()?;
    let table = OnDemandSolve::run(&position, 0, Limits::default(), &())?;
    let mut player = 0;
    for line in table.best_play(&position)? {
        let answer = table.answer(&position)?;
        let kind = answer.moves.iter().find(|m| m.line == line).map_or("", |m| m.kind.name());
        let (after, closed) = position.draw(line);
        println!(
            "{position}: {} to move, score {}, line {line} ({kind}, closes {closed})",
            ["A", "B"][player],
            answer.score
        );
        // A player who closes a box moves again.
        player = if closed > 0 { player } else { 1 - player };
        position = after;
    }
    Ok(())
}
