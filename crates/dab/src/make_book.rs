//! A book of a run, made within the memory allowed.

use std::path::Path;

use dab_space::Layer;
use dab_store::{BookFile, RunDir};

use crate::figures::{Bytes, Count};
use crate::{Error, ErrorKind, Limits, Remedy};

/// Bytes that making a book takes beside its slabs: the program, its buffers, the directories of the layers.
const BESIDE: u64 = 16 << 20;
/// Bytes for each score of a slab that is coded anew: the score, its code as it was and as it will be, and the parts that are
/// compared to find similar rows and columns.
const OF_SCORE: u64 = 3;

/// Makes a book of the layers 0 to `last` of a finished run, every byte of them verified. A slab is coded at a time.
///
/// # Errors
/// As [`BookFile::make`], and if the largest slab does not fit in the memory of the limits.
pub fn make_book(run: &RunDir, last: Layer, path: &Path, limits: Limits) -> Result<BookFile, Error> {
    let mut largest = 0;
    for layer in (0..run.n_layers()).map(Layer).take_while(|&layer| layer <= last) {
        let file = run.stored_layer(layer)?;
        largest = (0..file.summary().slabs).map(|slab| file.positions(slab)).fold(largest, u64::max);
    }
    let needed = BESIDE + OF_SCORE * largest;
    if needed > limits.memory {
        let name = run.path().display().to_string();
        return Err(Error::new(
            ErrorKind::Limit,
            format!(
                "{name}: its largest slab, of {} positions, needs at least {} of memory, but {} are allowed",
                Count(largest.into()),
                Bytes(needed.into()),
                Bytes(limits.memory.into())
            ),
        )
        .at(name)
        .with(Remedy::MoreMemory { bytes: Some(needed) }));
    }
    Ok(BookFile::make(run, last, path)?)
}
