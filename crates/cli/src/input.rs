//! Positions and games that the user gives: as text, in a file, or on standard input.

use std::io;
use std::path::Path;
use std::sync::Arc;

use dab::Error;
use dab::text;
use dab::text::{Asked, Input};
use dab_board::notation::{Context, Notation, Transcript};
use dab_board::{Board, Position};
use dab_space::Rules;
use dab_store::{TEXT_BYTES, read_to_end, read_whole};

use crate::failure::{self, Result};

/// Reads an argument: `@FILE` or the name of a file stands for the text of the file, `-` for standard input, anything else
/// for itself. Text that can be read is never taken for the name of a file.
pub(crate) fn read(argument: &str, notation: Option<Notation>, told: Context<'_>) -> Result<Input> {
    let parse = |text: &str| text::read(text, notation, told, text::graph_of_file);
    let no_directory = |path: &str| match Path::new(path).is_dir() {
        true => {
            Err(Error::input(format!("{path} is a directory: expected a position, a game, or a file that holds one")))
        }
        false => Ok(()),
    };
    let read_file = |path: &str| {
        no_directory(path)?;
        let bytes = read_whole(Path::new(path), TEXT_BYTES).map_err(Error::io(format!("cannot read {path}")))?;
        decode(&bytes).and_then(|text| parse(&text)).map_err(|error| error.context(path))
    };
    let read = if argument == "-" {
        let read = read_to_end(io::stdin(), TEXT_BYTES).map_err(Error::io("cannot read standard input"));
        let parse_bytes = |bytes: Vec<u8>| decode(&bytes).and_then(|text| parse(&text));
        read.and_then(|bytes| parse_bytes(bytes).map_err(|error| error.context("standard input")))
    } else if let Some(path) = argument.strip_prefix('@') {
        read_file(path)
    } else {
        match parse(argument) {
            Err(_) if Path::new(argument).is_file() => read_file(argument),
            Err(error) => no_directory(argument).and(not_empty(argument)).and(Err(error)),
            read => read,
        }
    };
    read.map_err(failure::input_error)
}

/// The text in the bytes of a file. Old files have names of players in old encodings, which are replaced: notations are
/// in ASCII.
fn decode(bytes: &[u8]) -> std::result::Result<String, Error> {
    if bytes.contains(&0) {
        return Err(Error::input("a binary file, and no text: expected a position or a game"));
    }
    let text = String::from_utf8_lossy(bytes);
    not_empty(&text)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

fn not_empty(text: &str) -> std::result::Result<(), Error> {
    match text.trim().is_empty() {
        true => Err(Error::input("nothing but an empty text: expected a position or a game, such as 3x3:fff")),
        false => Ok(()),
    }
}

/// Reads the position or the game of an argument.
pub(crate) fn record(argument: &str, told: Context<'_>) -> Result<Transcript> {
    Ok(read(argument, None, told)?.record)
}

/// Reads the position of an argument.
pub(crate) fn position(argument: &str, told: Context<'_>) -> Result<Position> {
    Ok(record(argument, told)?.end().clone())
}

/// Reads a position whose scores fit with its penalty, or else with the one that is told.
pub(crate) fn asked(argument: &str, told: Context<'_>, penalty: Option<i32>) -> Result<Asked> {
    let asked = Asked::from(&record(argument, told)?);
    Rules::for_start(&asked.position, asked.penalty_or(penalty)?)?;
    Ok(asked)
}

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(name: &str) -> Result<Arc<Board>> {
    text::board(name, text::graph_of_file)
}
