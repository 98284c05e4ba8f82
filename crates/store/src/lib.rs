//! Every byte on disk.
//!
//! Scores of finished layers are read through [`ScoreRead`] and written through [`ScoreWrite`]; a [`RunDir`] keeps
//! them in one score file per layer with a manifest, a [`MemoryStore`] in memory. `dab-codec` makes bytes of the scores of a slab
//! and scores of bytes. This crate knows slabs, not the game: `dab-space` knows the place of each position.
//!
//! ```text
//! scores -> dab-codec -> score_file (record, directory) -> run (manifest, lock) -> storage
//!                                                       -> book
//! ```
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "encode"), allow(dead_code, unused_imports, reason = "writing needs it"))]

mod access;
mod arena;
mod book;
mod buffer;
mod bytes;
mod cache;
mod checks;
mod digest;
mod error;
mod files;
mod game;
mod maps;
mod memory_store;
mod origin;
mod run;
mod scattered;
mod score;
mod score_bound;
mod score_file;
mod scores;
mod section;
mod slab_set;
mod storage;
mod whole;

pub use access::Access;
pub use arena::Arena;
pub use book::BookFile;
pub use buffer::Buffer;
pub use cache::{CacheMemory, Held, IndexedScores, KeptSlabs, NextUse, SlabCache};
pub use checks::{Checks, LayerCheck, SlabCheck};
pub use dab_codec::{Crew, Damage, Decoded, SHARED_OUT, Wanted};
pub use digest::{Digest, NoDigest};
pub use error::{FileKind, StoreError, is_out_of_files};
pub use game::{Game, RunId};
pub use memory_store::MemoryStore;
#[cfg(feature = "encode")]
pub use run::JoinedRun;
pub use run::{Dropped, RunDir};
pub use scattered::{Scattered, SortedPlaces};
pub use score::{LayerSink, ScoreCheck, ScoreRead, ScoreRelease, ScoreWrite};
pub use score_file::{BLOCK_POSITIONS, LayerSummary, StoredLayer, StoredRecord, keyed_overhead, part_decoded};
pub use scores::{Part, Scores};
pub use slab_set::SlabSet;
#[cfg(feature = "encode")]
pub use storage::makes_holes;
pub use storage::{Disk, FILE_BLOCK, Output, Storage};
pub use whole::{RECORDS_BYTES, TEXT_BYTES, open_regular, read_to_end, read_whole};

/// Version of all files: manifest, score files and books. Programs before this one wrote versions 1 to 4.
pub(crate) const FORMAT_VERSION: u32 = 5;

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
#[cfg(test)]
#[path = "../tests/with_marks.rs"]
mod with_marks;
