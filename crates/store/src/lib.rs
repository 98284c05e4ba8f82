//! Every byte on disk.
//!
//! Scores of finished layers are read through [`ScoreRead`] and written through [`ScoreWrite`]; a [`RunDir`] keeps
//! them in one score file per layer with a manifest, a [`MemoryStore`] in memory. `dab-codec` makes bytes of the scores of a slab
//! and scores of bytes. This crate knows slabs, not the game: `dab-space` knows the place of each position.
//!
//! ```text
//! scores -> dab-codec -> layer_file (record, directory) -> run_dir (manifest, lock) -> storage
//!                                                       -> book_file
//! ```
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "encode"), allow(dead_code, unused_imports, reason = "writing needs it"))]

mod access;
mod arena;
mod book_file;
mod buffer;
mod bytes;
mod cache;
mod checks;
mod digest;
mod error;
mod files;
mod game;
mod layer_file;
mod layer_summary;
mod manifest;
mod memory_store;
mod origin;
mod run_dir;
mod scattered;
mod score;
mod score_bound;
mod scores;
mod section;
mod shared_layer;
mod shared_slabs;
mod slab_set;
mod storage;
mod whole;

pub use access::Access;
pub use arena::Arena;
pub use book_file::BookFile;
pub use buffer::{Buffer, BufferHome};
pub use cache::{CacheMemory, Held, IndexedScores, KeptSlabs, NextUse, SlabCache};
pub use checks::{Checks, LayerCheck, SlabCheck};
pub use dab_codec::{Crew, Damage, SHARED_OUT};
pub use digest::{Digest, NoDigest};
pub use error::{FileKind, StoreError, is_out_of_files};
pub use game::{Game, RunId};
pub use layer_file::{BLOCK_POSITIONS, LayerFile, keyed_overhead};
pub use layer_summary::LayerSummary;
pub use memory_store::MemoryStore;
pub use run_dir::{Dropped, EncodedSlabs, RunDir, SlabFileList};
pub use scattered::read_scattered;
pub use score::{LayerSink, ScoreRead, ScoreWrite};
pub use scores::Scores;
pub use shared_slabs::SharedSlabs;
pub use slab_set::SlabSet;
#[cfg(feature = "encode")]
pub use storage::makes_holes;
pub use storage::{Disk, FILE_BLOCK, Output, Storage};
pub use whole::{MANIFEST_BYTES, RECORDS_BYTES, TEXT_BYTES, open_regular, read_to_end, read_whole};

/// Version of the manifest, of books and of the identity of a game; score files have a version of their own.
pub(crate) const FORMAT_VERSION: u32 = 1;
