//! Everything a book says about one position.

use dab_board::capture::{AfterLine, AfterLines, CaptureRun, Decline};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_space::json::serde::{Serialize, Serializer};
use dab_space::serialize_fields;

use crate::{Book, Mark, TableError};

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// Nothing can be captured afterwards.
    Safe,
    /// The opponent can capture boxes, but not decline any of them.
    Sacrifice,
    /// The opponent can capture something and may decline the last boxes of it.
    Loony,
    /// It closes a box.
    Capture,
}

dab_board::names!(MoveKind { Capture = "capture", Safe = "safe", Sacrifice = "sacrifice", Loony = "loony" });

impl MoveKind {
    /// The kind of a line that closes `closed` boxes and after which `run` can be captured.
    pub(crate) fn new(closed: u8, run: &CaptureRun) -> Self {
        match (closed, run.boxes, run.decline) {
            (1.., _, _) => Self::Capture,
            (_, 0, _) => Self::Safe,
            (_, _, Decline::None) => Self::Sacrifice,
            (_, _, Decline::Two | Decline::Four) => Self::Loony,
        }
    }

    /// The mark of a move of this kind, for the player who makes it, from that of the position after it.
    pub(crate) fn mark(self, after: Mark) -> Mark {
        match self {
            Self::Capture => after,
            Self::Loony => Mark::Mover,
            Self::Safe | Self::Sacrifice => -after,
        }
    }
}

impl Serialize for MoveKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The score of a line that closes `closed` boxes and leaves a position of score `rest`: who closes a box moves again.
pub(crate) fn worth(closed: u8, rest: Score) -> Score {
    if closed > 0 { closed + rest } else { -rest }
}

/// A line and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveScore {
    /// The line to draw.
    pub line: LineIdx,
    /// Net boxes for the player who draws it, the boxes that it closes included.
    pub score: Score,
    /// The player who must make the next loony move once the line is drawn, for the player who draws it, if the book has marks or that was
    /// asked for; see [`crate::Marks`].
    pub mark: Option<Mark>,
    /// The kind of the move.
    pub kind: MoveKind,
}

serialize_fields!(Answer { score, mark unless Option::is_none, moves });
serialize_fields!(MoveScore { line, score, mark unless Option::is_none, kind });

/// The score of a position and of every move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// Score of the position for the player to move.
    pub score: Score,
    /// The player who must make the next loony move, if the book has marks or that was asked for.
    pub mark: Option<Mark>,
    /// Every legal move, good or bad, by ascending line.
    pub moves: Vec<MoveScore>,
}

impl Answer {
    /// Every line that reaches the score of the position.
    pub fn best(&self) -> impl Iterator<Item = LineIdx> + '_ {
        self.moves.iter().filter(|m| m.score == self.score).map(|m| m.line)
    }
}

impl Book<'_> {
    /// The score of a position and of each of its moves.
    ///
    /// # Errors
    /// As [`Book::probe`].
    pub fn answer(&self, position: &Position) -> Result<Answer, TableError> {
        self.check_board(position)?;
        self.answer_drawn(position.drawn())
    }

    /// As [`Book::answer`], for lines drawn on the book's own board.
    ///
    /// # Errors
    /// As [`Book::probe`].
    pub fn answer_drawn(&self, drawn: LineSet) -> Result<Answer, TableError> {
        let (score, mark) = self.marked_run(drawn, &self.run_from(drawn))?;
        let graph = self.board().graph();
        let mut lines = AfterLines::new(graph);
        lines.work_out(graph, drawn);
        let moves = lines.iter().map(|(line, &AfterLine { closed, ref run, .. })| {
            let (rest, mark) = self.marked_run(drawn.with(line), run)?;
            let kind = MoveKind::new(closed, run);
            Ok(MoveScore { line, score: worth(closed, rest), kind, mark: mark.map(|mark| kind.mark(mark)) })
        });
        Ok(Answer { score, mark, moves: moves.collect::<Result<_, TableError>>()? })
    }

    /// One line of best play to the end of the game: always the lowest best line.
    ///
    /// # Errors
    /// As [`Book::probe`].
    pub fn best_play(&self, position: &Position) -> Result<Vec<LineIdx>, TableError> {
        let mut play = Vec::new();
        self.play_on(position, &mut play)?;
        Ok(play)
    }

    /// Appends that line of play; at an error what came before it.
    pub(crate) fn play_on(&self, position: &Position, play: &mut Vec<LineIdx>) -> Result<(), TableError> {
        let (mut drawn, mut score) = (position.drawn(), self.probe(position)?);
        let mut lines = AfterLines::new(self.board().graph());
        while let Some((line, rest)) = self.best_line(drawn, score, &mut lines)? {
            play.push(line);
            (drawn, score) = (drawn.with(line), rest);
        }
        Ok(())
    }

    /// The lowest line that reaches the score of a position, and the score that it leaves. The lines above it are not looked up.
    fn best_line(
        &self,
        drawn: LineSet,
        score: Score,
        lines: &mut AfterLines,
    ) -> Result<Option<(LineIdx, Score)>, TableError> {
        lines.work_out(self.board().graph(), drawn);
        for (line, &AfterLine { closed, ref run, .. }) in lines.iter() {
            let rest = self.probe_run(drawn.with(line), run)?;
            if worth(closed, rest) == score {
                return Ok(Some((line, rest)));
            }
        }
        Ok(None)
    }
}
