//! Messages by MPI.
//!
//! MPI libraries wait by spinning. So processes look for messages and sleep in between. They wait in the library only while
//! they join or end, or when a process that hangs takes no messages; a thread watches over that.

use std::process::exit;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

use crate::error::ClusterError;
use crate::link::{Link, Processes, Report};
use crate::message::Message;

/// Time between two looks of the watch.
const LOOK: Duration = Duration::from_millis(200);

/// Environment variables in which starters of MPI programs tell each process its rank.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"];

/// This process among those that mpirun or a scheduler started together.
struct World {
    world: SimpleCommunicator,
    /// Processes of this machine.
    n_local: usize,
    watch: Arc<Watch>,
    // Finalizes MPI when it is dropped, hence after the communicators.
    _universe: Universe,
}

/// Ends this process when the library waits too long for another one. The starter then ends all of them.
struct Watch {
    rank: usize,
    report: Report,
    /// The process that the library waits for while it sends it a message, or all of them; and since when.
    waiting: Mutex<Option<(Option<usize>, Instant)>>,
}

impl Watch {
    /// Begins to watch, until this process ends.
    fn begin(rank: usize, limit: Duration, report: Report) -> Arc<Self> {
        let watch = Arc::new(Self { rank, report, waiting: Mutex::default() });
        let watcher = Arc::clone(&watch);
        thread::spawn(move || {
            loop {
                thread::sleep(LOOK);
                let waiting = *watcher.waiting();
                if let Some((of, since)) = waiting.filter(|(_, since)| since.elapsed() > limit) {
                    let seconds = since.elapsed().as_secs();
                    let silent = |rank| ClusterError::Silent { rank, seconds };
                    exit(report(rank, &of.map_or(ClusterError::Absent { seconds }, silent)).into());
                }
            }
        });
        watch
    }

    fn waiting(&self) -> MutexGuard<'_, Option<(Option<usize>, Instant)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The library is about to wait for a process, or for all of them.
    fn waits(&self, of: Option<usize>) {
        *self.waiting() = Some((of, Instant::now()));
    }

    /// It waits no more.
    fn goes_on(&self) {
        *self.waiting() = None;
    }
}

/// Joins the other processes; `None` if this process was started alone. They may be silent for `patience`.
pub fn join(patience: Duration, report: Report) -> Option<Box<dyn Processes>> {
    let rank = RANKS.iter().find_map(|name| std::env::var(name).ok())?.parse().unwrap_or(0);
    let watch = Watch::begin(rank, patience, report);
    watch.waits(None);
    // Only the main thread sends and receives.
    let joined = mpi::initialize_with_threading(Threading::Funneled).map(|(universe, _)| {
        let world = universe.world();
        let n_local = if world.size() < 2 { 1 } else { world.split_shared(world.rank()).size() as usize };
        (world, n_local, universe)
    });
    watch.goes_on();
    let (world, n_local, universe) = joined.filter(|(world, ..)| world.size() > 1)?;
    Some(Box::new(World { world, n_local, watch, _universe: universe }))
}

impl Drop for World {
    fn drop(&mut self) {
        // The universe, which goes last, waits for all others.
        self.watch.waits(None);
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
        self.watch.waits(Some(to));
        // The library takes a message this short at once, unless a process has taken none for long.
        self.world.process_at_rank(to as i32).send(&message.to_words());
        self.watch.goes_on();
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
        self.abort_with((self.watch.report)(self.watch.rank, why));
    }
}
