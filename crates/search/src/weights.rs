//! Weights in the order of moves, by the kind of board.
//!
//! The places of lines count for the sake of the table: where players follow one order of lines, different lines of play
//! lead to the same positions, so fewer are met. On wide boards, those where boxes make rings, the middle comes first, by
//! much. Rows of boxes fall to pieces whatever is drawn. There the ends come first, by little, and what a line did
//! lately counts more than what it did long ago.

use dab_board::Graph;

/// Weights in the order of moves, where a line that reached every goal so far gains 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// The gain of the lines in the middle of the board. Those at its ends gain nothing.
    pub(crate) middle: i32,
    /// The gain of isolated chains.
    pub(crate) chains: i32,
    /// Tries of a line after which old ones count half.
    pub(crate) tries: u32,
    /// The work that each box of a summand adds to the square of the number of its boxes.
    pub(crate) single: i32,
}

/// For boards where boxes make rings.
const WIDE: Weights = Weights { middle: 900, chains: 1050, tries: 1 << 16, single: 20 };
/// For rows of boxes: found by counting the positions of open triangles and closed boxes.
const NARROW: Weights = Weights { middle: -100, chains: -100, tries: 1 << 10, single: 0 };

impl Weights {
    /// The weights for a board. Boxes that are joined by fewer lines than they are make no ring.
    pub(crate) fn for_board(graph: &Graph) -> Self {
        let n_inner = graph.strings().iter().filter(|string| string.ends.iter().all(Option::is_some)).count();
        if n_inner < graph.joints().len() { NARROW } else { WIDE }
    }
}

#[cfg(test)]
mod tests {
    use dab_board::Board;

    use super::*;

    #[track_caller]
    fn check(board: &str, expected: Weights) {
        assert_eq!(Weights::for_board(Board::parse(board).unwrap().graph()), expected, "{board}");
    }

    #[test]
    fn boards_with_rings_are_wide() {
        ["2x2", "2x6", "4x4"].into_iter().for_each(|board| check(board, WIDE));
        ["1x1", "open:9", "closed:9", "triangles:open:5", "triangles:closed:5"]
            .into_iter()
            .for_each(|board| check(board, NARROW));
    }
}
