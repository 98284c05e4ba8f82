//! The value by cases: Allcock Theorem 4.1.

use std::fmt;

use crate::{Totals, controlled::controlled_value};

/// The case of Allcock Theorem 4.1 that gives a value; prints as `Allcock 4.1(3a)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Case {
    /// The empty position, outside the theorem: v = 0.
    Empty,
    /// (1) c ≥ 2: v = c.
    Large,
    /// (2) c = 0, a 4-loop, and not `3^2+4l`: v = 0.
    Zero,
    /// (3a) few 6-loops (c + 4f ≥ 2): v is the distance from c to the nearest multiple of 8.
    Distance,
    /// (3b i) many 6-loops, odd size: v = 1 if f is odd, 3 if even.
    ManySixLoopsOdd,
    /// (3b ii) many 6-loops, size ≡ 2 (mod 4): v = 2.
    ManySixLoopsTwo,
    /// (3b iii) many 6-loops, size ≡ 0 (mod 4): v = 0 if f is odd, 4 if even.
    ManySixLoopsFour,
    /// (4) all others: v = 1 if the size is odd, 2 if even.
    Other,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Case::Empty => "empty position",
            Case::Large => "Allcock 4.1(1)",
            Case::Zero => "Allcock 4.1(2)",
            Case::Distance => "Allcock 4.1(3a)",
            Case::ManySixLoopsOdd => "Allcock 4.1(3b i)",
            Case::ManySixLoopsTwo => "Allcock 4.1(3b ii)",
            Case::ManySixLoopsFour => "Allcock 4.1(3b iii)",
            Case::Other => "Allcock 4.1(4)",
        })
    }
}

/// v(G), 0 or more, for the controller. Allcock Theorem 4.1; see [`explicit_value`].
pub fn value(g: impl Into<Totals>) -> i64 {
    explicit_value(g).0
}

/// v(G) with the case of Allcock Theorem 4.1 it comes from: the first that applies.
pub fn explicit_value(g: impl Into<Totals>) -> (i64, Case) {
    let g = g.into();
    let c = controlled_value(g);
    let f = g.n_four_loops;
    let by_parity_of_f = |odd, even| if f.is_multiple_of(2) { even } else { odd };

    if g.is_empty() {
        return (0, Case::Empty);
    }
    if c >= 2 {
        return (c, Case::Large);
    }
    // "4l + (anything except 3 + 3)": the exception is the whole rest.
    if c == 0 && f >= 1 && !g.is_threes_and_four_loop(2) {
        return (0, Case::Zero);
    }
    if g.n_three_chains == 0 || (g.n_three_chains == 1 && g.size % 4 == 3) {
        if c + 4 * f.cast_signed() >= 2 {
            let d = c.rem_euclid(8);
            return (d.min(8 - d), Case::Distance);
        }
        return match g.size % 4 {
            0 => (by_parity_of_f(0, 4), Case::ManySixLoopsFour),
            2 => (2, Case::ManySixLoopsTwo),
            _ => (by_parity_of_f(1, 3), Case::ManySixLoopsOdd),
        };
    }
    (if g.is_odd() { 1 } else { 2 }, Case::Other)
}
