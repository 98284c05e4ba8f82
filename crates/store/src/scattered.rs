//! Many scores at once, scattered over slabs.
//!
//! ```text
//!    pieces of places ─ each sorted by slab ─► stretches of one slab ─ those of a slab together ─► its scores, read once
//! ```
//! Pieces and slabs are shared out among threads. A piece is small enough for the caches of a core, so it is gone through in the
//! order of slabs only while it is sorted and when it gets its scores.

use std::mem;
use std::ops::Range;

use dab_space::{Place, SlabId, SlabNumbers, SlabShape, Space};

use crate::Crew;

/// A space whose scores are looked up, with numbers for its slabs.
pub struct Scattered<'a> {
    space: &'a Space,
    numbers: SlabNumbers,
}

/// Places of a piece in the order of their slabs.
pub struct SortedPlaces {
    /// The number of the slab, and below it that of the place in the order in which it was given.
    keys: Vec<u64>,
    /// Where they lie in their slabs: `row * cols + col`.
    inside: Vec<usize>,
}

/// Places of one piece that lie in one slab.
#[derive(Clone)]
struct Stretch {
    /// Number of the slab.
    slab: u32,
    /// Number of the piece.
    piece: usize,
    /// The places in the order of the piece.
    range: Range<usize>,
}

/// Ranges of a piece, with the scores there.
type Found<'a> = Vec<(Range<usize>, &'a [i8])>;

impl<'a> Scattered<'a> {
    /// The slabs of a space.
    ///
    /// # Panics
    /// If there are 2^32 or more.
    pub fn new(space: &'a Space) -> Self {
        Self { space, numbers: SlabNumbers::new(space.layout()) }
    }

    /// The places of a piece, sorted.
    ///
    /// # Panics
    /// If there are 2^32 or more.
    pub fn sort(&self, places: &[Place]) -> SortedPlaces {
        assert!(u32::try_from(places.len()).is_ok(), "{} places", places.len());
        let number = |place: &Place| self.numbers.number(place.id);
        let given = places.iter().enumerate().map(|(at, place)| u64::from(number(place)) << 32 | at as u64);
        let n_slabs = self.numbers.n_slabs();
        let mut keys = vec![0; places.len()];
        if places.len() < n_slabs {
            keys.iter_mut().zip(given).for_each(|(to, key)| *to = key);
            keys.sort_unstable();
        } else {
            // Counting takes less time: for each slab the place of its next key.
            let mut next = vec![0_u32; n_slabs];
            places.iter().for_each(|place| next[number(place) as usize] += 1);
            next.iter_mut().fold(0, |sum, n| sum + mem::replace(n, sum));
            for key in given {
                let next = &mut next[(key >> 32) as usize];
                keys[*next as usize] = key;
                *next += 1;
            }
        }
        let mut inside = Vec::with_capacity(keys.len());
        for stretch in keys.chunk_by(|one, next| one >> 32 == next >> 32) {
            let cols = self.slab((stretch[0] >> 32) as u32).1.cols();
            inside.extend(stretch.iter().map(|&key| {
                let place = &places[key as u32 as usize];
                place.row * cols + place.col
            }));
        }
        SortedPlaces { keys, inside }
    }

    /// The scores at the places of each piece, in the order in which they were given. Each slab is read once, by this crew: `read` is
    /// [`ScoreRead::read_scores`](crate::ScoreRead::read_scores) or fails as it likes.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<E: Send>(
        &self,
        pieces: &[SortedPlaces],
        crew: Crew,
        read: impl Fn(SlabId, SlabShape<'_>, &[usize]) -> Result<Vec<i8>, E> + Send + Sync,
    ) -> Result<Vec<Vec<i8>>, E> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (piece, SortedPlaces { keys, .. }) in pieces.iter().enumerate() {
            let mut begin = 0;
            for keys in keys.chunk_by(|one, next| one >> 32 == next >> 32) {
                stretches.push(Stretch { slab: (keys[0] >> 32) as u32, piece, range: begin..begin + keys.len() });
                begin += keys.len();
            }
        }
        stretches.sort_unstable_by_key(|stretch| (stretch.slab, stretch.piece));
        let slabs: Vec<&[Stretch]> = stretches.chunk_by(|one, next| one.slab == next.slab).collect();
        let scores = crew.map(slabs.clone(), |stretches: &[Stretch]| {
            let (id, shape) = self.slab(stretches[0].slab);
            let inside = stretches.iter().map(|Stretch { piece, range, .. }| &pieces[*piece].inside[range.clone()]);
            read(id, shape, &inside.collect::<Vec<_>>().concat())
        });
        let scores = scores.into_iter().collect::<Result<Vec<Vec<i8>>, E>>()?;
        // The scores go back to the pieces.
        let mut parts: Vec<Found<'_>> = pieces.iter().map(|_| Vec::new()).collect();
        for (stretches, scores) in slabs.into_iter().zip(&scores) {
            let mut rest = &scores[..];
            for Stretch { piece, range, .. } in stretches {
                let (scores, others) = rest.split_at(range.len());
                parts[*piece].push((range.clone(), scores));
                rest = others;
            }
        }
        Ok(crew.map(pieces.iter().zip(parts).collect(), |(piece, parts): (&SortedPlaces, Found<'_>)| {
            let mut found = vec![0; piece.keys.len()];
            for (range, scores) in parts {
                piece.keys[range].iter().zip(scores).for_each(|(&key, &score)| found[key as u32 as usize] = score);
            }
            found
        }))
    }

    /// The slab of a number.
    fn slab(&self, number: u32) -> (SlabId, SlabShape<'a>) {
        let id = self.numbers.id(number);
        (id, self.space.shape(self.space.layout().key(id)))
    }
}
