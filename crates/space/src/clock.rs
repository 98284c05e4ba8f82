//! The clock: that of the system, or another one where the system has none, as in a browser.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A function that tells the time since some moment.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Makes `now`, the time since some moment, the clock. Where the system has no clock, this comes before all else. Once the time
/// was asked for, the clock stays.
pub fn set_clock(now: fn() -> Duration) {
    let _ = CLOCK.set(now);
}

/// Time since some moment.
pub fn now() -> Duration {
    CLOCK.get_or_init(|| system_time)()
}

/// Time since this function was first called.
fn system_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}
