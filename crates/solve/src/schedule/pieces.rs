//! Pieces: the units of work when several processes share a run. A piece is a slab, or several small neighbouring slabs.
//!
//! ```text
//!    layer      slab 0 | slab 1  slab 2  slab 3 | slab 4 | slab 5  slab 6 | …
//!    pieces     ─ 0 ──   ────────── 1 ────────   ─ 2 ──   ────── 3 ─────
//! ```
//! Pieces follow from the layout alone, so every process knows them.

use std::ops::Range;

use dab_space::{Layer, Layout, SlabId, Space};
use dab_store::Scores;

use crate::SolveError;
use crate::cache::shares::Size;
use crate::cache::slab_keeper::SlabKeeper;
use crate::kernel::Kernel;
use crate::kernel::source::SlabSource;

/// Least number of positions of a piece, the last one of a layer excepted: they take longer than a file costs. Layers with
/// many pieces have up to four times as many.
const LEAST: u128 = 1 << 20;
/// Number of pieces of a large layer with small slabs, roughly: some for every core, and no more files than a directory
/// bears.
const MOST: u128 = 1 << 14;

/// The pieces of every layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// For each layer the first slab of every piece, and its number of slabs at the end.
    bounds: Vec<Vec<usize>>,
}

impl Pieces {
    /// The pieces of a layout.
    pub fn new(layout: &Layout) -> Self {
        let of_layer = |layer: usize| {
            let all = layout.layer_positions(layer);
            let least = LEAST.max((all / 64).min(4 * LEAST)).max(all / MOST);
            let (mut bounds, mut positions) = (vec![0], 0);
            for (slab, &key) in layout.layers()[layer].iter().enumerate() {
                positions += u128::from(layout.positions(key));
                if positions >= least {
                    bounds.push(slab + 1);
                    positions = 0;
                }
            }
            let n_slabs = layout.layers()[layer].len();
            if bounds.last() != Some(&n_slabs) {
                bounds.push(n_slabs);
            }
            bounds
        };
        Self { bounds: (0..layout.layers().len()).map(of_layer).collect() }
    }

    /// Number of pieces of a layer.
    pub fn len(&self, layer: Layer) -> usize {
        self.bounds[layer.0].len() - 1
    }

    /// Whether a layer is too small to be shared out.
    pub fn is_small(&self, layer: Layer) -> bool {
        self.len(layer) <= 1
    }

    /// Number of slabs of a layer.
    pub fn n_slabs(&self, layer: Layer) -> usize {
        self.bounds[layer.0][self.len(layer)]
    }

    /// Number of slabs of every layer.
    pub fn n_slabs_of_layers(&self) -> Vec<usize> {
        (0..self.bounds.len()).map(|layer| self.n_slabs(Layer(layer))).collect()
    }

    /// The slabs of a piece.
    pub fn slabs(&self, layer: Layer, piece: usize) -> Range<usize> {
        self.bounds[layer.0][piece]..self.bounds[layer.0][piece + 1]
    }

    /// The piece that has a slab.
    pub fn containing(&self, layer: Layer, slab: usize) -> usize {
        self.bounds[layer.0].partition_point(|&first| first <= slab) - 1
    }

    /// Positions of a piece.
    pub fn positions(&self, layout: &Layout, layer: Layer, piece: usize) -> u64 {
        layout.layers()[layer.0][self.slabs(layer, piece)].iter().map(|&key| layout.positions(key)).sum()
    }
}

/// Solves a slab of a piece.
///
/// # Errors
/// If an input cannot be read.
pub fn solve(
    (kernel, space, keeper): (&Kernel<'_>, &Space, &SlabKeeper<'_>),
    id: SlabId,
) -> Result<Scores, SolveError> {
    let key = space.layout().key(id);
    SolveError::or_defect(space, || {
        let is_large = keeper.size(id, kernel.sources(key, keeper.table_bytes()).into_iter()) == Size::Large;
        let _turn = is_large.then(|| keeper.turn());
        Ok(keeper.cache().keep(id, kernel.slab(keeper, key)?.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::{SpaceKind, Units};

    #[test]
    fn every_slab_is_in_one_piece() {
        for board in ["2x2", "3x4", "4x4", "4x5"] {
            let layout = Layout::new(Units::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
            let pieces = Pieces::new(&layout);
            for (layer, keys) in layout.layers().iter().enumerate() {
                let mut next = 0;
                for piece in 0..pieces.len(Layer(layer)) {
                    let slabs = pieces.slabs(Layer(layer), piece);
                    assert!(slabs.start == next && slabs.end > next, "{board} {layer}");
                    assert!(slabs.clone().all(|slab| pieces.containing(Layer(layer), slab) == piece));
                    let is_last = piece + 1 == pieces.len(Layer(layer));
                    assert!(is_last || u128::from(pieces.positions(&layout, Layer(layer), piece)) >= LEAST);
                    next = slabs.end;
                }
                assert_eq!((next, pieces.n_slabs(Layer(layer))), (keys.len(), keys.len()));
            }
        }
    }
}
