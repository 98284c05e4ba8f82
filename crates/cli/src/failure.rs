//! From errors to messages and exit codes.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use dab::text::PenaltyTold;
use dab_board::BoardError;
use dab_board::notation::NotationError;
use dab_book::BookError;
use dab_nimstring::NimstringError;
use dab_solve::SolveError;
use dab_space::SpaceError;

use crate::output::message;
use crate::progress::INTERRUPTED;

/// Input that cannot be answered, with the remedy; for what no library has an error for.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Ctrl-C ended work of which nothing is kept.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped; nothing is kept of what is solved on the spot, but 'dab solve' goes on where it stopped")
    }
}

impl std::error::Error for Interrupted {}

/// Reports arguments that do not fit together.
pub(crate) fn usage(error: &anyhow::Error) -> ExitCode {
    message(format!("dab: {}", text(error)));
    ExitCode::from(2)
}

/// Reports what went wrong while a command ran; returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> u8 {
    // Whoever reads the results has seen enough.
    if let Some(error) = error.downcast_ref::<io::Error>()
        && error.kind() == ErrorKind::BrokenPipe
    {
        return 0;
    }
    message(format!("dab: {}", text(error)));
    code(error)
}

fn code(error: &anyhow::Error) -> u8 {
    if error.is::<Interrupted>() || matches!(error.downcast_ref(), Some(SolveError::Stopped { .. })) {
        return INTERRUPTED;
    }
    if is_input(error) { 2 } else { 1 }
}

/// Whether it is the question that is wrong.
pub(crate) fn is_input(error: &anyhow::Error) -> bool {
    error.is::<Usage>()
        || error.is::<BoardError>()
        || error.is::<NotationError>()
        || error.is::<SpaceError>()
        || error.is::<NimstringError>()
        || error.downcast_ref().is_some_and(is_input_of_library)
        || matches!(error.downcast_ref(), Some(BookError::NotHeld { .. }))
}

fn is_input_of_library(error: &dab::Error) -> bool {
    use dab::Error;
    matches!(
        error,
        Error::Notation(_)
            | Error::Board(_)
            | Error::GraphFile { .. }
            | Error::NotText { .. }
            | Error::Graph { .. }
            | Error::NotAGraph { .. }
    )
}

/// The error and its causes, as far as it does not tell them itself.
pub(crate) fn text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text + &remedy(error)
}

/// What the command line can do about an error of the library.
fn remedy(error: &anyhow::Error) -> String {
    match error.downcast_ref() {
        Some(PenaltyTold { told, .. }) => format!(": leave out --penalty {told}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn causes_are_told_once() {
        let board: Result<(), BoardError> = Err("0x3".parse::<dab_board::Position>().unwrap_err());
        let error = board.context("line 3").unwrap_err();
        assert_eq!(text(&error), "line 3: board 0x3 has no boxes: both sides must be at least 1");
        assert_eq!(code(&error), 2);
        assert_eq!(code(&SolveError::Stopped { layer: 3 }.into()), 130);
        assert_eq!(code(&anyhow::anyhow!("no")), 1);
    }
}
