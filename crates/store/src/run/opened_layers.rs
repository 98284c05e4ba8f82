//! The finished layers of a run that have been opened.

use std::sync::{Arc, PoisonError, RwLock};

use dab_space::Layer;

use crate::score_file::StoredLayer;

/// By layer, its score files once they have been opened.
#[derive(Debug)]
pub(super) struct OpenedLayers(Vec<RwLock<Option<Arc<StoredLayer>>>>);

impl OpenedLayers {
    /// None of so many layers is opened.
    pub(super) fn new(n_layers: usize) -> Self {
        Self((0..n_layers).map(|_| RwLock::default()).collect())
    }

    /// Number of layers.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A layer, if it is opened.
    pub(super) fn opened(&self, layer: Layer) -> Option<Arc<StoredLayer>> {
        self.0.get(layer.0)?.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes a layer, in place of what there was.
    pub(super) fn put(&self, layer: Layer, stored: Arc<StoredLayer>) {
        *self.0[layer.0].write().unwrap_or_else(PoisonError::into_inner) = Some(stored);
    }

    /// Takes a layer, unless another thread was faster; returns the one that is opened.
    pub(super) fn put_if_closed(&self, layer: Layer, stored: Arc<StoredLayer>) -> Arc<StoredLayer> {
        self.0[layer.0].write().unwrap_or_else(PoisonError::into_inner).get_or_insert(stored).clone()
    }

    /// Closes a layer, which is opened again when it is read.
    pub(super) fn close(&self, layer: Layer) {
        *self.0[layer.0].write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Closes the layers that nobody is opening, unless a file has lost its name: it could not be opened again.
    pub(super) fn close_all(&self) {
        for cell in &self.0 {
            if let Ok(mut opened) = cell.try_write()
                && let Some(stored) = &*opened
                && stored.files().iter().all(|file| file.origin().path.exists())
            {
                *opened = None;
            }
        }
    }
}
