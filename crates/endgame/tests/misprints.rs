//! Misprints and ambiguities of the sources: what is wrong, and on which smallest position.

use super::common::{Known, fails_first_at, failures, holds, parse};
use crate::{
    Component::{self, Chain, Loop},
    Position, Totals, allcock,
    amalgamate::{amalgamate_chains, amalgamate_loops},
    buzzard_ciere as bc, caribou,
    controlled::{controlled_value, terminal_bonus},
};

/// Allcock Theorem 5.1, its conclusion as printed: "v = 0 iff …".
fn printed_5_1(k: &Known) -> bool {
    let listed = k.is("4+4l+6l^2") || k.is("4^2+4l+6l^2");
    let general = k.theta == 0 && k.f > 0 && k.c.rem_euclid(8) == 0 && !k.is("4+4l^2+6l^2");
    (k.v == 0) == (listed || general)
}

#[test]
fn allcock_5_1_needs_c_below_0() {
    fails_first_at("3+5+4l", |k| k.size >= 28 || k.c >= 2 || printed_5_1(k));
    let wrong = failures(27, |k| k.c >= 2 || printed_5_1(k));
    assert_eq!(wrong.len(), 31);
    for g in wrong {
        let totals = g.totals();
        assert!(controlled_value(totals) == 0 && totals.n_four_loops >= 1 && totals.n_three_chains >= 1, "{g}");
    }
    // The bound of 28 boxes is sharp.
    fails_first_at("4+4l+6l^2+8l", |k| k.c >= 0 || printed_5_1(k));
}

/// Allcock found no rule for v = 3 with a few exceptions only.
#[test]
fn allcock_section_5_the_rule_for_three_is_for_less_than_28_boxes() {
    fails_first_at("5+6+6l^3", |k| k.c >= 2 || k.size % 2 == 0 || allcock::is_three_if_small(k.g) == (k.v == 3));
    let simple = |k: &Known| (k.theta == 0 || k.theta == 1 && k.size % 4 == 3) && matches!(k.c.rem_euclid(8), 3 | 5);
    let wrong = failures(27, |k| k.c >= 2 || k.size % 2 == 0 || simple(k) == (k.v == 3));
    assert_eq!((wrong.len(), wrong.iter().all(|g| g.totals().n_six_loops >= 2)), (25, true));
}

/// A lead of 2 is enough for "almost all" endgames.
#[test]
fn allcock_section_5_most_values_are_1_or_2() {
    for (max_size, all, some) in [(27, 737, 557), (40, 9_355, 6_783)] {
        assert_eq!(failures(max_size, |k| k.c >= 2).len(), all);
        assert_eq!(failures(max_size, |k| k.c >= 2 || !(1..=2).contains(&k.v)).len(), some);
    }
}

#[test]
fn allcock_section_5_a_single_three_chain_helps_unless_the_size_is_3_mod_4() {
    let safe = |k: &Known| k.v != 3;
    fails_first_at("3+4l^2", |k| k.c >= 2 || k.theta != 1 || k.size % 4 != 3 || safe(k));
    holds(|k| k.c >= 2 || k.theta != 1 || k.size % 4 == 3 || safe(k));
}

#[test]
fn allcock_4_1_and_1_5_are_for_nonempty_positions() {
    let none = Totals::default();
    let c = controlled_value(none);
    // Theorem 4.1 (3b iii): θ = 0, c + 4f < 2, 4 divides the size, f even: 4.
    assert!(c < 2 && none.size.is_multiple_of(4) && none.n_four_loops.is_multiple_of(2));
    assert_eq!(allcock::value(none), 0);
    // Theorem 1.5 (2) and (b) hold as well.
    assert!(!allcock::is_above_two(none));
    // Theorems 1.4 and 4.2(3) are right there.
    assert!(!allcock::is_above_four(none));
    assert_eq!(allcock::process(none), Some(0));
}

#[test]
fn allcock_sigma_reflects_2_to_4_in_3() {
    let sigma = |x| allcock::iterate_sigma(x, 1);
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(sigma), [6, 5, 4, 3, 2, 3, 4]);
}

