//! Why a solve by many processes ends early.

use dab_solve::SolveError;
use dab_store::{Digest, StoreError};
use thiserror::Error;

/// Errors of one of many processes.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// What can go wrong in a single process.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A process from which nothing is heard.
    #[error(
        "nothing was heard from rank {rank} for {seconds} s: it hangs, or its machine or the network is down; run the \
         same command again to go on from there (--patience SECONDS waits longer)"
    )]
    Silent {
        /// The silent process.
        rank: usize,
        /// For how long.
        seconds: u64,
    },
    /// A process that is alive and does not get on.
    #[error(
        "rank {rank} has been at slab {slab} of layer {layer} for {seconds} s: it hangs, or the disk does; run the same \
         command again to go on from there (--patience SECONDS waits longer)"
    )]
    Stuck {
        /// The process.
        rank: usize,
        /// The layer.
        layer: usize,
        /// First slab of the piece.
        slab: usize,
        /// For how long.
        seconds: u64,
    },
    /// A slab file that is not the one that a worker has written.
    #[error(
        "the slab file of layer {layer}, slab {slab}, is not the one that rank {rank} wrote: digest {got}, not \
         {expected}; check that all machines see the same directory, then run the same command again"
    )]
    OtherSlabs {
        /// The layer.
        layer: usize,
        /// First slab of the piece.
        slab: usize,
        /// Who wrote it.
        rank: usize,
        /// What that process says.
        expected: Digest,
        /// What the file says.
        got: Digest,
    },
    /// A slab file that the manager does not see.
    #[error(
        "rank {rank} has written slab {slab} of layer {layer}, but the manager does not see it; check that all machines \
         see the same directory, then run the same command again"
    )]
    Unseen {
        /// The layer.
        layer: usize,
        /// First slab of the piece.
        slab: usize,
        /// Who wrote it.
        rank: usize,
    },
    /// Another run than that of the manager.
    #[error("{dir} is not the run of the manager; check that all machines see the same directory")]
    OtherRun {
        /// The directory.
        dir: String,
    },
    /// A bug, or memory that is damaged.
    #[error("a thread panicked: {0}")]
    Panicked(String),
    /// Messages that make no sense.
    #[error("rank {rank} sent {words:?}, which is no message; use the same version of dab everywhere")]
    Nonsense {
        /// Who sent it.
        rank: usize,
        /// What was sent.
        words: [u64; crate::Message::WORDS],
    },
}

impl From<StoreError> for ClusterError {
    fn from(error: StoreError) -> Self {
        Self::Solve(error.into())
    }
}
