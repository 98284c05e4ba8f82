//! The score of one position by search, without solving everything that it can lead to.
//!
//! ```text
//!    position ─ capture run ─► sum (`summands`, `sum`) ─ alpha-beta (`alpha_beta`) ─► bounds that meet: the score
//! ```
//! The search is made for boards that fall to pieces early, such as narrow ones. It tells positions apart by the multiset
//! of their summands, and summands that are trees only up to isomorphism (`tree`). So it meets far fewer positions than
//! there are sets of lines. Scores agree with those of a solve; nothing is kept but the score asked for.
#![forbid(unsafe_code)]

mod alpha_beta;
mod bounds;
mod sum;
mod summands;
mod table;
mod tree;

use dab_board::{Position, Score};

use alpha_beta::Search;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The score of the position, for the player to move.
    pub score: Score,
    /// Positions whose moves were looked at.
    pub nodes: u64,
    /// Different summands that were met.
    pub summands: usize,
}

/// The score of a position with a last-move penalty. The table of positions takes at most `memory` bytes, but at least a
/// megabyte. The score does not depend on the memory, the time does.
///
/// # Panics
/// If the penalty is negative, or if open boxes and penalty together are more than 127, so that scores would not fit a
/// byte.
pub fn score(position: &Position, penalty: i8, memory: u64) -> Found {
    let most = position.open_boxes() as i32 + i32::from(penalty);
    assert!(penalty >= 0 && most <= i32::from(i8::MAX), "penalty {penalty}");
    let run = position.capture_run();
    let mut search = Search::new(penalty, memory);
    let after = search.score(position.board().graph(), run.after);
    Found { score: run.score(Score(after)), nodes: search.nodes(), summands: search.n_summands() }
}
