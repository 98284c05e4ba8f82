//! The table of theorems: a name, and a test of one position against its value by recursion.
//!
//! A test is `None` where the theorem says nothing about the position.

use crate::{
    Component::{self, Chain, Loop},
    Position, Totals, allcock,
    amalgamate::{amalgamate_chains, amalgamate_loops},
    any_loops, buzzard_ciere as bc,
    controlled::{control_strategy_step, controlled_value, terminal_bonus},
    openings::{self, Reply},
    recursion::FamilyValues,
};

/// One position with what the recursion knows about it.
pub(super) struct Case<'a> {
    values: &'a FamilyValues,
    g: &'a Position,
    /// v(G)
    v: i64,
    /// c(G)
    c: i64,
    /// v(G − C) for each distinct C, in the order of the position.
    rests: Vec<(Component, i64)>,
}

impl<'a> Case<'a> {
    pub(super) fn new(values: &'a FamilyValues, g: &'a Position) -> Case<'a> {
        let rests = g.components().map(|c| (c, values.value(&g.without(c)))).collect();
        Case { values, g, v: values.value(g), c: controlled_value(g), rests }
    }

    fn totals(&self) -> Totals {
        self.g.totals()
    }

    fn rest(&self, component: Component) -> i64 {
        let of = |rest: &&(Component, i64)| rest.0 == component;
        self.rests.iter().find(of).expect("the position has that component").1
    }

    fn is_optimal(&self, opened: Component) -> bool {
        opened.opened(self.rest(opened)) == self.v
    }

    /// θ
    fn theta(&self) -> u64 {
        self.totals().n_three_chains
    }

    /// f
    fn f(&self) -> u64 {
        self.totals().n_four_loops
    }

    fn size_mod_4(&self) -> usize {
        (self.totals().size % 4) as usize
    }

    /// tb(G − C) = tb(G)
    fn keeps_bonus(&self, opened: Component) -> bool {
        terminal_bonus(self.totals().minus(opened)) == terminal_bonus(self.g)
    }

    /// Whether all components of a kind are optimal openings, if there are some.
    fn all_optimal(&self, is_meant: impl Fn(Component) -> bool) -> Option<bool> {
        let mut meant = self.g.components().filter(|c| is_meant(*c)).peekable();
        meant.peek()?;
        Some(meant.all(|c| self.is_optimal(c)))
    }

    /// Whether Allcock's goals are right for a lead of the opener, where there are some.
    fn wins_with(&self, lead: u64) -> Option<bool> {
        let goals = allcock::goals(self.g, lead);
        (!goals.is_empty()).then(|| goals.iter().any(|goal| goal.holds) == (self.v < lead.cast_signed()))
    }

    fn nonempty(&self) -> Option<()> {
        (!self.g.is_empty()).then_some(())
    }

    /// A claimed value, where there is one.
    fn value_is(&self, claimed: Option<i64>) -> Option<bool> {
        claimed.map(|v| v == self.v)
    }

    /// A claimed optimal opening, where there is one.
    fn opens(&self, claimed: Option<Component>) -> Option<bool> {
        claimed.map(|c| self.is_optimal(c))
    }

    /// The value of an amalgamation that changes the position.
    fn merges_to(&self, merged: &Position) -> Option<bool> {
        (merged != self.g).then(|| self.values.value(merged) == self.v)
    }

    /// The optimality of every opening that an amalgamation leaves alone.
    fn keeps_openings(&self, merged: &Position, is_rest: fn(Component) -> bool) -> Option<bool> {
        let mut rest = self.g.components().filter(|c| is_rest(*c)).peekable();
        rest.peek().filter(|_| merged != self.g)?;
        let v = self.values.value(merged);
        Some(rest.all(|c| {
            let merged_optimal = c.opened(self.values.value(&merged.without(c))) == v;
            merged_optimal == self.is_optimal(c)
        }))
    }
}

type Test = fn(&Case) -> Option<bool>;

