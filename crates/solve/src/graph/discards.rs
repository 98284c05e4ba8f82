//! When a layer that is not kept may be discarded.

use dab_space::Layer;

use super::Graph;

/// The layers that are not kept and that unsolved layers still read.
#[derive(Debug)]
pub(crate) struct Discards {
    /// Each with the lowest layer that reads it.
    layers: Vec<(Layer, Layer)>,
}

impl Discards {
    /// The layers above `last_kept`.
    pub(crate) fn new(graph: &Graph<'_>, last_kept: Layer) -> Self {
        let layers = (0..).map(Layer).zip(graph.lowest.iter().copied());
        Self { layers: layers.filter(|&(layer, _)| layer > last_kept).collect() }
    }

    /// Notes that a layer is solved, and all above it; returns the layers that nothing reads any more.
    pub(crate) fn solved(&mut self, layer: Layer) -> Vec<Layer> {
        self.layers.extract_if(.., |(_, reader)| *reader >= layer).map(|(done_with, _)| done_with).collect()
    }
}
