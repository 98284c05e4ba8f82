//! One problem solved: what was found, and what of it is not as the problem says.

use dab_board::{LineIdx, LineSet, Position};
use dab_book::Answer;
use dab_endgame::openings::optimal_openings;
use dab_endgame::{allcock, buzzard_ciere};
use serde::Serialize;

use super::super::query::solved::Solved;
use super::text::Problem;
use crate::options::Setting;
use crate::output::list;
use crate::theory::Endgame;

/// Something that a problem says and that is not so.
#[derive(Serialize)]
pub(super) struct Wrong {
    pub(super) what: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

/// What is found of each thing that a problem may say, by its name, and what of it differs.
#[derive(Default)]
pub(super) struct Check {
    pub(super) found: Vec<(&'static str, String)>,
    pub(super) wrong: Vec<Wrong>,
}

/// Solves a problem and compares.
pub(super) fn check(problem: &Problem, setting: &Setting) -> anyhow::Result<Check> {
    let mut check = Check::default();
    if let Some(endgame) = &problem.endgame {
        check.theory(endgame, problem);
    }
    if let Some(position) = &problem.position {
        let remedy = "allow more with --memory, or leave the problem out";
        let solved = Solved::new(position, problem.penalty.unwrap_or(0), setting, remedy)?;
        let answer = solved.book().answer(position)?;
        check.table(&answer, problem);
        if let Some(endgame) = &problem.endgame {
            check.both(position, &answer, endgame);
        }
    }
    Ok(check)
}

impl Check {
    /// Tells what was found, once, and compares it if something is expected.
    fn compare(&mut self, what: &'static str, expected: Option<String>, found: String) {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.wrong.push(Wrong { what, expected, found: found.clone() });
        }
        if self.found.iter().all(|(known, _)| *known != what) {
            self.found.push((what, found));
        }
    }

    /// What two papers say of the endgame; the value is for the controller, the score for the player to move.
    fn theory(&mut self, endgame: &dab_endgame::Position, problem: &Problem) {
        let expected = problem.score.map(|score| score.to_string());
        self.compare("score", expected, (-allcock::value(endgame)).to_string());
        let other = (-buzzard_ciere::value(endgame)).to_string();
        self.compare("score by Buzzard and Ciere", Some((-allcock::value(endgame)).to_string()), other);
        let expected = problem.open.as_ref().map(|open| list(open, " "));
        self.compare("open", expected, list(optimal_openings(endgame), " "));
    }

    /// What the solved position says.
    fn table(&mut self, answer: &Answer, problem: &Problem) {
        let best: Vec<LineIdx> = answer.best().collect();
        let others = answer.moves.iter().map(|m| m.score).filter(|&score| score != answer.score).max();
        self.compare("score", problem.score.map(|score| score.to_string()), answer.score.to_string());
        self.compare("best", problem.best.as_ref().map(|best| list(best, " ")), list(&best, " "));
        let none = || "none".to_owned();
        let others = others.map_or_else(none, |others| others.to_string());
        self.compare("others", problem.others.map(|others| others.to_string()), others);
    }

    /// Whether the position is the endgame, and the table says of it what the theory says.
    fn both(&mut self, position: &Position, answer: &Answer, endgame: &dab_endgame::Position) {
        let is_quiet = position.capture_run().boxes == 0;
        let found = is_quiet.then(|| Endgame::of(position.board().graph(), position.drawn())).flatten();
        let Some(found) = found else {
            self.compare("endgame", Some(endgame.to_string()), "no simple loony endgame".to_owned());
            return;
        };
        self.compare("endgame", Some(endgame.to_string()), found.position.to_string());
        if found.position == *endgame {
            self.compare("score of the theory", Some(answer.score.to_string()), (-allcock::value(endgame)).to_string());
            let opened = found.opened_by(answer.best().collect::<LineSet>());
            self.compare("opened by the best lines", Some(list(optimal_openings(endgame), " ")), list(opened, " "));
        }
    }
}
