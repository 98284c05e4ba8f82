//! Files of problems.
//!
//! ```text
//!    # comment
//!    problem   one move wins           begins a problem; one field a line, what is indented goes on
//!    source    where it is from
//!    verified  how the answer was checked
//!    penalty   0                       last-move penalty, 0 if left out
//!    grade     2                       how hard it is, 1 to 4
//!    score     1                       score for the player to move
//!    best      b2-b3 19                every best line, and no other, by name or number
//!    others    -1                      score of the best line that is not among them
//!    endgame   3+4                     the multiset that the position is, or one without a board
//!    open      3 4                     every optimal opening of the endgame, and no other
//!    position  3x3:1f                  in any notation, its text here or in the rows below, to the next problem
//! ```
//! A problem has a position, an endgame or both, and says at least one thing about it.

use std::fmt::Display;
use std::str::FromStr;

use dab_board::notation;
use dab_board::{LineIdx, Position};
use dab_endgame::{Component, ParseError};

use crate::Error;
use crate::text::Asked;

/// The fields that a problem may have, in words.
const FIELDS: &str = "source, verified, penalty, grade, score, best, others, endgame, open or position";

/// A position or an endgame, with the facts known about it.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Its name, not empty.
    pub name: String,
    /// Its origin, empty if not told.
    pub source: String,
    /// The check of the answer in words, empty if not told.
    pub verified: String,
    /// Last-move penalty, if told.
    pub penalty: Option<i32>,
    /// How hard it is, 1 to 4, if told.
    pub grade: Option<i32>,
    /// The position; if there is none, there is an endgame.
    pub position: Option<Position>,
    /// The multiset of chains and loops; if there is none, there is a position.
    pub endgame: Option<dab_endgame::Position>,
    /// Score for the player to move.
    pub score: Option<i32>,
    /// Every best line of the position, ascending.
    pub best: Option<Vec<LineIdx>>,
    /// The same as it is written, until the position is known.
    best_words: Option<Vec<String>>,
    /// Score of the best line that is not among them.
    pub others: Option<i32>,
    /// Every optimal opening of the endgame: chains ascending, then loops ascending.
    pub open: Option<Vec<Component>>,
}

/// A field with the row of text where it stands, from 1.
struct Field {
    row: usize,
    name: String,
    value: String,
}

/// Reads all problems of a text.
///
/// # Errors
/// At the first thing that is wrong, with its row.
pub(super) fn parse(text: &str) -> Result<Vec<Problem>, Error> {
    let mut problems: Vec<(usize, Problem)> = Vec::new();
    for Field { row, name, value } in fields(text)? {
        if name == "problem" {
            if value.is_empty() {
                return Err(at(row, "", "a problem needs a name: 'problem NAME'"));
            }
            problems.push((row, Problem { name: value, ..Problem::default() }));
        } else {
            let Some((_, problem)) = problems.last_mut() else {
                return Err(at(row, "", format!("expected 'problem NAME', found '{name}'")));
            };
            let place = format!(", {name} of problem '{}'", problem.name);
            problem.set(row, &name, &value).map_err(|what| at(row, &place, what))?;
        }
    }
    let finished = problems.into_iter().map(|(row, problem)| {
        let place = format!(", problem '{}'", problem.name);
        problem.finish().map_err(|what| at(row, &place, what))
    });
    finished.collect()
}

/// An error in a row, from 1; `place` names the field and its problem, as far as there are any.
fn at(row: usize, place: &str, what: impl Display) -> Error {
    Error::input(format!("row {row}{place}: {what}")).at(format!("row {row}"))
}

/// The fields of a text in order.
fn fields(text: &str) -> Result<Vec<Field>, Error> {
    let mut fields: Vec<Field> = Vec::new();
    for (row, line) in (1..).zip(text.lines()) {
        let is_picture = fields.last().is_some_and(|field| field.name == "position");
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic());
        if line.starts_with('#') || (line.trim().is_empty() && !is_picture) {
            continue;
        }
        match fields.last_mut() {
            Some(field) if is_picture && !line.starts_with("problem") => {
                field.value += "\n";
                field.value += line;
            }
            Some(field) if !begins && line.starts_with(char::is_whitespace) => {
                field.value += " ";
                field.value += line.trim();
            }
            _ if begins => {
                let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
                fields.push(Field { row, name: name.to_owned(), value: value.trim().to_owned() });
            }
            _ => {
                let error = format!("expected a field and its value, such as 'score 1', found '{line}'");
                return Err(at(row, "", error));
            }
        }
    }
    Ok(fields)
}

