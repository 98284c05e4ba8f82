//! The slabs of a solve in memory: the slab cache of `dab-store`, and the [`shares`] of a budget that solves and checks take.

pub(crate) mod shares;
pub(crate) mod slab_keeper;
