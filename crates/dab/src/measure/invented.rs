//! Invented scores: of any slab for a kernel to read, and of the entropy of real ones for the codec.

use std::cell::Cell;
use std::time::Duration;

use dab_space::{Layer, SlabId, SlabShape, now};
use dab_store::{LayerSummary, RunDir, ScoreRead, Scores, StoreError};

/// Size of the groups of neighbouring rows or columns that resemble each other.
const ALIKE: usize = 16;
/// Halvings of the interval in which the noise of scores is sought.
const STEPS: usize = 8;
/// Positions of the slab on which it is sought, if there is one as large.
const SOUGHT_ON: usize = 1 << 18;

thread_local! {
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Time that this thread has spent on inventing slabs for kernels.
pub(super) fn spent_inventing() -> Duration {
    SPENT.get()
}

/// A store that invents every slab.
pub(super) struct Invented;

impl ScoreRead for Invented {
    fn read_slab(&self, _id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        let begin = now();
        let noise: Vec<i8> = (0..4099_usize).map(|i| (i * i % 31) as i8 - 15).collect();
        let scores = noise.iter().copied().cycle().take(shape.positions()).collect();
        SPENT.set(SPENT.get() + (now() - begin));
        Ok(Scores::new(scores))
    }

    fn finished(&self, _layer: Layer) -> Option<LayerSummary> {
        None
    }
}

/// Scores that take a wanted number of bits in files: rows and columns in groups that are alike but for noise.
pub(super) struct Statistics {
    /// The part of the scores that differ from those of their group, in parts of 2^16.
    noise: u64,
}

impl Statistics {
    /// Those of `bits` bits a position in the files of a run, sought on one of some slabs.
    pub(super) fn with_bits(run: &RunDir, shapes: &[SlabShape<'_>], bits: f64) -> Self {
        let Some(&shape) = shapes.iter().min_by_key(|shape| shape.positions().abs_diff(SOUGHT_ON)) else {
            return Self { noise: 0 };
        };
        // Beyond one half there is less entropy again.
        let (mut least, mut most) = (0, 1 << 15);
        for _ in 0..STEPS {
            let middle = Self { noise: (least + most) / 2 };
            let byte_len = run.encoded_len(shape, &middle.scores(shape));
            let taken = 8.0 * byte_len as f64 / shape.positions() as f64;
            if taken < bits { least = middle.noise } else { most = middle.noise }
        }
        Self { noise: least }
    }

    /// Scores of a slab, of the parity that its shape says.
    pub(super) fn scores(&self, shape: SlabShape<'_>) -> Scores {
        let part = |i: usize, n: usize| 2 * ((i / ALIKE) % n) as i8;
        let cols: Vec<i8> = (0..shape.cols()).map(|col| part(col, 4) + i8::from(shape.col_parity[col])).collect();
        let mut random = fastrand::Rng::with_seed(shape.positions() as u64);
        let mut scores = Vec::with_capacity(shape.positions());
        for row in 0..shape.rows() {
            let (of_row, is_odd) = (part(row, 5) - 8, shape.row_parity[row]);
            scores.extend(cols.iter().map(|&col| {
                let noise = if random.u64(..) & 0xffff < self.noise { 2 } else { 0 };
                // The sum of both parities, in the last bit.
                of_row + noise + if is_odd { col ^ 1 } else { col }
            }));
        }
        Scores::new(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::{Rules, Space, SpaceKind};
    use dab_store::Game;

    #[test]
    fn invented_scores_have_parity_and_entropy() {
        let space = Space::new("3x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let game = Game::of(&space, Rules::default());
        let run = RunDir::create_or_resume(dir.path(), &game, space.n_layers()).unwrap();
        let keys = space.layout().layers().iter().flatten();
        let shapes: Vec<SlabShape<'_>> = keys.map(|&key| space.shape(key)).collect();
        let largest = *shapes.iter().max_by_key(|shape| shape.positions()).unwrap();
        let taken = |bits: f64| {
            let statistics = Statistics::with_bits(&run, &[largest], bits);
            let scores = statistics.scores(largest);
            for (place, score) in scores.iter().enumerate() {
                let (row, col) = (place / largest.cols(), place % largest.cols());
                assert_eq!(score.rem_euclid(2) == 1, largest.is_odd(row, col));
            }
            let byte_len = run.encoded_len(largest, &scores);
            8.0 * byte_len as f64 / largest.positions() as f64
        };
        for bits in [0.7, 1.0, 1.25] {
            assert!((taken(bits) / bits - 1.0).abs() < 0.1, "{} instead of {bits}", taken(bits));
        }
    }
}
