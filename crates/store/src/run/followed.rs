//! A layer that other processes are solving: their score files, as far as they have come.
//!
//! The files are the only truth. A slab that is not found is looked for again for a while: files of a network come with delay.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dab_space::Layer;

use super::RunDir;
use super::names::Numbers;
use crate::StoreError;
use crate::score_file::{GrowingFile, Header, StoredRecord};

/// Time for which a slab that somebody has written is looked for, and between two looks.
const LOOK_FOR: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A layer that is not finished, as others write it.
#[derive(Debug)]
pub(super) struct FollowedLayer<'a> {
    run: &'a RunDir,
    layer: Layer,
    header: Header,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    files: BTreeMap<u32, GrowingFile>,
    /// By slab.
    found: HashMap<usize, StoredRecord>,
}

impl<'a> FollowedLayer<'a> {
    /// A layer of so many slabs.
    pub(super) fn new(run: &'a RunDir, layer: Layer, n_slabs: usize) -> Self {
        Self { run, layer, header: run.header(layer, n_slabs), seen: Mutex::default() }
    }

    /// The record of a slab that somebody has written.
    ///
    /// # Errors
    /// It does not come, or a file cannot be read.
    pub(super) fn record(&self, slab: usize) -> Result<StoredRecord, StoreError> {
        let begin = Instant::now();
        loop {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if !seen.found.contains_key(&slab) {
                self.look(&mut seen)?;
            }
            if let Some(found) = seen.found.get(&slab) {
                return Ok(found.clone());
            }
            if begin.elapsed() > LOOK_FOR {
                return Err(StoreError::Unfinished { path: self.run.path.clone(), layer: self.layer });
            }
            // Opened anew, a file of a network is as long as its writer has made it.
            seen.files.clear();
            drop(seen);
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Looks for records that have come since the last look.
    fn look(&self, seen: &mut Seen) -> Result<(), StoreError> {
        let bound = self.run.bounds.of_layer(self.layer);
        let Numbers { complete, parts } = Numbers::of(&self.run.path, self.layer)?;
        for number in complete.into_iter().chain(parts) {
            if !seen.files.contains_key(&number)
                && let Some(file) = GrowingFile::open(&self.run.score_path(self.layer, number), &self.header, bound)?
            {
                seen.files.insert(number, file);
            }
        }
        for file in seen.files.values_mut() {
            seen.found.extend(file.grown()?.into_iter().map(|found| (found.slab_number(), found)));
        }
        Ok(())
    }
}
