//! Memory of a solve, from the size of its index and the slabs that it holds at a time.
//!
//! A solve takes some memory in any case ([`fixed`]). A bound leaves the rest to slabs, which
//! [`Shares`](crate::cache::shares::Shares) divides. Without a bound a solve takes as much as [`unbounded`] says.

use dab_space::Layout;

use crate::cache::shares::Shares;
use crate::constants::{
    CONFIGURATION, GAPS, INNER_STATE, MARGIN, MOST_UNUSED, PROGRAM, RESIDENT_OF_BOUND, SLAB_NOTES, SMALL, SPARE, THREAD,
};

/// Bytes that a solve takes with any budget for slabs.
pub(super) fn fixed(index: IndexSize, threads: usize) -> u64 {
    (PROGRAM + MARGIN + threads as u64 * THREAD).saturating_add(index.bytes())
}

/// The numbers that decide how much memory the index takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSize {
    /// Configurations that it lists.
    pub configurations: u64,
    /// Waist units that end in a half, the greater number of both halves.
    pub boundary_units: u64,
    /// Stored slabs.
    pub slabs: u64,
    /// Boundary states whose lists are held, if units inside a half belong to the waist.
    pub inner_states: u64,
}

impl IndexSize {
    /// The index of a layout.
    pub(super) fn of(layout: &Layout) -> Self {
        Self {
            configurations: layout.n_configurations(),
            boundary_units: layout.halves().iter().map(|half| half.waist_units.len() as u64).max().unwrap_or(0),
            slabs: layout.n_slabs() as u64,
            inner_states: match layout.partition().n_inner() {
                0 => 0,
                _ => layout.listed_halves().iter().map(|half| half.boundaries.len() as u64).sum(),
            },
        }
    }

    /// Bytes of memory without which `threads` threads cannot solve slabs of up to `largest` positions.
    pub(super) fn least_memory(self, largest: u64, threads: usize) -> u64 {
        let needed = fixed(self, threads).saturating_add(Shares::least(largest, threads));
        needed.saturating_add(needed / (SPARE - 1) + 1)
    }

    /// Bytes of lists, moves, maps and boundary chains, and of the notes on slabs.
    pub fn bytes(self) -> u64 {
        let (configuration, unit) = CONFIGURATION;
        self.configurations
            .saturating_mul(configuration + unit * self.boundary_units)
            .saturating_add(SLAB_NOTES * self.slabs)
            .saturating_add(INNER_STATE * self.inner_states)
    }
}

/// Peak resident bytes of a solve without a bound, the binary included. `working` are the bytes of the slabs in work.
pub(super) fn unbounded(index: IndexSize, peak: PeakMemory, working: u64) -> u64 {
    (PROGRAM + index.bytes() + peak.waist_tables + peak.bytes + peak.small * GAPS / 10).saturating_add(working)
}

/// Peak resident bytes of a solve that could use more than `bound` bytes, `largest` being those of its largest slab.
pub(super) fn bounded(bound: u64, largest: u64) -> u64 {
    let (small_slabs, large_slabs) = RESIDENT_OF_BOUND;
    bound / 100 * if largest < 1 << 20 { small_slabs } else { large_slabs }
}

/// The most bytes that a solve without a bound holds at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeakMemory {
    /// Slabs that are still to be read, and large buffers between one slab and the next.
    pub bytes: u64,
    /// Part of `bytes`: slabs so small that the gaps between them are too small for others.
    pub small: u64,
    /// Tables of moves at the waist.
    pub waist_tables: u64,
}

/// The bytes held now, and the most so far.
#[derive(Default)]
pub(super) struct Live {
    bytes: u64,
    small: u64,
    /// Bytes of memory that large slabs have left.
    unused: u64,
    peak: PeakMemory,
}

impl Live {
    /// A slab of `len` positions is added.
    pub(super) fn add(&mut self, len: u64) {
        self.bytes += len;
        match len < SMALL {
            true => self.small += len,
            false => self.unused = self.unused.saturating_sub(len),
        }
        let bytes = self.bytes + self.unused;
        if bytes > self.peak.bytes {
            self.peak = PeakMemory { bytes, small: self.small, waist_tables: 0 };
        }
    }

    /// A slab of `len` positions is dropped.
    pub(super) fn remove(&mut self, len: u64) {
        self.bytes -= len;
        match len < SMALL {
            true => self.small -= len,
            false => self.unused = (self.unused + len).min(MOST_UNUSED),
        }
    }

    /// The most so far.
    pub(super) fn peak(&self) -> PeakMemory {
        self.peak
    }
}
