//! Questions of the page with their answers, as text.

use std::sync::Arc;
use std::time::Duration;

use dab::explorer::Explorer;
use dab::{Error, ErrorKind, Library, Limits, Observer, Remedy};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Bytes of a solve with its scores.
const MEMORY: u64 = 2_000_000_000;
/// Bytes of decoded slabs of books, and of tables solved before.
const LIBRARY: u64 = 256 << 20;
/// The most time that a solve may take by its plan, and the most that planning it may take.
const TIME: [Duration; 2] = [Duration::from_secs(600), Duration::from_secs(10)];

/// The program behind a page: books, and the tables that were solved since it began.
#[derive(Default)]
pub struct Site {
    /// The books of the explorer.
    books: Vec<(String, Arc<[u8]>)>,
    explorer: Option<Explorer>,
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

impl Site {
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
        let explorer = self.explorer()?;
        match question {
            "plan" => json(explorer.plan(fields, observer)?.cost()),
            "solve" => json(&explorer.solve(explorer.plan(fields, observer)?, observer)?),
            question => explorer.answer(question, fields),
        }
    }

    /// The explorer, made for the first question.
    fn explorer(&mut self) -> Result<&Explorer, Error> {
        let explorer = match self.explorer.take() {
            Some(explorer) => explorer,
            None => {
                let [time, planning] = TIME;
                let limits = Limits { time, planning, ..Limits::new(1, MEMORY) };
                let mut library = Library::new(Limits { memory: LIBRARY, ..limits });
                self.books.iter().try_for_each(|(name, bytes)| library.add_in_memory(name, bytes.clone()))?;
                Explorer::new(library, limits)
            }
        };
        Ok(self.explorer.insert(explorer))
    }
}

fn json(value: &impl Serialize) -> Result<Json, Error> {
    to_raw_value(value).map_err(|error| Error::new(ErrorKind::Wrong, error.to_string()))
}

/// The reason with its remedy.
impl From<Error> for Reply {
    fn from(error: Error) -> Self {
        let in_shell = match error.remedy() {
            Some(Remedy::Solve { position }) => {
                Some(format!("'dab solve {position} --out DIR' and 'dab serve --from DIR'"))
            }
            Some(Remedy::Nimber { position }) => Some(format!("'dab nimstring {position}'")),
            _ => None,
        };
        let text = match in_shell {
            Some(remedy) => format!("In the browser that is too much: {error}. In a shell: {remedy}"),
            None => format!("{error:#}"),
        };
        Self::Problem { code: Explorer::code(&error), error: text }
    }
}
