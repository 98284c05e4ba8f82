//! Plays the opponent without tables against perfect play, and counts the boxes that it loses.
//!
//! Half of the games are as first player. The other side draws a random one of the best lines.
//!
//!     cargo run --release -p dab-solver --example play_opponent -- [PATH of a run] [GAMES]
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{Tablebase, suggest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = match std::env::args().nth(1) {
        Some(path) => Tablebase::open(path)?,
        None => dab::solve("3x3".parse()?).in_memory()?,
    };
    let n_games: u32 = std::env::args().nth(2).map_or(Ok(100), |games| games.parse())?;
    let mut random = fastrand::Rng::with_seed(1);
    let (mut lost, mut n_worse, mut most) = (0, 0, 0);
    for game in 0..n_games {
        let (mut position, mut is_ours, mut cost) = (table.start().clone(), game % 2 == 0, 0);
        while !position.undrawn().is_empty() {
            let answer = table.answer(&position)?;
            let best: Vec<_> = answer.best().collect();
            let line = match is_ours {
                true => suggest(&position, 0).map_or(best[0], |suggestion| suggestion.line),
                false => best[random.usize(..best.len())],
            };
            cost += answer.moves.iter().find(|m| m.line == line).map_or(0, |m| i32::from(answer.score.0 - m.score.0));
            let (after, closed) = position.draw(line);
            position = after;
            is_ours ^= closed == 0;
        }
        lost += cost;
        n_worse += u32::from(cost > 0);
        most = most.max(cost);
    }
    let mean = f64::from(lost) / f64::from(n_games);
    println!("{}: {mean:.2} boxes lost a game, in {n_worse} of {n_games} games, at most {most}", table.start());
    Ok(())
}
