//! One problem checked: the findings, and those that contradict the problem.

use std::fmt::{self, Display};

use dab_board::{Board, LineIdx, LineSet, Position};
use dab_endgame::openings::optimal_openings;
use dab_endgame::{Component, allcock, buzzard_ciere};
use dab_table::Answer;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::file::Problem;
use crate::text::{list, names};
use crate::theory::Endgame;

/// What is found, or expected, of a position or an endgame.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Finding {
    Score(i64),
    /// Lines with their names.
    Lines(Vec<LineIdx>, Vec<String>),
    /// Chains and loops such as `4l`.
    Components(Vec<String>),
    Text(String),
    Nothing,
}

impl Finding {
    fn from_lines(board: &Board, lines: &[LineIdx]) -> Self {
        Self::Lines(lines.to_vec(), names(board, lines.iter().copied()))
    }

    fn from_components(components: impl IntoIterator<Item = Component>) -> Self {
        Self::Components(components.into_iter().map(|component| component.to_string()).collect())
    }
}

/// In words, lines by their names.
impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(score) => write!(f, "{score}"),
            Self::Lines(_, words) | Self::Components(words) => f.write_str(&words.join(" ")),
            Self::Text(text) => f.write_str(text),
            Self::Nothing => f.write_str("none"),
        }
    }
}

/// As JSON has it, lines by their numbers.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Score(score) => score.serialize(serializer),
            Self::Lines(lines, _) => lines.serialize(serializer),
            Self::Components(names) => names.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::Nothing => serializer.serialize_none(),
        }
    }
}

/// Findings by name, as an object of JSON; the names of lines are beside them.
fn by_name<S: Serializer>(found: &[(&'static str, Finding)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(None)?;
    for (what, finding) in found {
        object.serialize_entry(&what.replace(' ', "_"), finding)?;
        if let Finding::Lines(_, names) = finding {
            object.serialize_entry(&format!("{what}_names"), names)?;
        }
    }
    object.end()
}

/// Something that a problem says and that is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Wrong {
    /// Its name, as in [`Check::found`].
    what: &'static str,
    expected: Finding,
    found: Finding,
}

/// The findings about one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Check<'a> {
    name: &'a str,
    source: &'a str,
    /// The check of its answer.
    verified: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endgame: Option<String>,
    penalty: i32,
    /// Whether everything that it says is so.
    ok: bool,
    /// Each thing that a problem may say, by its name, with its finding.
    #[serde(serialize_with = "by_name")]
    found: Vec<(&'static str, Finding)>,
    wrong: Vec<Wrong>,
}

impl Display for Check<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, ok, found, wrong, .. } = self;
        let word = if *ok { "ok" } else { "wrong" };
        let found = found.iter().map(|(what, found)| format!("{what} {found}"));
        write!(f, "{word:5}  {:36}  {}", name, list(found, ", "))?;
        for Wrong { what, expected, found } in wrong {
            write!(f, "\n       {what}: expected {expected}, found {found}")?;
        }
        Ok(())
    }
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
            check.table(position, &answer, self);
            if let Some(endgame) = &self.endgame {
                check.both(position, &answer, endgame);
            }
        }
        Ok(check)
    }
}

impl Check<'_> {
    /// Whether everything that the problem says is so.
    pub fn is_ok(&self) -> bool {
        self.ok
    }

    /// Notes a finding, once, and compares it if something is expected.
    fn compare(&mut self, what: &'static str, expected: Option<Finding>, found: Finding) {
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
        let expected = problem.score.map(|score| Finding::Score(score.into()));
        let score = Finding::Score(-allcock::value(endgame));
        self.compare("score", expected, score.clone());
        self.compare("score by Buzzard and Ciere", Some(score), Finding::Score(-buzzard_ciere::value(endgame)));
        let expected = problem.open.as_ref().map(|open| Finding::from_components(open.iter().copied()));
        self.compare("open", expected, Finding::from_components(optimal_openings(endgame)));
    }

    /// Compares with the solved position.
    fn table(&mut self, position: &Position, answer: &Answer, problem: &Problem) {
        let score = |score: i32| Finding::Score(score.into());
        let best: Vec<LineIdx> = answer.best().collect();
        let others = answer.moves.iter().map(|m| m.score).filter(|&score| score != answer.score).max();
        self.compare("score", problem.score.map(score), score(answer.score.0.into()));
        let expected = problem.best.as_ref().map(|best| Finding::from_lines(position.board(), best));
        self.compare("best", expected, Finding::from_lines(position.board(), &best));
        let others = others.map_or(Finding::Nothing, |others| score(others.0.into()));
        self.compare("others", problem.others.map(score), others);
    }

    /// Compares the position with the endgame, and the table with the theory.
    fn both(&mut self, position: &Position, answer: &Answer, endgame: &dab_endgame::Position) {
        let is_quiet = position.capture_run().boxes == 0;
        let found = is_quiet.then(|| Endgame::find(position.board().graph(), position.drawn())).flatten();
        let expected = Some(Finding::Text(endgame.to_string()));
        let Some(found) = found else {
            self.compare("endgame", expected, Finding::Text("no simple loony endgame".to_owned()));
            return;
        };
        self.compare("endgame", expected, Finding::Text(found.multiset.to_string()));
        if found.multiset == *endgame {
            let score = Finding::Score(answer.score.0.into());
            self.compare("score of the theory", Some(score), Finding::Score(-allcock::value(endgame)));
            let opened = found.opened_by(answer.best().collect::<LineSet>());
            let expected = Finding::from_components(optimal_openings(endgame));
            self.compare("opened by the best lines", Some(expected), Finding::from_components(opened));
        }
    }
}
