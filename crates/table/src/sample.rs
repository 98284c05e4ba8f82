//! Random positions of a table.
//!
//! ```text
//!    number below the positions of all layers asked ─► slab, by binary search ─► row and column ─► drawn lines
//! ```
//! Stored positions are drawn, one of each class of symmetry, so that no symmetric copies crowd out other positions.

use dab_board::LineSet;
use dab_space::{Layer, SlabKey};

use crate::{TableError, Tablebase};

impl Tablebase {
    /// Draws `n` stored positions, each of them with equal odds and independently of the others: of one layer, or of all
    /// layers whose scores are here. Equal seeds give equal positions.
    ///
    /// # Errors
    /// If the scores of the layer are not here, or there is no such position.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// let drawn = table.sample(100, None, 1)?;
    /// let scores = table.probe_many(&drawn)?;
    /// assert_eq!(scores.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, n: usize, layer: Option<Layer>, seed: u64) -> Result<Vec<LineSet>, TableError> {
        let layers = match layer {
            Some(layer) => vec![self.require_layer(layer)?],
            None => self.whole_layers().collect(),
        };
        let layout = self.space().layout();
        // The slabs, each with the number of positions up to its end.
        let mut slabs: Vec<(u64, SlabKey)> = Vec::new();
        let mut end = 0;
        for &key in layers.iter().flat_map(|layer| &layout.layers()[layer.0]) {
            end += layout.positions(key);
            slabs.push((end, key));
        }
        if end == 0 {
            let of = layer.map_or_else(String::new, |layer| format!(" in layer {layer}"));
            return Err(TableError::NoSuchLayer(format!("{} stores no position{of}", self.files().name())));
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let position = |_| {
            let number = random.u64(..end);
            let (end, key) = slabs[slabs.partition_point(|&(end, _)| end <= number)];
            let (place, cols) = (number + layout.positions(key) - end, layout.cols(key));
            self.space().lines_of(self.space().mask_at(key, (place / cols) as usize, (place % cols) as usize))
        };
        Ok((0..n).map(position).collect())
    }
}
