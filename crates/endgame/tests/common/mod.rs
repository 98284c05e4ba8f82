//! Statements tested on all small positions, with the recursion as the judge.

use crate::{Component, Family, Position, Totals, controlled::controlled_value, recursion::FamilyValues};

/// A position with what a statement may speak of, in the letters of the papers.
pub(crate) struct Known<'a> {
    values: &'a FamilyValues,
    pub(crate) g: &'a Position,
    pub(crate) totals: Totals,
    /// Size, as a signed number.
    pub(crate) size: i64,
    /// v(G), by recursion.
    pub(crate) v: i64,
    /// c(G).
    pub(crate) c: i64,
    /// Number of 3-chains, θ.
    pub(crate) theta: i64,
    /// Number of 4-loops.
    pub(crate) f: i64,
}

impl Known<'_> {
    /// v of a position that is no larger.
    pub(crate) fn value(&self, g: &Position) -> i64 {
        self.values.value(g)
    }

    /// v(G − C).
    pub(crate) fn rest(&self, opened: Component) -> i64 {
        self.value(&self.g.without(opened))
    }

    /// Opening C is optimal.
    pub(crate) fn is_optimal(&self, opened: Component) -> bool {
        opened.opened(self.rest(opened)) == self.v
    }

    /// G is the position of that text.
    pub(crate) fn is(&self, text: &str) -> bool {
        *self.g == parse(text)
    }
}

pub(crate) fn parse(text: &str) -> Position {
    text.parse().unwrap()
}

/// The nonempty positions of at most `max_size` boxes on which a statement is wrong.
pub(crate) fn failures(max_size: u8, statement: impl Fn(&Known) -> bool) -> Vec<Position> {
    let values = FamilyValues::new(Family::all(max_size));
    let family = &values.family;
    let fails = |g: &Position| {
        let totals = g.totals();
        !statement(&Known {
            values: &values,
            g,
            totals,
            size: g.size().cast_signed(),
            v: values.value(g),
            c: controlled_value(totals),
            theta: totals.n_three_chains.cast_signed(),
            f: totals.n_four_loops.cast_signed(),
        })
    };
    (1..family.n_positions()).map(|rank| family.position(rank)).filter(fails).collect()
}

/// A wrong statement: it is wrong on `smallest` and on no position of fewer boxes.
#[track_caller]
pub(crate) fn fails_first_at(smallest: &str, statement: impl Fn(&Known) -> bool) {
    let smallest = parse(smallest);
    let wrong = failures(u8::try_from(smallest.size()).unwrap(), statement);
    let of_fewer_boxes: Vec<_> = wrong.iter().filter(|g| g.size() < smallest.size()).collect();
    assert!(of_fewer_boxes.is_empty(), "wrong already at {}", of_fewer_boxes[0]);
    assert!(wrong.contains(&smallest), "right at {smallest}, wrong at {wrong:?}");
}

/// A right statement, on all positions of at most 40 boxes.
#[track_caller]
pub(crate) fn holds(statement: impl Fn(&Known) -> bool) {
    let wrong = failures(40, statement);
    assert!(wrong.is_empty(), "wrong at {}", wrong[0]);
}
