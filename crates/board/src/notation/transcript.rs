//! Transcripts: a start and the moves that were made from it.
//!
//! Every notation is read into a transcript and written from one. A position is a transcript without moves. The player
//! who drew a line is not stored but follows from the rules: closing a box keeps the turn.

use std::fmt;

use crate::{IllegalMove, LineIdx, LineSet, Position};

/// One of the two players. `A` is the one who moves first on the empty board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player.
    #[default]
    A,
    /// The second player.
    B,
}

impl Side {
    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

/// One line of a game: who drew it, and how many boxes that closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The line.
    pub line: LineIdx,
    /// The player who drew it.
    pub by: Side,
    /// Boxes it closed, 0 to 2.
    pub boxes: u8,
}

/// A start and the moves from it, all of them legal; see the module text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    start: Position,
    side: Side,
    captured: [LineSet; 2],
    penalty: Option<u8>,
    moves: Vec<LineIdx>,
    end: Position,
    to_move: Side,
}

impl Transcript {
    /// The transcript without moves of a position in which `A` is to move.
    pub fn new(start: Position) -> Self {
        let end = start.clone();
        Self {
            start,
            side: Side::A,
            captured: [LineSet::EMPTY; 2],
            penalty: None,
            moves: Vec::new(),
            end,
            to_move: Side::A,
        }
    }

    /// A start with a player to move, the boxes (not lines) that `A` and `B` are known to have closed, and a penalty if the
    /// notation has a place for one.
    pub(super) fn with(start: Position, side: Side, captured: [LineSet; 2], penalty: Option<u8>) -> Self {
        Self { side, to_move: side, captured, penalty, ..Self::new(start) }
    }

    /// Draws a line for the player to move.
    ///
    /// # Errors
    /// If the board has no such line or it is drawn already; the transcript is as before then.
    pub fn draw(&mut self, line: LineIdx) -> Result<Ply, IllegalMove> {
        let (end, boxes) = self.end.play(line)?;
        let by = self.to_move;
        self.end = end;
        self.moves.push(line);
        if boxes == 0 {
            self.to_move = by.other();
        }
        Ok(Ply { line, by, boxes })
    }

    /// The same with its first `n` moves only; `None` if it has fewer.
    pub fn first(&self, n: usize) -> Option<Self> {
        let mut first = Self { moves: Vec::new(), end: self.start.clone(), to_move: self.side, ..self.clone() };
        for &line in self.moves.get(..n)? {
            let drawn = first.draw(line);
            debug_assert!(drawn.is_ok(), "a legal game stays legal");
        }
        Some(first)
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The player to move in the start.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The penalty in boxes for drawing the last line, 0 to 127; `None` if the notation has no place for one.
    pub fn penalty(&self) -> Option<u8> {
        self.penalty
    }

    /// The lines drawn since the start, in order.
    pub fn moves(&self) -> &[LineIdx] {
        &self.moves
    }

    /// The position after the last move.
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// The player to move after the last move; after the end of the game the one who closed the last box.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The moves with who made them.
    pub fn plies(&self) -> impl Iterator<Item = Ply> {
        let mut position = self.start.clone();
        let mut by = self.side;
        self.moves.iter().map(move |&line| {
            let (next, boxes) = position.draw(line);
            position = next;
            let ply = Ply { line, by, boxes };
            if boxes == 0 {
                by = by.other();
            }
            ply
        })
    }

    /// The boxes (not lines) that the text says `A` and `B` have in the start.
    pub(crate) fn captured_at_start(&self) -> [LineSet; 2] {
        self.captured
    }

    /// The boxes (not lines) that `A` and `B` have at the end. Boxes closed in the start have no owner unless the
    /// text named one.
    pub fn captured(&self) -> [LineSet; 2] {
        let graph = self.start.board().graph();
        let mut captured = self.captured;
        let mut drawn = self.start.drawn();
        for ply in self.plies() {
            drawn = drawn.with(ply.line);
            let around = graph.strings()[ply.line].ends.into_iter().flatten();
            let closed: LineSet = around.filter(|&joint| graph.joints()[joint].strings.is_subset(drawn)).collect();
            captured[ply.by as usize] |= closed;
        }
        captured
    }

    /// The same position as a game from the empty board: the lines of the start come first, in canonical order. Who
    /// drew those is made up, unless there are none.
    pub(super) fn whole_game(&self) -> Self {
        let empty = Position::start(self.start.board().clone(), crate::Start::American);
        let mut transcript = Self { penalty: self.penalty, ..Self::new(empty) };
        for line in self.start.drawn().iter().chain(self.moves.iter().copied()) {
            let drawn = transcript.draw(line);
            debug_assert!(drawn.is_ok(), "a legal game stays legal");
        }
        transcript
    }
}

impl From<Position> for Transcript {
    fn from(start: Position) -> Self {
        Self::new(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(text: &str, moves: &[LineIdx]) -> Transcript {
        let mut transcript = Transcript::new(text.parse().unwrap());
        for &line in moves {
            transcript.draw(line).unwrap();
        }
        transcript
    }

    #[test]
    fn closing_a_box_keeps_the_turn() {
        // 1x2: everything but the middle line, which closes both boxes.
        let transcript = transcript("1x2", &[0, 1, 2, 3, 4, 6, 5]);
        let plies: Vec<(Side, u8)> = transcript.plies().map(|ply| (ply.by, ply.boxes)).collect();
        let (a, b) = (Side::A, Side::B);
        assert_eq!(plies, [(a, 0), (b, 0), (a, 0), (b, 0), (a, 0), (b, 0), (a, 2)]);
        assert_eq!((transcript.to_move(), transcript.captured()), (a, [LineSet(0b11), LineSet::EMPTY]));
        assert_eq!(transcript.end().to_string(), "1x2:7f");
    }

    #[test]
    fn first_moves() {
        let game = transcript("1x2:1", &[1, 2, 3, 4]);
        let first = game.first(2).unwrap();
        assert_eq!(
            (first.start(), first.moves(), first.end().to_string()),
            (game.start(), &[1, 2][..], "1x2:7".into())
        );
        assert_eq!((game.first(4).as_ref(), game.first(5)), (Some(&game), None));
    }

    #[test]
    fn refuses_illegal_moves() {
        let mut transcript = transcript("1x1:1", &[1]);
        assert_eq!(transcript.draw(0), Err(IllegalMove::Drawn { line: 0 }));
        assert_eq!(transcript.draw(1), Err(IllegalMove::Drawn { line: 1 }));
        assert_eq!(transcript.draw(4), Err(IllegalMove::NoLine { line: 4, last: 3 }));
        assert_eq!(transcript.moves(), [1]);
    }

    #[test]
    fn lines_of_the_start_come_first() {
        let game = transcript("1x1:5", &[3, 1]).whole_game();
        assert_eq!((game.start().to_string().as_str(), game.moves()), ("1x1:0", &[0, 2, 3, 1][..]));
    }
}
