//! Bytes of scores on disk, from the shape of the board.
//!
//! The thickness of the board decides where nothing is drawn. After other starts a position takes the more bits the fewer
//! units lead out of the board and the more chains are to be filled. The full space takes the same on all boards.
//!
//! No formula tells more than half of what starts in the middle of a game differ by. Their last layers do: once some are written,
//! those before them follow ([`Density::learn`]).

use dab_board::Graph;
use dab_space::{Layer, Layout, SpaceKind};

use dab_store::keyed_overhead;

use crate::constants::{
    CONTINUED, DISK_SLACK, DRAWN, EMPTY, EMPTY_TILES, FULL, IN_TILES, LAYER, LEAST_DISK_SLACK, SLAB, TILE_KEY,
};

/// Bits of a score in a file, of one space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Density {
    /// The mean over all slabs.
    bits: f64,
    /// Of a score in a run of positions, and in a tile.
    by_block: (f64, f64),
    /// By layer: the factor that its files take more than the shape of the board tells.
    factors: Vec<f64>,
}

impl Density {
    /// Bytes of a score file beside its slabs.
    pub(crate) const LAYER: u64 = LAYER as u64;

    /// The mean over all slabs: of those in runs the bits of the board, of those in tiles a part of them and the key.
    pub(crate) fn new(layout: &Layout) -> Self {
        let factors = vec![1.0; layout.layers().len()];
        let density = Self { bits: 0.0, by_block: by_block(layout), factors };
        let (mut bits, mut positions) = (0.0, 0.0);
        for &key in layout.layers().iter().flatten() {
            let (rows, cols) = (layout.rows(key), layout.cols(key));
            positions += (rows * cols) as f64;
            bits += density.slab_bits(rows, cols);
        }
        Self { bits: bits / f64::max(positions, 1.0), ..density }
    }

    /// Corrects the forecast of the layers that are not written by the bytes of those that are, the last layer first. The last layers differ most
    /// from the forecast; an earlier one differs by a part of what the last written one does, and by a part of the last step.
    pub(crate) fn learn(&mut self, written: &[Written]) {
        let differs = |of: &Written| (of.bytes as f64 / of.foretold as f64).ln();
        let [.., before, last] = written else { return };
        let (of_last, of_step) = CONTINUED;
        let others = of_last * differs(last) + of_step * (differs(last) - differs(before));
        for (layer, factor) in self.factors.iter_mut().enumerate() {
            *factor *= written.iter().find(|of| of.layer.0 == layer).map_or(others, differs).exp();
        }
    }

    /// Expects files that are larger by a factor.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.factors.iter_mut().for_each(|of_layer| *of_layer *= factor);
    }

    /// The mean bits of a score of a layer.
    pub(crate) fn bits(&self, layer: Layer) -> f64 {
        self.bits * self.factors[layer.0]
    }

    fn slab_bits(&self, rows: u64, cols: u64) -> f64 {
        let (n, (in_runs, in_tiles)) = ((rows * cols) as f64, self.by_block);
        match keyed_overhead(rows, cols) {
            Some(overhead) => n * in_tiles + 8.0 * TILE_KEY * overhead as f64,
            None => n * in_runs,
        }
    }

    /// Bytes of a slab, its place in the directory included.
    pub(crate) fn record(&self, layer: Layer, rows: u64, cols: u64) -> f64 {
        (self.slab_bits(rows, cols) / 8.0 + SLAB) * self.factors[layer.0]
    }

    /// Bytes of the score file of a layer with these positions and slabs.
    pub(crate) fn bytes(&self, layer: Layer, positions: u128, slabs: usize) -> u128 {
        let foretold = positions as f64 * self.bits / 8.0 + slabs as f64 * SLAB + LAYER;
        (foretold * self.factors[layer.0]).ceil() as u128
    }
}

/// Bytes of the score file of a layer, and those of its forecast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) layer: Layer,
    pub(crate) bytes: u64,
    pub(crate) foretold: u128,
}

/// Bytes of disk that are enough for a forecast peak.
pub(crate) fn with_slack(bytes: u128) -> u128 {
    bytes + bytes / DISK_SLACK + LEAST_DISK_SLACK
}

