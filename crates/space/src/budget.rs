//! The bounds of a plan: bytes, time, and the wish to have it.
//!
//! The work that a layout or an index takes grows fast with the board, and nothing about a board tells it before. So the
//! work asks its budget before it takes memory, and every few thousand steps besides. A budget never changes a result: the
//! work ends with the same layout or with none.

use std::time::Duration;

use crate::clock::now;

/// The most that a piece of work may take.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    bytes: u64,
    /// Part of `bytes`, taken already.
    held: u64,
    /// When it began, by the clock.
    begin: Duration,
    time: Duration,
    is_cancelled: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// The bound at which a piece of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// More bytes are needed than are allowed.
    Bytes {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The work takes longer than this time, which is allowed.
    Time(Duration),
    /// The caller cancelled the work.
    Cancelled,
}

impl<'a> Budget<'a> {
    /// At most `bytes` bytes, and `time` from now on.
    pub fn new(bytes: u64, time: Duration) -> Self {
        Self { bytes, held: 0, begin: now(), time, is_cancelled: None }
    }

    /// No bounds, for starts that are known to be small.
    pub fn unbounded() -> Self {
        Self::new(u64::MAX, Duration::MAX)
    }

    /// The same budget, ended as soon as `is_cancelled` says so.
    pub fn until(self, is_cancelled: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { is_cancelled: Some(is_cancelled), ..self }
    }

    /// The rest of the budget while `bytes` bytes are in use.
    pub(crate) fn holding(self, bytes: u64) -> Self {
        Self { held: self.held.saturating_add(bytes), ..self }
    }

    /// `Ok` if the work may go on and take `bytes` bytes.
    ///
    /// # Errors
    /// The bound that it would cross.
    pub fn check(&self, bytes: u64) -> Result<(), Spent> {
        let needed = self.held.saturating_add(bytes);
        if needed > self.bytes {
            Err(Spent::Bytes { needed, allowed: self.bytes })
        } else if now().saturating_sub(self.begin) > self.time {
            Err(Spent::Time(self.time))
        } else if self.is_cancelled.is_some_and(|is_cancelled| is_cancelled()) {
            Err(Spent::Cancelled)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_named() {
        let hour = Duration::from_secs(3600);
        let budget = Budget::new(100, hour).holding(60);
        assert_eq!(budget.check(40), Ok(()));
        assert_eq!(budget.check(41), Err(Spent::Bytes { needed: 101, allowed: 100 }));
        assert_eq!(budget.check(u64::MAX), Err(Spent::Bytes { needed: u64::MAX, allowed: 100 }));
        assert_eq!(budget.until(&|| true).check(0), Err(Spent::Cancelled));
        assert_eq!(Budget::new(100, Duration::ZERO).check(0), Err(Spent::Time(Duration::ZERO)));
        assert_eq!(Budget::unbounded().check(u64::MAX), Ok(()));
    }
}
