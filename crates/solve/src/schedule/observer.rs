//! Progress of a solve or a check, and the wish to stop it.

/// Follows a solve, and may stop it.
pub trait Observer: Sync {
    /// A layer is about to be solved.
    fn layer(&self, layer: usize);
    /// So many positions have been solved, or found solved.
    fn positions(&self, n: u64);
    /// Whether to stop as soon as possible.
    fn should_stop(&self) -> bool;
}

/// Ignores progress and never stops.
impl Observer for () {
    fn layer(&self, _layer: usize) {}
    fn positions(&self, _n: u64) {}
    fn should_stop(&self) -> bool {
        false
    }
}
