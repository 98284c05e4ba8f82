//! Messages by MPI.
//!
//! MPI libraries wait by spinning. So processes never wait in the library: they look for messages and sleep in between.

use dab_store::{RunId, SharedSlabs};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Root, Source};

use crate::error::ClusterError;
use crate::link::{Link, Processes};
use crate::message::Message;

/// Environment variables that starters of MPI programs set for each process.
const STARTED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"];

/// This process among those that mpirun or a scheduler started together.
struct World {
    world: SimpleCommunicator,
    /// The processes of this machine.
    local: SimpleCommunicator,
    report: fn(rank: usize, why: &ClusterError) -> u8,
    // Finalizes MPI when it is dropped, hence last.
    _universe: Universe,
}

/// Joins the other processes; `None` if this process was started alone. `report` prints an error that ends the run,
/// and returns the exit code.
pub fn join(report: fn(rank: usize, why: &ClusterError) -> u8) -> Option<Box<dyn Processes>> {
    if !STARTED.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    // Only the main thread sends and receives.
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
    let world = universe.world();
    if world.size() < 2 {
        return None;
    }
    let local = world.split_shared(world.rank());
    Some(Box::new(World { world, local, report, _universe: universe }))
}

impl Processes for World {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn n_local(&self) -> usize {
        self.local.size() as usize
    }

    fn shared_slabs(&self, run: RunId, limit: u64, sizes: &[Vec<u64>]) -> Option<SharedSlabs> {
        if self.n_local() < 2 {
            return None;
        }
        let made = (self.local.rank() == 0).then(|| SharedSlabs::make(run, limit, sizes).ok()).flatten();
        let mut address = made.as_ref().map_or(vec![0; SharedSlabs::address_len(sizes.len())], SharedSlabs::address);
        self.local.process_at_rank(0).broadcast_into(&mut address[..]);
        made.or_else(|| SharedSlabs::open(run, &address, sizes).ok())
    }

    fn abort_with(&self, code: u8) -> ! {
        self.world.abort(code.into())
    }
}

impl Link for World {
    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&self, to: usize, message: Message) {
        // The library takes a message this short at once.
        self.world.process_at_rank(to as i32).send(&message.to_words());
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
        self.abort_with((self.report)(self.rank(), why));
    }
}
