//! The disk that layers may take while they are written: what the run may take, less everything else it has.

use dab_space::Layer;

use super::dir::RunDir;
use crate::StoreError;
use crate::layer_file::Room;

/// Room of a run for one of the layers that are being written.
pub(super) struct RunRoom<'a> {
    run: &'a RunDir,
    layer: Layer,
}

impl<'a> RunRoom<'a> {
    pub(super) fn new(run: &'a RunDir, layer: Layer) -> Self {
        Self { run, layer }
    }
}

impl Room for RunRoom<'_> {
    fn admits(&self, byte_len: u64) -> bool {
        let finished = self.run.byte_len();
        let mut unfinished = self.run.unfinished();
        let others: u64 = unfinished.iter().filter(|&(&layer, _)| layer != self.layer).map(|(_, bytes)| bytes).sum();
        let is_room = finished + others + byte_len <= self.run.disk;
        if is_room {
            unfinished.insert(self.layer, byte_len);
        }
        is_room
    }

    fn spent(&self) -> StoreError {
        StoreError::DiskSpent { path: self.run.path.clone(), layer: self.layer, disk: self.run.disk }
    }
}

impl Drop for RunRoom<'_> {
    /// The layer counts as finished from now on, or its file is left to a later process.
    fn drop(&mut self) {
        self.run.unfinished().remove(&self.layer);
    }
}
