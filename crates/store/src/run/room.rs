//! The disk that score files may take: what the run may take, less everything that it has.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use dab_space::Layer;

use super::RunDir;
use crate::StoreError;

impl RunDir {
    /// Bytes of the finished layers that were not discarded, without those that released slabs gave back.
    fn byte_len(&self) -> u64 {
        let manifest = self.manifest();
        let here = manifest.finished.values().filter(|layer| !manifest.discarded.contains(&layer.layer));
        let all: u64 = here.map(|layer| layer.bytes).sum();
        drop(manifest);
        all.saturating_sub(self.released_bytes())
    }

    /// Bytes of all layers, holes and discarded ones included.
    pub(super) fn written(&self) -> u64 {
        let finished: u64 = self.manifest().finished.values().map(|layer| layer.bytes).sum();
        finished + self.unfinished().values().sum::<u64>()
    }

    /// Bytes that score files may still take.
    pub(super) fn room(&self) -> u64 {
        self.options.disk.saturating_sub(self.byte_len() + self.unfinished().values().sum::<u64>())
    }

    /// Bytes of the layers that are being written.
    fn unfinished(&self) -> MutexGuard<'_, BTreeMap<Layer, u64>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Room of a run for one of the layers that are being written.
#[derive(Debug)]
pub(super) struct RunRoom<'a> {
    run: &'a RunDir,
    layer: Layer,
}

impl<'a> RunRoom<'a> {
    pub(super) fn new(run: &'a RunDir, layer: Layer) -> Self {
        Self { run, layer }
    }

    /// Makes sure that the files of the layer may take so many bytes.
    ///
    /// # Errors
    /// [`StoreError::DiskSpent`].
    pub(super) fn take(&self, byte_len: u64) -> Result<(), StoreError> {
        let (run, layer) = (self.run, self.layer);
        let (finished, disk) = (run.byte_len(), run.options.disk);
        let mut unfinished = run.unfinished();
        let others: u64 = unfinished.iter().filter(|&(&other, _)| other != layer).map(|(_, bytes)| bytes).sum();
        if finished + others + byte_len > disk {
            return Err(StoreError::DiskSpent { path: run.path.clone(), layer, disk });
        }
        unfinished.insert(layer, byte_len);
        Ok(())
    }
}

impl Drop for RunRoom<'_> {
    /// The layer counts as finished from now on, or its file is left to a later process.
    fn drop(&mut self) {
        self.run.unfinished().remove(&self.layer);
    }
}
