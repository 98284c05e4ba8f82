//! When a layer that is not kept may be discarded.

use dab_space::Layer;

use super::reference_counts::ReferenceCounts;

/// The layers that are not kept and that unsolved layers still read.
#[derive(Debug, Default)]
pub struct DiscardSchedule {
    /// Each with the lowest layer that reads it.
    layers: Vec<(Layer, Layer)>,
}

impl DiscardSchedule {
    /// Schedules the layers above `last_kept`.
    pub fn new(counts: &ReferenceCounts, last_kept: Layer) -> Self {
        Self { layers: counts.lowest().filter(|&(layer, _)| layer > last_kept).collect() }
    }

    /// Notes that a layer is solved; returns the layers that nothing reads any more.
    pub fn solved(&mut self, layer: Layer) -> Vec<Layer> {
        self.layers.extract_if(.., |(_, reader)| *reader >= layer).map(|(done_with, _)| done_with).collect()
    }
}
