//! Random positions of a table.
//!
//! ```text
//!    number below the positions of all layers asked ─► slab, by binary search ─► row and column ─► drawn lines
//! ```
//! Stored positions are drawn, one of each class of symmetry, so that no symmetric copies crowd out other positions.

use dab_board::LineSet;
use dab_space::{Layer, SlabKey};

use crate::{Error, Tablebase};

impl Tablebase {
    /// Draws `n` stored positions, each of them with equal odds and independently of the others: of one layer, or of all
    /// layers whose scores are here. Equal seeds give equal positions.
    ///
    /// # Errors
    /// If the scores of the layer are not here, or there is no such position.
    pub fn sample(&self, n: usize, layer: Option<Layer>, seed: u64) -> Result<Vec<LineSet>, Error> {
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
            return Err(Error::NoSuchSlab(format!("{} stores no position{of}", self.files().name())));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_position_of_a_layer_is_drawn_equally_often() {
        let table = crate::solve("2x2".parse().unwrap()).in_memory().unwrap();
        let mut stored = Vec::new();
        table.for_each_stored(Layer(5), |position, _| stored.push(position.drawn())).unwrap();
        let often = 200;
        let drawn = table.sample(often * stored.len(), Some(Layer(5)), 7).unwrap();
        for position in stored {
            let found = drawn.iter().filter(|&&other| other == position).count();
            // Six standard deviations.
            assert!(found.abs_diff(often) < 85, "{found} times");
        }
        assert!(drawn.iter().all(|lines| lines.len() == 5));
        assert_eq!(drawn, table.sample(drawn.len(), Some(Layer(5)), 7).unwrap());
        assert_ne!(drawn, table.sample(drawn.len(), Some(Layer(5)), 8).unwrap());
    }

    #[test]
    fn layers_are_drawn_by_their_positions() {
        let table = crate::solve("2x3".parse().unwrap()).in_memory().unwrap();
        let drawn = table.sample(100_000, None, 0).unwrap();
        let layout = table.space().layout();
        for layer in 0..layout.layers().len() {
            let expected = 1e5 * layout.layer_positions(layer) as f64 / layout.total_positions() as f64;
            let found = drawn.iter().filter(|lines| lines.len() == layer).count() as f64;
            assert!((found - expected).abs() < 6.0 * expected.sqrt() + 1.0, "layer {layer}: {found}, not {expected}");
        }
        let error = table.sample(1, Some(Layer(18)), 0).unwrap_err().to_string();
        assert_eq!(error, "memory has no scores of layer 18: it holds layers 0 to 17 of 18");
        let error = table.sample(1, Some(Layer(16)), 0).unwrap_err().to_string();
        assert_eq!(error, "memory stores no position in layer 16");
        assert_eq!(table.sample(0, Some(Layer(3)), 0).unwrap(), []);
    }
}