impl Problem {
    fn set(&mut self, row: usize, name: &str, value: &str) -> Result<(), String> {
        let is_new = match name {
            "source" => set_text(&mut self.source, value),
            "verified" => set_text(&mut self.verified, value),
            "penalty" => self.penalty.replace(number(value)?).is_none(),
            "grade" => self.grade.replace(number(value)?).is_none(),
            "score" => self.score.replace(number(value)?).is_none(),
            "others" => self.others.replace(number(value)?).is_none(),
            "best" => self.best_words.replace(value.split_whitespace().map(str::to_owned).collect()).is_none(),
            "endgame" => self.endgame.replace(endgame(value)?).is_none(),
            "open" => self.open.replace(value.split_whitespace().map(opening).collect::<Result<_, _>>()?).is_none(),
            "position" => {
                // Blank rows above make the rows that errors name those of the file.
                let read = notation::read(&("\n".repeat(row - 1) + value)).map_err(|error| error.to_string())?;
                let asked = Asked::from(&read);
                self.penalty = Some(asked.penalty_or(self.penalty).map_err(|error| error.to_string())?);
                self.position.replace(asked.position).is_none()
            }
            _ => return Err(format!("unknown field: expected {FIELDS}")),
        };
        if is_new { Ok(()) } else { Err("given twice".to_owned()) }
    }

    /// The problem with its lists in order, if its fields make sense together.
    fn finish(mut self) -> Result<Self, String> {
        let Self { position, endgame, score, best, best_words, others, open, penalty, .. } = &mut self;
        let fault = |text: &str| Err(text.to_owned());
        if position.is_none() && endgame.is_none() {
            return fault("there is nothing to solve: give a position, an endgame or both");
        }
        if score.is_none() && best_words.is_none() && others.is_none() && open.is_none() {
            return fault("there is nothing to compare: give a score, best, others or open");
        }
        if position.is_none() && (best_words.is_some() || others.is_some()) {
            return fault("best and others are lines of a position, and there is none");
        }
        if endgame.is_none() && open.is_some() {
            return fault("open is about an endgame, and there is none");
        }
        if endgame.is_some() && penalty.unwrap_or(0) != 0 {
            return fault("the theory of endgames is for penalty 0");
        }
        if let (Some(position), Some(words)) = (position, best_words) {
            let line = |word: &String| {
                let line = word.parse().ok().or_else(|| position.board().line_named(word));
                let line = line.filter(|&line| position.undrawn().iter().any(|open| open == line));
                line.ok_or_else(|| format!("best has line {word}, which cannot be drawn in {position}"))
            };
            let mut lines = words.iter().map(line).collect::<Result<Vec<LineIdx>, String>>()?;
            lines.sort_unstable();
            *best = Some(lines);
        }
        if let Some(open) = open {
            open.sort_unstable();
        }
        Ok(self)
    }
}

fn set_text(field: &mut String, value: &str) -> bool {
    let is_new = field.is_empty();
    *field = value.to_owned();
    is_new
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected a whole number, found '{text}'"))
}

fn endgame(text: &str) -> Result<dab_endgame::Position, String> {
    text.parse().map_err(|error: ParseError| format!("'{text}': {error}"))
}

/// A component such as `4l`: an endgame of one component.
fn opening(word: &str) -> Result<Component, String> {
    let endgame = endgame(word)?;
    let mut components = endgame.components();
    match (components.next(), components.next()) {
        (Some(component), None) if endgame.size() == component.n_boxes() => Ok(component),
        _ => Err(format!("expected single chains and loops such as '3 4l', found '{word}'")),
    }
}
