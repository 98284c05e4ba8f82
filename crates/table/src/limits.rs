//! The limits of an index: memory and time.

use std::time::Duration;

use dab_space::Budget;

use crate::available_memory;

/// Bytes that any index may take: about what the program takes besides.
const LEAST: u64 = 16 << 20;

/// The limits of an index of positions, or of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLimits {
    /// Bytes of memory. They may be those of another machine, so what this one has bounds them.
    pub memory: u64,
    /// The most time that making it may take.
    pub time: Duration,
}

impl IndexLimits {
    /// The most time if nothing else is said.
    pub const TIME: Duration = Duration::from_secs(120);

    /// The budget of an index, from now on.
    pub fn budget(&self) -> Budget<'static> {
        Budget::new(self.memory.min(available_memory()).max(LEAST), self.time)
    }
}

impl Default for IndexLimits {
    /// Half of the memory that can be had, and two minutes.
    fn default() -> Self {
        Self { memory: available_memory() / 2, time: Self::TIME }
    }
}
