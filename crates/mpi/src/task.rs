//! The task that all processes of a run share, and the times they wait.

use std::time::Duration;

use dab_space::{Rules, Space};

/// The parts of a solve that all its processes know.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The positions.
    pub space: &'a Space,
    /// Rules that the space leaves open.
    pub rules: Rules,
    /// Bytes for decoded slabs of this process.
    pub budget: u64,
    /// Time for which another process may be silent, and which a slab may take beyond the expected time.
    pub patience: Duration,
}

/// Time between two signs of life of a process, and between two looks for those of others.
pub(crate) const PULSE: Duration = Duration::from_secs(1);
/// Sleep between two looks for messages.
pub(crate) const PAUSE: Duration = Duration::from_millis(1);
