//! Positions and games read from text of any notation.
//!
//! ```text
//!    text ─► Input: notation and record ─► Asked: position and penalty
//! ```
//! Boards have names, `3x3` or `closed:5`. A graph is named `graph:FILE`; a reader that knows graphs by their files
//! turns such a name into a board: [`graph_of_file`] reads the file, a server knows those that it serves.

#[cfg(feature = "solve")]
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use dab_board::notation::{self, Context, Notation, NotationError, Rim, Transcript, diagram};
use dab_board::{Board, BoardError, LineIdx, Position, Score};
#[cfg(feature = "solve")]
use dab_space::json::serde::Serializer;
use dab_store::{BookFile, RunDir, TEXT_BYTES, open_regular, read_whole};
use dab_table::{Answer, Mark};

use crate::{Error, Remedy};

/// The beginning of a graph's name.
const GRAPH: &str = "graph:";
/// The first bytes of a book, and of no graph file.
const BOOK_MAGIC: &[u8] = b"DAB-BOOK";

/// A position or a game that was read, and the notation it was in.
#[derive(Clone, Debug)]
pub struct Input {
    /// The position or game.
    pub record: Transcript,
    /// Its notation.
    pub notation: Notation,
}

/// A position, with the last-move penalty that its text charges if the notation has a place for one.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The position.
    pub position: Position,
    /// The penalty, at least 0.
    pub penalty: Option<i32>,
}

impl From<&Transcript> for Asked {
    fn from(record: &Transcript) -> Self {
        Self { position: record.end().clone(), penalty: record.penalty().map(i32::from) }
    }
}

impl Asked {
    /// The question for its scores.
    #[cfg(feature = "study")]
    pub(crate) fn question(&self) -> dab_table::Question<'_> {
        dab_table::Question { position: &self.position, penalty: self.penalty, marks: false }
    }

    /// The penalty of the text, or else the one that was asked for, or 0.
    ///
    /// # Errors
    /// If both are given and differ.
    pub fn penalty_or(&self, told: Option<i32>) -> Result<i32, Error> {
        match (self.penalty, told) {
            (Some(said), Some(told)) if said != told => Err(Error::input(format!(
                "a last-move penalty of {told} was asked for, but the text charges a penalty of {said}"
            ))
            .with(Remedy::NoPenalty { told })),
            (said, told) => Ok(said.or(told).unwrap_or(0)),
        }
    }
}

/// Reads a position or a game. `notation` is found out if it is not named; `told` has the board of texts that do not name
/// theirs, and the lines drawn at the start of a game; `graph` turns the file of a graph's name into its board.
///
/// # Errors
/// If the text is in no notation or breaks its rules, or `graph` fails.
pub fn read<E: From<NotationError>>(
    text: &str,
    notation: Option<Notation>,
    told: Context<'_>,
    graph: impl FnOnce(&str) -> Result<Arc<Board>, E>,
) -> Result<Input, E> {
    let graph = notation::graph_file_of(text).map(|file| graph(&file)).transpose()?;
    let told = Context { board: graph.as_ref().or(told.board), ..told };
    let notation = notation.map_or_else(|| notation::detect(text, told), Ok)?;
    Ok(Input { record: notation::read_as(text, notation, told)?, notation })
}

/// Reads the name of a board; `graph` turns the file of a graph's name into its board.
///
/// # Errors
/// If there is no such board, or `graph` fails.
pub fn board<E: From<BoardError>>(
    name: &str,
    graph: impl FnOnce(&str) -> Result<Arc<Board>, E>,
) -> Result<Arc<Board>, E> {
    match name.trim().strip_prefix(GRAPH) {
        Some(file) => graph(file),
        None => Ok(Board::parse(name)?),
    }
}

/// The graph in a file: a graph file, or a run or a book of a graph, which keep it.
///
/// # Errors
/// If the file cannot be read, or holds no graph.
pub fn graph_of_file(file: &str) -> Result<Arc<Board>, Error> {
    let path = Path::new(file);
    let of_game = |game: &dab_store::Game| {
        let no_graph = || Error::input(format!("{file} holds {}, which is no graph", game.start));
        game.graph.clone().ok_or_else(no_graph)
    };
    let text = if path.is_dir() {
        of_game(RunDir::open(path)?.game())?
    } else {
        let head = open_regular(path).and_then(|file| read_head(file, BOOK_MAGIC.len()));
        match head.map_err(Error::cannot_read(path))? == BOOK_MAGIC {
            true => of_game(BookFile::open(path)?.game())?,
            false => String::from_utf8(read_whole(path, TEXT_BYTES).map_err(Error::cannot_read(path))?)
                .map_err(|_| Error::input(format!("{file} is no graph file: it is not text")))?,
        }
    };
    Board::from_graph_file(file, &text).map_err(|why| Error::from(why).context(file))
}

/// The first bytes of a file, at most `most`.
fn read_head(file: File, most: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(most);
    file.take(most as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Things one after the other, with something between them.
#[cfg(feature = "study")]
pub(crate) fn list<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}

/// The names of some lines.
#[cfg(feature = "study")]
pub(crate) fn names(board: &Board, lines: impl IntoIterator<Item = LineIdx>) -> Vec<String> {
    lines.into_iter().map(|line| board.line_name(line).to_owned()).collect()
}

/// Serializes a value as the text that it is displayed as.
/// # Errors
/// The serializer fails.
#[cfg(feature = "solve")]
pub(crate) fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Columns of text that rows of words fill at most.
const COLUMNS: usize = 80;

/// A label and words behind it, in rows that begin below each other.
pub fn rows<W: AsRef<str>>(label: &str, words: impl IntoIterator<Item = W>) -> String {
    let indent = label.chars().count();
    let (mut text, mut column) = (label.to_owned(), indent);
    for word in words {
        let word = word.as_ref();
        let width = word.chars().count();
        if column > indent && column + 1 + width > COLUMNS {
            text += &format!("\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text
}

/// A position with the score of every move on its line, marks behind it, the best ones with a star.
pub fn picture(position: &Position, answer: &Answer) -> String {
    diagram::draw(position, Rim::Names, |line: LineIdx| {
        let m = answer.moves.iter().find(|m| m.line == line)?;
        let star = if m.score == answer.score { "*" } else { "" };
        Some(format!("{}{star}", marked(m.score, m.mark)))
    })
}

/// A score with its loony mark, if it has one: `-3v`.
pub(crate) fn marked(score: Score, mark: Option<Mark>) -> String {
    format!("{score}{}", mark.map_or("", Mark::symbol))
}

/// The last-move penalty of a score as text that follows its position, if there is one.
pub fn with_penalty(penalty: impl Into<i32>) -> String {
    match penalty.into() {
        0 => String::new(),
        penalty => format!(", last-move penalty {penalty}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_no_wider_than_a_terminal() {
        assert_eq!(rows("best  ", ["a1-b1", "b1-c1"]), "best  a1-b1 b1-c1");
        let text = rows("best  ", std::iter::repeat_n("a1-b1", 30));
        assert!(text.lines().all(|row| row.len() <= 80) && text.lines().nth(1).unwrap().starts_with("      a1-b1 "));
        assert_eq!(text.matches("a1-b1").count(), 30);
    }
}
