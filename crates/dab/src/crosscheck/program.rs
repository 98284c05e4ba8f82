//! A program of the user's against the theory or a solved board: it reads endgames or positions, a line each, and writes the
//! value of each on a line.
//!
//! ```text
//!    questions ─► standard input of the program            a thread asks, this one compares
//!        └─ expected values ─► compare ◄─ standard output of the program
//! ```
//! The value of an endgame is that for the controller, as [`allcock::value`]; that of a position its score.

use std::fmt::{self, Display};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use dab_endgame::{Family, allcock};
use dab_solve::Observer;
use serde::Serialize;

use super::{Check, Counts};
use crate::figures::{Count, plural};
use crate::{Error, ErrorKind, Tablebase};

/// Questions that the program may be behind: one that reads all of a small set before it answers is fine.
const MOST_AHEAD: usize = 1 << 20;
/// Counterexamples that are kept.
const MOST_SHOWN: usize = 10;

/// The result of a check of a program.
#[derive(Clone, Debug, Serialize)]
struct ProgramCheck {
    /// The program with its arguments.
    program: String,
    /// Endgames or positions that it valued.
    asked: u64,
    /// Values that are wrong.
    disagreements: u64,
    /// The first of them.
    first: Vec<Counterexample>,
}

impl Counts for ProgramCheck {
    fn fault(&self) -> Option<String> {
        let Self { program, asked, disagreements, .. } = self;
        (*disagreements > 0).then(|| format!("{program}: {disagreements} of {} wrong", plural(*asked, "value")))
    }
}

impl Display for ProgramCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Counterexample { question, expected, found } in &self.first {
            writeln!(f, "{question}: expected {expected}, found {found}")?;
        }
        let (asked, wrong) = (plural(self.asked, "value"), Count(self.disagreements.into()));
        write!(f, "{}: {asked}, {wrong} wrong", self.program)
    }
}

/// A wrong value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Counterexample {
    /// The endgame or the position.
    question: String,
    /// Its value.
    expected: i64,
    /// The line that the program wrote.
    found: String,
}

/// The questions for a program.
pub enum Questions<'a> {
    /// Every endgame of a family but the empty one, small ones not first.
    Endgames(Family),
    /// Every stored position of a table.
    Positions(&'a Tablebase),
}

impl Questions<'_> {
    /// The number of questions.
    pub fn count(&self) -> u64 {
        match self {
            Self::Endgames(family) => family.n_positions() - 1,
            Self::Positions(table) => table.files().layers().map(|layer| layer.positions).sum(),
        }
    }

    /// Asks one after the other, until `ask` wants no more.
    fn each(&self, mut ask: impl FnMut(String, i64) -> bool) -> Result<(), Error> {
        match self {
            Self::Endgames(family) => {
                let endgames = (1..family.n_positions()).map(|rank| family.position(rank));
                let mut questions = endgames.map(|endgame| (endgame.to_string(), allcock::value(&endgame)));
                questions.all(|(endgame, value)| ask(endgame, value));
            }
            Self::Positions(table) => {
                for layer in table.files().layers() {
                    for stored in table.stored(layer.layer)? {
                        let (position, score) = stored?;
                        if !ask(position.to_string(), score.0.into()) {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Check {
    /// Has a program value all questions.
    ///
    /// # Errors
    /// If it cannot be started or ends early, files of the table are damaged, or `observer` stops it.
    pub fn program(command: &mut Command, questions: &Questions<'_>, observer: &dyn Observer) -> Result<Check, Error> {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let name = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let failed = |what: String| Error::new(ErrorKind::File, format!("{name}: {what}"));
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|why| failed(format!("cannot be started: {why}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("its input and output cannot be reached".to_owned()));
        };
        let (expect, expected) = sync_channel(MOST_AHEAD);
        let mut check = ProgramCheck { program: name.clone(), asked: 0, disagreements: 0, first: Vec::new() };
        let compared = thread::scope(|scope| {
            let asking = || ask(questions, BufWriter::new(input), expect, observer);
            let asking = match thread::Builder::new().spawn_scoped(scope, asking) {
                Ok(asking) => asking,
                Err(why) => {
                    end(&mut child);
                    return Err(Error::no_threads(1, &why));
                }
            };
            let compared = compare(&mut check, BufReader::new(output), expected, observer);
            end(&mut child);
            asking.join().unwrap_or(Ok(())).and(compared)
        });
        let ended = child.wait();
        if observer.should_stop() {
            return Err(Error::stopped_check());
        }
        if !compared? {
            let status = ended.map_or_else(|why| why.to_string(), |status| status.to_string());
            let (asked, all) = (check.asked, questions.count());
            return Err(failed(format!("it ended after {asked} of {all} answers, {status}")));
        }
        Check::new(&check)
    }
}

/// Ends a program that has said all, or says no more; usually it ends by itself.
fn end(child: &mut Child) {
    for _ in 0..100 {
        if let Ok(Some(_)) = child.try_wait() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
}

/// Writes the questions, and hands on what is expected.
fn ask(
    questions: &Questions<'_>,
    mut input: impl Write,
    expect: SyncSender<(String, i64)>,
    observer: &dyn Observer,
) -> Result<(), Error> {
    questions.each(|question, value| {
        // A program that reads no more has ended, as its output will show.
        writeln!(input, "{question}").is_ok() && expect.send((question, value)).is_ok() && !observer.should_stop()
    })?;
    let _ = input.flush();
    Ok(())
}

/// Compares the lines of the program with what is expected; whether there were enough of them.
fn compare(
    check: &mut ProgramCheck,
    output: impl BufRead,
    expected: Receiver<(String, i64)>,
    observer: &dyn Observer,
) -> Result<bool, Error> {
    let mut lines = output.lines();
    for (question, expected) in expected {
        let Some(Ok(found)) = lines.next() else { return Ok(false) };
        check.asked += 1;
        observer.positions(1);
        if found.trim().parse() != Ok(expected) {
            check.disagreements += 1;
            if check.first.len() < MOST_SHOWN {
                check.first.push(Counterexample { question, expected, found });
            }
        }
    }
    Ok(true)
}
