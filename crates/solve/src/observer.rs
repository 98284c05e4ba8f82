//! Progress of a solve or a check, and the wish to stop it.

use std::sync::atomic::{AtomicBool, Ordering};

use dab_space::Layer;

use crate::SolveError;

/// Follows a solve, and may stop it.
pub trait Observer: Sync {
    /// So many positions will be told as solved or found solved, in all. Comes first.
    fn total(&self, _n: u64) {}
    /// A layer is about to be solved, together with others perhaps.
    fn layer(&self, _layer: Layer) {}
    /// So many positions have been solved.
    fn positions(&self, _n: u64) {}
    /// So many positions were found solved.
    fn found(&self, n: u64) {
        self.positions(n);
    }
    /// So many scores were decoded, because memory was short when they had been solved.
    fn decoded(&self, _n: u64) {}
    /// Whether to stop as soon as possible.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Ignores progress and never stops.
impl Observer for () {}

/// Stops as soon as the flag is true.
impl Observer for AtomicBool {
    fn should_stop(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// `Ok` unless the observer wants to stop.
pub(crate) fn stopped(observer: &dyn Observer, layer: Layer) -> Result<(), SolveError> {
    if observer.should_stop() { Err(SolveError::Stopped { layer }) } else { Ok(()) }
}
