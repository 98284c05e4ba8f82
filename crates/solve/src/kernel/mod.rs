//! Kernels: the scores of one slab from the slabs above it.
//!
//! ```text
//!    for each move m:  score[row][col] = max(score[row][col], op_m(input_m[row'][col']))
//!
//!    inside a half     row' depends on the row alone, col' = col      vector operations on tiles   [`halves`]
//!    at the waist      row' and col' depend on the classes            stretches of rows, or strips [`waist`]
//! ```
//! [`scalar`] is the definition: the score of one position, straight from the rules. `reference` applies it to
//! every position of a slab. [`rows`] is the fast path; it gives the same bytes with every instruction set.

pub(crate) mod reference;
pub mod rows;
pub mod scalar;
pub(crate) mod source;

mod areas;
mod bands;
mod batch;
mod coupling;
mod halves;
mod isa;
mod maps;
mod mirror;
mod move_tables;
mod op;
mod steps;
mod stretches;
mod strips;
mod table_memory;
mod tile;
mod waist;
mod waist_move;
mod walk;

pub use isa::Isa;

use dab_space::{Rules, SlabId, SlabKey, Space};
use dab_store::Buffer;

use crate::SolveError;
use rows::RowKernel;
use source::SlabSource;

/// The ways to compute a slab. All give the same scores.
pub enum Kernel<'a> {
    /// One position after the other.
    Reference(&'a Space, Rules),
    /// Move by move over whole rows.
    Rows(RowKernel<'a>),
}

impl<'a> Kernel<'a> {
    /// The fastest kernel of this machine.
    pub fn best(space: &'a Space, rules: Rules) -> Self {
        Self::Rows(RowKernel::new(space, rules, Isa::best()))
    }

    /// The rules of the scores.
    pub(crate) fn rules(&self) -> Rules {
        match self {
            Self::Reference(_, rules) => *rules,
            Self::Rows(kernel) => kernel.rules(),
        }
    }

    /// Whether every slab may read all slabs of higher layers, as far as this kernel knows before it walks the moves.
    pub(crate) fn reads_all_above(&self) -> bool {
        matches!(self, Self::Reference(..))
    }

    /// The slabs that each of some slabs of one waist may read, worked out for all at once.
    pub fn sources_of_waist(&self, keys: &[SlabKey]) -> Vec<Vec<SlabId>> {
        match self {
            Self::Reference(..) => keys.iter().map(|&key| self.sources(key, 0)).collect(),
            Self::Rows(kernel) => kernel.sources_of_waist(keys),
        }
    }

    /// All slabs that a slab may read. Tables of moves may take `table_bytes`.
    pub fn sources(&self, key: SlabKey, table_bytes: u64) -> Vec<SlabId> {
        match self {
            // Its moves are only known when they are walked.
            Self::Reference(space, _) => {
                let layout = space.layout();
                let above = layout.layers().iter().enumerate().skip(layout.layer_of(key).0 + 1);
                above.flat_map(|(layer, keys)| (0..keys.len()).map(move |slab| SlabId::new(layer, slab))).collect()
            }
            Self::Rows(kernel) => kernel.sources(key, table_bytes),
        }
    }

    /// For each stored slab that the moves of a slab read, the part of it that has to be decoded for them.
    pub(crate) fn parts(&self, key: SlabKey) -> Vec<(SlabId, f64)> {
        match self {
            Self::Reference(..) => self.sources(key, 0).into_iter().map(|read| (read, 1.0)).collect(),
            Self::Rows(kernel) => kernel.parts(key),
        }
    }

    /// The scores of a slab, row-major.
    ///
    /// # Errors
    /// If an input cannot be read, or the slab is not wanted any more.
    pub fn slab(&self, inputs: &dyn SlabSource, key: SlabKey) -> Result<Buffer, SolveError> {
        match self {
            Self::Reference(space, rules) => {
                let batch_bytes = inputs.batch_bytes(space.layout().positions(key));
                Ok(reference::slab(space, *rules, inputs, batch_bytes, key)?)
            }
            Self::Rows(kernel) => kernel.slab(inputs, key),
        }
    }
}
