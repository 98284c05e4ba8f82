//! Grades the moves of a program against perfect play: the boxes that each of them costs.
//!
//! The program here draws a random line, or closes a box if it can. Put your own in the place of `choose`.
//!
//!     cargo run --release -p dab-solver --example grade_moves -- [PATH of a run or book]
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{LineIdx, Position, Tablebase};

fn main() -> Result<(), dab::Error> {
    let table = match std::env::args().nth(1) {
        Some(path) => Tablebase::open(path)?,
        None => dab::solve("3x3".parse()?).in_memory()?,
    };
    let (mut position, mut lost, mut seed) = (table.start().clone(), 0, 1);
    while !position.undrawn().is_empty() {
        let line = choose(&position, &mut seed);
        let answer = table.answer(&position)?;
        let graded = answer.moves.iter().find(|m| m.line == line).expect("it is a legal move");
        let cost = answer.score.0 - graded.score.0;
        println!("{position}: line {line} ({}) costs {cost}", graded.kind.name());
        lost += i32::from(cost);
        position = position.draw(line).0;
    }
    println!("{lost} boxes lost in all");
    Ok(())
}

/// The program to be graded.
fn choose(position: &Position, seed: &mut u64) -> LineIdx {
    let lines: Vec<LineIdx> = position.undrawn().iter().collect();
    let captures = lines.iter().find(|&&line| position.draw(line).1 > 0);
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    captures.copied().unwrap_or(lines[(*seed >> 33) as usize % lines.len()])
}
