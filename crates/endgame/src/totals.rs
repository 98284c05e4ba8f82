//! The counts that the closed forms read.
//!
//! Every value theorem looks at a position only through its size, its number of 3-chains, 4-loops and 6-loops (θ, f and s in
//! Allcock), the numbers of longer chains and loops, and one sum. [`Position`](crate::Position) keeps them up to date, so a
//! theorem costs the same for one loop and for a billion, and sub-positions such as G − C need no allocation.

use crate::Component::{self, Chain, Loop};

/// Counts and sums over all components of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Totals {
    /// Number of boxes; at most `i64::MAX`, so that values fit an `i64`.
    pub size: u64,
    /// Number of 3-chains, θ.
    pub n_three_chains: u64,
    /// Number of chains of 4 boxes or more.
    pub n_longer_chains: u64,
    /// Number of 4-loops, f.
    pub n_four_loops: u64,
    /// Number of 6-loops, s.
    pub n_six_loops: u64,
    /// Number of loops of 8 boxes or more.
    pub n_longer_loops: u64,
    /// Sum of n − 4 over the chains and n − 8 over the loops: the net of a controller who always keeps control.
    pub surplus: i64,
}

impl Totals {
    /// Number of chains.
    pub(crate) fn n_chains(&self) -> u64 {
        self.n_three_chains + self.n_longer_chains
    }

    /// Number of loops.
    pub(crate) fn n_loops(&self) -> u64 {
        self.n_four_loops + self.n_six_loops + self.n_longer_loops
    }

    /// True when nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// True when the size is odd.
    pub(crate) fn is_odd(&self) -> bool {
        self.size % 2 == 1
    }

    /// True for exactly one 3-chain, no other chain, and at least one loop: the shape of Buzzard–Ciere section 11.
    pub(crate) fn is_three_chain_and_loops(&self) -> bool {
        self.n_three_chains == 1 && self.n_longer_chains == 0 && self.n_loops() >= 1
    }

    /// True for the position `3^threes + 4l`, the exceptions of several theorems.
    pub(crate) fn is_threes_and_four_loop(&self, threes: u64) -> bool {
        self.n_three_chains == threes && self.n_four_loops == 1 && self.n_chains() + self.n_loops() == threes + 1
    }

    /// These totals with `count` components more, or `None` when the size passes `i64::MAX`.
    pub(crate) fn plus(mut self, component: Component, count: u32) -> Option<Totals> {
        let added = component.n_boxes().checked_mul(u64::from(count))?;
        let size = self.size.checked_add(added)?;
        self.size = i64::try_from(size).ok()?.cast_unsigned();
        self.surplus += surplus(component) * i64::from(count);
        *self.class(component) += u64::from(count);
        Some(self)
    }

    /// These totals with one component less.
    ///
    /// # Panics
    /// When there is no component of that class.
    pub(crate) fn minus(self, component: Component) -> Totals {
        self.minus_many(component, 1)
    }

    /// These totals without any 4-loop: K in Buzzard–Ciere.
    pub(crate) fn minus_four_loops(self) -> Totals {
        self.minus_many(Loop(4), self.n_four_loops)
    }

    /// These totals without any 6-loop.
    pub(crate) fn minus_six_loops(self) -> Totals {
        self.minus_many(Loop(6), self.n_six_loops)
    }

    pub(crate) fn minus_many(mut self, component: Component, count: u64) -> Totals {
        let class = self.class(component);
        *class = class.checked_sub(count).expect("the position has that component");
        self.size -= component.n_boxes() * count;
        self.surplus -= surplus(component) * count.cast_signed();
        self
    }

    fn class(&mut self, component: Component) -> &mut u64 {
        match component {
            Chain(3) => &mut self.n_three_chains,
            Chain(_) => &mut self.n_longer_chains,
            Loop(4) => &mut self.n_four_loops,
            Loop(6) => &mut self.n_six_loops,
            Loop(_) => &mut self.n_longer_loops,
        }
    }
}

/// Net of a controller who keeps control in this component: n less the handout twice.
fn surplus(component: Component) -> i64 {
    component.n_boxes().cast_signed() - 2 * component.handout()
}
