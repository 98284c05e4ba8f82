//! Positions and games that the user gives: as text, in a file, or on standard input.

use std::io;
use std::path::Path;
use std::sync::Arc;

use dab::Error;
use dab::text;
use dab::text::{Asked, Input};
use dab_board::notation::{Context, Notation, Transcript};
use dab_board::{Board, Position};
use dab_endgame::Position as Endgame;
use dab_space::Rules;
use dab_store::{TEXT_BYTES, read_to_end, read_whole};

use crate::failure::{self, Result, usage};

/// Reads an argument: `@FILE` or the name of a file stands for the text of the file, `-` for standard input, anything else
/// for itself. Text that can be read is never taken for the name of a file.
pub(crate) fn read(argument: &str, notation: Option<Notation>, told: Context<'_>) -> Result<Input> {
    let parse = |text: &str| text::read(text, notation, told, text::graph_of_file);
    let read_file = |path: &str| {
        let read = read_whole(Path::new(path), TEXT_BYTES).and_then(|bytes| decode(&bytes));
        let text = read.map_err(Error::io(format!("cannot read {path}")))?;
        parse(&text).map_err(|error| error.context(path))
    };
    let is_directory = |path: &str| Path::new(path).is_dir();
    let read = if argument.trim().is_empty() {
        return Err(usage("the text is empty: expected a position or a game, such as 3x3:fff"));
    } else if is_directory(argument.trim_start_matches('@')) {
        return Err(usage(format!("{argument} is a directory: expected a position, a game, or a file that holds one")));
    } else if argument == "-" {
        let read = read_to_end(io::stdin(), TEXT_BYTES).and_then(|bytes| decode(&bytes));
        let read = read.map_err(Error::io("cannot read standard input"));
        read.and_then(|text| parse(&text).map_err(|error| error.context("standard input")))
    } else if let Some(path) = argument.strip_prefix('@') {
        read_file(path)
    } else {
        match parse(argument) {
            Err(_) if Path::new(argument).is_file() => read_file(argument),
            read => read,
        }
    };
    read.map_err(failure::input_error).map_err(|error| match endgame(argument) {
        Some(endgame) => usage(format!("{error}; 'dab endgame {endgame}' is for endgames")),
        None => error,
    })
}

/// The endgame that a text is; digits alone are more likely to be something else.
fn endgame(text: &str) -> Option<Endgame> {
    text.trim().parse().ok().filter(|_| !text.trim().bytes().all(|byte| byte.is_ascii_digit()))
}

/// The text in the bytes of a file. Old files have names of players in old encodings, which are replaced: notations are
/// in ASCII.
fn decode(bytes: &[u8]) -> io::Result<String> {
    if bytes.contains(&0) {
        return Err(io::Error::other("it is a binary file, and no text"));
    }
    let text = String::from_utf8_lossy(bytes);
    match text.trim().is_empty() {
        true => Err(io::Error::other("it is empty")),
        false => Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()),
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

/// Reads a position or a game whose scores fit with its penalty, or else with the one that is told.
pub(crate) fn game(argument: &str, told: Context<'_>, penalty: Option<i32>) -> Result<Transcript> {
    let game = record(argument, told)?;
    Rules::for_start(game.end(), Asked::from(&game).penalty_or(penalty)?)?;
    Ok(game)
}

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(name: &str) -> Result<Arc<Board>> {
    text::board(name, text::graph_of_file)
}
