//! Many scores at once, wherever they lie.

use dab_space::{Place, Space};

use crate::{ScoreRead, StoreError};

/// The scores at some places, in their order. Each slab is gone to once.
///
/// # Errors
/// As [`ScoreRead::read_slab`].
pub fn look_up(space: &Space, scores: &dyn ScoreRead, places: &[Place]) -> Result<Vec<i8>, StoreError> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|&i| places[i]);
    let mut found = vec![0; places.len()];
    let slab_of = |i: usize| (places[i].layer, places[i].slab);
    for wanted in order.chunk_by(|&a, &b| slab_of(a) == slab_of(b)) {
        let (layer, slab) = slab_of(wanted[0]);
        let shape = space.shape(space.layout().layers()[layer][slab]);
        let inside: Vec<usize> = wanted.iter().map(|&i| places[i].row * shape.cols() + places[i].col).collect();
        for (&i, score) in wanted.iter().zip(scores.read_scores(layer, slab, shape, &inside)?) {
            found[i] = score;
        }
    }
    Ok(found)
}