#[test]
fn allcock_4_2_puts_six_loops_back_before_four_loops() {
    let phi_first = |g: &Position| {
        let t = g.totals();
        let core = allcock::core(t)?;
        allcock::process(t)?;
        let x = allcock::iterate_phi(controlled_value(core), t.n_four_loops);
        let x = if core.n_three_chains < t.n_three_chains { x - 1 } else { x };
        Some(allcock::iterate_sigma(x, t.n_six_loops))
    };
    fails_first_at("3+4+4l", |k| phi_first(k.g).is_none_or(|v| v == k.v));
}

#[test]
fn allcock_4_2_may_keep_the_three_chain_in_the_core() {
    holds(|k| {
        let in_core = k.totals.minus_four_loops();
        let core = (0..in_core.n_six_loops).fold(in_core, |t, _| t.minus(Loop(6)));
        let x = allcock::iterate_sigma(controlled_value(core), k.totals.n_six_loops);
        allcock::process(k.g).is_none() || allcock::iterate_phi(x, k.totals.n_four_loops) == k.v
    });
}

#[test]
fn buzzard_ciere_section_2_example_ends_9_to_7() {
    let g = parse("3^2+4+6l");
    let (size, v) = (g.size().cast_signed(), allcock::value(&g));
    assert_eq!(((size + v) / 2, (size - v) / 2), (9, 7));
}

#[test]
fn buzzard_ciere_lemma_6_proof_has_the_wrong_sign() {
    let least =
        |k: &Known, opened: fn(Component, i64) -> i64| k.g.components().map(|c| opened(c, k.rest(c))).min().unwrap();
    fails_first_at("3", |k| k.v == least(k, |c, rest| c.n_boxes().cast_signed() - (c.handout() - rest).abs()));
}

#[test]
fn buzzard_ciere_lemma_13_and_15_swap_4_and_8() {
    // Kept control to the end: the last component gives its surplus and 4 for a chain, 8 for a loop.
    let single = |k: &Known, chain: i64, of_loop: i64| {
        let bonus = if k.totals.n_loops() == 0 { chain } else { of_loop };
        k.totals.n_chains() + k.totals.n_loops() != 1 || k.v == k.totals.surplus + bonus
    };
    fails_first_at("3", |k| single(k, 8, 4));
    holds(|k| single(k, 4, 8));
}

#[test]
fn buzzard_ciere_lemma_15_proof_a_four_loop_may_change_the_bonus() {
    fails_first_at("3+4l", |k| {
        let rest = (k.f >= 1).then(|| k.totals.minus(Loop(4)));
        rest.is_none_or(|h| h.is_empty() || terminal_bonus(h) == terminal_bonus(k.totals))
    });
}

#[test]
fn buzzard_ciere_24d_needs_the_lone_three_chain() {
    fails_first_at("3+4l", |k| {
        let applies = k.totals.is_three_chain_and_loops() && k.c <= 1 && k.f >= 1 && k.rest(Chain(3)) != 2;
        !applies || bc::value_beside_three_chain(k.totals.minus_four_loops()).is_some()
    });
    assert_eq!(bc::value_beside_three_chain(&parse("3+4l")), Some(1));
}

#[test]
fn buzzard_ciere_27b_and_30b_except_c_of_g_without_a_four_loop() {
    let wrong = failures(40, |k| {
        let applies = k.c <= 1 && k.size % 2 == 0 && (k.theta >= 2 || (k.theta == 1 && k.totals.n_longer_chains >= 1));
        let value = if k.f >= 1 && k.c == 0 { 0 } else { 2 };
        !applies || k.v == value
    });
    assert_eq!(wrong, [parse("3^2+4l")]);
}

/// Theorem 23 with the two conditions for the 3-chain as arguments.
fn theorem_23(k: &Known, use_h: bool, use_k: bool) -> bool {
    if !k.totals.is_three_chain_and_loops() {
        return true;
    }
    let h = k.g.without(Chain(3));
    let shortest = h.shortest_loop().unwrap();
    let by_h = use_h && k.value(&h) == 2;
    let by_k = use_k && shortest == Loop(6) && k.value(&h.without(shortest)) == 2;
    k.is_optimal(if by_h || by_k { Chain(3) } else { shortest })
}