/// Bits of a score in a run of positions, and in a tile.
fn by_block(layout: &Layout) -> (f64, f64) {
    let graph = &layout.partition().graph;
    let (drawn, full) = IN_TILES;
    // No board has as many units to the ground, but a graph may.
    let in_runs = |bits: f64| bits.max(1.0);
    match layout.units().kind() {
        SpaceKind::Full => (FULL, FULL * full),
        SpaceKind::Quiet if layout.units().root().is_empty() => {
            let thickness = thickness(graph);
            let in_runs = in_runs(EMPTY.0 + EMPTY.1 * thickness);
            (in_runs, in_tiles(thickness, graph.joints().len() as f64 / thickness.max(1.0)).min(in_runs))
        }
        SpaceKind::Quiet => {
            let joints = graph.joints().iter().filter(|joint| !joint.strings.is_empty()).count().max(1);
            let ways_out = graph.strings().iter().filter(|string| string.ends.contains(&None)).count();
            let chains = layout.units().units().iter().filter(|unit| unit.lines.len() > 1).count();
            let bits = in_runs(DRAWN.0 + DRAWN.1 * ways_out as f64 / joints as f64 + DRAWN.2 * chains as f64);
            (bits, bits * drawn)
        }
    }
}

/// Bits of a score in a tile, of an empty board of this thickness and length.
fn in_tiles(thickness: f64, length: f64) -> f64 {
    let (by_thickness, of_length) = EMPTY_TILES;
    // Thicker boards go on as the last ones do.
    let at = (thickness - 1.0).max(0.0);
    let below = (at as usize).min(by_thickness.len() - 2);
    let (from, to) = (by_thickness[below], by_thickness[below + 1]);
    (from + (to - from) * (at - below as f64) + of_length * length).exp()
}

/// The shorter side of a rectangle that has as many joints, and as far from corner to corner, as the graph.
fn thickness(graph: &Graph) -> f64 {
    let (joints, longest) = (graph.joints().len() as f64, longest_path(graph) as f64);
    // R * C joints, R + C - 2 steps
    let sum = longest + 2.0;
    (sum - (sum * sum - 4.0 * joints).max(0.0).sqrt()) / 2.0
}

/// The most steps that any joint is from another one that can be reached from it.
fn longest_path(graph: &Graph) -> usize {
    let n = graph.joints().len();
    let mut longest = 0;
    for from in 0..n {
        let mut steps = vec![usize::MAX; n];
        let mut reached = vec![from];
        steps[from] = 0;
        let mut next = 0;
        while let Some(&joint) = reached.get(next) {
            next += 1;
            for string in graph.joints()[joint].strings.iter() {
                if let Some(other) = graph.strings()[string].other_end(Some(joint))
                    && steps[other] == usize::MAX
                {
                    steps[other] = steps[joint] + 1;
                    reached.push(other);
                }
            }
        }
        longest = reached.into_iter().map(|joint| steps[joint]).max().unwrap_or(0).max(longest);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::Units;

    fn layout(board: &str) -> Layout {
        Layout::new(Units::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap()
    }

    #[test]
    fn rectangles_are_as_thick_as_they_are() {
        for (board, expected) in [("1x7", 1.0), ("2x2", 2.0), ("3x5", 3.0), ("4x4", 4.0), ("5x3", 3.0)] {
            assert_eq!(thickness(&layout(board).partition().graph), expected, "{board}");
        }
    }

    #[test]
    fn layers_go_on_as_the_last_ones_went() {
        let foretold = Density::new(&layout("3x3"));
        let bytes = |density: &Density, layer| density.bytes(Layer(layer), 1_000_000, 10);
        let written = |layer, factor: f64| {
            let foretold = bytes(&foretold, layer);
            Written { layer: Layer(layer), bytes: (foretold as f64 * factor) as u64, foretold }
        };
        let learned = |before, last| {
            let mut density = foretold.clone();
            density.learn(&[written(20, 9.0), written(19, before), written(18, last)]);
            assert!(bytes(&density, 18).abs_diff(written(18, last).bytes.into()) <= 1);
            bytes(&density, 10) as f64 / bytes(&foretold, 10) as f64
        };
        assert!((learned(1.0, 1.0) - 1.0).abs() < 1e-6);
        assert!(learned(1.5, 1.5) > 1.2 && learned(1.5, 1.5) < 1.5);
        assert!(learned(2.0, 1.5) < learned(1.5, 1.5) && learned(0.8, 0.7) < 0.8);
        let mut density = foretold.clone();
        density.learn(&[written(20, 2.0)]);
        assert_eq!(density, foretold);
    }
}
