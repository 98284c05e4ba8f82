//! Every fitted constant of the cost model, and the solves that it was fitted to.
//!
//! Scores do not depend on any of them. The solves are the rows of `benches/records/plans.tsv`: 22 starts from 3x3 to 4x4
//! and into the middle of 6x6. Memory was fitted to 14 of them (10 to 2,000 MB, two threads, no huge pages). Time was fitted to idle
//! solves of 2x7, 3x5, 4x4, 4x4 Icelandic, 4x5 Icelandic and 5x5 Swedish (`parts.tsv`, the last rows). This file imports nothing.

/// Bytes of the binary, of its libraries, and of the input.
pub(crate) const PROGRAM: u64 = 14_000_000;
/// Bytes of small tables, and of freed memory that the allocator keeps.
pub(crate) const MARGIN: u64 = 21 << 20;
/// Bytes of a thread: its stack and its buffers for blocks.
pub(crate) const THREAD: u64 = 8 << 20;
/// Bytes of a configuration of the index: lists, moves, maps; and more for each waist unit that ends in a half.
pub(crate) const CONFIGURATION: (u64, u64) = (170, 16);
/// Bytes of the classes of a boundary state where units inside a half belong to the waist: they are many. 4x4 with 4 and 8 such units.
pub(crate) const INNER_STATE: u64 = 200_000;
/// Bytes of the notes on a slab.
pub(crate) const SLAB_NOTES: u64 = 200;
/// Bytes of tables of moves at the waist: for a class of a half, and tenths for a pair of classes of both. Fitted to 3x6 and 4x5, whose
/// tables of 95 and 84 MB are foretold within 6 %; of smaller ones, from 0.1 to 8 MB, it may be a third.
pub(crate) const WAIST_TABLES: (u64, u64) = (20, 6);
/// Bytes of the maps of moves for a configuration of the index, a part of [`CONFIGURATION`]: between 10 and 30 on average over a solve.
pub(crate) const MAPS: u64 = 16;

/// Bytes of a slab in work, in eighths of its positions: a byte for each score, and the 2.5 bits that a score of a large slab takes in
/// files.
pub(crate) const SOLVED_EIGHTHS: u64 = 8 + 3;
/// Most bytes of unused buffers: a ceiling that was chosen, not fitted.
pub(crate) const MOST_UNUSED: u64 = 256 << 20;

/// Bytes of a slab that is not small any more: its buffer is used again for others.
pub(crate) const SMALL: u64 = 1 << 18;
/// Tenths of the bytes of small slabs that are lost between them, in a solve without a bound. The gap that a slab leaves
/// is too small for others.
pub(crate) const GAPS: u64 = 2;
/// The same where slabs are dropped when others need room.
pub(crate) const GAPS_UNDER_A_BOUND: u64 = 7;
/// Hundredths of its bound that a solve takes: 0.92 to 0.97 on 3x5, whose slabs are below a megabyte, and 0.94 to 0.96
/// on 4x4, whose slabs are larger.
pub(crate) const RESIDENT_OF_BOUND: (u64, u64) = (93, 95);

/// Nanoseconds in which one core solves a position and writes it to a file, moves at the waist left out.
pub(crate) const NS_PER_POSITION: f64 = 4.1;
/// Nanoseconds of the moves of a position at the waist, for each waist unit up to a number of them: of a wide waist most
/// units are filled most of the time.
pub(crate) const NS_PER_WAIST_UNIT: (f64, usize) = (0.15, 7);
/// The part of its time that a position takes longer for each unit inside a half that belongs to the waist: 4x4 with 4 and 8 such units. The
/// choice of a cut has the same.
pub(crate) const INNER_UNIT: f64 = 0.23;
/// Nanoseconds in which one core decodes a score and gets memory for it, where memory is short.
pub(crate) const NS_PER_DECODE: f64 = 1.0;
/// How the scores lie that the readers of a slab want of it: 0 if those of one hold those of another, 1 if they are drawn independently.
/// Fitted to the decodes of 3x5 with 120 and 200 MiB, 4x4 with 400 MiB to 1 GiB and 4x5 with 4 and 18 GiB: these are foretold within 8 %,
/// those of 2x8 with 300 and 600 MiB within 12 %, of 4x4 with 200 MiB within 18 %.
pub(crate) const APART: f64 = 0.3;
/// Nanoseconds in which one core derives a score again before it is written.
pub(crate) const NS_PER_CHECK: f64 = 2_000.0;
/// Nanoseconds that one core spends on a slab of any size.
pub(crate) const NS_PER_SLAB: f64 = 80_000.0;
/// Nanoseconds that one core spends on a configuration of the quiet space and a waist unit, for lists and tables of moves.
pub(crate) const NS_PER_CONFIGURATION: f64 = 750.0;
/// Nanoseconds of a run of the program that solves nothing.
pub(crate) const NS_PER_RUN: f64 = 5_000_000.0;
/// The bytes of a vector that shuffles bytes, 1 where none does, and the factors by which a position or a slab, and a decoded score, take
/// longer than with vectors of 64 bytes: medians of boards by `benches/isa` (`isa.tsv`), and what more 4x4 takes within 600 MiB.
pub(crate) const BY_VECTOR_BYTES: [(usize, f64, f64); 4] =
    [(64, 1.0, 1.0), (32, 1.1, 1.15), (16, 1.25, 1.5), (1, 1.7, 2.7)];

