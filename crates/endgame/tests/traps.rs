//! Clauses that look harmless to change: each altered theorem fails, and where it fails first.
//!
//! A theorem is written here as a record of its clauses, so that a test can swap one of them.

use super::common::{self, Known, fails_first_at, holds};
use crate::{Component::Chain, allcock::standard_move, buzzard_ciere as bc};

type Clause = fn(&Known) -> bool;

/// Allcock Theorem 1.1: when to open the shortest loop instead of the standard move.
struct Opener {
    i: Clause,
    ii: Clause,
    iii: Clause,
}

const OPENER: Opener = Opener {
    i: |k| k.c >= 2 && k.totals.is_three_chain_and_loops(),
    ii: |k| k.c.abs() <= 1 && k.f >= 1 && !k.is("3^3+4l"),
    iii: |k| k.c <= -2 && k.f >= 1 && k.theta == 1 && k.size % 4 == 3,
};

impl Opener {
    fn is_right(&self, k: &Known) -> bool {
        let loop_first = [self.i, self.ii, self.iii].iter().any(|clause| clause(k));
        let shortest = k.g.shortest_loop().filter(|_| loop_first);
        k.is_optimal(shortest.or(standard_move(k.g)).unwrap())
    }

    #[track_caller]
    fn fails_first_at(&self, smallest: &str) {
        fails_first_at(smallest, |k| self.is_right(k));
    }
}

/// Allcock Theorem 4.1.
struct Explicit {
    one: Clause,
    two: Clause,
    three: Clause,
    three_a: Clause,
    three_b_ii: Clause,
}

const EXPLICIT: Explicit = Explicit {
    one: |k| k.c >= 2,
    two: |k| k.c == 0 && k.f >= 1 && !k.is("3^2+4l"),
    three: |k| k.theta == 0 || (k.theta == 1 && k.size % 4 == 3),
    three_a: |k| k.c + 4 * k.f >= 2,
    three_b_ii: |k| k.size % 4 == 2,
};

impl Explicit {
    fn is_right(&self, k: &Known) -> bool {
        let d = k.c.rem_euclid(8);
        let even = 2 * i64::from(k.f % 2 == 0);
        k.v == if (self.one)(k) {
            k.c
        } else if (self.two)(k) {
            0
        } else if !(self.three)(k) {
            2 - k.size % 2
        } else if (self.three_a)(k) {
            d.min(8 - d)
        } else if (self.three_b_ii)(k) {
            2
        } else if k.size % 2 == 1 {
            1 + even
        } else {
            2 * even
        }
    }

    #[track_caller]
    fn fails_first_at(&self, smallest: &str) {
        fails_first_at(smallest, |k| self.is_right(k));
    }
}

/// Allcock Theorem 1.5.
struct AboveTwo {
    shape: Clause,
    a: Clause,
    b: Clause,
}

const ABOVE_TWO: AboveTwo = AboveTwo {
    shape: |k| match k.theta {
        0 => k.size % 4 != 2,
        theta => theta == 1 && k.size % 4 == 3,
    },
    a: |k| k.c + 4 * k.f > 2 && near_four(k),
    b: |k| k.c + 4 * k.f < 2 && k.f % 2 == 0,
};

/// c is 3, 4 or 5 modulo 8.
fn near_four(k: &Known) -> bool {
    (3..=5).contains(&k.c.rem_euclid(8))
}

impl AboveTwo {
    fn is_right(&self, k: &Known) -> bool {
        (k.v > 2) == (k.c > 2 || ((self.shape)(k) && ((self.a)(k) || (self.b)(k))))
    }

    #[track_caller]
    fn fails_first_at(&self, smallest: &str) {
        fails_first_at(smallest, |k| self.is_right(k));
    }
}

#[test]
fn the_unaltered_theorems_hold() {
    holds(|k| OPENER.is_right(k) && EXPLICIT.is_right(k) && ABOVE_TWO.is_right(k));
}

#[test]
fn no_fixed_preference_is_optimal() {
    fails_first_at("3+4l", |k| k.is_optimal(standard_move(k.g).unwrap()));
    fails_first_at("3^2+6l", |k| k.is_optimal(k.g.shortest_loop().or(k.g.shortest_chain()).unwrap()));
    fails_first_at("3+4l", |k| k.is_optimal(k.g.shortest_chain().or(k.g.shortest_loop()).unwrap()));
}

#[test]
fn allcock_1_1_i() {
    Opener { i: |k| k.c >= 2 && k.theta >= 1 && k.totals.n_longer_chains == 0, ..OPENER }.fails_first_at("3^2+6l");
    Opener { i: |k| k.c >= 2 && k.theta == 1, ..OPENER }.fails_first_at("3+4+8l");
    Opener { i: |_| false, ..OPENER }.fails_first_at("3+6l");
    Opener { i: |k| k.totals.is_three_chain_and_loops(), ..OPENER }.fails_first_at("3+4l^2+6l");
}

