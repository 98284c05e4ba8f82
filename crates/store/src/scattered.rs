//! Many scores at once, wherever they lie.

use dab_space::{Place, Space};
use rustc_hash::FxHashMap;

use crate::{ScoreRead, StoreError};

/// The scores at some places, in their order. Each slab is gone to once.
///
/// # Errors
/// As [`ScoreRead::read_slab`].
pub fn read_scattered(space: &Space, scores: &dyn ScoreRead, places: &[Place]) -> Result<Vec<i8>, StoreError> {
    let mut slabs: FxHashMap<(usize, usize), Vec<usize>> = FxHashMap::default();
    for (i, place) in places.iter().enumerate() {
        slabs.entry((place.layer, place.slab)).or_default().push(i);
    }
    let mut found = vec![0; places.len()];
    for ((layer, slab), wanted) in slabs {
        let shape = space.shape(space.layout().layers()[layer][slab]);
        let inside: Vec<usize> = wanted.iter().map(|&i| places[i].row * shape.cols() + places[i].col).collect();
        for (i, score) in wanted.into_iter().zip(scores.read_scores(layer, slab, shape, &inside)?) {
            found[i] = score;
        }
    }
    Ok(found)
}
