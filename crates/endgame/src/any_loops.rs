//! Values where loops may be odd: a closed form for every multiset of chains of 3 boxes or more and loops of 4 or more.
//!
//! With f 4-loops, θ 3-chains, K = G − all 4-loops, H = G − 3, Φ(x) = |x − 4|; *alone* means that no chain is longer than 3. The first
//! row that applies gives v(G):
//!
//! ```text
//! c ≥ 3                  c
//! c = 2                  4 if no loop has less than 7 boxes, and θ = 0, or θ = 1 alone; else 2
//! θ ≥ 1, even size       0 if c = 0, f ≥ 1, G ≠ 3^2+4l, or if c = −2, f = 1, no 5l or 6l, θ = 1 alone; else 2
//! θ ≥ 2                  3 if c = 1, θ = 2 alone, no loop has less than 7 boxes; else 1
//! θ = 1                  1 if v(H) = 2; else Φ^f(v(K)), where v(K) is c(K) if c(K) ≥ 3, and else 3, but 1 if there is a 5l and
//!                        c(K) = 1, or just one 5l, no 6l, alone, and c(K) = −1
//! θ = 0                  the loops of 7, 6, 5, 4 boxes are put back one by one to the rest, whose v is its c: n boxes make v into
//!                        n − 4 + |v − 4|. If the longer chains amount to one of 4 boxes, 2 + |v(without it) − 2| bounds each step.
//! ```
//! *Proof.* A player who always keeps control gets c, so v ≥ c (Allcock Theorem 2.1, which asks for no parity), and both are odd or even
//! with the size. v(G; C) = n − h + |v(G − C) − h| is 0 for a 4-loop with v(G − C) = 4 only, and 1 for a 3-chain with 2, a 4-loop with 3 or
//! 5, a 5-loop with 4 only. *c ≥ 3*, by induction: opening C gives c if v(G − C) = c(G − C) ≥ h and tb stays. A 3-chain or a loop of up
//! to 7 boxes raises c, so one will do whose loss keeps tb. If there is none, all is long, so c(G − C) ≥ tb ≥ 4, or there is one 3-chain, only long
//! loops beside it, one of which will do; `3` and a loop is plain. *c = 2*: the same, but 7l leaves c = 3 < h, for a value of 4; without
//! another choice no opening gives less, by induction. *c < 2*: a 3-chain gives at most 3, a 4-loop at most 4; 5l, 6l and 7l leave at least 1,
//! 2 and 3 where nothing smaller is left, so v ≤ 4. *Even size*: v(G − 3) is 1 or 3, so v ≤ 2, and 0 takes a 4-loop that leaves 4, for which
//! c(G − 4l) is 4, or 2 with a value of 4. *θ ≥ 2, odd*: v(G − 3) is 2, but in the row of 0, where a 4-loop leaves 3, and at c = 1 where
//! it is 4. *θ = 1, odd*: v is 1 or 3, and 1 in the cases above; once v(H) is 2, more 4-loops leave it. *θ = 0*: a shortest chain or a
//! shortest loop is optimal (Buzzard–Ciere Corollary 3, of any game). A chain of 5 or more gives at least 3, odd with v, so the loop is
//! as good; 4-chains merge (Proposition 4).

use crate::Component::{Chain, Loop};
use crate::{Position, controlled::controlled_value};

/// v(G), loops being even or odd.
pub(crate) fn value(g: &Position) -> i64 {
    let c = controlled_value(g);
    let count = |component| g.multiset().iter().find(|entry| entry.0 == component).map_or(0, |entry| entry.1.into());
    let [theta, f, fives, sixes] = [Chain(3), Loop(4), Loop(5), Loop(6)].map(count);
    let is_alone = g.totals().n_longer_chains == 0;
    let is_long = f + fives + sixes == 0;
    match theta {
        _ if g.is_empty() || c >= 3 => c,
        _ if c == 2 => 2 + 2 * i64::from(is_long && (theta == 0 || theta == 1 && is_alone)),
        0 => put_back(g),
        _ if c % 2 == 0 => {
            let is_zero = c == 0 && f > 0 && !g.totals().is_threes_and_four_loop(2);
            let is_odd_zero = c == -2 && f == 1 && fives + sixes == 0 && theta == 1 && is_alone;
            2 - 2 * i64::from(is_zero || is_odd_zero)
        }
        2.. => 1 + 2 * i64::from(c == 1 && theta == 2 && is_alone && is_long),
        1 if value(&g.without(Chain(3))) == 2 => 1,
        1 => {
            let c_of_k = controlled_value(g.totals().minus_four_loops());
            let by_five = fives > 0 && c_of_k == 1 || fives == 1 && sixes == 0 && is_alone && c_of_k == -1;
            let v_of_k = if c_of_k >= 3 { c_of_k } else { 3 - 2 * i64::from(by_five) };
            repeat(f, 4, [v_of_k, i64::MAX])[0]
        }
    }
}

/// The last row, where there is no 3-chain.
fn put_back(g: &Position) -> i64 {
    let mut rest = Position::default();
    for &(component, count) in g.multiset().iter().filter(|entry| !matches!(entry.0, Loop(..8))) {
        rest.add_any(component, count).expect("a part of a position");
    }
    let totals = rest.totals();
    let loops = totals.surplus + if totals.n_longer_loops > 0 { 8 } else { 0 };
    let is_four = g.multiset().iter().all(|entry| !matches!(entry.0, Chain(5..))) && totals.n_longer_chains > 0;
    let mut values = [controlled_value(totals), if is_four { loops } else { i64::MAX }];
    for n in [7, 6, 5, 4] {
        let copies = g.multiset().iter().find(|entry| entry.0 == Loop(n)).map_or(0, |entry| entry.1.into());
        values = repeat(copies, n.cast_signed(), values);
    }
    values[0]
}

/// Puts `copies` loops of `n` boxes back to a rest of some value; the second value is that without a 4-chain, `i64::MAX` where there is none.
fn repeat(mut copies: u64, n: i64, [mut v, mut without]: [i64; 2]) -> [i64; 2] {
    // Above 4 each takes 8 − n, and the other value is 4 higher. In the end values alternate.
    let fall = copies.min(((v - 4).max(0) / (8 - n)).cast_unsigned());
    copies -= fall;
    for value in [&mut v, &mut without].into_iter().filter(|value| **value < i64::MAX) {
        *value -= fall.cast_signed() * (8 - n);
    }
    for _ in 0..copies.min(16 + copies % 2) {
        v = n - 4 + (v - 4).abs();
        if without < i64::MAX {
            without = n - 4 + (without - 4).abs();
            v = v.min(2 + (without - 2).abs());
        }
    }
    [v, without]
}
