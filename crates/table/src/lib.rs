//! Tables of scores: opened, probed, asked. Nothing here solves anything.
//!
//! ```text
//!    path ─► Files ─► Tablebase (index of positions) ─► Source (slab cache, learned scores) ─► Book ─► score, answer, marks
//!                                                          └── Library: several of them, asked in turn        └─► Batch: many at once
//! ```
#![forbid(unsafe_code)]

pub mod figures;

mod answer;
mod batch;
mod book;
mod error;
mod files;
mod library;
mod library_table;
mod limits;
mod marks;
mod memory;
mod require;
#[cfg(feature = "sample")]
mod sample;
mod shipped;
mod source;
mod tablebase;

pub use answer::{Answer, MoveKind, MoveScore};
pub use batch::{Batch, BatchError};
pub use book::Book;
pub use dab_space::Mark;
pub use error::{TableError, is_beyond};
pub use files::{Files, Summary};
pub use library::{Library, Question};
pub use library_table::LibraryTable;
pub use limits::IndexLimits;

pub use marks::Marks;
pub use memory::available_memory;
pub use shipped::{book_dirs, shipped_books};
pub use source::{Play, Source};
pub use tablebase::Tablebase;
