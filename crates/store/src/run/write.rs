//! Writing the scores of a run: its layers, its checks, and what is not kept.

use std::time::Duration;

use dab_space::{Layer, SlabId, SlabShape};

use super::RunDir;
use super::names::Numbers;
use super::sink::RunSink;
use crate::{Checks, LayerCheck, LayerSink, ScoreCheck, ScoreRead, ScoreRelease, ScoreWrite, StoreError};

impl ScoreWrite for RunDir {
    fn begin_layer<'a>(
        &'a self,
        layer: Layer,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError> {
        Ok(Box::new(RunSink::begin(self, layer, shapes)?))
    }

    fn took(&self, layer: Layer, time: Duration) {
        // Not worth failing for; a disk that is full says so elsewhere.
        let _ = self.note_time(layer, time);
    }
}

impl ScoreCheck for RunDir {
    fn checks_per_slab(&self) -> usize {
        self.options.checks_per_slab
    }

    fn checks(&self) -> Option<Checks> {
        self.checks()
    }

    fn begin_checks(&self, layer: Layer) -> Result<(), StoreError> {
        let per_slab = self.options.checks_per_slab;
        {
            let mut manifest = self.manifest();
            let checks = manifest.checks.get_or_insert_with(|| Checks { per_slab: 0, layer, layers: Vec::new() });
            if checks.per_slab == per_slab {
                return Ok(());
            }
            (checks.per_slab, checks.layer) = (per_slab, layer);
        }
        self.list()
    }

    fn note_checks(&self, check: LayerCheck) -> Result<(), StoreError> {
        if let Some(checks) = &mut self.manifest().checks {
            checks.insert(check);
        }
        // An unfinished layer will be listed with its checks.
        if self.is_finished(check.layer) { self.list() } else { Ok(()) }
    }
}

impl ScoreRelease for RunDir {
    fn last_kept(&self) -> Layer {
        self.options.keep
    }

    fn release(&self, slabs: &[SlabId]) -> Result<(), StoreError> {
        self.push_due(slabs)?;
        self.release_due()
    }

    fn wants_release(&self) -> bool {
        self.options.keep != Layer::MAX && (self.has_little_room() || self.has_written_much())
    }

    fn is_short(&self) -> bool {
        self.has_little_room()
    }

    fn discard(&self, layer: Layer) -> Result<(), StoreError> {
        if self.is_discarded(layer) {
            return Ok(());
        }
        {
            let mut manifest = self.manifest();
            manifest.discarded.insert(layer);
            manifest.released.remove(&layer);
        }
        self.releases().forget(layer);
        self.list()?;
        self.layers.close(layer);
        self.remove_files(layer, &Numbers::of(&self.path, layer)?)
    }
}

impl RunDir {
    /// Removes score files of a layer.
    pub(super) fn remove_files(&self, layer: Layer, numbers: &Numbers) -> Result<(), StoreError> {
        numbers.paths(&self.path, layer).try_for_each(|path| self.files.remove(&path))
    }
}