/// One in `SPARE` bytes of the allowed memory is kept free, because the model of memory may be wrong.
pub(crate) const SPARE: u64 = 32;
/// Bytes held at a time, in hundredths of all positions of the quiet space: 44 to 74 on boards of 24 to 49 units.
pub(crate) const HELD_OF_QUIET: u128 = 60;

/// Bits of a position in a run of positions, of the quiet space on a board without thickness, and for each box of
/// thickness. Solved empty boards take 1.0 bits if they are one box wide, 1.4 on 2x6 and 2x7, 1.6 to 1.9 on 3x4 to 3x6 and
/// 2.15 on 4x4.
pub(crate) const EMPTY: (f64, f64) = (0.60, 0.38);
/// Bits of a position in a run of positions, after another start: a constant, a term for each unit to the ground that a box has on average, and a
/// term for each chain. Fitted to 17 starts (Icelandic, Swedish, in the middle of a game), of which these constants are off by 6 % on average
/// and by 12 % at most; of 122 others 88 are foretold within 25 % (`starts.tsv`).
pub(crate) const DRAWN: (f64, f64, f64) = (3.07, -1.08, 0.057);
/// How the layers that are not written yet differ from their forecast, by the logarithm of bytes over forecast bytes: a part of what the
/// last written layer differs by, and a part of its step from the layer written before it. Fitted to 40 starts in the middle of a game
/// once a tenth of their positions was solved.
pub(crate) const CONTINUED: (f64, f64) = (0.67, 0.8);
/// Bits of a position of the full space in a run of positions: 1.23 to 1.29 on all solved boards.
pub(crate) const FULL: f64 = 1.27;
/// Natural logarithms of the bits of a position in a tile, of the quiet space of empty boards: on boards of thickness 1 to 5 without
/// length, and for each box of length. Fitted with [`TILE_KEY`] to 8 solves from 2x6 to 4x5, 28 million to 306 billion positions: all are
/// within 6 %; thickness 5 to the layers 34 to 60 of 5x5, which take 12 % less.
pub(crate) const EMPTY_TILES: ([f64; 5], f64) = ([1.416, 0.87, 0.77, 1.085, 0.65], -0.29);
/// The part of the bits in a run that a position in a tile takes: after other starts, and in the full space. Fitted with [`TILE_KEY`].
pub(crate) const IN_TILES: (f64, f64) = (0.46, 0.13);
/// The weight of the key of a slab in tiles: a small slab has a key to store and few rows to resemble each other.
pub(crate) const TILE_KEY: f64 = 1.8;
/// The factors by which files are larger and a position and a decoded score take longer with marks: 1.33 and 1.14 on 3x5, 1.39 and 1.19 on 4x4.
pub(crate) const WITH_MARKS: (f64, f64) = (1.4, 1.2);
/// Bytes of a slab beside its scores: its headers, and its place in the directory.
pub(crate) const SLAB: f64 = 175.0;
/// Bytes of a score file beside its slabs.
pub(crate) const LAYER: f64 = 100.0;

/// One byte is added to a forecast of disk for every `DISK_SLACK` bytes, because it may be wrong. A seventh is
/// more than the 12 % by which [`DRAWN`] is off at most where it was fitted.
pub(crate) const DISK_SLACK: u128 = 7;
/// Bytes that are added to any forecast of disk: chosen, not fitted.
pub(crate) const LEAST_DISK_SLACK: u128 = 1 << 20;

/// Seconds to find a slab of another process, and to list it: four times what a local disk takes, because directories that
/// machines share are slower. This and the next two are rows of `benches/records/parts.tsv`.
pub(crate) const OPEN: f64 = 40e-6;
/// Seconds until slabs are safely on disk, beside its bytes: seven times what a local disk takes.
pub(crate) const SYNC: f64 = 2e-3;
/// Seconds in which processes begin together.
pub(crate) const BEGIN: f64 = 0.4;