/// Theorems 25 (one 3-chain) and 29 (two or more): the 4-loop if `wants_loop`, else the 3-chain.
fn opens_four_loop(k: &Known, wants_loop: impl Fn(&Totals) -> bool) -> bool {
    let four_loop = k.f >= 1 && wants_loop(&k.totals.minus(Chain(3)).minus(Loop(4)));
    k.is_optimal(if four_loop { Loop(4) } else { Chain(3) })
}

fn c_with(h: &Totals, more: &str) -> i64 {
    let more = parse(more).totals();
    // Adding a 3-chain or a 4-loop to H, whose totals are sums.
    controlled_value(Totals {
        size: h.size + more.size,
        n_three_chains: h.n_three_chains + more.n_three_chains,
        n_four_loops: h.n_four_loops + more.n_four_loops,
        surplus: h.surplus + more.surplus,
        ..*h
    })
}

#[test]
fn buzzard_ciere_necessary_clauses() {
    holds(|k| theorem_23(k, true, true));
    fails_first_at("3+4l^2+6l", |k| theorem_23(k, false, true));
    fails_first_at("3+6l^4", |k| theorem_23(k, true, false));

    let theorem_25 = |k: &Known, use_c: bool, values: &[i64]| {
        k.theta != 1
            || k.totals.n_longer_chains == 0
            || opens_four_loop(k, |h| k.c <= 1 && (use_c && c_with(h, "3") == 4 || values.contains(&k.rest(Chain(3)))))
    };
    holds(|k| theorem_25(k, true, &[0, 4]));
    fails_first_at("3+5+4l", |k| theorem_25(k, false, &[0, 4]));
    fails_first_at("3+4+4l", |k| theorem_25(k, true, &[4]));

    let theorem_29 = |k: &Known, added: &[&str]| {
        k.theta < 2 || opens_four_loop(k, |h| added.iter().any(|more| c_with(h, more) == 4))
    };
    holds(|k| theorem_29(k, &["3", "4l", "0"]));
    fails_first_at("3^2+6+4l", |k| theorem_29(k, &["4l", "0"]));
    fails_first_at("3^2+5+4l", |k| theorem_29(k, &["3", "4l"]));

    // Redundant: c(G) ≤ 1 and v(H + 4l) = 4 in Theorem 25, c(H + 4l) = 4 in Theorem 29.
    holds(|k| theorem_25(k, true, &[0]));
    holds(|k| {
        k.theta != 1
            || k.totals.n_longer_chains == 0
            || opens_four_loop(k, |h| c_with(h, "3") == 4 || matches!(k.rest(Chain(3)), 0 | 4))
    });
    holds(|k| theorem_29(k, &["3", "0"]));
}

#[test]
fn amalgamation_does_not_keep_openings_among_the_merged() {
    let carries_over =
        |k: &Known, merged: Position, shortest: Option<Component>, longest: fn(&Position) -> Option<Component>| {
            if merged == *k.g {
                return true;
            }
            let one = longest(&merged).unwrap();
            let merged_optimal = one.opened(k.value(&merged.without(one))) == k.value(&merged);
            merged_optimal == k.is_optimal(shortest.unwrap())
        };
    fails_first_at("4^2+6l", |k| {
        let shortest = k.g.components().find(|c| matches!(c, Chain(4..)));
        carries_over(k, amalgamate_chains(k.g), shortest, Position::longest_chain)
    });
    fails_first_at("3^2+8l^2", |k| {
        let shortest = k.g.components().find(|c| matches!(c, Loop(8..)));
        carries_over(k, amalgamate_loops(k.g), shortest, Position::longest_loop)
    });
}

#[test]
fn the_two_papers_choose_differently() {
    fails_first_at("3^2+4l", |k| allcock::opening(k.g) == bc::opening(k.g));
}

/// v of any multiset of components, odd loops included.
fn value_of(multiset: &[Component]) -> i64 {
    let opened = |i: usize| {
        let rest: Vec<_> = multiset.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| *c).collect();
        multiset[i].opened(value_of(&rest))
    };
    (0..multiset.len()).map(opened).min().unwrap_or(0)
}

