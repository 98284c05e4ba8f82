//! Assembles a layer from its slab files while processes still solve it and the layer after it.

use std::sync::mpsc::{Receiver, Sender};

use dab_solve::schedule::pieces::Pieces;
use dab_space::{Layer, SlabShape, Space};
use dab_store::{Digest, RunDir};

use crate::error::ClusterError;

/// A piece whose slab file is written: the piece, the rank of its writer, and the digest of its scores.
pub(crate) type Written = (usize, usize, Digest);

/// Assembles a layer. First sends the numbers of the pieces that have to be solved; then copies each piece as soon as its
/// turn comes, and finishes the layer after the last one. Ends early if the channel of written pieces closes.
pub(crate) fn assemble(
    (space, pieces, run): (&Space, &Pieces, &RunDir),
    layer: Layer,
    missing: &Sender<Vec<usize>>,
    written: &Receiver<Written>,
) -> Result<(), ClusterError> {
    let keys = &space.layout().layers()[layer.0];
    let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
    let assembly = run.assemble(layer, &shapes)?;
    assembly.adopt_all()?;
    let is_there = |piece: usize| {
        let slabs = pieces.slabs(layer, piece);
        assembly.holds(slabs.start) || run.has_slabs(layer, slabs.start)
    };
    let there: Vec<bool> = (0..pieces.len(layer)).map(is_there).collect();
    let _ = missing.send((0..there.len()).filter(|&piece| !there[piece]).collect());
    // Rank of the writer and digest of each piece; files from an earlier start are checked without them.
    let mut expected: Vec<Option<Option<(usize, Digest)>>> = there.iter().map(|&there| there.then_some(None)).collect();
    for piece in (0..there.len()).rev() {
        let slabs = pieces.slabs(layer, piece);
        let expected = loop {
            match expected[piece] {
                Some(expected) => break expected,
                None => {
                    let Ok((written, rank, digest)) = written.recv() else { return Ok(()) };
                    expected[written] = Some(Some((rank, digest)));
                }
            }
        };
        if assembly.holds(slabs.start) {
            continue;
        }
        let slab = slabs.start;
        match (assembly.adopt(slab)?, expected) {
            (Some(got), Some((rank, expected))) if got != expected => {
                return Err(ClusterError::OtherSlabs { layer, slab, rank, expected, got });
            }
            (None, expected) => {
                let rank = expected.map_or(0, |(rank, _)| rank);
                return Err(ClusterError::Unseen { layer, slab, rank });
            }
            _ => {}
        }
    }
    assembly.finish()?;
    Ok(())
}
