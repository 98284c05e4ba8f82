//! A run of which some layers are being solved: their slabs can be read as soon as they are put.

use std::sync::{PoisonError, RwLock};

use dab_space::{Layer, SlabId, SlabShape};
use dab_store::{Crew, LayerSink, LayerSummary, Part, ScoreRead, ScoreWrite, Scores, SlabSet, StoreError, Wanted};

/// A store, and the layers that are being solved.
pub(crate) struct OpenLayers<'a> {
    store: &'a dyn ScoreWrite,
    /// By layer.
    sinks: RwLock<Vec<Option<Box<dyn LayerSink + 'a>>>>,
}

impl<'a> OpenLayers<'a> {
    /// The layers of `store`, none of them being solved.
    pub(crate) fn new(store: &'a dyn ScoreWrite, n_layers: usize) -> Self {
        Self { store, sinks: RwLock::new((0..n_layers).map(|_| None).collect()) }
    }

    /// Begins a layer or goes on with it; returns its slabs that are there.
    pub(crate) fn begin(&self, layer: Layer, shapes: &'a [SlabShape<'a>]) -> Result<SlabSet, StoreError> {
        let sink = self.store.begin_layer(layer, shapes)?;
        let resumed = sink.resumed_slabs();
        self.sinks.write().unwrap_or_else(PoisonError::into_inner)[layer.0] = Some(sink);
        Ok(resumed)
    }

    /// Takes the scores of a slab.
    pub(crate) fn put(&self, id: SlabId, scores: Scores) -> Result<(), StoreError> {
        self.with(id.layer, |sink| sink.put(id.slab, scores))
            .unwrap_or_else(|| panic!("layer {} is not begun", id.layer))
    }

    /// Returns when the slabs of a layer that were put before will survive a power cut.
    pub(crate) fn sync(&self, layer: Layer) -> Result<(), StoreError> {
        self.with(layer, |sink| sink.sync()).unwrap_or(Ok(()))
    }

    /// The store.
    pub(crate) fn store(&self) -> &'a dyn ScoreWrite {
        self.store
    }

    /// Completes a layer.
    pub(crate) fn finish(&self, layer: Layer) -> Result<(), StoreError> {
        let sink = self.sinks.write().unwrap_or_else(PoisonError::into_inner)[layer.0].take();
        sink.map_or(Ok(()), |sink| sink.finish().map(drop))
    }

    /// Leaves all layers as they are.
    pub(crate) fn leave(&self) {
        self.sinks.write().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(|sink| drop(sink.take()));
    }

    /// The result of `read` on a layer that is being solved.
    fn with<T>(&self, layer: Layer, read: impl FnOnce(&(dyn LayerSink + 'a)) -> T) -> Option<T> {
        self.sinks.read().unwrap_or_else(PoisonError::into_inner).get(layer.0)?.as_deref().map(read)
    }
}

impl ScoreRead for OpenLayers<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.read_part(id, shape, Part::default(), &Wanted::ALL, Crew::Alone)
    }

    fn read_part(
        &self,
        id: SlabId,
        shape: SlabShape<'_>,
        part: Part,
        wanted: &Wanted,
        crew: Crew,
    ) -> Result<Scores, StoreError> {
        let mut part = Some(part);
        let open = self.with(id.layer, |sink| sink.read_part(id.slab, part.take().unwrap_or_default(), wanted));
        open.unwrap_or_else(|| self.store.read_part(id, shape, part.unwrap_or_default(), wanted, crew))
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let open = self.with(id.layer, |sink| sink.read_scores(id.slab, places));
        open.unwrap_or_else(|| self.store.read_scores(id, shape, places))
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.store.finished(layer)
    }
}
