//! The values that a position can have at all: |score| ≤ open boxes + last-move penalty, and a mark is 0, 1 or 2.
//!
//! Checksums say that bytes are those that were written, not that scores were. A file that was made wrong may hold any byte, and
//! arithmetic on scores relies on their bound. The bound of a layer follows from the game alone: a box is open where a line of it
//! is undrawn, a line has two boxes, and in layer k all but k units are undrawn. Checking it is one addition and one maximum a score,
//! beside decoding one.

use dab_board::{Board, Position};
use dab_space::{Layer, Rules};

use crate::{Damage, Game};

/// The most that a score of a layer may be, either way, and whether scores have marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoreBound {
    most: u8,
    marks: bool,
}

impl ScoreBound {
    /// The bound of all scores: -128 is none.
    pub(crate) const ANY: Self = Self { most: i8::MAX as u8, marks: false };

    /// `Ok` when values are within the bound.
    pub(crate) fn check(self, values: &[i8]) -> Result<(), Damage> {
        let is_mark = || values.iter().fold(0, |all, &value| all | (value & value >> 1) & 1) == 0;
        if self.holds(values) && (!self.marks || is_mark()) { Ok(()) } else { Err(self.damage(values)) }
    }

    fn holds(self, values: &[i8]) -> bool {
        // Shifted by the bound, values within it are 0 to the greatest, and all others are more.
        let (least, more) = if self.marks { (4 * self.most, 2) } else { (self.most, 0) };
        let shifted = values.iter().map(|&value| (value as u8).wrapping_add(least));
        shifted.fold(0, u8::max) <= 2 * least + more
    }

    #[cold]
    fn damage(self, values: &[i8]) -> Damage {
        let rules = Rules { marks: self.marks, penalty: 0 };
        let scores = values.iter().map(|&value| rules.score(value).0);
        let expected = format!("-{0} to {0}", self.most);
        match scores.clone().find(|score| score.unsigned_abs() > self.most) {
            Some(score) => Damage::Field { what: "a score", expected, got: score.to_string() },
            None => Damage::Field { what: "a mark", expected: "0 to 2".into(), got: "3".into() },
        }
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
            // More than 31 fit no byte beside a mark.
            let most = if game.marks { 31 } else { ScoreBound::ANY.most };
            ScoreBound { most: bound.min(most.into()) as u8, marks: game.marks }
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
            (0..=game.units.len() + 1).map(|layer| bounds.of_layer(Layer(layer)).most).collect()
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
        for (most, marks) in (0..=127).map(|most| (most, false)).chain((0..=31).map(|most| (most, true))) {
            let bound = ScoreBound { most, marks };
            for value in i8::MIN..=i8::MAX {
                // Behind many that are within it.
                let mut values = vec![0; 100];
                values.push(value);
                let (score, mark) = if marks { (value >> 2, value & 3) } else { (value, 0) };
                assert_eq!(bound.check(&values).is_ok(), score.unsigned_abs() <= most && mark < 3, "{value} {most}");
            }
        }
        let said = |marks, values: &[i8]| ScoreBound { most: 9, marks }.check(values).unwrap_err().to_string();
        assert_eq!(said(false, &[9, -10]), "a score: expected -9 to 9, got -10");
        assert_eq!(said(true, &[36, -40]), "a score: expected -9 to 9, got -10");
        assert_eq!(said(true, &[36, 35]), "a mark: expected 0 to 2, got 3");
    }
}
