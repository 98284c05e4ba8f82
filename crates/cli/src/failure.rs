//! From errors to messages with remedies, in the words of the command line, and to exit codes. The libraries only say
//! what happened.

use std::io;

use dab::{ErrorKind, TableError};
use dab_board::notation::NotationError;
use dab_nimstring::NimstringError;
use dab_search::SearchError;
use dab_solve::SolveError;
use dab_space::SpaceKind;
use dab_store::{FileKind, StoreError, is_out_of_files};
use serde::Serialize;

use crate::interrupt::INTERRUPTED;
use crate::output::{Output, json_line, message};

/// Input that cannot be answered, with the remedy, if no library has an error for it.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The exit code of a kind of failure, the same for every verb.
fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Wrong => 1,
        ErrorKind::Input => 2,
        ErrorKind::File => 3,
        ErrorKind::Damaged => 4,
        ErrorKind::Limit => 5,
        ErrorKind::Interrupted => INTERRUPTED,
    }
}

/// An error as JSON has it.
#[derive(Serialize)]
struct Failure {
    error: String,
    kind: ErrorKind,
    code: u8,
}

/// An error in the text of an argument: whatever its kind, the input is wrong, unless its file cannot be read.
pub(crate) fn of_input(error: anyhow::Error) -> anyhow::Error {
    match kind(&error) {
        ErrorKind::File => error,
        _ => Usage(text(&error)).into(),
    }
}

/// Reports the error of a command; returns the exit code.
pub(crate) fn report(error: &anyhow::Error, output: Output) -> u8 {
    // A closed pipe means that the reader has seen enough.
    if let Some(error) = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>())
        && error.kind() == io::ErrorKind::BrokenPipe
    {
        return 0;
    }
    tell(text(error), kind(error), output)
}

/// Reports arguments that make no sense; help that was asked for is no error.
pub(crate) fn report_arguments(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // A closed pipe means that the reader has seen enough.
        let _ = error.print();
        return 0;
    }
    let is_json = std::env::args_os().any(|argument| argument == "--json");
    if is_json {
        let said = error.to_string();
        let (said, _) = said.split_once("\n\nUsage").unwrap_or((&said, ""));
        let said = said.strip_prefix("error: ").unwrap_or(said);
        return tell(said.trim().to_owned(), ErrorKind::Input, Output { json: true, quiet: false });
    }
    let lines: Vec<String> = error.to_string().trim_end().lines().take(MOST_LINES).map(plain).collect();
    message(lines.join("\n"));
    code(ErrorKind::Input)
}

fn tell(error: String, kind: ErrorKind, Output { json, .. }: Output) -> u8 {
    let code = code(kind);
    let error = plain(&error);
    let mut line = Vec::new();
    if json && json_line(&Failure { error: error.clone(), kind, code }, &mut line).is_ok() {
        message(String::from_utf8_lossy(&line).trim_end());
    } else {
        message(format!("dab: {error}"));
    }
    code
}

/// Lines and characters of a message at most.
const MOST_LINES: usize = 40;
const MOST_CHARACTERS: usize = 1200;

/// A message without control characters, and not without end, whatever it quotes.
fn plain(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let more = if text.chars().nth(MOST_CHARACTERS).is_some() { "…" } else { "" };
    text.chars().take(MOST_CHARACTERS).map(escaped).chain([more.to_owned()]).collect()
}

/// Whether Ctrl-C stopped the work.
pub(crate) fn is_stopped(error: &anyhow::Error) -> bool {
    kind(error) == ErrorKind::Interrupted
}

/// Whether a solve was stopped that the same command takes up again.
fn is_stopped_solve(error: &anyhow::Error) -> bool {
    let solve = error.downcast_ref::<SolveError>().or(match error.downcast_ref() {
        Some(dab::Error::Solve(error)) => Some(error),
        _ => None,
    });
    matches!(solve, Some(SolveError::Stopped { .. }))
}

fn kind(error: &anyhow::Error) -> ErrorKind {
    let of = |cause: &(dyn std::error::Error + 'static)| {
        if cause.is::<Usage>() { Some(ErrorKind::Input) } else { ErrorKind::of(cause) }
    };
    error.chain().find_map(of).unwrap_or(ErrorKind::Wrong)
}

