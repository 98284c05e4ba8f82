//! Finishes a layer whose pieces are all solved: lists its slab files, while the next layer is solved.

use dab_solve::schedule::pieces::Pieces;
use dab_space::Layer;
use dab_store::{Digest, RunDir};

use crate::error::ClusterError;

/// By piece: the rank that wrote it in this run of the program, and the digest of its scores.
pub(crate) type Written = Vec<Option<(usize, Digest)>>;

/// Lists the slab files of a layer, each of which must be the one that its writer told of.
pub(crate) fn list(pieces: &Pieces, run: &RunDir, layer: Layer, written: &Written) -> Result<(), ClusterError> {
    let mut list = run.list_slab_files(layer, pieces.n_slabs(layer))?;
    for (piece, expected) in written.iter().enumerate().rev() {
        let slab = pieces.slabs(layer, piece).start;
        let Some(got) = list.add(slab)? else {
            return Err(ClusterError::Unseen { layer, slab, rank: expected.map_or(0, |(rank, _)| rank) });
        };
        if let Some((rank, expected)) = expected.filter(|&(_, expected)| expected != got) {
            return Err(ClusterError::OtherSlabs { layer, slab, rank, expected, got });
        }
    }
    list.finish()?;
    Ok(())
}
