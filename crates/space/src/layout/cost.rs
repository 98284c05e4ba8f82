//! The cost of a cut, in positions.

/// Work that a slab costs on top of its positions, in positions.
pub(super) const SLAB_OVERHEAD: u128 = 4_000;
/// Hundredths of its work that a position costs more for each unit inside a half that belongs to the waist: moves at the waist are slower.
const INNER_OVERHEAD: u128 = 23;
/// Work that a configuration of a half costs, in positions.
const CONFIG_OVERHEAD: u128 = 100;

/// The numbers on which the cost of a cut depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// Positions of the largest slab.
    pub(super) largest: u64,
    /// Stored positions, and the fewest that a cut with as many symmetries stores.
    pub(super) positions: u128,
    pub(super) fewest: u128,
    /// Slabs, and configurations of both halves.
    pub(super) slabs: u128,
    pub(super) configurations: u128,
    /// Units inside a half that belong to the waist.
    pub(super) inner: usize,
}

impl Cost {
    /// The cost in positions, to compare cuts of one start. A slab of more than `largest` positions outweighs all else, the more so the
    /// larger it is.
    pub(super) fn sum(&self, largest: u64) -> u128 {
        (u128::from(self.largest.saturating_sub(largest)) << 64)
            + with_inner(self.positions, self.inner)
            + SLAB_OVERHEAD * self.slabs
            + CONFIG_OVERHEAD * self.configurations
    }

    /// The least that the cut costs with a wider waist.
    pub(super) fn least_wider(&self) -> u128 {
        with_inner(self.fewest, self.inner + 1)
    }
}

/// The work of some positions under a waist with `inner` units of the halves.
fn with_inner(positions: u128, inner: usize) -> u128 {
    positions + positions * INNER_OVERHEAD * inner as u128 / 100
}
