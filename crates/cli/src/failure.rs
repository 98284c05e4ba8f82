//! From errors to messages with remedies, in the words of the command line, and to exit codes. The libraries only say
//! what happened.

use std::io;

use dab::{Error, ErrorKind, Remedy};
use serde::Serialize;

pub(crate) use crate::error::{Result, usage, wrong};
use crate::interrupt::INTERRUPTED;
use crate::output::{Output, json_line, message};

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
pub(crate) struct Failure {
    error: String,
    kind: ErrorKind,
    code: u8,
}

impl Failure {
    pub(crate) fn new(error: String, kind: ErrorKind) -> Self {
        Self { error, kind, code: code(kind) }
    }
}

/// An error in the text of an argument: whatever its kind, the input is wrong, unless its file cannot be read.
pub(crate) fn input_error(error: Error) -> Error {
    if error.kind() == ErrorKind::File { error } else { usage(text(&error)) }
}

/// Reports the error of a command; returns the exit code.
pub(crate) fn report(error: &Error, output: Output) -> u8 {
    // A closed pipe means that the reader has seen enough.
    if error.io_kind() == Some(io::ErrorKind::BrokenPipe) {
        return 0;
    }
    tell(text(error), error.kind(), output)
}

/// Reports arguments that make no sense; help that was asked for is no error.
pub(crate) fn report_arguments(error: &clap::Error, output: Output) -> u8 {
    if !error.use_stderr() {
        // A closed pipe means that the reader has seen enough.
        let _ = error.print();
        return 0;
    }
    if output.json {
        let said = error.to_string();
        let end = ["\n\nUsage", "\n\nFor more"].iter().find_map(|hints| said.find(hints)).unwrap_or(said.len());
        let said = &said[..end];
        let said = said.strip_prefix("error: ").unwrap_or(said);
        return tell(plain(said.trim()), ErrorKind::Input, output);
    }
    let lines: Vec<String> = error.to_string().trim_end().lines().take(MOST_LINES).map(plain).collect();
    message(lines.join("\n"));
    code(ErrorKind::Input)
}

