//! A position: a board and its drawn lines.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde_core::{Serialize, Serializer};

use crate::capture::{CaptureRun, closed_by};
use crate::{Board, BoardError, IllegalMove, LineIdx, LineSet, Start};

/// The set of drawn lines of a board; whose turn it is and who owns the closed boxes does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Arc<Board>,
    drawn: LineSet,
}

impl Position {
    /// The position of `board` with `drawn` drawn.
    ///
    /// # Errors
    /// If `drawn` has lines beyond the board.
    pub fn new(board: Arc<Board>, drawn: LineSet) -> Result<Self, BoardError> {
        match (drawn - board.all()).iter().last() {
            None => Ok(Self { board, drawn }),
            Some(line) => Err(BoardError::LineBeyondBoard {
                mask: format!("{:x}", drawn.0),
                line,
                board: board.name().to_owned(),
                last: board.n_lines() - 1,
            }),
        }
    }

    /// The position before the first move.
    ///
    /// # Panics
    /// If the board has no such start; see [`Board::start_lines`].
    pub fn start(board: Arc<Board>, start: Start) -> Self {
        let drawn = board.start_lines(start).expect("the board has this start");
        Self { board, drawn }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The drawn lines.
    pub fn drawn(&self) -> LineSet {
        self.drawn
    }

    /// The lines that may still be drawn.
    pub fn undrawn(&self) -> LineSet {
        self.board.all() - self.drawn
    }

    /// The position after drawing `line`, and how many boxes that closes.
    ///
    /// # Errors
    /// If the board has no such line, or it is drawn already.
    pub fn play(&self, line: LineIdx) -> Result<(Self, u8), IllegalMove> {
        IllegalMove::check(line, self.drawn, &self.board)?;
        Ok(self.draw(line))
    }

    /// As [`Position::play`], of a line that is known to be undrawn: nothing is checked.
    pub fn draw(&self, line: LineIdx) -> (Self, u8) {
        let closed = closed_by(self.board.graph(), self.drawn, line);
        (Self { board: self.board.clone(), drawn: self.drawn.with(line) }, closed)
    }

    /// Boxes not yet closed.
    pub fn open_boxes(&self) -> usize {
        self.board.graph().open_boxes(self.drawn)
    }

    /// The run that takes everything that can be captured at once.
    pub fn capture_run(&self) -> CaptureRun {
        CaptureRun::new(self.board.graph(), self.drawn)
    }
}

/// Positions are equal on equal boards, whatever their names are.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.board.n_lines(), self.drawn).hash(state);
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By board, then by the number that the drawn lines are as a mask.
impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        let is_same = Arc::ptr_eq(&self.board, &other.board);
        let boards = if is_same { Ordering::Equal } else { self.board.graph().cmp(other.board.graph()) };
        boards.then(self.drawn.cmp(&other.drawn))
    }
}

/// As its compact text.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashSet};

    #[test]
    fn drawing_counts_closed_boxes() {
        // 1x2 with everything but the middle line: drawing it closes both boxes.
        let position = Position::new(Board::grid(1, 2).unwrap(), LineSet(0x5f)).unwrap();
        let (end, closed) = position.draw(5);
        assert_eq!((closed, end.open_boxes()), (2, 0));
    }

    #[test]
    fn plays_legal_lines_only() {
        let position: Position = "2x2:1".parse().unwrap();
        let message = |line| position.play(line).unwrap_err().to_string();
        assert_eq!(message(13), "there is no line 13: the last one is 11");
        assert_eq!(message(0), "line 0 is drawn already");
        assert_eq!(position.play(3).unwrap(), position.draw(3));
    }

    #[test]
    #[expect(clippy::mutable_key_type, reason = "the names of lines, which are made late, are no part of a key")]
    fn positions_are_keys() {
        let all: Vec<Position> = ["2x2:0", "2x2:7", "2x2:ff", "1x2:0"].map(|text| text.parse().unwrap()).into();
        let sorted: BTreeSet<&Position> = all.iter().rev().chain(&all).collect();
        let hashed: HashSet<&Position> = sorted.iter().copied().chain(&all).collect();
        assert_eq!((sorted.len(), hashed.len()), (4, 4));
        assert!(all[0] < all[1] && all[1] < all[2]);
    }

    #[test]
    fn refuses_lines_beyond_the_board() {
        let error = Position::new(Board::grid(1, 1).unwrap(), LineSet(0x10)).unwrap_err();
        assert_eq!(error.to_string(), "mask 10 draws line 4, but board 1x1 has only lines 0 to 3");
    }
}
