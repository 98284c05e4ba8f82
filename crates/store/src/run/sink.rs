//! The layers of a run as a solve writes them.

use dab_space::{Layer, SlabShape};

use super::RunDir;
use super::followed::FollowedLayer;
use super::in_work::LayerInWork;
use crate::score_file::StoredRecord;
use crate::{Crew, LayerSink, LayerSummary, Part, ScoreRead, Scores, SlabSet, StoreError, Wanted};

/// A layer that is being solved.
pub(super) struct RunSink<'a> {
    run: &'a RunDir,
    layer: Layer,
    shapes: &'a [SlabShape<'a>],
    work: LayerInWork<'a>,
    /// The files of other processes, if there are any.
    others: Option<FollowedLayer<'a>>,
}

impl<'a> RunSink<'a> {
    /// Starts a layer whose slabs have these shapes, or goes on with one that was interrupted.
    ///
    /// # Errors
    /// As [`ScoreWrite::begin_layer`](crate::ScoreWrite::begin_layer).
    pub(super) fn begin(run: &'a RunDir, layer: Layer, shapes: &'a [SlabShape<'a>]) -> Result<Self, StoreError> {
        run.check_unfinished(layer)?;
        let (work, is_shared) = (LayerInWork::resume(run, layer, shapes)?, run.options.is_shared);
        if is_shared {
            work.cut_tails()?;
        }
        let others = is_shared.then(|| FollowedLayer::new(run, layer, shapes.len()));
        Ok(Self { run, layer, shapes, work, others })
    }

    /// The record of a slab that this process or another one has put.
    fn record(&self, slab: usize) -> Result<StoredRecord, StoreError> {
        match (self.work.record(slab), &self.others) {
            (Err(_), Some(others)) => others.record(slab),
            (record, _) => record,
        }
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

    fn read_part(&self, slab: usize, part: Part, wanted: &Wanted) -> Result<Scores, StoreError> {
        self.record(slab)?.part(self.shapes[slab], part, wanted, Crew::Together).map(Scores::from)
    }

    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.record(slab)?.scores(self.shapes[slab], places)
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        self.work.put(slab, self.shapes[slab], &scores)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.work.sync()
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        let Self { run, layer, mut work, shapes, others } = *self;
        if others.is_some() {
            work.add_completed(shapes)?;
        }
        let missing = (0..shapes.len()).find(|&slab| work.record(slab).is_err());
        if missing.is_some() && others.is_some() {
            return Err(StoreError::Unfinished { path: run.path.clone(), layer });
        }
        assert!(missing.is_none(), "slab {missing:?} of layer {layer} was never put");
        let (numbers, unused) = work.finish()?;
        let summary = run.note_finished(layer, &numbers)?;
        run.remove_files(layer, &unused)?;
        Ok(summary)
    }
}
