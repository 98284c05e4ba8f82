//! A run directory: the result of one solve on disk.
//!
//! ```text
//! lock                     held while a process writes
//! manifest.json            the game, and the layers that are finished
//! layer-00.score  ...      one score file per finished layer
//! layer-07.score.part      a layer that is being written
//! seconds.tsv              times of the layers; no result (seconds.rs)
//! layer-07.slabs/          slab files of one that several processes solve, also when it is finished (slabs.rs)
//! ```
//!
//! A layer is believed when its score file opens and the manifest lists it with the same digest. A complete file that
//! the manifest does not list (the writer was killed before it did) is verified and adopted.

mod dir;
mod names;
mod release_notes;
mod releases;
#[cfg(feature = "encode")]
mod repair;
mod room;
#[cfg(feature = "encode")]
mod scores;
mod seconds;
mod sink;
mod slab_file_list;
mod slabs;
mod start;

pub use dir::{Dropped, RunDir};
pub use slab_file_list::SlabFileList;
pub use slabs::EncodedSlabs;
