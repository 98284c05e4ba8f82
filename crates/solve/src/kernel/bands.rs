//! Bands: a large slab is computed by all threads that are free, a band of whole rows after the other.
//!
//! ```text
//!    small slab     band 0, band 1, ... in one thread
//!    large slab     band 0 | band 1 | ...         any thread of the pool takes the next band; all read the same inputs
//! ```
//! A band depends on no other one, so scores do not depend on how bands are shared out. No band begins once the slab is not
//! wanted any more: nobody waits for billions of scores that nobody will read.

use std::sync::atomic::{AtomicBool, Ordering};

use dab_space::Layer;
use rayon::prelude::*;

use super::source::SlabSource;
use crate::SolveError;

/// Scores of a band that is computed row by row, about.
const BAND: usize = 1 << 16;

/// The threads that compute a slab.
pub(super) struct Crew<'a> {
    inputs: &'a dyn SlabSource,
    layer: Layer,
    is_shared: bool,
    is_stopped: AtomicBool,
}

impl<'a> Crew<'a> {
    /// The thread that computes a slab of `layer`, and all others that are free if the slab `is_shared`.
    pub(super) fn new(inputs: &'a dyn SlabSource, layer: Layer, is_shared: bool) -> Self {
        Self { inputs, layer, is_shared, is_stopped: AtomicBool::new(false) }
    }

    /// Whether the slab is shared out.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// `Ok` as long as the slab is wanted.
    ///
    /// # Errors
    /// [`SolveError::Stopped`]; its scores are of no use then.
    pub(super) fn check(&self) -> Result<(), SolveError> {
        if self.goes_on() { Ok(()) } else { Err(SolveError::Stopped { layer: self.layer }) }
    }

    fn goes_on(&self) -> bool {
        if self.is_shared && !self.inputs.is_wanted() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        !self.is_stopped.load(Ordering::Relaxed)
    }

    /// Rows of a band of a matrix with `cols` columns.
    pub(super) fn rows(&self, cols: usize) -> usize {
        (BAND / cols.max(1)).max(1)
    }

    /// Calls `work` with every band of `len` items, its number first. Bands of one thread share what `begin` makes.
    pub(super) fn for_each_band<T: Send, W>(
        &self,
        items: &mut [T],
        len: usize,
        begin: impl Fn() -> W + Send + Sync,
        work: impl Fn(&mut W, usize, &mut [T]) + Send + Sync,
    ) {
        if self.is_shared {
            let bands = items.par_chunks_mut(len).enumerate();
            bands.for_each_init(begin, |with, (number, band)| {
                if self.goes_on() {
                    work(with, number, band);
                }
            });
        } else {
            let mut with = begin();
            items.chunks_mut(len).enumerate().for_each(|(number, band)| work(&mut with, number, band));
        }
    }

    /// Calls both, one by another thread if there is a free one.
    pub(super) fn join(&self, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
        if self.is_shared {
            rayon::join(one, other);
        } else {
            one();
            other();
        }
    }
}
