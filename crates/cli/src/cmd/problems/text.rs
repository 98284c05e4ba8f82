//! Files of problems.
//!
//! ```text
//!    # comment
//!    problem   one move wins           begins a problem; one field a line, what is indented goes on
//!    source    where it is from
//!    verified  how the answer was checked
//!    penalty   0                       last-move penalty, 0 if left out
//!    score     1                       score for the player to move
//!    best      19                      every best line, and no other
//!    others    -1                      score of the best line that is not among them
//!    endgame   3+4                     the multiset that the position is, or one without a board
//!    open      3 4                     every optimal opening of the endgame, and no other
//!    position  3x3:1f                  in any notation, its text here or in the rows below, to the next problem
//! ```
//! A problem has a position, an endgame or both, and says at least one thing about it.

use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use dab_board::notation;
use dab_board::{LineIdx, Position};
use dab_endgame::Component;

use crate::input::Asked;

/// A position or an endgame, with what is known about it.
#[derive(Debug, Default)]
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) verified: String,
    pub(super) penalty: Option<i32>,
    pub(super) position: Option<Position>,
    pub(super) endgame: Option<dab_endgame::Position>,
    pub(super) score: Option<i32>,
    pub(super) best: Option<Vec<LineIdx>>,
    pub(super) others: Option<i32>,
    pub(super) open: Option<Vec<Component>>,
}

const FIELDS: &str = "source, verified, penalty, score, best, others, endgame, open or position";

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
pub(super) fn parse(text: &str) -> anyhow::Result<Vec<Problem>> {
    let mut problems: Vec<(usize, Problem)> = Vec::new();
    for field in fields(text)? {
        let Field { row, name, value } = &field;
        if name == "problem" {
            if value.is_empty() {
                bail!("row {row}: a problem needs a name: 'problem NAME'");
            }
            problems.push((*row, Problem { name: value.clone(), ..Problem::default() }));
        } else {
            let Some((_, problem)) = problems.last_mut() else {
                bail!("row {row}: expected 'problem NAME', found '{name}'");
            };
            problem
                .set(*row, name, value)
                .with_context(|| format!("row {row}, {name} of problem '{}'", problem.name))?;
        }
    }
    let finished = problems.into_iter().map(|(row, mut problem)| {
        problem.finish().with_context(|| format!("row {row}, problem '{}'", problem.name))?;
        Ok(problem)
    });
    finished.collect()
}

/// The fields of a text in order.
fn fields(text: &str) -> anyhow::Result<Vec<Field>> {
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
            _ => bail!("row {row}: expected a field and its value, such as 'score 1', found '{line}'"),
        }
    }
    Ok(fields)
}

impl Problem {
    fn set(&mut self, row: usize, name: &str, value: &str) -> anyhow::Result<()> {
        let is_new = match name {
            "source" => set_text(&mut self.source, value),
            "verified" => set_text(&mut self.verified, value),
            "penalty" => self.penalty.replace(number(value)?).is_none(),
            "score" => self.score.replace(number(value)?).is_none(),
            "others" => self.others.replace(number(value)?).is_none(),
            "best" => self.best.replace(words(value)?).is_none(),
            "endgame" => self.endgame.replace(value.parse().with_context(|| format!("'{value}'"))?).is_none(),
            "open" => self.open.replace(openings(value)?).is_none(),
            "position" => {
                // Blank rows above make the rows that errors name those of the file.
                let asked = Asked::from(&notation::read(&("\n".repeat(row - 1) + value))?);
                let penalty = asked.penalty_or(self.penalty)?;
                self.penalty = Some(penalty);
                self.position.replace(asked.position).is_none()
            }
            _ => bail!("unknown field: expected {FIELDS}"),
        };
        if !is_new {
            bail!("given twice");
        }
        Ok(())
    }

    /// Checks that the fields make sense together, and puts lists in order.
    fn finish(&mut self) -> anyhow::Result<()> {
        let Self { position, endgame, score, best, others, open, .. } = self;
        if position.is_none() && endgame.is_none() {
            bail!("there is nothing to solve: give a position, an endgame or both");
        }
        if score.is_none() && best.is_none() && others.is_none() && open.is_none() {
            bail!("there is nothing to compare: give a score, best, others or open");
        }
        if position.is_none() && (best.is_some() || others.is_some()) {
            bail!("best and others are lines of a position, and there is none");
        }
        if endgame.is_none() && open.is_some() {
            bail!("open is about an endgame, and there is none");
        }
        if endgame.is_some() && self.penalty.unwrap_or(0) != 0 {
            bail!("the theory of endgames is for penalty 0");
        }
        if let (Some(position), Some(best)) = (position, best) {
            if let Some(line) = best.iter().find(|&&line| position.undrawn().iter().all(|open| open != line)) {
                bail!("best has line {line}, which cannot be drawn in {position}");
            }
            best.sort_unstable();
        }
        if let Some(open) = open {
            open.sort_unstable();
        }
        Ok(())
    }
}

fn set_text(field: &mut String, value: &str) -> bool {
    let is_new = field.is_empty();
    *field = value.to_owned();
    is_new
}

fn number<T: FromStr>(text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| anyhow!("expected a whole number, found '{text}'"))
}

fn words<T: FromStr>(text: &str) -> anyhow::Result<Vec<T>> {
    text.split_whitespace().map(number).collect()
}

/// Components such as `3 4l`, each an endgame of one component.
fn openings(text: &str) -> anyhow::Result<Vec<Component>> {
    let component = |word: &str| {
        let endgame: dab_endgame::Position = word.parse().with_context(|| format!("'{word}'"))?;
        let mut parts = endgame.components();
        match (parts.next(), parts.next()) {
            (Some(component), None) if endgame.size() == component.n_boxes() => Ok(component),
            _ => bail!("expected single chains and loops such as '3 4l', found '{word}'"),
        }
    };
    text.split_whitespace().map(component).collect()
}
