//! Players that follow simple rules, to play against and to measure puzzles by.

use dab_board::{LineIdx, Position};
use serde::Deserialize;

use crate::caribou::Advice;

/// A player that follows rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Player {
    /// Takes every box, and gives away as few as possible.
    Greedy,
    /// The rules of the Caribou page.
    Caribou,
}

impl Player {
    pub(crate) const ALL: [Self; 2] = [Self::Greedy, Self::Caribou];

    /// Every line that the rules allow, ascending; none if the game is over.
    pub(crate) fn lines(self, position: &Position) -> Vec<LineIdx> {
        match self {
            Self::Greedy => greedy(position),
            Self::Caribou => Advice::new(position).lines().to_vec(),
        }
    }

    /// One of them, at random.
    pub(crate) fn line(self, position: &Position, random: &mut fastrand::Rng) -> Option<LineIdx> {
        random.choice(self.lines(position))
    }
}

fn greedy(position: &Position) -> Vec<LineIdx> {
    let takes: Vec<LineIdx> = position.undrawn().iter().filter(|&line| position.draw(line).1 > 0).collect();
    if !takes.is_empty() {
        return takes;
    }
    let given = |line: LineIdx| position.draw(line).0.capture_run().boxes;
    let all: Vec<(LineIdx, u8)> = position.undrawn().iter().map(|line| (line, given(line))).collect();
    let least = all.iter().map(|&(_, boxes)| boxes).min();
    all.into_iter().filter(|&(_, boxes)| Some(boxes) == least).map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greedy_player_takes_and_gives_as_little_as_possible() {
        let position = |text: &str| dab_board::notation::parse(text).unwrap();
        // A box of three sides beside others; chains of one and of three; nothing at all.
        let greedy = position("1x2:15");
        assert!(Player::Greedy.lines(&greedy).iter().all(|&line| greedy.draw(line).1 > 0));
        assert_eq!(Player::Greedy.lines(&position("3x3:0")).len(), 24);
        assert!(Player::Greedy.lines(&position("1x1:f")).is_empty());
        let least = position("3x3:fff").draw(12).0.draw(13).0.draw(14).0;
        assert!(Player::Greedy.lines(&least).iter().all(|&line| least.draw(line).1 > 0));
    }
}
