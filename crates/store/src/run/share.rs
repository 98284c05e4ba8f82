//! A layer that several processes solve together: each puts its slabs into a score file of its own.
//!
//! ```text
//!    lead    takes up what is there, puts slabs, finishes the layer when all others are done
//!    join    puts slabs into a new file, completes it; says its number
//! ```
//! The lead holds the lock of the run. It begins a layer before others join, so that no two take up the same file.

use dab_space::{Layer, SlabShape};

use super::RunDir;
use super::in_work::LayerInWork;
use super::names::Numbers;
use crate::score_file::encode;
use crate::{LayerSummary, SlabSet, StoreError};

/// The slabs of a layer that one of several processes solves.
pub struct LayerShare<'a> {
    run: &'a RunDir,
    layer: Layer,
    work: LayerInWork<'a>,
}

impl RunDir {
    /// Begins a layer whose slabs have these shapes, or goes on with it, as the process that will finish it.
    ///
    /// # Errors
    /// As [`ScoreWrite::begin_layer`](crate::ScoreWrite::begin_layer).
    pub fn lead_layer(&self, layer: Layer, shapes: &[SlabShape<'_>]) -> Result<LayerShare<'_>, StoreError> {
        self.check_unfinished(layer)?;
        let work = LayerInWork::resume(self, layer, shapes)?;
        work.cut_tails()?;
        Ok(LayerShare { run: self, layer, work })
    }

    /// Joins the processes that solve a layer of `n_slabs` slabs as number `rank` of `size`. Needs no lock.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn join_layer(
        &self,
        (layer, n_slabs): (Layer, usize),
        rank: u32,
        size: u32,
    ) -> Result<LayerShare<'_>, StoreError> {
        let mut work = LayerInWork::new(self, layer, self.header(layer, n_slabs));
        let mut numbers = Numbers::of(&self.path, layer)?;
        loop {
            let number = numbers.free(rank, size);
            // Somebody who was believed dead may still write it.
            if work.create_part(number)? {
                return Ok(LayerShare { run: self, layer, work });
            }
            numbers.parts.insert(number);
        }
    }
}

impl RunDir {
    /// Bytes that a slab of this shape with these scores takes in a score file of the run.
    ///
    /// # Panics
    /// When the number of scores is not that of the shape.
    pub fn encoded_len(&self, shape: SlabShape<'_>, scores: &[i8]) -> u64 {
        encode(&self.header(Layer(0), 1), 0, shape, scores).bytes.len() as u64
    }
}

impl LayerShare<'_> {
    /// The slabs that are there.
    pub fn slabs(&self) -> SlabSet {
        self.work.slabs()
    }

    /// Takes the scores of a slab of this shape, unless they are there.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When the number of scores is not that of the shape.
    pub fn put(&self, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> Result<(), StoreError> {
        if self.work.record(slab).is_ok() {
            return Ok(());
        }
        self.work.put(slab, shape, scores)
    }

    /// Returns when the slabs that were put before the call will survive a power cut, and machines that share the directory see them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.work.sync()
    }

    /// Completes the file of a process that joined; returns its number, or `None` if no slab was put.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn complete(self) -> Result<Option<u32>, StoreError> {
        Ok(self.work.finish()?.0.first().copied())
    }

    /// Finishes the layer, of which others have completed the files with these numbers.
    ///
    /// # Errors
    /// A file cannot be written, one of the others is not there, or a slab is missing.
    pub fn finish(self, others: &[u32]) -> Result<LayerSummary, StoreError> {
        let (mut numbers, unused) = self.work.finish()?;
        numbers.extend(others);
        numbers.sort_unstable();
        let summary = self.run.note_finished(self.layer, &numbers)?;
        self.run.remove_files(self.layer, &unused)?;
        Ok(summary)
    }
}
