//! Messages by MPI.
//!
//! MPI libraries wait by spinning. So processes look for messages and sleep in between. They wait in the library only while
//! they join or end; a thread watches over that.

use std::process::exit;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

use crate::Report;
use crate::error::ClusterError;
use crate::link::{Link, Processes};
use crate::message::Message;

/// Bytes of messages that may be on their way. A process that hangs takes none, and nobody may wait for it.
const ON_THEIR_WAY: usize = 16 << 20;

/// Environment variables in which starters of MPI programs tell each process its rank.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"];

/// This process among those that mpirun or a scheduler started together.
struct World {
    world: SimpleCommunicator,
    /// Processes of this machine.
    n_local: usize,
    watch: Watch,
    // Finalizes MPI when it is dropped, hence after the communicators.
    _universe: Universe,
    // Watches over that.
    end: Option<Sender<()>>,
}

/// Ends this process when the library waits too long for another one. The starter then ends all of them.
#[derive(Clone, Copy)]
struct Watch {
    rank: usize,
    limit: Duration,
    report: Report,
}

impl Watch {
    /// Begins to watch, until the result is dropped.
    fn begin(self) -> Sender<()> {
        let (sender, dropped) = channel();
        thread::spawn(move || {
            if dropped.recv_timeout(self.limit) == Err(RecvTimeoutError::Timeout) {
                exit((self.report)(self.rank, &ClusterError::Absent { seconds: self.limit.as_secs() }).into());
            }
        });
        sender
    }
}

/// Joins the other processes; `None` if this process was started alone. They may be silent for `patience`.
pub fn join(patience: Duration, report: Report) -> Option<Box<dyn Processes>> {
    let rank = RANKS.iter().find_map(|name| std::env::var(name).ok())?.parse().unwrap_or(0);
    let watch = Watch { rank, limit: patience, report };
    let _joining = watch.begin();
    // Only the main thread sends and receives.
    let (mut universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
    universe.set_buffer_size(ON_THEIR_WAY);
    let world = universe.world();
    if world.size() < 2 {
        return None;
    }
    let n_local = world.split_shared(world.rank()).size() as usize;
    Some(Box::new(World { world, n_local, watch, _universe: universe, end: None }))
}

impl Drop for World {
    fn drop(&mut self) {
        self.end = Some(self.watch.begin());
    }
}

impl Processes for World {
    fn abort_with(&self, code: u8) -> ! {
        self.world.abort(code.into())
    }
}

impl Link for World {
    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn n_local(&self) -> usize {
        self.n_local
    }

    fn send(&self, to: usize, message: Message) {
        self.world.process_at_rank(to as i32).buffered_send(&message.to_words());
    }

    fn receive(&self) -> Result<Option<(usize, Message)>, ClusterError> {
        let anybody = self.world.any_process();
        let Some((message, _)) = anybody.immediate_matched_probe() else { return Ok(None) };
        let mut words = [0; Message::WORDS];
        let rank = message.matched_receive_into(&mut words).source_rank() as usize;
        let message = Message::from_words(words).ok_or(ClusterError::Nonsense { rank, words })?;
        Ok(Some((rank, message)))
    }

    fn abort(&self, why: &ClusterError) {
        self.abort_with((self.watch.report)(self.rank(), why));
    }
}
