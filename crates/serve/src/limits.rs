//! Limits on requests and solves.

use std::time::Duration;

/// Limits on requests and solves.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Positions of a batch.
    pub batch: usize,
    /// Time in which a request must have been sent, its head and then its body, and after which an answer of which the client reads
    /// nothing is given up.
    pub patience: Duration,
    /// Time after which a connection takes no more requests.
    pub lifetime: Duration,
    /// Connections at a time; others wait to be accepted.
    pub connections: usize,
    /// Questions that are answered at a time; others wait.
    pub questions: usize,
    /// Time after which a plan is given up. One is made at a time.
    pub planning: Duration,
    /// Solves that run at a time; others are refused.
    pub solves: usize,
    /// Time after which a solve is stopped.
    pub solve_time: Duration,
    /// Time after which a solve is stopped if no client asks about it.
    pub abandoned: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_bytes: 32 << 10,
            body_bytes: 256 << 10,
            batch: 1000,
            patience: Duration::from_secs(10),
            lifetime: Duration::from_secs(300),
            connections: 256,
            questions: 8,
            planning: Duration::from_secs(10),
            solves: 2,
            solve_time: Duration::from_secs(600),
            abandoned: Duration::from_secs(30),
        }
    }
}
