//! Messages by MPI.
//!
//! MPI libraries wait by spinning. So processes look for messages and sleep in between. They wait in the library only while
//! they join or end, or when a process that hangs takes no messages; threads watch over that.

use std::process::exit;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

use crate::Report;
use crate::error::ClusterError;
use crate::link::{Link, Processes};
use crate::message::Message;

/// Time between two looks at a message that is being sent.
const LOOK: Duration = Duration::from_millis(200);

/// Environment variables in which starters of MPI programs tell each process its rank.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"];

/// This process among those that mpirun or a scheduler started together.
struct World {
    world: SimpleCommunicator,
    /// Processes of this machine.
    n_local: usize,
    watch: Watch,
    sending: Arc<Sending>,
    // Finalizes MPI when it is dropped, hence after the communicators.
    _universe: Universe,
    // Watches over that.
    end: Option<Sender<()>>,
}

/// The process that a message is being sent to, and since when.
type Sending = Mutex<Option<(usize, Instant)>>;

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

    /// Watches over messages that are sent, until this process ends.
    fn sends(self) -> Arc<Sending> {
        let sending = Arc::new(Sending::default());
        let watched = sending.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(LOOK);
                let now = *watched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((rank, since)) = now.filter(|(_, since)| since.elapsed() > self.limit) {
                    let error = ClusterError::Silent { rank, seconds: since.elapsed().as_secs() };
                    exit((self.report)(self.rank, &error).into());
                }
            }
        });
        sending
    }
}

/// Joins the other processes; `None` if this process was started alone. They may be silent for `patience`.
pub fn join(patience: Duration, report: Report) -> Option<Box<dyn Processes>> {
    let rank = RANKS.iter().find_map(|name| std::env::var(name).ok())?.parse().unwrap_or(0);
    let watch = Watch { rank, limit: patience, report };
    let _joining = watch.begin();
    // Only the main thread sends and receives.
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
    let world = universe.world();
    if world.size() < 2 {
        return None;
    }
    let n_local = world.split_shared(world.rank()).size() as usize;
    let sending = watch.sends();
    Some(Box::new(World { world, n_local, watch, sending, _universe: universe, end: None }))
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
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner) = Some((to, Instant::now()));
        // The library takes a message this short at once, unless a process has taken none for long.
        self.world.process_at_rank(to as i32).send(&message.to_words());
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner) = None;
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
