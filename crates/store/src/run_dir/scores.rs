//! Writing the scores of a run: its layers, and discarding those that are not kept.

use dab_space::{Layer, SlabId, SlabShape};

use super::dir::RunDir;
use super::names::{layer_name, remove_slabs};
use super::sink::RunSink;
use crate::{Buffer, Checks, LayerCheck, LayerSink, LayerSummary, ScoreRead, ScoreWrite, Scores, StoreError};

impl ScoreWrite for RunDir {
    fn begin_layer<'a>(
        &'a self,
        layer: Layer,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError> {
        Ok(Box::new(self.sink(layer, shapes)?))
    }

    fn last_kept(&self) -> Layer {
        self.keep
    }

    fn checks_per_slab(&self) -> usize {
        self.checks_per_slab
    }

    fn checks(&self) -> Option<Checks> {
        self.checks()
    }

    fn begin_checks(&self, layer: Layer) -> Result<(), StoreError> {
        let (per_slab, is_finished) = (self.checks_per_slab, self.is_finished(layer));
        {
            let mut manifest = self.manifest();
            let checks =
                manifest.checks.get_or_insert_with(|| Checks { per_slab: 0, layer, slab: 0, layers: Vec::new() });
            // An older program began that layer, which is begun anew.
            let is_anew = checks.slab > 0 && checks.layer == layer && !is_finished;
            if checks.per_slab == per_slab && !is_anew {
                return Ok(());
            }
            (checks.per_slab, checks.layer, checks.slab) = (per_slab, layer, 0);
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

    fn release(&self, slabs: &[SlabId]) -> Result<(), StoreError> {
        self.push_due(slabs)?;
        self.release_due().map(drop)
    }

    fn wants_release(&self) -> bool {
        let is_much = || {
            let written = self.written();
            written.saturating_sub(self.releases().written) >= self.release_bytes()
        };
        self.keep != Layer::MAX && (self.is_short() || is_much())
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
        self.forget_releases(layer);
        self.list()?;
        self.close(layer);
        self.files.remove(&self.path.join(layer_name(layer)))?;
        remove_slabs(&self.files, &self.path, layer)
    }
}

impl LayerSink for RunSink<'_> {
    fn resumed_slabs(&self) -> usize {
        self.writer.n_written()
    }

    fn read_slab_into(&self, slab: usize, used: Buffer) -> Result<Scores, StoreError> {
        self.writer.read_slab_into(slab, used).map(Scores::from)
    }

    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.writer.read_scores(slab, places)
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        self.writer.put(slab, self.writer.encode(slab, &scores))
    }

    fn sync(&self) -> Result<usize, StoreError> {
        self.writer.sync()
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        RunSink::finish(*self)
    }
}
