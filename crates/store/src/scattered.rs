//! Many scores at once, scattered over slabs.
//!
//! ```text
//!    pieces of places ─ each sorted by slab ─► stretches of one slab ─ those of a slab together ─► its scores, read once
//! ```
//! Pieces and slabs are shared out among threads.

use dab_space::{Layer, Place, SlabId, SlabShape, Space};

use crate::Crew;

/// Places of one piece that lie in one slab.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    /// Number of the piece.
    piece: usize,
    /// Number of the slab among those of all layers, and below it that of the place within the piece, of each place.
    keys: &'a [u64],
}

impl Stretch<'_> {
    fn slab(&self) -> u64 {
        self.keys[0] >> 32
    }

    /// Numbers of the places within the piece.
    fn places(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().map(|&key| key as u32 as usize)
    }
}

/// The scores at some places, in their order, of each piece of them. Each slab is read once, by this crew: `read` is
/// [`ScoreRead::read_scores`](crate::ScoreRead::read_scores) or fails as it likes.
///
/// # Errors
/// Those of `read`.
///
/// # Panics
/// If there are more than 2^32 slabs, or places of a piece.
pub fn read_scattered<P: AsRef<[Place]> + Sync, E: Send>(
    space: &Space,
    pieces: &[P],
    crew: Crew,
    read: impl Fn(SlabId, SlabShape<'_>, &[usize]) -> Result<Vec<i8>, E> + Send + Sync,
) -> Result<Vec<Vec<i8>>, E> {
    let mut n_slabs = 0;
    let first_of_layer = space.layout().layers().iter().map(|slabs| {
        n_slabs += slabs.len() as u64;
        n_slabs - slabs.len() as u64
    });
    let first_of_layer: Vec<u64> = first_of_layer.collect();
    assert!(n_slabs <= 1 << 32, "{n_slabs} slabs");
    let sorted = crew.map(pieces.iter().collect(), |piece: &P| by_slab(piece.as_ref(), &first_of_layer));
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for (piece, keys) in sorted.iter().enumerate() {
        stretches.extend(keys.chunk_by(|one, next| one >> 32 == next >> 32).map(|keys| Stretch { piece, keys }));
    }
    stretches.sort_unstable_by_key(|stretch| (stretch.slab(), stretch.piece));
    let slabs: Vec<&[Stretch<'_>]> = stretches.chunk_by(|one, next| one.slab() == next.slab()).collect();
    let scores = crew.map(slabs.clone(), |stretches: &[Stretch<'_>]| {
        let slab = stretches[0].slab();
        let layer = first_of_layer.partition_point(|&first| first <= slab) - 1;
        let id = SlabId { layer: Layer(layer), slab: (slab - first_of_layer[layer]) as usize };
        let shape = space.shape(space.layout().key(id));
        let cols = shape.cols();
        let mut inside = Vec::with_capacity(stretches.iter().map(|stretch| stretch.keys.len()).sum());
        for stretch in stretches {
            let places = pieces[stretch.piece].as_ref();
            inside.extend(stretch.places().map(|at| places[at].row * cols + places[at].col));
        }
        read(id, shape, &inside)
    });
    let scores = scores.into_iter().collect::<Result<Vec<Vec<i8>>, E>>()?;
    // What was read goes back to the pieces.
    let mut parts: Vec<Vec<(Stretch<'_>, &[i8])>> = pieces.iter().map(|_| Vec::new()).collect();
    for (stretches, scores) in slabs.into_iter().zip(&scores) {
        let mut rest = &scores[..];
        for &stretch in stretches {
            let (scores, others) = rest.split_at(stretch.keys.len());
            parts[stretch.piece].push((stretch, scores));
            rest = others;
        }
    }
    Ok(crew.map(pieces.iter().zip(parts).collect(), |(piece, parts): (&P, Vec<(Stretch<'_>, &[i8])>)| {
        let mut found = vec![0; piece.as_ref().len()];
        for (stretch, scores) in parts {
            stretch.places().zip(scores).for_each(|(at, &score)| found[at] = score);
        }
        found
    }))
}

/// The keys of the places of a piece, as in [`Stretch`], ascending.
fn by_slab(places: &[Place], first_of_layer: &[u64]) -> Vec<u64> {
    assert!(u32::try_from(places.len()).is_ok(), "{} places", places.len());
    let key =
        |(at, place): (usize, &Place)| (first_of_layer[place.id.layer.0] + place.id.slab as u64) << 32 | at as u64;
    let mut keys: Vec<u64> = places.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    keys
}
