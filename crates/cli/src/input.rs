//! Positions and games that the user gives: as text, in a file, or on standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use dab::text;
pub(crate) use dab::text::{Asked, Input};
use dab_board::Board;
use dab_board::notation::Notation;

/// Reads an argument: `@FILE` or the name of a file stands for the text of the file, `-` for standard input, anything else
/// for itself. Text that can be read is never taken for the name of a file.
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
    parse(&text::decode(bytes), notation, board)
}

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(name: &str) -> anyhow::Result<Arc<Board>> {
    Ok(text::board(name, text::graph_of_file)?)
}

/// Reads a text; that of a position on a graph names the graph's file, which is read too.
pub(crate) fn parse(text: &str, notation: Option<Notation>, board: Option<&Arc<Board>>) -> anyhow::Result<Input> {
    Ok(text::read(text, notation, board, text::graph_of_file)?)
}
