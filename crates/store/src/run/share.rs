//! A run that several processes solve together, as those see it that do not hold its lock.
//!
//! ```text
//!    slabs to put     ─► a score file of this process for each layer     completed when the layer is solved
//!    slabs to read    ◄─ finished layers, as the manifest lists them; files of other layers as far as they have come
//! ```
//! The process that holds the lock begins a layer before others join, so that no two take up the same file, and finishes it after they have
//! completed theirs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_space::{Layer, Layout, SlabId, SlabShape};

use super::RunDir;
use super::followed::FollowedLayer;
use super::in_work::LayerInWork;
use super::names::Numbers;
use crate::score::Records;
use crate::score_file::{StoredRecord, encode};
use crate::{LayerSummary, ScoreRead, StoreError};

/// A run to which this process adds score files.
pub struct JoinedRun<'a> {
    run: &'a RunDir,
    layout: &'a Layout,
    /// The number of this process, and of all.
    rank: u32,
    size: u32,
    /// Unfinished layers that are read.
    followed: Mutex<BTreeMap<Layer, Arc<FollowedLayer<'a>>>>,
    /// Unfinished layers of which this process has put slabs.
    joined: Mutex<BTreeMap<Layer, Arc<LayerInWork<'a>>>>,
}

impl<'a> JoinedRun<'a> {
    /// Joins the processes that solve `run` as number `rank` of `size`. Needs no lock.
    pub fn new(run: &'a RunDir, layout: &'a Layout, rank: u32, size: u32) -> Self {
        Self { run, layout, rank, size, followed: Mutex::default(), joined: Mutex::default() }
    }

    /// Takes the scores of a slab of this shape.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When the number of scores is not that of the shape, or the slab was put before.
    pub fn put(&self, id: SlabId, shape: SlabShape<'_>, scores: &[i8]) -> Result<(), StoreError> {
        self.join(id.layer)?.put(id.slab, shape, scores)
    }

    /// Returns when the slabs that were put before the call will survive a power cut, and machines that share the directory see them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sync(&self) -> Result<(), StoreError> {
        let joined: Vec<_> = locked(&self.joined).values().cloned().collect();
        joined.iter().try_for_each(|work| work.sync())
    }

    /// Completes the file of this process of a layer, all of whose slabs are put.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn complete(&self, layer: Layer) -> Result<(), StoreError> {
        let work = locked(&self.joined).remove(&layer).and_then(Arc::into_inner);
        work.map_or(Ok(()), |work| work.finish().map(drop))
    }

    /// The slabs of a layer that this process puts.
    fn join(&self, layer: Layer) -> Result<Arc<LayerInWork<'a>>, StoreError> {
        let mut joined = locked(&self.joined);
        if let Some(work) = joined.get(&layer) {
            return Ok(work.clone());
        }
        self.look_again()?;
        let mut work = LayerInWork::new(self.run, layer, self.run.header(layer, self.n_slabs(layer)));
        let mut numbers = Numbers::of(&self.run.path, layer)?;
        loop {
            let number = numbers.free(self.rank, self.size);
            // Somebody who was believed dead may still write it.
            if work.create_part(number)? {
                let work = Arc::new(work);
                joined.insert(layer, work.clone());
                return Ok(work);
            }
            numbers.parts.insert(number);
        }
    }

    /// Looks which layers are finished by now: their files are found by the manifest, and those that were discarded are closed.
    fn look_again(&self) -> Result<(), StoreError> {
        self.run.read_again()?;
        locked(&self.followed).retain(|&layer, _| !self.run.is_finished(layer));
        let discarded: Vec<Layer> = self.run.manifest().discarded.iter().copied().collect();
        discarded.into_iter().for_each(|layer| self.run.layers.close(layer));
        Ok(())
    }

    /// A layer, unless it is finished.
    fn unfinished(&self, layer: Layer) -> Option<Arc<FollowedLayer<'a>>> {
        let follow = || Arc::new(FollowedLayer::new(self.run, layer, self.n_slabs(layer)));
        (!self.run.is_finished(layer)).then(|| locked(&self.followed).entry(layer).or_insert_with(follow).clone())
    }

    fn n_slabs(&self, layer: Layer) -> usize {
        self.layout.layers().get(layer.0).map_or(0, Vec::len)
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Records for JoinedRun<'_> {
    fn record(&self, id: SlabId) -> Result<StoredRecord, StoreError> {
        match self.unfinished(id.layer) {
            Some(layer) => layer.record(id.slab),
            None => self.run.record(id),
        }
    }

    fn summary(&self, layer: Layer) -> Option<LayerSummary> {
        self.run.finished(layer)
    }

    fn reconsider(&self, id: SlabId, error: StoreError) -> StoreError {
        self.run.reconsider(id, error)
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