/// The error and its causes, as far as it does not tell them itself.
pub(crate) fn text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    if let Some(dab::Error::Penalty { told, .. }) = error.downcast_ref() {
        text += &format!(": leave out --penalty {told}");
    }
    if error.is::<NimstringError>() {
        text += "; allow more with --memory SIZE";
    }
    if let Some(remedy) = error.downcast_ref().and_then(of_search) {
        text += &remedy;
    }
    if let Some(remedy) = of_texts(error) {
        text += &remedy;
    }
    if is_stopped_solve(error) {
        text += "; run the same command again to go on from there";
    }
    if let Some(remedy) = of_files(error) {
        text += &format!("; {remedy}");
    }
    if let Some(remedy) = error.downcast_ref().and_then(remedy).or_else(|| error.downcast_ref().and_then(of_table)) {
        text += &format!("; {remedy}");
    }
    text
}

/// The options that help against an error of a search, as the end of the error's text.
fn of_search(error: &SearchError) -> Option<String> {
    match error {
        SearchError::TooLittleMemory { needed, .. } => {
            Some(format!("; use --memory {} or fewer --threads", mebibytes((*needed).into())))
        }
        SearchError::NoMemory { .. } => None,
    }
}

/// The options of this program that help against an error of the library.
fn remedy(error: &dab::Error) -> Option<String> {
    match error {
        dab::Error::Table(error) => of_table(error),
        dab::Error::NotReady { name, .. } => {
            Some(format!("'dab slabs {name} --ready' puts layers together and lists what is ready"))
        }
        dab::Error::NoGame { position } => Some(format!("ask 'dab query {position}' about it")),
        dab::Error::OtherBoard { board, .. } | dab::Error::NoneArises { board, .. } => {
            Some(format!("ask a run of {board}, or leave out --from"))
        }
        dab::Error::EndsEarly { .. } => {
            Some("solve a position of it ('dab plan POSITION' says what that takes) and ask with --from DIR".to_owned())
        }
        dab::Error::TooLittleMemory { needed, space, .. } => {
            let smaller = if *space == SpaceKind::Full { ", the quiet space" } else { "" };
            let needed = mebibytes((*needed).into());
            Some(format!(
                "use --memory {needed}, fewer threads{smaller} or a start with more lines drawn ('dab plan' shows what \
                 each takes)"
            ))
        }
        dab::Error::TooLargeSlab { needed, .. } => Some(format!("use --memory {}", mebibytes((*needed).into()))),
        dab::Error::TooLittleDisk { needed, dir, last_that_fits, .. } => {
            let keep = last_that_fits.map(|last| format!(", or --keep {last}")).unwrap_or_default();
            Some(match dir {
                Some(_) => format!("choose another place with --out{keep}"),
                None => format!("use --disk {}{keep}", mebibytes(*needed)),
            })
        }
        dab::Error::FewerLines { .. } => Some("use a smaller --lines".to_owned()),
        dab::Error::Threads { .. } => {
            Some("use fewer --threads, or allow more processes and memory ('ulimit -a')".to_owned())
        }
        dab::Error::Interrupted => Some("'dab solve' resumes where it stopped".to_owned()),
        _ => None,
    }
}

/// The same against an error of a table.
fn of_table(error: &TableError) -> Option<String> {
    match error {
        TableError::Unfinished { .. } => Some("finish the run with the same solve command".to_owned()),
        TableError::Discarded { .. } => Some("solve the board again without --keep".to_owned()),
        TableError::OtherPenalty { asked, .. } => Some(format!(
            "leave out --penalty, ask a run solved with --penalty {asked}, or leave out --from to solve on demand"
        )),
        TableError::TooLargeIndex { .. } => {
            Some("allow more with --memory, or choose a start with more lines drawn".to_owned())
        }
        TableError::TooLongPlan { .. } => Some("choose a start with more lines drawn".to_owned()),
        _ => None,
    }
}

/// A size as options take it, rounded up.
fn mebibytes(bytes: u128) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
}

/// The remedy for an error, if it comes from a file and its user can do something.
fn of_files(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| cause.downcast_ref()).and_then(of_store)
}

