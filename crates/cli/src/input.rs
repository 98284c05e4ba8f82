//! Positions and games that the user gives: as text, in a file, or on standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use dab_board::notation::{self, Notation, Record};
use dab_board::{Board, Position};

use crate::boards;

/// What was read, and in which notation it was.
pub(crate) struct Input {
    pub(crate) record: Record,
    pub(crate) notation: Notation,
}

/// A position, with the last-move penalty that its text charges if the notation has a place for one.
pub(crate) struct Asked {
    pub(crate) position: Position,
    pub(crate) penalty: Option<i32>,
}

impl From<&Record> for Asked {
    fn from(record: &Record) -> Self {
        Self { position: record.end().clone(), penalty: record.penalty().map(i32::from) }
    }
}

impl Asked {
    /// The penalty of the text, or the one of the command line, or none.
    ///
    /// # Errors
    /// If both are given and differ.
    pub(crate) fn penalty_or(&self, told: Option<i32>) -> anyhow::Result<i32> {
        match (self.penalty, told) {
            (Some(said), Some(told)) if said != told => {
                bail!("the text charges a last-move penalty of {said}: leave out --penalty {told}")
            }
            (said, told) => Ok(said.or(told).unwrap_or(0)),
        }
    }
}

/// Reads what an argument stands for: `@FILE` and the name of a file its text, `-` standard input, anything else
/// itself. Text that can be read is never taken for the name of a file.
pub(crate) fn read(argument: &str, notation: Option<Notation>, board: Option<&Arc<Board>>) -> anyhow::Result<Input> {
    if argument == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return decode(&bytes, notation, board).context("standard input");
    }
    if let Some(path) = argument.strip_prefix('@') {
        return read_file(path, notation, board);
    }
    match parse(argument, notation, board) {
        Err(_) if Path::new(argument).is_file() => read_file(argument, notation, board),
        read => read,
    }
}

fn read_file(path: &str, notation: Option<Notation>, board: Option<&Arc<Board>>) -> anyhow::Result<Input> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {path}"))?;
    decode(&bytes, notation, board).with_context(|| path.to_owned())
}

fn decode(bytes: &[u8], notation: Option<Notation>, board: Option<&Arc<Board>>) -> anyhow::Result<Input> {
    // Old files have names of players in old encodings; what matters is ASCII.
    let text = String::from_utf8_lossy(bytes);
    parse(text.strip_prefix('\u{feff}').unwrap_or(&text), notation, board)
}

/// Reads a text; that of a position on a graph names the graph's file, which is read too.
pub(crate) fn parse(text: &str, notation: Option<Notation>, board: Option<&Arc<Board>>) -> anyhow::Result<Input> {
    if let Some(position) = boards::on_graph(text) {
        return Ok(Input { record: Record::new(position?), notation: Notation::Compact });
    }
    let notation = match notation {
        Some(notation) => notation,
        None => notation::detect(text, board)?,
    };
    Ok(Input { record: notation::read_as(text, notation, board)?, notation })
}
