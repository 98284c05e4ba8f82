//! One problem checked: the findings, and those that contradict the problem.
#![allow(missing_docs, reason = "a field without words is as its name says")]

use dab_board::{LineIdx, LineSet, Position};
use dab_book::Answer;
use dab_endgame::openings::optimal_openings;
use dab_endgame::{allcock, buzzard_ciere};
use serde::Serialize;

use super::file::Problem;
use crate::text::list;
use crate::theory::Endgame;

/// Something that a problem says and that is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// Its name, as in [`Check::found`].
    pub what: &'static str,
    pub expected: String,
    pub found: String,
}

/// The findings about one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Check<'a> {
    pub name: &'a str,
    pub source: &'a str,
    /// The check of its answer.
    pub verified: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<String>,
    pub penalty: i32,
    /// Whether everything that it says is so.
    pub ok: bool,
    /// Each thing that a problem may say, by its name, with its finding.
    pub found: Vec<(&'static str, String)>,
    pub wrong: Vec<Wrong>,
}

impl Problem {
    /// Compares the problem with the theory, if it has an endgame, and with an answer, if it has a position; `answer`
    /// is asked for that of a position with a last-move penalty.
    ///
    /// # Errors
    /// As `answer`.
    pub fn check<E>(&self, answer: impl FnOnce(&Position, i32) -> Result<Answer, E>) -> Result<Check<'_>, E> {
        let mut check = Check {
            name: &self.name,
            source: &self.source,
            verified: &self.verified,
            position: self.position.as_ref().map(ToString::to_string),
            endgame: self.endgame.as_ref().map(ToString::to_string),
            penalty: self.penalty.unwrap_or(0),
            ok: true,
            found: Vec::new(),
            wrong: Vec::new(),
        };
        if let Some(endgame) = &self.endgame {
            check.theory(endgame, self);
        }
        if let Some(position) = &self.position {
            let answer = answer(position, self.penalty.unwrap_or(0))?;
            check.table(&answer, self);
            if let Some(endgame) = &self.endgame {
                check.both(position, &answer, endgame);
            }
        }
        Ok(check)
    }
}

impl Check<'_> {
    /// Notes a finding, once, and compares it if something is expected.
    fn compare(&mut self, what: &'static str, expected: Option<String>, found: String) {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.ok = false;
            self.wrong.push(Wrong { what, expected, found: found.clone() });
        }
        if self.found.iter().all(|(known, _)| *known != what) {
            self.found.push((what, found));
        }
    }

    /// Compares with two papers on endgames; their value is for the controller, the score for the player to move.
    fn theory(&mut self, endgame: &dab_endgame::Position, problem: &Problem) {
        let expected = problem.score.map(|score| score.to_string());
        self.compare("score", expected, (-allcock::value(endgame)).to_string());
        let other = (-buzzard_ciere::value(endgame)).to_string();
        self.compare("score by Buzzard and Ciere", Some((-allcock::value(endgame)).to_string()), other);
        let expected = problem.open.as_ref().map(|open| list(open, " "));
        self.compare("open", expected, list(optimal_openings(endgame), " "));
    }

    /// Compares with the solved position.
    fn table(&mut self, answer: &Answer, problem: &Problem) {
        let best: Vec<LineIdx> = answer.best().collect();
        let others = answer.moves.iter().map(|m| m.score).filter(|&score| score != answer.score).max();
        self.compare("score", problem.score.map(|score| score.to_string()), answer.score.to_string());
        self.compare("best", problem.best.as_ref().map(|best| list(best, " ")), list(&best, " "));
        let others = others.map_or_else(|| "none".to_owned(), |others| others.to_string());
        self.compare("others", problem.others.map(|others| others.to_string()), others);
    }

    /// Compares the position with the endgame, and the table with the theory.
    fn both(&mut self, position: &Position, answer: &Answer, endgame: &dab_endgame::Position) {
        let is_quiet = position.capture_run().boxes == 0;
        let found = is_quiet.then(|| Endgame::of(position.board().graph(), position.drawn())).flatten();
        let Some(found) = found else {
            self.compare("endgame", Some(endgame.to_string()), "no simple loony endgame".to_owned());
            return;
        };
        self.compare("endgame", Some(endgame.to_string()), found.multiset.to_string());
        if found.multiset == *endgame {
            self.compare("score of the theory", Some(answer.score.to_string()), (-allcock::value(endgame)).to_string());
            let opened = found.opened_by(answer.best().collect::<LineSet>());
            self.compare("opened by the best lines", Some(list(optimal_openings(endgame), " ")), list(opened, " "));
        }
    }
}
