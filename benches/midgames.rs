//! Prints random positions of the middle of a game, the same ones every time.
//!
//! ```text
//! midgames 5x5 18 10      ten positions of 5x5 with 18 lines drawn
//! ```
//! A random game draws no third side of a box; a game that runs out of such lines too early begins again. Each position
//! has a seed of its own, so that a longer list begins with the positions of a shorter one.

#![allow(clippy::print_stdout, reason = "it is a program")]

use dab_board::{LineIdx, LineSet, Position};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [board, drawn, count] = &args[..] else { return Err("usage: midgames BOARD DRAWN COUNT".to_owned()) };
    let start: Position = board.parse().map_err(|error| format!("{board}: {error}"))?;
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let (drawn, count) = (number(drawn)?, number(count)?);
    for seed in 0..count {
        let mut random = Random(seed as u64);
        let game = (0..10_000).find_map(|_| played(&start, drawn, &mut random));
        let lines = game.ok_or_else(|| format!("no game on {start} draws {drawn} lines and no third side"))?;
        println!("{}:{:x}", start.board().kind(), lines.0);
    }
    Ok(())
}

/// The lines drawn by a random game without third sides that goes on until `n_drawn` are drawn, if it gets there.
fn played(start: &Position, n_drawn: usize, random: &mut Random) -> Option<LineSet> {
    let graph = start.board().graph();
    let mut drawn = start.drawn();
    while drawn.len() < n_drawn {
        let is_safe = |&line: &LineIdx| {
            let mut boxes = graph.strings()[line].ends.into_iter().flatten();
            boxes.all(|at| graph.valence(at, drawn) > 2)
        };
        let safe: Vec<LineIdx> = (start.board().all() - drawn).iter().filter(is_safe).collect();
        let at = random.below(safe.len())?;
        drawn = drawn.with(safe[at]);
    }
    Some(drawn)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    /// A number below `n`, unless there is none.
    fn below(&mut self, n: usize) -> Option<usize> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (n > 0).then(|| ((u128::from(bits) * n as u128) >> 64) as usize)
    }
}