fn of_store(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::Io { source, .. } if is_out_of_files(source) => {
            "too many files are open: allow more with 'ulimit -n' and run the same command again"
        }
        StoreError::Io { source, .. } if source.kind() == io::ErrorKind::FileTooLarge => {
            "no file here may be so large: allow more with 'ulimit -f', or choose another disk, and run the same command again"
        }
        StoreError::Io { .. } => "check free space, permissions and the disk, then run the same command again",
        StoreError::Damaged { kind: FileKind::ScoreFile, .. } => {
            "repair the run with 'dab verify DIR --repair', or delete the file and run the same solve again"
        }
        StoreError::Damaged { kind: FileKind::SlabFile, .. } => "delete the file and run the same solve again",
        StoreError::Damaged { kind: FileKind::Book, .. } => "make the book again from its run with 'dab book'",
        StoreError::Unrepairable { .. } => "solve the board again into another directory",
        StoreError::Version { .. } | StoreError::Shape { .. } => "use the version of dab that wrote it",
        StoreError::ForeignFile { .. } => {
            "choose another directory, or move away whatever does not belong there, this file or manifest.json, and run the \
             same command again"
        }
        StoreError::MissingLayer { .. } => "repair the run with 'dab verify DIR --repair', or run the same solve again",
        StoreError::DiskSpent { .. } => "what is finished stays, go on with a larger --disk",
        StoreError::Discarded { .. } => "solve the board again into another directory without --keep",
        StoreError::Released { .. } => "ask once the run is finished, or solve the board again into another directory",
        StoreError::Unfinished { .. } => "finish the run with the same solve command",
        StoreError::NoSuchLayer { .. } | StoreError::NoSuchSlab { .. } => "check that board and run belong together",
        StoreError::Exists { .. } => "remove it or choose another name",
        StoreError::BeyondBook { .. } => "ask the run it was made from, or make a book with more layers",
        StoreError::Locked { .. } => "wait for it or choose another directory",
        StoreError::NotARun { .. } => "name the directory of a run, which 'dab solve' makes",
        StoreError::NotABook { .. } => "name a book, which 'dab book' makes, or the directory of a run",
        StoreError::NoPlaceForRun { .. } => "choose an empty or new directory, or one that holds a run",
        StoreError::OtherGame { .. } => "choose another directory, or solve what it holds",
        StoreError::Manifest { .. } => {
            "delete it and run the same solve again: the manifest is rebuilt from the score files"
        }
        StoreError::AlreadyFinished { .. } | StoreError::ReadOnly { .. } => return None,
    })
}

/// The option that helps if a text can be read in several ways, as the end of the error's text.
fn of_texts(error: &anyhow::Error) -> Option<String> {
    let error = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(dab::Error::Notation(error)) => Some(error),
        _ => cause.downcast_ref(),
    })?;
    Some(match error {
        NotationError::NeedsBoard { .. } => ", such as --board 3x3".to_owned(),
        NotationError::SeveralBoards { first, .. } => format!(", such as --board {first}"),
        NotationError::NoRoomForStart { start } => format!(": leave out --start {start}, or name just the board"),
        NotationError::TwoNotations { first, .. } => format!(", such as --from {first}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use dab_board::BoardError;

    #[test]
    fn causes_are_told_once() {
        let board: Result<(), BoardError> = Err("0x3".parse::<dab_board::Position>().unwrap_err());
        let error = board.context("line 3").unwrap_err();
        assert_eq!(text(&error), "line 3: board 0x3 has no boxes: both sides must be at least 1");
        assert_eq!(kind(&error), ErrorKind::Input);
        let stopped = SolveError::Stopped { layer: dab_space::Layer(3) }.into();
        assert_eq!(kind(&stopped), ErrorKind::Interrupted);
        assert_eq!(text(&stopped), "stopped at layer 3; run the same command again to go on from there");
        assert_eq!(kind(&anyhow::anyhow!("no")), ErrorKind::Wrong);
    }

    #[test]
    fn messages_are_plain_and_end() {
        assert_eq!(plain("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\nb");
        assert_eq!(plain(&"é".repeat(5000)).chars().count(), MOST_CHARACTERS + 1);
    }

    #[test]
    fn remedies_are_found_below_other_errors() {
        let locked = || StoreError::Locked { path: "runs/2x2".into() };
        let text = Some("wait for it or choose another directory");
        assert_eq!(of_files(&locked().into()), text);
        assert_eq!(of_files(&TableError::from(locked()).into()), text);
        assert_eq!(of_files(&dab::Error::from(dab_solve::SolveError::from(locked())).into()), text);
        assert_eq!(of_files(&anyhow::anyhow!("no")), None);
    }
}
