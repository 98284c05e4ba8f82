//! Many scores at once, scattered over slabs.

use dab_space::{Place, SlabId, Space};
use rustc_hash::FxHashMap;

use crate::{ScoreRead, StoreError};

/// The scores at some places, in their order. Each slab is read once.
///
/// # Errors
/// As [`ScoreRead::read_slab`].
pub fn read_scattered(space: &Space, scores: &dyn ScoreRead, places: &[Place]) -> Result<Vec<i8>, StoreError> {
    let mut slabs: FxHashMap<SlabId, Vec<usize>> = FxHashMap::default();
    for (i, place) in places.iter().enumerate() {
        slabs.entry(place.id).or_default().push(i);
    }
    let mut found = vec![0; places.len()];
    for (id, wanted) in slabs {
        let shape = space.shape(space.layout().key(id));
        let inside: Vec<usize> = wanted.iter().map(|&i| places[i].row * shape.cols() + places[i].col).collect();
        for (i, score) in wanted.into_iter().zip(scores.read_scores(id, shape, &inside)?) {
            found[i] = score;
        }
    }
    Ok(found)
}
