//! A run that several processes solve together, as one of them reads it: finished layers as the manifest lists them, the score
//! files of other layers as far as they have come.
//!
//! The files are the only truth. A slab that is not found is looked for again for a while: files of a network come with delay.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dab_space::{Layer, SlabId};

use super::RunDir;
use super::names::Numbers;
use crate::score::Records;
use crate::score_file::{GrowingFile, StoredRecord};
use crate::{LayerSummary, ScoreRead, StoreError};

/// Time for which a slab that somebody has written is looked for, and between two looks.
const LOOK_FOR: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The scores of a run that several processes compute.
#[derive(Debug)]
pub struct FollowedRun<'a> {
    run: &'a RunDir,
    /// Slabs of each layer.
    n_slabs: Vec<usize>,
    unfinished: Mutex<BTreeMap<Layer, Arc<Mutex<Followed>>>>,
}

/// A layer that is not finished.
#[derive(Debug, Default)]
struct Followed {
    files: BTreeMap<u32, GrowingFile>,
    /// By slab.
    found: HashMap<usize, StoredRecord>,
}

impl<'a> FollowedRun<'a> {
    /// The run in a directory that others write, too, with so many slabs in each layer.
    pub fn new(run: &'a RunDir, n_slabs: Vec<usize>) -> Self {
        Self { run, n_slabs, unfinished: Mutex::default() }
    }

    /// The run.
    pub fn run(&self) -> &'a RunDir {
        self.run
    }

    /// Looks which layers are finished by now: their files are found by the manifest, and those that were discarded are closed.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn look_again(&self) -> Result<(), StoreError> {
        self.run.read_again()?;
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner).retain(|&layer, _| !self.run.is_finished(layer));
        let discarded: Vec<Layer> = self.run.manifest().discarded.iter().copied().collect();
        discarded.into_iter().for_each(|layer| self.run.layers.close(layer));
        Ok(())
    }

    /// A slab of an unfinished layer.
    fn found(&self, SlabId { layer, slab }: SlabId) -> Result<StoredRecord, StoreError> {
        let followed = {
            let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
            unfinished.entry(layer).or_default().clone()
        };
        let begin = Instant::now();
        loop {
            let mut followed = followed.lock().unwrap_or_else(PoisonError::into_inner);
            if !followed.found.contains_key(&slab) {
                self.look(layer, &mut followed)?;
            }
            if let Some(found) = followed.found.get(&slab) {
                return Ok(found.clone());
            }
            if begin.elapsed() > LOOK_FOR {
                return Err(StoreError::Unfinished { path: self.run.path.clone(), layer });
            }
            // Opened anew, a file of a network is as long as its writer has made it.
            followed.files.clear();
            drop(followed);
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Looks for records of a layer that have come since the last look.
    fn look(&self, layer: Layer, followed: &mut Followed) -> Result<(), StoreError> {
        let header = self.run.header(layer, self.n_slabs.get(layer.0).copied().unwrap_or(0));
        let bound = self.run.bounds.of_layer(layer);
        let Numbers { complete, parts } = Numbers::of(&self.run.path, layer)?;
        for number in complete.into_iter().chain(parts) {
            if !followed.files.contains_key(&number)
                && let Some(file) = GrowingFile::open(&self.run.score_path(layer, number), &header, bound)?
            {
                followed.files.insert(number, file);
            }
        }
        for file in followed.files.values_mut() {
            followed.found.extend(file.grown()?.into_iter().map(|found| (found.slab_number(), found)));
        }
        Ok(())
    }
}

impl Records for FollowedRun<'_> {
    fn record(&self, id: SlabId) -> Result<StoredRecord, StoreError> {
        if self.run.is_finished(id.layer) { self.run.record(id) } else { self.found(id) }
    }

    fn summary(&self, layer: Layer) -> Option<LayerSummary> {
        self.run.finished(layer)
    }

    fn reconsider(&self, id: SlabId, error: StoreError) -> StoreError {
        self.run.reconsider(id, error)
    }
}
