//! The way messages travel between processes.

use crate::error::ClusterError;
use crate::message::Message;

/// Prints an error that ends the run, and returns the exit code.
pub type Report = fn(rank: usize, why: &ClusterError) -> u8;

/// A connection to all processes by rank, of which 0 is the manager. One thread of each process uses it.
pub trait Link {
    /// Number of processes.
    fn size(&self) -> usize;

    /// The number of this process.
    fn rank(&self) -> usize;

    /// Processes on this machine, this one included.
    fn n_local(&self) -> usize;

    /// Whether other machines read the files of this process.
    fn has_machines(&self) -> bool {
        self.n_local() < self.size()
    }

    /// Sends a message; it arrives after those that were sent to the same process before.
    fn send(&self, to: usize, message: Message);

    /// The next message that has arrived, with the rank of its sender. Does not wait for one.
    ///
    /// # Errors
    /// If the words that have arrived are no message.
    fn receive(&self) -> Result<Option<(usize, Message)>, ClusterError>;

    /// Reports the error and ends all processes, if that is possible. Threads of this process may hang at that time.
    fn abort(&self, why: &ClusterError);
}

/// The processes that mpirun or a scheduler started together, as one of them sees them.
pub trait Processes: Link {
    /// Ends all processes.
    fn abort_with(&self, code: u8) -> !;
}
