//! A matrix of scores becomes bytes, and bytes become scores again. This crate knows neither files nor the game.
//!
//! ```text
//!   scores, row-major, and a parity for each row and column ([`Shape`])
//!     |
//!     |  a compression, the first one listed that suits the size: `Tiles` for large matrices, else `Plain`
//!     v
//!   key, block 0, block 1, ...                 a block can be decoded by itself, with a part of the key
//!     |
//!     |  [`Payload`]: places, modes and checksums of the blocks
//!     v
//!   | key | block table | crc32 | block 0 | block 1 | ...        bytes of a slab's record in a score file
//! ```
//!
//! [`Payload`] makes such bytes, decodes them as a whole or at some places, and reads from a file what one score needs. Equal scores
//! make equal bytes, by one thread or by many ([`Crew`]). No byte is decoded before its checksum.
//!
//! **Another compression** is a file that implements the trait `Compression`, and a line in `COMPRESSIONS` (`payload.rs`).
//!
//! Without the feature `encode` zstd is read in Rust, and what only encodes large matrices is left out: its many vectors take long to compile.
#![forbid(unsafe_code)]
// Nothing calls the encoders of a program that only reads, nor the vectors of a machine that has none.
#![cfg_attr(
    any(
        not(feature = "encode"),
        not(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))
    ),
    allow(dead_code, unused_imports, unused_variables)
)]

mod block_table;
#[cfg(feature = "encode")]
mod block_writer;
mod compression;
mod crew;
mod damage;
mod encoded;
mod parity;
mod part;
mod payload;
mod plain;
mod source;
mod tiles;

pub use compression::{CheckScores, Effort};
pub use crew::{Crew, SHARED_OUT};
pub use damage::{Damage, Fault, ReadError};
pub use encoded::Body;
pub use parity::Shape;
pub use part::{Decoded, Wanted};
pub use payload::Payload;

#[cfg(test)]
#[path = "../tests/instruction_sets.rs"]
mod instruction_sets;
#[cfg(test)]
#[path = "../tests/laws.rs"]
mod tests;
