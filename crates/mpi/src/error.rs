//! Errors that end a solve by many processes.

use dab_solve::SolveError;
use dab_space::Layer;
use dab_store::StoreError;
use thiserror::Error;

use crate::message::Message;

/// Errors of one of many processes.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum ClusterError {
    /// An error of the solve within one process.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A process from which nothing is heard.
    #[error(
        "nothing was heard from rank {rank} for {seconds} s: it hangs, or its machine or the network is down; run the \
         same command again to go on from there"
    )]
    Silent { rank: usize, seconds: u64 },
    /// A process that is alive and makes no progress.
    #[error(
        "rank {rank} has been at slab {slab} of layer {layer} for {seconds} s: it hangs, or the disk does; run the same \
         command again to go on from there"
    )]
    Stuck { rank: usize, layer: Layer, slab: usize, seconds: u64 },
    /// Processes that do not join, or do not end.
    #[error("nothing was heard from other processes for {seconds} s: one hangs; run the same command again to go on")]
    Absent { seconds: u64 },
    /// Another run than that of the manager.
    #[error("{dir} is not the run of the manager; check that all machines see the same directory")]
    OtherRun { dir: String },
    /// Messages that make no sense.
    #[error("rank {rank} sent {words:?}, which is no message; use the same version of dab everywhere")]
    Nonsense { rank: usize, words: [u64; Message::WORDS] },
}

impl ClusterError {
    /// Whether more patience might have helped.
    pub fn is_impatience(&self) -> bool {
        matches!(self, Self::Silent { .. } | Self::Stuck { .. } | Self::Absent { .. })
    }
}

impl From<StoreError> for ClusterError {
    fn from(error: StoreError) -> Self {
        Self::Solve(error.into())
    }
}