/// Every theorem that is checked.
pub(super) const THEOREMS: [(&str, Test); 52] = [
    ("Allcock 1.1 opener", |k| k.opens(allcock::opening(k.g))),
    ("Allcock 1.3 controller", |k| {
        k.nonempty()?;
        Some(k.rests.iter().all(|&(c, rest)| match allcock::keeps_control(k.g, c) {
            true => rest >= c.handout(),
            false => rest <= c.handout(),
        }))
    }),
    ("Allcock 1.4 v > 4", |k| Some(allcock::is_above_four(k.g) == (k.v > 4))),
    ("Allcock 1.5 v > 2", |k| Some(allcock::is_above_two(k.g) == (k.v > 2))),
    ("Allcock 2.1 control strategy", |k| Some(k.c == control_strategy_step(k.g, controlled_value, |c| k.rest(c)))),
    ("Allcock 2.2 v and c", |k| {
        let size = k.g.size().cast_signed();
        let modulo_4 = k.totals().n_three_chains > 0 || (size - k.c) % 4 == 0;
        Some(k.v >= k.c && (k.v - k.c) % 2 == 0 && (k.v - size) % 2 == 0 && modulo_4)
    }),
    ("Allcock 3.1 one component, or 3 and a loop", |k| {
        let t = k.totals();
        let beside_three = t.is_three_chain_and_loops() && t.n_loops() == 1;
        (beside_three || t.n_chains() + t.n_loops() == 1)
            .then(|| k.v == k.c && (!beside_three || k.g.shortest_loop().is_some_and(|c| k.is_optimal(c))))
    }),
    ("Allcock 3.2 c >= 2", |k| {
        let by_order =
            if k.totals().is_three_chain_and_loops() { k.g.shortest_loop() } else { allcock::standard_move(k.g) };
        (k.c >= 2).then(|| k.v == k.c && by_order.is_some_and(|c| k.is_optimal(c)))
    }),
    ("Allcock 3.3(1) c >= 2, same bonus", |k| {
        let rest = |c| k.totals().minus(c);
        k.all_optimal(|c| k.c >= 2 && k.keeps_bonus(c) && controlled_value(rest(c)) >= c.handout())
    }),
    ("Allcock 3.3(2) c >= 2, 3, 4l, 6l", |k| {
        k.all_optimal(|c| k.c >= 2 && matches!(c, Chain(3) | Loop(4) | Loop(6)) && k.keeps_bonus(c))
    }),
    ("Allcock 3.3(3) c >= 2, shortest loop", |k| {
        let applies = k.c >= 2 && (k.theta() == 0 || k.totals().is_three_chain_and_loops());
        k.opens(k.g.shortest_loop().filter(|_| applies))
    }),
    ("Allcock 3.3(4) c >= 2, shortest chain", |k| {
        k.opens(k.g.shortest_chain().filter(|_| k.c >= 2 && k.totals().n_loops() == 0))
    }),
    ("Allcock 3.4 no 3, no 4l, c <= 4", |k| {
        k.nonempty()?;
        (k.theta() == 0 && k.f() == 0 && k.c <= 4).then(|| {
            let opens_six = k.c >= 2 || (k.totals().n_six_loops >= 2 && k.is_optimal(Loop(6)));
            k.v == [4, 3, 2, 3][k.size_mod_4()] && opens_six
        })
    }),
    ("Allcock 3.5 c < 2, no 4l, a 3", |k| {
        (k.c < 2 && k.f() == 0 && k.theta() > 0).then(|| {
            let v = match (k.size_mod_4(), k.theta()) {
                (0 | 2, _) => 2,
                (3, 1) => 3,
                _ => 1,
            };
            k.v == v && k.is_optimal(Chain(3))
        })
    }),
    ("Allcock 3.6 only 3 and 4l", |k| {
        let (theta, f) = (k.theta(), k.f());
        (k.totals().n_chains() + k.totals().n_loops() == theta + f).then(|| {
            let v = match (theta, f % 2) {
                (0, f) => 4 * f.cast_signed(),
                (1, 0) => 3,
                _ => 2 - (theta % 2).cast_signed(),
            };
            let opens_loop = f == 0 || k.is_optimal(Loop(4)) == (theta % 2 == 0 || theta == 1);
            let opens_chain = theta == 0 || k.is_optimal(Chain(3)) == (theta >= 2 || f % 2 == 0);
            k.v == v && opens_loop && opens_chain
        })
    }),
    ("Allcock 3.7 c >= -2, a 4l", |k| {
        let is = |threes| k.totals().is_threes_and_four_loop(threes);
        (k.f() > 0 && k.c >= -2).then(|| k.v == if is(2) { 2 } else { k.c.abs() } && (is(3) || k.is_optimal(Loop(4))))
    }),
    ("Allcock 3.8 c < 2, no 3", |k| {
        k.nonempty()?;
        (k.c < 2 && k.theta() == 0).then(|| {
            let v = match (k.c + 4 * k.f().cast_signed() >= 2, k.c.rem_euclid(4), k.f() % 2) {
                (true, ..) => 4 - (k.c.rem_euclid(8) - 4).abs(),
                (false, 2, _) => 2,
                (false, c, 1) => c % 2,
                (false, c, _) => 4 - c % 2,
            };
            k.v == v && (k.f() == 0 || k.is_optimal(Loop(4)))
        })
    }),
    ("Allcock 3.10 c < 2, one 3, size 3 mod 4", |k| {
        (k.c < 2 && k.theta() == 1 && k.size_mod_4() == 3).then(|| {
            let is_one = match k.c + 4 * k.f().cast_signed() >= 2 {
                true => matches!(k.c.rem_euclid(8), 1 | 7),
                false => k.f() % 2 == 1,
            };
            k.v == if is_one { 1 } else { 3 } && (k.f() == 0 || k.is_optimal(Loop(4)))
        })
    }),
    ("Allcock 3.11 c < -1, a 3", |k| {
        let applies = k.theta() >= 2 || (k.theta() == 1 && k.size_mod_4() != 3);
        (k.c < -1 && applies).then(|| k.v == if k.totals().is_odd() { 1 } else { 2 } && k.is_optimal(Chain(3)))
    }),
    ("Allcock 4.1 explicit value", |k| k.value_is(Some(allcock::value(k.g)))),
    ("Allcock 4.1 all openings", |k| {
        let optimal = k.g.components().filter(|c| k.is_optimal(*c));
        Some(openings::optimal_openings(k.g).into_iter().eq(optimal))
    }),
    ("Allcock 4.1 all replies", |k| {
        k.nonempty()?;
        Some(openings::opened(k.g).iter().zip(&k.rests).all(|(opened, &(c, rest))| {
            let reply = match rest - c.handout() {
                ..0 => Reply::GiveUp,
                0 => Reply::Either,
                1.. => Reply::Keep,
            };
            (opened.component, opened.value, opened.reply) == (c, c.opened(rest), reply)
        }))
    }),
    ("Allcock 4.2 procedural value", |k| k.value_is(Some(allcock::procedural_value(k.g)))),
    ("Allcock 4.2(3) alone", |k| k.value_is(allcock::process(k.g))),
    ("Allcock 5.1 corrected to c < 0", |k| allcock::is_small_zero(k.g).map(|zero| zero == (k.v == 0))),
    ("Allcock 5.1 for c = 0", |k| allcock::is_zero_at_zero(k.g).map(|zero| zero == (k.v == 0))),
    ("Allcock 5.2 v = 4", |k| allcock::is_small_four(k.g).map(|four| four == (k.v == 4))),
    ("Allcock 5 v = 3, completed", |k| allcock::is_small_three(k.g).map(|three| three == (k.v == 3))),
    ("Allcock 5 lead of 1", |k| k.wins_with(1)),
    ("Allcock 5 lead of 2, corrected", |k| k.wins_with(2)),
    ("Allcock 5 lead of 3", |k| k.wins_with(3)),
    ANY_LOOPS,
    ("Buzzard-Ciere value 4.1", |k| k.value_is(Some(bc::value(k.g)))),
    ("Buzzard-Ciere opening 4.2", |k| k.opens(bc::opening(k.g))),
    ("Buzzard-Ciere Corollary 3", |k| {
        k.nonempty()?;
        let mut shortest = k.g.shortest_chain().into_iter().chain(k.g.shortest_loop());
        Some(shortest.any(|c| k.is_optimal(c)))
    }),
    ("Buzzard-Ciere Corollary 5", |k| k.merges_to(&amalgamate_chains(k.g))),
    ("Buzzard-Ciere Lemma 6", |k| k.keeps_openings(&amalgamate_chains(k.g), |c| !matches!(c, Chain(4..)))),
    ("Buzzard-Ciere Corollary 8", |k| k.merges_to(&amalgamate_loops(k.g))),
    ("Buzzard-Ciere Lemma 9", |k| k.keeps_openings(&amalgamate_loops(k.g), |c| !matches!(c, Loop(8..)))),
    ("Buzzard-Ciere Theorem 10", |k| k.value_is(bc::value_of_chains(k.g))),
    ("Buzzard-Ciere Theorem 12", |k| k.value_is(bc::value_of_loops(k.g))),
    ("Buzzard-Ciere Lemma 13", |k| Some(k.v >= k.c)),
    ("Buzzard-Ciere Lemma 15", |k| {
        Some(if k.c >= 2 {
            k.v == k.c
        } else {
            let chain = Some(Chain(3)).filter(|c| k.g.contains(*c));
            (0..=4).contains(&k.v) && chain.is_none_or(|c| c.opened(k.rest(c)) <= 3)
        })
    }),
    ("Buzzard-Ciere Corollary 17", |k| {
        let chain = Some(Chain(3)).filter(|c| k.g.contains(*c));
        let a = k.v >= 5;
        let b = k.v == 4 && chain.is_some();
        let opened = chain.filter(|_| k.totals().n_chains() >= 2).map(|c| c.opened(k.rest(c)));
        let c = opened.filter(|v| *v >= 4);
        (a || b || c.is_some()).then(|| k.c == k.v && c.is_none_or(|v| v == k.v))
    }),
    ("Buzzard-Ciere Theorem 18", |k| k.opens(bc::opening_without_three_chains(k.g))),
    ("Buzzard-Ciere Corollary 22", |k| k.value_is(bc::value_without_three_chains(k.g))),
    ("Buzzard-Ciere Theorem 23", |k| k.opens(bc::opening_beside_three_chain(k.g))),
    ("Buzzard-Ciere Corollary 24", |k| k.value_is(bc::value_beside_three_chain(k.g))),
    ("Buzzard-Ciere Theorem 25", |k| k.opens(bc::opening_with_one_three_chain(k.g))),
    ("Buzzard-Ciere Corollary 27", |k| k.value_is(bc::value_with_one_three_chain(k.g))),
    ("Buzzard-Ciere Theorem 29", |k| k.opens(bc::opening_with_three_chains(k.g))),
    ("Buzzard-Ciere Corollary 30", |k| k.value_is(bc::value_with_three_chains(k.g))),
];

/// The theorem that needs no even loops.
const ANY_LOOPS: (&str, Test) = ("any loops: value", |k| k.value_is(Some(any_loops::value(k.g))));

/// Theorems about endgames with odd loops.
pub(super) const ODD_LOOPS: [(&str, Test); 5] = [
    ANY_LOOPS,
    ("v >= c, even together", |k| Some(k.v >= k.c && (k.v - k.c) % 2 == 0)),
    ("c >= 3: v = c", |k| (k.c >= 3).then_some(k.v == k.c)),
    ("c = 2, not v = 2: v = 4, two 7l", |k| {
        let sevens = k.g.multiset().iter().find(|entry| entry.0 == Loop(7));
        (k.c == 2 && k.v != 2).then(|| k.v == 4 && sevens.is_some_and(|entry| entry.1 >= 2))
    }),
    ("c < 2: 0 <= v <= 4", |k| (k.c < 2).then(|| (0..=4).contains(&k.v))),
];
