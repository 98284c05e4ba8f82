//! Re-deriving stored scores from the finished files, by the reference rules.

use dab_space::{Layer, Rules, SlabId, SlabShape, Space};
use dab_store::{Crew, Scattered, ScoreRead};
use rayon::prelude::*;

use crate::Observer;
use crate::SolveError;
use crate::cache::slab_keeper::SlabKeeper;
use crate::kernel::source::SlabSource;
use crate::kernel::{reference, scalar};

/// Re-derives every stored score of every layer; `budget` bytes are spent on decoded slabs.
///
/// # Errors
/// At the first score that is wrong or cannot be read.
pub fn full(
    space: &Space,
    rules: Rules,
    store: &dyn ScoreRead,
    budget: u64,
    observer: &dyn Observer,
) -> Result<u64, SolveError> {
    let keeper = SlabKeeper::to_check(space, store, budget);
    SolveError::or_defect(space, || derive_all(space, rules, &keeper, observer))
}

fn derive_all(
    space: &Space,
    rules: Rules,
    keeper: &SlabKeeper<'_>,
    observer: &dyn Observer,
) -> Result<u64, SolveError> {
    let mut verified = 0;
    for layer in (0..space.n_layers()).rev().map(Layer) {
        observer.layer(layer);
        let keys = &space.layout().layers()[layer.0];
        let of_slab = |slab: usize, batch_bytes: u64| -> Result<u64, SolveError> {
            if observer.should_stop() {
                return Err(SolveError::Stopped { layer });
            }
            let shape = space.shape(keys[slab]);
            let derived = reference::slab(space, rules, keeper, batch_bytes, keys[slab])?;
            let stored = keeper.cache().slab(SlabId::new(layer, slab))?;
            if *derived != *stored
                && let Some(at) = (0..stored.len()).find(|&at| derived[at] != stored[at])
            {
                let place = (at / shape.cols(), at % shape.cols());
                return Err(wrong(space, SlabId::new(layer, slab), place, stored[at], derived[at]));
            }
            let n_verified = stored.len() as u64;
            observer.positions(n_verified);
            Ok(n_verified)
        };
        // A thread that waits for others to do their share of a slab would begin another one and hold that, too.
        let (shared_out, small): (Vec<usize>, Vec<usize>) =
            (0..keys.len()).partition(|&slab| reference::is_shared_out(space.layout().positions(keys[slab])));
        let all = keeper.batch_bytes(space.layout().largest_slab());
        let own = all / rayon::current_num_threads() as u64;
        let small = small.into_par_iter().with_max_len(1).map(|slab| of_slab(slab, own));
        verified += small.sum::<Result<u64, SolveError>>()?;
        verified += shared_out.into_iter().map(|slab| of_slab(slab, all)).sum::<Result<u64, SolveError>>()?;
    }
    Ok(verified)
}

/// Re-derives up to `per_slab` scores of every slab, spread evenly by a fixed sequence; `budget` bytes are spent on
/// decoded slabs.
///
/// # Errors
/// At the first score that is wrong or cannot be read.
pub fn sample(
    space: &Space,
    rules: Rules,
    store: &dyn ScoreRead,
    budget: u64,
    per_slab: usize,
    observer: &dyn Observer,
) -> Result<u64, SolveError> {
    let keeper = SlabKeeper::to_check(space, store, budget);
    SolveError::or_defect(space, || derive_some((space, rules), &keeper, per_slab, observer))
}

fn derive_some(
    (space, rules): (&Space, Rules),
    keeper: &SlabKeeper<'_>,
    per_slab: usize,
    observer: &dyn Observer,
) -> Result<u64, SolveError> {
    let mut verified = 0;
    for layer in (0..space.n_layers()).rev().map(Layer) {
        observer.layer(layer);
        let keys = &space.layout().layers()[layer.0];
        let slab_of = |slab: usize| -> Result<u64, SolveError> {
            let shape = space.shape(keys[slab]);
            let positions = shape.positions();
            if observer.should_stop() {
                return Err(SolveError::Stopped { layer });
            }
            let n = positions.min(per_slab);
            // The golden ratio spreads the samples over the slab without any two being alike.
            let sampled = |i: usize| {
                let fraction = u128::from((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let spread = (fraction * positions as u128) >> 64;
                if n == positions { i } else { spread as usize }
            };
            let places: Vec<usize> = (0..n).map(sampled).collect();
            let id = SlabId::new(layer, slab);
            let stored = keeper.cache().read_scores(id, shape, &places)?;
            derive_again(space, rules, keeper.cache(), id, &places, &stored)?;
            observer.positions(positions as u64);
            Ok(n as u64)
        };
        verified += (0..keys.len()).into_par_iter().map(slab_of).sum::<Result<u64, SolveError>>()?;
    }
    Ok(verified)
}

/// Places of `n` scores of a slab, or of all if it has fewer: `row * cols + col`. They follow from layer and slab alone.
pub(crate) fn places(id: SlabId, positions: usize, n: usize) -> Vec<usize> {
    if positions <= n {
        return (0..positions).collect();
    }
    // splitmix64
    let mut state = (id.layer.0 as u64) << 40 | id.slab as u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..n).map(|_| ((u128::from(random()) * positions as u128) >> 64) as usize).collect()
}

/// Derives the scores at some places of a slab again, by the definition; `stored` are the scores there.
///
/// # Errors
/// At the first score that is wrong, or if scores that it follows from cannot be read.
pub(crate) fn derive_again(
    space: &Space,
    rules: Rules,
    above: &dyn ScoreRead,
    id: SlabId,
    places: &[usize],
    stored: &[i8],
) -> Result<(), SolveError> {
    let key = space.layout().key(id);
    let cols = space.shape(key).cols();
    // The places that all moves lead to are looked up together.
    let (mut moves, mut ends, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for &place in places {
        for (m, place) in scalar::moves(space, space.mask_at(key, place / cols, place % cols)) {
            moves.push(m);
            after.push(place);
        }
        ends.push(moves.len());
    }
    let scattered = Scattered::new(space);
    let read = |id, shape: SlabShape<'_>, places: &[usize]| above.read_scores(id, shape, places);
    let (scores, mut begin) = (scattered.read(&[scattered.sort(&after)], Crew::Alone, read)?.concat(), 0);
    for ((&place, &stored), end) in places.iter().zip(stored).zip(ends) {
        let scored = moves[begin..end].iter().copied().zip(scores[begin..end].iter().copied());
        let derived = scalar::value(rules, scored);
        if stored != derived {
            return Err(wrong(space, id, (place / cols, place % cols), stored, derived));
        }
        begin = end;
    }
    Ok(())
}

fn wrong(space: &Space, id: SlabId, at: (usize, usize), stored: i8, derived: i8) -> SolveError {
    let key = space.layout().key(id);
    let board = space.layout().units().start().board();
    let drawn = space.lines_of(space.mask_at(key, at.0, at.1));
    let position = format!("{}:{:x}", board.kind(), drawn.0);
    SolveError::Wrong { layer: id.layer, slab: id.slab, row: at.0, col: at.1, position, stored, derived }
}
