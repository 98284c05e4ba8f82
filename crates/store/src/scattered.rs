//! Many scores at once, scattered over slabs.
//!
//! ```text
//!    pieces of places ─ each sorted by slab ─► stretches of one slab ─ those of a slab together ─► its scores, read once
//! ```
//! Pieces and slabs are shared out among threads. A piece is small enough for the caches of a core.

use dab_space::{Place, Space};

use crate::{Crew, ScoreRead, StoreError};

/// Places of one piece that lie in one slab.
struct Stretch<'a> {
    /// Number of the piece.
    piece: usize,
    /// The key of the slab and the number within the piece, of each place.
    places: &'a [(u64, usize)],
}

/// The scores at some places, in their order, of each piece of them. Each slab is read once, by this crew.
///
/// # Errors
/// As [`ScoreRead::read_slab`].
pub fn read_scattered<P: AsRef<[Place]> + Sync>(
    space: &Space,
    scores: &dyn ScoreRead,
    pieces: &[P],
    crew: Crew,
) -> Result<Vec<Vec<i8>>, StoreError> {
    let sorted = crew.map(pieces.iter().collect(), |piece: &P| by_slab(piece.as_ref()));
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for (piece, places) in sorted.iter().enumerate() {
        stretches.extend(places.chunk_by(|one, next| one.0 == next.0).map(|places| Stretch { piece, places }));
    }
    let slab = |stretch: &Stretch<'_>| stretch.places[0].0;
    stretches.sort_unstable_by_key(slab);
    let slabs: Vec<&[Stretch<'_>]> = stretches.chunk_by(|one, next| slab(one) == slab(next)).collect();
    let place = |piece: usize, at: usize| pieces[piece].as_ref()[at];
    let read = |stretches: &[Stretch<'_>]| {
        let id = place(stretches[0].piece, stretches[0].places[0].1).id;
        let shape = space.shape(space.layout().key(id));
        let inside = wanted(stretches).map(|(piece, at)| {
            let place = place(piece, at);
            place.row * shape.cols() + place.col
        });
        scores.read_scores(id, shape, &inside.collect::<Vec<usize>>())
    };
    let read = crew.map(slabs.clone(), read);
    let mut found: Vec<Vec<i8>> = pieces.iter().map(|piece| vec![0; piece.as_ref().len()]).collect();
    for (stretches, scores) in slabs.into_iter().zip(read) {
        for ((piece, at), score) in wanted(stretches).zip(scores?) {
            found[piece][at] = score;
        }
    }
    Ok(found)
}

/// The places of a piece in order of their slabs: a key of the slab, and the number of the place.
fn by_slab(places: &[Place]) -> Vec<(u64, usize)> {
    let key = |place: &Place| (place.id.layer.0 as u64) << 32 | place.id.slab as u64;
    let mut keys: Vec<(u64, usize)> = places.iter().enumerate().map(|(at, place)| (key(place), at)).collect();
    keys.sort_unstable_by_key(|&(slab, _)| slab);
    keys
}

/// The places of stretches: piece, and number within it.
fn wanted<'a>(stretches: &'a [Stretch<'_>]) -> impl Iterator<Item = (usize, usize)> + 'a {
    stretches.iter().flat_map(|stretch| stretch.places.iter().map(|&(_, at)| (stretch.piece, at)))
}
