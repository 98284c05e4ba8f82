//! The nimbers of all components met so far, by mex over their options.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dab_board::capture::{CaptureRun, Decline};
use dab_board::{Graph, LineSet, Position};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::key::{keys, links};
use crate::net::Net;

/// Bytes of a table entry beside its key: the bucket, at the least fullness of a hash table.
const ENTRY_BYTES: u64 = 2 * 25;
/// Bytes that an allocation takes on top of its size.
const ALLOCATION_BYTES: u64 = 16;

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Equal to a nim heap of this size: the player to move loses if it is 0 and wins otherwise.
    Nimber(u8),
    /// The player to move wins beside any other game, because he may decline the last boxes of a capture run.
    Loony,
}

impl Value {
    /// Whether the player to move wins.
    pub fn is_win(self) -> bool {
        self != Self::Nimber(0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(nimber) => f.pad(&nimber.to_string()),
            Self::Loony => f.pad("loony"),
        }
    }
}

/// The reason why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NimstringError {
    /// The nimbers of the components of a position do not fit.
    #[error(
        "{components} components and their nimbers fill the {bytes} bytes of memory allowed: allow more, or ask \
         about a position with more lines drawn"
    )]
    Memory {
        /// Components that are known.
        components: usize,
        /// Bytes allowed.
        bytes: u64,
    },
}

/// Works out values, and keeps the nimber of every component met on the way.
#[derive(Debug)]
pub struct Nimstring {
    nimbers: FxHashMap<Box<[u16]>, u8>,
    bytes: u64,
    max_bytes: u64,
    /// The number of nimbers, for a caller that follows the work.
    known: Arc<AtomicUsize>,
}

impl Nimstring {
    /// An empty table that will take at most about `max_bytes` bytes.
    pub fn new(max_bytes: u64) -> Self {
        Self { nimbers: FxHashMap::default(), bytes: 0, max_bytes, known: Arc::default() }
    }

    /// The number of components whose nimbers are known, which grows while values are worked out.
    pub fn known(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.known)
    }

    /// Forgets every nimber.
    pub fn forget(&mut self) {
        (self.nimbers, self.bytes) = (FxHashMap::default(), 0);
        self.known.store(0, Ordering::Relaxed);
    }

    /// The value of a position.
    ///
    /// # Errors
    /// If the nimbers on the way to it take more memory than allowed.
    pub fn value(&mut self, position: &Position) -> Result<Value, NimstringError> {
        self.value_drawn(position.board().graph(), position.drawn())
    }

    /// The value of the position of `graph` in which the lines `drawn` are drawn.
    ///
    /// # Errors
    /// As [`Nimstring::value`].
    pub fn value_drawn(&mut self, graph: &Graph, drawn: LineSet) -> Result<Value, NimstringError> {
        let run = CaptureRun::new(graph, drawn);
        if run.decline != Decline::None {
            return Ok(Value::Loony);
        }
        // A run that cannot be declined is captured whole, and then it is still the same player's turn.
        Ok(Value::Nimber(self.nim_sum(&Net::new(graph, run.after))?))
    }

    fn nim_sum(&mut self, net: &Net) -> Result<u8, NimstringError> {
        keys(&net.links).iter().try_fold(net.split_off, |sum, key| Ok(sum ^ self.nimber(key)?))
    }

    /// The nimber of one component: the least that no option has. A move that can be declined is no option, because it
    /// loses in every position.
    fn nimber(&mut self, key: &[u16]) -> Result<u8, NimstringError> {
        if let Some(&nimber) = self.nimbers.get(key) {
            return Ok(nimber);
        }
        let links = links(key);
        let mut options = 0u128;
        for i in 0..links.len() {
            // Interchangeable links are neighbours.
            if i > 0 && links[i] == links[i - 1] {
                continue;
            }
            if let Some(net) = Net::opened(&links, i) {
                options |= 1 << self.nim_sum(&net)?;
            }
        }
        let nimber = options.trailing_ones() as u8;
        self.bytes += ENTRY_BYTES + ALLOCATION_BYTES + size_of_val(key) as u64;
        if self.bytes > self.max_bytes {
            return Err(NimstringError::Memory { components: self.nimbers.len(), bytes: self.max_bytes });
        }
        self.nimbers.insert(key.into(), nimber);
        self.known.store(self.nimbers.len(), Ordering::Relaxed);
        Ok(nimber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_kept_and_named() {
        let mut nimstring = Nimstring::new(1000);
        let error = nimstring.value(&"2x3:0".parse().unwrap()).unwrap_err();
        let NimstringError::Memory { components, bytes } = error.clone();
        assert_eq!((bytes, components), (1000, nimstring.nimbers.len()));
        assert_eq!(nimstring.known().load(Ordering::Relaxed), components);
        assert!(components > 0 && error.to_string().contains("1000 bytes"));
    }
}
