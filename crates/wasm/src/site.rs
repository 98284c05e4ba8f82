//! Questions of the page with their answers, as text.

use std::sync::Arc;
use std::time::Duration;

use dab::{Error, ErrorKind, Explorer, Library, Limits, Observer, Remedy, Task};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Bytes by which memory grows at a time.
const GROWTH: usize = 64 << 20;
/// Bytes of decoded slabs of books, and of tables solved before.
const LIBRARY: u64 = 256 << 20;
/// The most time that a solve may take by its plan, and the most that planning it may take.
const TIME: [Duration; 2] = [Duration::from_secs(600), Duration::from_secs(10)];

/// The program behind a page: books, and the tables that were solved since it began.
pub struct Site {
    /// Threads of a solve, and bytes with its scores.
    limits: (usize, u64),
    /// The books of the explorer.
    books: Vec<(String, Arc<[u8]>)>,
    explorer: Option<Explorer>,
    /// The last plan, with the fields that it was asked by.
    planned: Option<(String, Task)>,
}

/// A finished piece of JSON.
type Json = Box<RawValue>;

/// The reply to a question.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Answer(Json),
    /// The reason why there is no answer: a code for programs, a text for people.
    Problem {
        code: &'static str,
        error: String,
    },
}

impl Default for Site {
    fn default() -> Self {
        Self::new(1, 2_000_000_000)
    }
}

impl Site {
    /// A program without books, whose solves take so many threads and bytes of memory.
    pub fn new(threads: usize, memory: u64) -> Self {
        Self { limits: (threads, memory), books: Vec::new(), explorer: None, planned: None }
    }

    /// Adds a book. All books come before the first question.
    pub fn add_book(&mut self, name: &str, bytes: &[u8]) {
        self.books.push((name.to_owned(), bytes.into()));
    }

    /// The reply to a question as JSON: `{"answer":…}` or `{"problem":{"code":…,"error":…}}`. Beside the questions of the
    /// explorer there are `plan` and `solve`, with the fields of `query`; `observer` follows both.
    pub fn ask(&mut self, question: &str, fields: &str, observer: &dyn Observer) -> String {
        let reply = self.reply(question, fields, observer).map_or_else(Reply::from, Reply::Answer);
        serde_json::to_string(&reply).unwrap_or_else(|error| error.to_string())
    }

    fn reply(&mut self, question: &str, fields: &str, observer: &dyn Observer) -> Result<Json, Error> {
        let planned = if matches!(question, "plan" | "solve") { self.planned.take() } else { None };
        let explorer = self.explorer()?;
        match question {
            "plan" => {
                let task = explorer.plan(fields, observer)?;
                let cost = json(&task.cost);
                self.planned = Some((fields.to_owned(), task));
                cost
            }
            "solve" => {
                let task = match planned.filter(|(asked, _)| asked == fields) {
                    Some((_, task)) => task,
                    None => explorer.plan(fields, observer)?,
                };
                grow(task.cost.memory);
                json(&explorer.solve(task, observer)?)
            }
            question => explorer.answer(question, fields),
        }
    }

    /// The explorer, made for the first question.
    fn explorer(&mut self) -> Result<&Explorer, Error> {
        let explorer = match self.explorer.take() {
            Some(explorer) => explorer,
            None => {
                let [time, planning] = TIME;
                let limits = Limits { time, planning, ..Limits::new(self.limits.0, self.limits.1) };
                let mut library = Library::new(Limits { memory: LIBRARY, ..limits });
                self.books.iter().try_for_each(|(name, bytes)| library.add_in_memory(name, bytes.clone()))?;
                Explorer::new(library, limits)
            }
        };
        Ok(self.explorer.insert(explorer))
    }
}

/// Has the memory of the module at once what a solve will need: many small steps take a browser as long as the solve.
fn grow(bytes: u64) {
    // No piece may be as large as half of all memory. Where there is not so much, the solve finds out.
    let piece = |_| {
        let mut piece = Vec::<u8>::new();
        piece.try_reserve_exact(GROWTH).ok().map(|()| piece)
    };
    let room: Vec<Vec<u8>> = (0..bytes.div_ceil(GROWTH as u64)).map_while(piece).collect();
    std::hint::black_box(room);
}

fn json(value: &impl Serialize) -> Result<Json, Error> {
    to_raw_value(value).map_err(|error| Error::new(ErrorKind::Wrong, error.to_string()))
}

/// The reason with its remedy.
impl From<Error> for Reply {
    fn from(error: Error) -> Self {
        let remedy = match error.remedy() {
            Some(Remedy::Solve { position }) => Some(format!(
                "With more lines drawn it is solved here. In a shell 'dab plan {position}' says what all of it takes"
            )),
            Some(Remedy::Nimber { position }) => Some(format!("In a shell: 'dab nimstring {position}'")),
            _ => None,
        };
        let text = match remedy {
            Some(remedy) => format!("In the browser that is too much: {error}. {remedy}"),
            None => format!("{error:#}"),
        };
        Self::Problem { code: Explorer::code(&error), error: text }
    }
}