/// Tells an error that is plain.
fn tell(error: String, kind: ErrorKind, Output { json, .. }: Output) -> u8 {
    let mut line = Vec::new();
    let failure = Failure::new(error, kind);
    if json && json_line(&failure, &mut line).is_ok() {
        message(String::from_utf8_lossy(&line).trim_end());
    } else {
        message(format!("dab: {}", failure.error));
    }
    failure.code
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

/// The error with its cause and its remedy.
pub(crate) fn text(error: &Error) -> String {
    // However long a position is that the error quotes, its remedy is told.
    format!("{}{}", plain(&format!("{error:#}")), error.remedy().map(words).unwrap_or_default())
}

/// A remedy in words that follow the text of an error.
fn words(remedy: &Remedy) -> String {
    let then = match remedy {
        Remedy::NameBoard { such_as } => return format!(", such as --board {such_as}"),
        Remedy::NameNotation { such_as } => return format!(" ('dab convert --notation {such_as}')"),
        Remedy::NoStart { start } => return format!(": leave out --start {start}, or name just the board"),
        Remedy::NoPenalty { told } => return format!(": leave out --penalty {told}"),
        Remedy::HaveSolved => return ": have it solved with POST /api/solves".to_owned(),
        Remedy::MoreMemory { bytes: None } => "allow more with --memory SIZE".to_owned(),
        Remedy::MoreMemory { bytes: Some(bytes) } => format!("use --memory {}", mebibytes(*bytes)),
        Remedy::MoreMemoryOrFewerThreads { bytes } => {
            format!("use --memory {} or fewer --threads", mebibytes(*bytes))
        }
        Remedy::MoreMemoryOrLess { bytes, is_full } => {
            let smaller = if *is_full { ", the quiet space" } else { "" };
            format!(
                "use --memory {}, fewer threads{smaller} or a start with more lines drawn ('dab plan' shows what each \
                 takes)",
                mebibytes(*bytes)
            )
        }
        Remedy::MoreDrawn { or_memory } => {
            let memory = if *or_memory { "allow more with --memory, or " } else { "" };
            format!("{memory}choose a start with more lines drawn")
        }
        Remedy::MoreDisk { bytes, is_full, keep, .. } => {
            let keep = keep.map(|last| format!(", or --keep {last}")).unwrap_or_default();
            match is_full {
                true => format!("choose another place with --out{keep}"),
                false => format!("use --disk {}{keep}", mebibytes(*bytes)),
            }
        }
        Remedy::Repair { is_there } => {
            let delete = if *is_there { "delete the file and " } else { "" };
            format!("repair the run with 'dab verify DIR --repair', or {delete}run the same solve again")
        }
        Remedy::SolveElsewhere { keep_all } => {
            let without = if *keep_all { " without --keep" } else { "" };
            format!("solve the board again into another directory{without}")
        }
        Remedy::TablePenalty { asked } => format!(
            "leave out --penalty, ask a run solved with --penalty {asked}, or leave out --from to solve on demand"
        ),
        Remedy::Query { position } => format!("ask 'dab query {position}' about it"),
        Remedy::RunOf { board } => format!("ask a run of {board}, or leave out --from"),
        Remedy::Solve { position } => {
            format!(
                "with more lines drawn it is solved here; 'dab plan {position}' says what 'dab solve {position} --out DIR' takes"
            )
        }
        Remedy::Nimber { position } => format!("'dab nimstring {position}' takes more"),
        Remedy::Words(words) => words.clone(),
        Remedy::GoOnWithMoreDisk => "what is finished stays, go on with a larger --disk".to_owned(),
        Remedy::SameCommand => "run the same command again to go on from there".to_owned(),
        Remedy::System => "check free space, permissions and the disk, then run the same command again".to_owned(),
        Remedy::DeleteManifest => {
            "delete it and run the same solve again, with the same --memory: the manifest is rebuilt from the score files".to_owned()
        }
        Remedy::MakeBook => "make the book again from its run with 'dab book'".to_owned(),
        Remedy::SolveWithAll => "solve the board again without --keep".to_owned(),
        Remedy::SameVersion => "solve the run or make the book again, or use the version of dab that wrote it".to_owned(),
        Remedy::MoveAway => {
            "choose another directory, or move away whatever does not belong there, this file or manifest.json, and \
                             run the same command again"
                .to_owned()
        }
        Remedy::MoreFiles => {
            "too many files are open: allow more with 'ulimit -n' and run the same command again".to_owned()
        }
        Remedy::LongerFiles => {
            "no file here may be so large: allow more with 'ulimit -f', or choose another disk, and run the same \
                                command again"
                .to_owned()
        }
        Remedy::FewerThreads => "use fewer --threads, or allow more processes and memory ('ulimit -a')".to_owned(),
        Remedy::AskFinished => {
            "ask once the run is finished, or solve the board again into another directory".to_owned()
        }
        Remedy::Finish => "finish the run with the same solve command".to_owned(),
        Remedy::Belonging => "check that board and run belong together".to_owned(),
        Remedy::OtherName => "remove it or choose another name".to_owned(),
        Remedy::AskRun => "ask the run it was made from, or make a book with more layers".to_owned(),
        Remedy::Wait => "wait for it or choose another directory".to_owned(),
        Remedy::NameRun => "name the directory of a run, which 'dab solve' makes".to_owned(),
        Remedy::NameBook => "name a book, which 'dab book' makes, or the directory of a run".to_owned(),
        Remedy::EmptyDirectory => "choose an empty or new directory, or one that holds a run".to_owned(),
        Remedy::OtherDirectory => "choose another directory, or solve what it holds".to_owned(),
        Remedy::SolvePosition => {
            "solve a position of it ('dab plan POSITION' says what that takes) and ask with --from DIR".to_owned()
        }
        Remedy::FewerLines => "use a smaller --lines".to_owned(),
        Remedy::ListQuestions => "docs/API.md lists what can be asked".to_owned(),
        // The text says which there are.
        Remedy::ListFields => return String::new(),
    };
    format!("; {then}")
}

/// A size as options take it, rounded up.
fn mebibytes(bytes: impl Into<u128>) -> String {
    format!("{}M", bytes.into().div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab::store::StoreError;
    use dab::{SolveError, TableError};

    #[test]
    fn causes_are_told_once() {
        let error = Error::from("0x3".parse::<dab_board::Position>().unwrap_err()).context("line 3");
        assert_eq!(text(&error), "line 3: board 0x3 has no boxes: both sides must be at least 1");
        assert_eq!(error.kind(), ErrorKind::Input);
        let stopped = SolveError::Stopped { layer: dab_space::Layer(3) }.into();
        assert_eq!(text(&stopped), "stopped at layer 3; run the same command again to go on from there");
        let io = || StoreError::Io { path: "x".into(), action: "read", source: io::Error::other("refused") };
        for error in [io().into(), TableError::from(io()).into(), Error::from(SolveError::from(io()))] {
            let remedy = "check free space, permissions and the disk, then run the same command again";
            assert_eq!(text(&error), format!("cannot read x: refused; {remedy}"));
        }
    }

    #[test]
    fn messages_are_plain_and_end() {
        assert_eq!(plain("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\nb");
        assert_eq!(plain(&"é".repeat(5000)).chars().count(), MOST_CHARACTERS + 1);
    }
}
