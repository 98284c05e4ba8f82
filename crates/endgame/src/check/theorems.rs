//! The table of theorems: a name, and a test of one position against its value by recursion.
//!
//! A test is `None` where the theorem says nothing about the position.

use crate::{
    Component::{self, Chain, Loop},
    Position, Totals, allcock,
    amalgamate::{amalgamate_chains, amalgamate_loops},
    buzzard_ciere as bc,
    controlled::{control_strategy_step, controlled_value},
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
pub(super) const THEOREMS: [(&str, Test); 35] = [
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
    ("Allcock 3.2 c >= 2", |k| {
        let by_order =
            if k.totals().is_three_chain_and_loops() { k.g.shortest_loop() } else { allcock::standard_move(k.g) };
        (k.c >= 2).then(|| k.v == k.c && by_order.is_some_and(|c| k.is_optimal(c)))
    }),
    ("Allcock 4.1 explicit value", |k| k.value_is(Some(allcock::value(k.g)))),
    ("Allcock 4.1 all openings", |k| {
        let optimal = k.g.components().filter(|c| k.is_optimal(*c));
        Some(openings::optimal_openings(k.g).into_iter().eq(optimal))
    }),
    ("Allcock 4.1 all replies", |k| {
        k.nonempty()?;
        Some(k.rests.iter().all(|&(c, rest)| {
            openings::reply(k.g, c)
                == match rest - c.handout() {
                    ..0 => Reply::GiveUp,
                    0 => Reply::Either,
                    1.. => Reply::Keep,
                }
        }))
    }),
    ("Allcock 4.2 procedural value", |k| k.value_is(Some(allcock::procedural_value(k.g)))),
    ("Allcock 4.2(3) alone", |k| k.value_is(allcock::process(k.g))),
    ("Allcock 5.1 corrected to c < 0", |k| allcock::is_small_zero(k.g).map(|zero| zero == (k.v == 0))),
    ("Allcock 5.1 for c = 0", |k| allcock::is_zero_at_zero(k.g).map(|zero| zero == (k.v == 0))),
    ("Allcock 5.2 v = 4", |k| allcock::is_small_four(k.g).map(|four| four == (k.v == 4))),
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