#[test]
fn odd_loops_break_the_theory() {
    // 4+7l^2 has c = 18 − 4 − 16 + 4 = 2, but v = 4 (Buzzard–Ciere Remark 16).
    assert_eq!(value_of(&[Chain(4), Loop(7), Loop(7)]), 4);
    // Theorem 18 would open a 5-loop in 4+5l^2.
    let rest = value_of(&[Chain(4), Loop(5)]);
    assert!(Loop(5).opened(rest) > value_of(&[Chain(4), Loop(5), Loop(5)]));
}

#[test]
fn caribou_bounds_for_the_long_chain_rule_are_too_high() {
    // "If the incentive is 2 … gains ≥ 3 boxes more", "if > 2 … > 3 boxes more", for an opened chain.
    let chains = |k: &Known, statement: fn(i64, i64) -> bool| {
        k.g.components().filter(|c| !c.is_loop()).all(|c| statement(k.rest(c), c.opened(k.rest(c))))
    };
    fails_first_at("3^3", |k| chains(k, |incentive, gain| incentive != 2 || gain >= 3));
    fails_first_at("3^2", |k| chains(k, |incentive, gain| incentive <= 2 || gain > 3));
    holds(|k| chains(k, |incentive, gain| incentive != 2 || gain >= 1));
    holds(|k| chains(k, |incentive, gain| incentive <= 2 || gain >= 2));
}

#[test]
fn caribou_no_fixed_order_is_optimal() {
    let open = |text: &str| crate::openings::optimal_openings(&parse(text));
    assert_eq!(open("3+4l"), [Loop(4)]);
    assert_eq!(open("3^3+4l"), [Chain(3)]);
    fails_first_at("3^3+4l", |k| k.is_optimal(caribou::opening(k.g).unwrap()));
}

/// The values that the algorithm of section 4.1 asks for on its way, in order.
fn asked(t: Totals) -> Vec<Totals> {
    let c = controlled_value(t);
    let mut all = Vec::new();
    if c >= 2 || t.n_loops() == 0 {
        return all;
    }
    let mut ask = |rest: Totals| {
        all.push(rest);
        all.extend(asked(rest));
    };
    let four_loops_go = t.n_four_loops > 0;
    match t.n_three_chains {
        // Theorem 12, Corollary 22.
        0 if four_loops_go => ask(t.minus_four_loops()),
        // Corollaries 24 and 27 (c) to (e).
        1 if t.n_longer_chains == 0 || c % 2 != 0 => {
            ask(t.minus(Chain(3)));
            if four_loops_go && allcock::value(t.minus(Chain(3))) != 2 {
                ask(t.minus_four_loops());
            }
        }
        _ => {}
    }
    all
}

#[test]
fn buzzard_ciere_start_again_at_most_three_times() {
    // Whether values are asked for again that were asked for before.
    let n_asked = |t: Totals, again: bool| {
        let all: Vec<Totals> = asked(t).into_iter().filter(|t| !t.is_empty()).collect();
        (0..all.len()).filter(|&i| again || !all[..i].contains(&all[i])).count()
    };
    holds(|k| n_asked(k.totals, false) <= if k.theta == 1 && k.f > 0 { 3 } else { 2 });
    // Only if a value is remembered.
    fails_first_at("3+4l+6l^2", |k| n_asked(k.totals, true) <= 3);
    let worst = parse("3+4+4l^100+6l^100");
    assert_eq!((n_asked(worst.totals(), false), bc::value(&worst)), (3, 3));
}

#[test]
fn allcock_example_1_2_has_two_optimal_lines() {
    fn lines(g: &Position) -> Vec<String> {
        let optimal = crate::openings::optimal_openings(g).into_iter();
        let after = |c: Component| lines(&g.without(c)).into_iter().map(move |line| format!("{c} {line}"));
        if g.is_empty() { vec![String::new()] } else { optimal.flat_map(after).collect() }
    }
    assert_eq!(lines(&parse("3^5+4l+8l")), ["3 3 4l 3 3 8l 3 ", "3 4l 3 3 3 8l 3 "]);
}
