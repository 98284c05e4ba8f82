//! The score of one position by search, without solving everything that it can lead to.
//!
//! ```text
//!    position ─ capture run ─► sum of parts (`parts`, `sum`) ─ alpha-beta (`alpha_beta`) ─► bounds that meet: the score
//! ```
//! For boards that fall to pieces early, such as narrow ones: a position is known by the multiset of its parts, each up
//! to isomorphism where it is a tree (`tree`), so that far fewer positions are told apart than there are sets of
//! lines. Scores agree with those of a solve; nothing is kept but the score asked for.
#![forbid(unsafe_code)]

mod alpha_beta;
mod bounds;
mod parts;
mod sum;
mod table;
mod tree;

use dab_board::{Position, Score};

use alpha_beta::Search;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The score of the position, for the player to move.
    pub score: Score,
    /// Positions whose moves were looked at.
    pub nodes: u64,
    /// Different parts that were met.
    pub parts: usize,
}

/// The score of a position, with a last-move penalty, and at most `memory` bytes for what is remembered of positions
/// (at least a megabyte is used). The score does not depend on the memory, the time does.
///
/// # Panics
/// If the penalty is negative, or scores would not fit a byte: open boxes and penalty together more than 127.
pub fn score(position: &Position, penalty: i8, memory: u64) -> Found {
    let most = position.open_boxes() as i32 + i32::from(penalty);
    assert!(penalty >= 0 && most <= i32::from(i8::MAX), "penalty {penalty}");
    let run = position.capture_run();
    let mut search = Search::new(penalty, memory);
    let after = search.score(position.board().graph(), run.after);
    Found { score: run.score(Score(after)), nodes: search.nodes(), parts: search.n_parts() }
}
