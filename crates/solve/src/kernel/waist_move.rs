//! A move at the waist: where it leads, and what it does to both halves.

use dab_space::PerHalf;

use super::maps::Effect;
use super::op::Op;

/// A move that fills at least one waist unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WaistMove {
    /// Ordinal of the waist configuration it leads to.
    pub(crate) waist: u32,
    /// Its effect on each half.
    pub(crate) effects: PerHalf<Effect>,
    /// Units of each half that it fills.
    pub(crate) filled: PerHalf<u8>,
    pub(crate) op: Op,
}

impl WaistMove {
    /// No move at all.
    pub(crate) const NOWHERE: Self = Self {
        waist: 0,
        effects: PerHalf([Effect { chains: 0, continuation: 0 }; 2]),
        filled: PerHalf([0; 2]),
        op: Op::Take(0),
    };
}
