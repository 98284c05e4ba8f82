//! The scores that a position can have at all: |score| ≤ open boxes + last-move penalty.
//!
//! Checksums say that bytes are those that were written, not that scores were. A file that was made wrong may hold any byte, and
//! arithmetic on scores relies on their bound. The bound of a layer follows from the game alone: a box is open where a line of it
//! is undrawn, a line has two boxes, and in layer k all but k units are undrawn. Checking it is one addition and one maximum a score,
//! beside decoding one.

use dab_board::{Board, Position};
use dab_space::Layer;

use crate::{Damage, Game};

/// The most that a score of a layer may be, either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoreBound(u8);

impl ScoreBound {
    /// The bound of all scores: -128 is none.
    pub(crate) const ANY: Self = Self(i8::MAX as u8);

    /// `Ok` when scores are within the bound.
    pub(crate) fn check(self, scores: &[i8]) -> Result<(), Damage> {
        if self.holds(scores) { Ok(()) } else { Err(self.damage(scores)) }
    }

    fn holds(self, scores: &[i8]) -> bool {
        // Shifted by the bound, scores within it are 0 to twice the bound, and all others are more.
        let shifted = scores.iter().map(|&score| (score as u8).wrapping_add(self.0));
        shifted.fold(0, u8::max) <= 2 * self.0
    }

    #[cold]
    fn damage(self, scores: &[i8]) -> Damage {
        let got = scores.iter().find(|score| score.unsigned_abs() > self.0);
        let got = got.map(ToString::to_string).unwrap_or_default();
        Damage::Field { what: "a score", expected: format!("-{0} to {0}", self.0), got }
    }
}

/// The bounds of all layers of a game.
#[derive(Clone, Debug)]
pub(crate) struct ScoreBounds(Vec<ScoreBound>);

impl ScoreBounds {
    /// The bounds of a game; those of a game that this program does not know hold for all scores.
    pub(crate) fn of(game: &Game) -> Self {
        let Some(open) = open_boxes(game) else { return Self(Vec::new()) };
        let mut boxes: Vec<usize> = game.units.iter().map(|lines| 2 * lines.len()).collect();
        boxes.sort_unstable();
        // From the last layer, in which all units are filled, down to the first.
        let undrawn = boxes.iter().rev().scan(0usize, |sum, boxes| {
            *sum = sum.saturating_add(*boxes);
            Some(*sum)
        });
        let bound = |boxes: usize| {
            let bound = boxes.min(open).saturating_add(game.penalty.unsigned_abs().into());
            ScoreBound(bound.min(ScoreBound::ANY.0.into()) as u8)
        };
        let mut bounds: Vec<ScoreBound> = std::iter::once(0).chain(undrawn).map(bound).collect();
        bounds.reverse();
        Self(bounds)
    }

    /// The bound of a layer.
    pub(crate) fn of_layer(&self, layer: Layer) -> ScoreBound {
        self.0.get(layer.0).copied().unwrap_or(ScoreBound::ANY)
    }
}

/// The boxes that are open at the start of a game.
fn open_boxes(game: &Game) -> Option<usize> {
    match &game.graph {
        None => Some(game.start.parse::<Position>().ok()?.open_boxes()),
        // Boxes that are closed at the start matter little.
        Some(graph) => Some(Board::from_graph_file(&game.board, graph).ok()?.n_boxes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::single_box;

    #[test]
    fn bounds_follow_from_the_game() {
        let bounds = |game: &Game| -> Vec<u8> {
            let bounds = ScoreBounds::of(game);
            (0..=game.units.len() + 1).map(|layer| bounds.of_layer(Layer(layer)).0).collect()
        };
        let game = single_box();
        assert_eq!(bounds(&game), [1, 1, 1, 1, 0, 127]);
        assert_eq!(bounds(&Game { penalty: 3, ..game.clone() }), [4, 4, 4, 4, 3, 127]);
        assert_eq!(bounds(&Game { penalty: i8::MIN, ..game.clone() })[0], 127);
        assert_eq!(bounds(&Game { start: "what".into(), ..game.clone() }), [127; 6]);
        let graph = Some("coin a\ncoin b\nstring a b\nstring b ground\n".to_owned());
        assert_eq!(
            bounds(&Game { board: "graph".into(), graph, units: vec![vec![0], vec![1]], ..game }),
            [2, 2, 0, 127]
        );
    }

    #[test]
    fn just_the_scores_within_a_bound_pass() {
        for most in 0..=127 {
            let bound = ScoreBound(most);
            for score in i8::MIN..=i8::MAX {
                // Behind many that are within it.
                let mut scores = vec![0; 100];
                scores.push(score);
                assert_eq!(bound.check(&scores).is_ok(), score.unsigned_abs() <= most, "{score} {most}");
            }
        }
        let said = ScoreBound(9).check(&[9, -10]).unwrap_err().to_string();
        assert_eq!(said, "a score: expected -9 to 9, got -10");
    }
}
