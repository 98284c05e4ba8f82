//! The layers of a run as a solve writes them.

use dab_space::{Layer, SlabShape};

use super::RunDir;
use super::in_work::LayerInWork;
use crate::{Buffer, Crew, LayerSink, LayerSummary, ScoreRead, Scores, SlabSet, StoreError};

/// A layer that is being solved.
pub(super) struct RunSink<'a> {
    run: &'a RunDir,
    layer: Layer,
    shapes: &'a [SlabShape<'a>],
    work: LayerInWork<'a>,
}

impl<'a> RunSink<'a> {
    /// Starts a layer whose slabs have these shapes, or goes on with one that was interrupted.
    ///
    /// # Errors
    /// As [`ScoreWrite::begin_layer`](crate::ScoreWrite::begin_layer).
    pub(super) fn begin(run: &'a RunDir, layer: Layer, shapes: &'a [SlabShape<'a>]) -> Result<Self, StoreError> {
        run.check_unfinished(layer)?;
        Ok(Self { run, layer, shapes, work: LayerInWork::resume(run, layer, shapes)? })
    }
}

impl RunDir {
    /// `Ok` when this run may write a layer.
    pub(super) fn check_unfinished(&self, layer: Layer) -> Result<(), StoreError> {
        let (path, n_layers) = (self.path.clone(), self.n_layers());
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly { path });
        }
        if layer.0 >= n_layers {
            return Err(StoreError::NoSuchLayer { path, layer, n_layers });
        }
        if self.is_finished(layer) { Err(StoreError::AlreadyFinished { path, layer }) } else { Ok(()) }
    }
}

impl LayerSink for RunSink<'_> {
    fn resumed_slabs(&self) -> SlabSet {
        self.work.slabs()
    }

    fn read_slab_into(&self, slab: usize, used: Buffer) -> Result<Scores, StoreError> {
        self.work.record(slab)?.slab(self.shapes[slab], used, Crew::Together).map(Scores::from)
    }

    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.work.record(slab)?.scores(self.shapes[slab], places)
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        self.work.put(slab, self.shapes[slab], &scores)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.work.sync()
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        let Self { run, layer, work, shapes } = *self;
        let missing = (0..shapes.len()).find(|&slab| work.record(slab).is_err());
        assert!(missing.is_none(), "slab {missing:?} of layer {layer} was never put");
        let (numbers, unused) = work.finish()?;
        let summary = run.note_finished(layer, &numbers)?;
        run.remove_files(layer, &unused)?;
        Ok(summary)
    }
}
