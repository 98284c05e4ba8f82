//! An endgame that may have odd loops: where it has some, the closed form of any loops answers instead of the papers' theorems.
//!
//! Loops of grids are even, and the papers need that: `4+7l^2` has v = 4 and c = 2 (Buzzard–Ciere Remark 16). Strings and coins have odd
//! loops, too.

use std::fmt;
use std::str::FromStr;

use crate::notation::parse;
use crate::openings::{Opened, opened};
use crate::{ParseError, Position, Totals, allcock, any_loops};

/// A multiset of long chains and of loops of at least 4 boxes, even or odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endgame(Position);

/// The value of an endgame and all its openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// v(G), for the controller.
    pub value: i64,
    /// The case of Allcock Theorem 4.1 that gives it; `None` where there are odd loops.
    pub case: Option<allcock::Case>,
    /// Every distinct component, opened, in the order of the endgame.
    pub openings: Vec<Opened>,
}

impl Endgame {
    /// The endgame as the theorems know it, unless it has odd loops.
    pub fn as_simple(&self) -> Option<&Position> {
        self.0.components().all(|c| !c.is_loop() || c.n_boxes() % 2 == 0).then_some(&self.0)
    }

    /// Number of boxes.
    pub fn size(&self) -> u64 {
        self.0.size()
    }

    /// Its value and its openings.
    pub fn solve(&self) -> Solved {
        if let Some(simple) = self.as_simple() {
            let (value, case) = allcock::explicit_value(simple);
            return Solved { value, case: Some(case), openings: opened(simple) };
        }
        let g = &self.0;
        let openings = g.components().map(|c| Opened::new(c, any_loops::value(&g.without(c)))).collect();
        Solved { value: any_loops::value(g), case: None, openings }
    }
}

impl From<Position> for Endgame {
    fn from(position: Position) -> Endgame {
        Endgame(position)
    }
}

impl From<&Endgame> for Totals {
    fn from(endgame: &Endgame) -> Totals {
        endgame.0.totals()
    }
}

impl FromStr for Endgame {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Endgame, ParseError> {
        parse(text, Position::add_any).map(Endgame)
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
