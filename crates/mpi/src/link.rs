//! How messages travel.

use crate::{ClusterError, Message};

/// Processes that can be reached by rank, 0 being the manager. Used by one thread of each process.
pub trait Link {
    /// Number of processes.
    fn size(&self) -> usize;

    /// Sends a message; it arrives after those that were sent to the same process before.
    fn send(&self, to: usize, message: Message);

    /// The next message that has arrived, and who sent it; does not wait for one.
    ///
    /// # Errors
    /// What has arrived is no message.
    fn receive(&self) -> Result<Option<(usize, Message)>, ClusterError>;

    /// Ends all processes and says why, if there is a way to do that: threads of this process may hang.
    fn abort(&self, why: &ClusterError);
}
