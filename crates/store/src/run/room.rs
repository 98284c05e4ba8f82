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
        let all = sum(here.map(|layer| layer.bytes));
        drop(manifest);
        all.saturating_sub(self.released_bytes())
    }

    /// Bytes of all layers, holes and discarded ones included.
    pub(super) fn written(&self) -> u64 {
        let finished = sum(self.manifest().finished.values().map(|layer| layer.bytes));
        finished.saturating_add(sum(self.unfinished().values().copied()))
    }

    /// Bytes that score files may still take.
    pub(super) fn room(&self) -> u64 {
        let finished = self.byte_len();
        self.options.disk.saturating_sub(finished).saturating_sub(sum(self.unfinished().values().copied()))
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

    /// Takes room for so many bytes more, all at once: threads that ask together do not get more than there is.
    ///
    /// # Errors
    /// [`StoreError::DiskSpent`].
    pub(super) fn grow(&self, bytes: u64) -> Result<(), StoreError> {
        let (run, layer) = (self.run, self.layer);
        let (finished, disk) = (run.byte_len(), run.options.disk);
        let mut unfinished = run.unfinished();
        let taken = sum(unfinished.values().copied());
        if finished.saturating_add(taken).saturating_add(bytes) > disk {
            return Err(StoreError::DiskSpent { path: run.path.clone(), layer, disk });
        }
        *unfinished.entry(layer).or_default() += bytes;
        Ok(())
    }
}

/// The sum of lengths, which a manifest may have made up.
fn sum(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(0, u64::saturating_add)
}

impl Drop for RunRoom<'_> {
    /// The layer counts as finished from now on, or its file is left to a later process.
    fn drop(&mut self) {
        self.run.unfinished().remove(&self.layer);
    }
}
