//! Processes where messages by MPI are not built in: there are none but this one.

use dab_store::{RunId, SharedSlabs};

use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;

/// Other processes, of which there are none.
pub enum Processes {}

impl Processes {
    /// Joins nobody.
    pub fn join(_report: fn(rank: usize, why: &ClusterError) -> u8) -> Option<Self> {
        None
    }

    /// The number of this process; 0 is the manager.
    pub fn rank(&self) -> usize {
        match *self {}
    }

    /// Processes on this machine, this one included.
    pub fn n_local(&self) -> usize {
        match *self {}
    }

    /// Memory in which the processes of this machine share slabs.
    pub fn shared_slabs(&self, _run: RunId, _limit: u64, _sizes: &[Vec<u64>]) -> Option<SharedSlabs> {
        match *self {}
    }

    /// Ends all processes.
    pub fn abort_with(&self, _code: u8) -> ! {
        match *self {}
    }
}

impl Link for Processes {
    fn size(&self) -> usize {
        match *self {}
    }

    fn send(&self, _to: usize, _message: Message) {
        match *self {}
    }

    fn receive(&self) -> Result<Option<(usize, Message)>, ClusterError> {
        match *self {}
    }

    fn abort(&self, _why: &ClusterError) {
        match *self {}
    }
}
