//! Every score of a run or book against the answers of another one of the same game, such as that of its other space.

use dab_board::LineSet;
use dab_book::Book;
use dab_solve::{Observer, SolveError};
use dab_space::Space;
use dab_store::ScoreRead;
use rayon::prelude::*;

use crate::Error;

/// Positions that are looked up together.
const TOGETHER: usize = 1 << 18;
/// Bytes that each of them takes meanwhile: the position, its capture run, its place, two numbers.
const BYTES_ASKED: usize = 120;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCheck {
    /// Positions compared.
    pub positions: u64,
    /// Positions whose scores differ.
    pub disagreements: u64,
    /// One of these with both scores, always the same one.
    pub first: Option<String>,
}

impl RunCheck {
    fn merge(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            disagreements: self.disagreements + other.disagreements,
            first: self.first.or(other.first),
        }
    }
}

/// Bytes of memory of one thread of [`runs`] that reads `space`, beside those of the answers.
pub fn thread_memory(space: &Space) -> u64 {
    space.layout().largest_slab() + (TOGETHER * BYTES_ASKED) as u64
}

/// Holds every score that `scores` has in `layers` of `space` against the answer of `theirs`.
///
/// # Errors
/// If files are damaged, `theirs` does not hold a position, or `observer` stops it.
pub fn runs(
    space: &Space,
    scores: &dyn ScoreRead,
    layers: &[usize],
    theirs: &Book<'_>,
    observer: &dyn Observer,
) -> Result<RunCheck, Error> {
    let mut check = RunCheck::default();
    for &layer in layers {
        observer.layer(layer);
        let of_slab = |slab: usize| -> Result<RunCheck, Error> {
            if observer.should_stop() {
                return Err(SolveError::Stopped { layer }.into());
            }
            let compared = compare(space, scores, layer, slab, theirs)?;
            observer.positions(compared.positions);
            Ok(compared)
        };
        let slabs = (0..space.layout().layers()[layer].len()).into_par_iter().with_max_len(1);
        check = check.merge(slabs.map(of_slab).try_reduce(RunCheck::default, |a, b| Ok(a.merge(b)))?);
    }
    Ok(check)
}

fn compare(
    space: &Space,
    scores: &dyn ScoreRead,
    layer: usize,
    slab: usize,
    theirs: &Book<'_>,
) -> Result<RunCheck, Error> {
    let key = space.layout().layers()[layer][slab];
    let shape = space.shape(key);
    let scores = scores.read_slab(layer, slab, shape)?;
    let mut check = RunCheck { positions: scores.len() as u64, ..RunCheck::default() };
    let board = space.layout().units().start().board().kind();
    for (chunk, scores) in scores.chunks(TOGETHER).enumerate() {
        let drawn = |at: usize| space.lines_of(space.mask_at(key, at / shape.cols(), at % shape.cols()));
        let drawn: Vec<LineSet> = (chunk * TOGETHER..).take(scores.len()).map(drawn).collect();
        for ((&score, said), drawn) in scores.iter().zip(theirs.probe_all(&drawn)?).zip(drawn) {
            if said.0 != score {
                check.disagreements += 1;
                check.first.get_or_insert_with(|| format!("{board}:{:x}: {score} and {said}", drawn.0));
            }
        }
    }
    Ok(check)
}