#[test]
fn allcock_1_1_ii() {
    let no_exception = Opener { ii: |k| k.c.abs() <= 1 && k.f >= 1, ..OPENER };
    no_exception.fails_first_at("3^3+4l");
    assert_eq!(common::failures(40, |k| no_exception.is_right(k)), [common::parse("3^3+4l")]);
    Opener { ii: |k| matches!(k.c, 0 | 1) && (OPENER.ii)(k), ..OPENER }.fails_first_at("3+4+4l");
    Opener { ii: |k| matches!(k.c, -1 | 0) && (OPENER.ii)(k), ..OPENER }.fails_first_at("3+4l");
    Opener { ii: |k| k.c != 0 && (OPENER.ii)(k), ..OPENER }.fails_first_at("3+5+4l");
    // "Anything except 3 + 3 + 3" read as "anything without three 3-chains".
    Opener { ii: |k| k.theta < 3 && (OPENER.ii)(k), ..OPENER }.fails_first_at("3^3+6+4l");
}

#[test]
fn allcock_1_1_iii() {
    Opener { iii: |_| false, ..OPENER }.fails_first_at("3+4l^3");
    Opener { iii: |k| k.c <= -2 && k.f >= 1 && k.theta == 1, ..OPENER }.fails_first_at("3+5+4l^2");
    Opener { iii: |k| k.c <= -2 && k.f >= 1 && k.theta >= 1 && k.size % 4 == 3, ..OPENER }.fails_first_at("3^2+5+4l^2");
    Opener { iii: |k| k.c <= -2 && k.theta == 1 && k.size % 4 == 3, ..OPENER }.fails_first_at("3+6l^4");
    Opener { iii: |k| k.size % 8 == 7 && (OPENER.iii)(k), ..OPENER }.fails_first_at("3+4l+6l^2");
}

#[test]
fn allcock_4_1() {
    Explicit { one: |k| k.c >= 1, ..EXPLICIT }.fails_first_at("3+6l^2");
    Explicit { two: |k| k.c == 0 && k.f >= 1, ..EXPLICIT }.fails_first_at("3^2+4l");
    Explicit { two: |k| k.c == 0 && !k.is("3^2+4l"), ..EXPLICIT }.fails_first_at("3^4");
    Explicit { two: |_| false, ..EXPLICIT }.fails_first_at("3+5+4l");
    Explicit { three: |k| k.theta <= 1, ..EXPLICIT }.fails_first_at("3+4+6l");
    Explicit { three: |k| k.theta == 0, ..EXPLICIT }.fails_first_at("3+4l^2");
    Explicit { three_a: |k| k.c + 4 * k.f >= 1, ..EXPLICIT }.fails_first_at("3+6l^2");
    Explicit { three_b_ii: |_| false, ..EXPLICIT }.fails_first_at("4+6l^3");
}

#[test]
fn allcock_4_1_needs_its_order() {
    // (3) before (1)
    Explicit { one: |k| k.c >= 2 && !(EXPLICIT.three)(k), ..EXPLICIT }.fails_first_at("5");
    // (2) and (3) commute
    holds(|k| Explicit { two: |k| (EXPLICIT.two)(k) && !(EXPLICIT.three)(k), ..EXPLICIT }.is_right(k));
}

#[test]
fn allcock_1_5() {
    AboveTwo { shape: |_| false, ..ABOVE_TWO }.fails_first_at("3+4l^2");
    AboveTwo { b: |_| false, ..ABOVE_TWO }.fails_first_at("3+6l^2");
    AboveTwo { a: near_four, ..ABOVE_TWO }.fails_first_at("3+4l+6l^2");
    AboveTwo { b: |k| k.f % 2 == 0, ..ABOVE_TWO }.fails_first_at("4l^2");
    // Theorem 1.4 with 3 in place of 4
    fails_first_at("4+4l^2", |k| (k.v > 3) == (k.c > 3));
}

#[test]
fn buzzard_ciere_27e_starts_from_the_value_of_k() {
    fails_first_at("3+8+4l^2", |k| {
        let applies = k.c <= 1 && k.size % 2 == 1 && k.f >= 1 && k.totals.n_longer_chains >= 1;
        let three = applies && k.theta == 1 && k.rest(Chain(3)) != 2;
        !three || k.v == bc::add_four_loops(3, k.totals.n_four_loops)
    });
}

/// Clauses that are not needed: the papers are right, and so are these variants.
#[test]
fn redundant_clauses_of_allcock() {
    holds(|k| Opener { ii: |k| (-2..=3).contains(&k.c) && k.f >= 1 && !k.is("3^3+4l"), ..OPENER }.is_right(k));
    holds(|k| Opener { iii: |k| k.f >= 1 && k.theta == 1 && k.size % 4 == 3, ..OPENER }.is_right(k));
    holds(|k| Explicit { three_a: |k| k.c + 4 * k.f >= 3, ..EXPLICIT }.is_right(k));
    holds(|k| Explicit { three_a: |k| k.c + 4 * k.f >= 4, ..EXPLICIT }.is_right(k));
    holds(|k| AboveTwo { a: |k| k.c + 4 * k.f >= 2 && near_four(k), ..ABOVE_TWO }.is_right(k));
    holds(|k| AboveTwo { b: |k| k.c + 4 * k.f <= 2 && k.f % 2 == 0, ..ABOVE_TWO }.is_right(k));
}
