//! Decoded slabs that the processes of a machine share, so that each slab is decoded once and in memory once.
//!
//! One process makes the memory, a [`SharedLayer`] a layer; the others open it by its [`SharedSlabs::address`]. Slabs
//! stay where they were put. A process drops a layer as a whole, and readers of the layer hold its memory until they are
//! done. All processes drop the same layers at the same time, since that follows from sizes alone.
//!
//! Shared memory only caches slabs. The run directory holds, or will hold, every one of them, so losing the cache loses
//! nothing.

use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use dab_space::{Layer, SlabId};

use crate::shared_layer::SharedLayer;
use crate::{Buffer, Digest, RunId, Scores};

/// The shared memory of all layers, as one process holds it.
#[derive(Debug)]
pub struct SharedSlabs {
    limit: u64,
    layers: Vec<Shared>,
    is_opened: bool,
}

#[derive(Debug)]
struct Shared {
    /// Bytes of all slabs.
    byte_len: u64,
    memory: RwLock<Option<Arc<SharedLayer>>>,
}

impl SharedSlabs {
    /// Makes empty memory for the layers of a run whose slabs have so many positions each, with room for `limit` bytes.
    ///
    /// # Errors
    /// There is not room for [`SharedSlabs::least`], or the system has no such memory.
    pub fn make(run: RunId, limit: u64, sizes: &[Vec<u64>]) -> io::Result<Self> {
        if limit < Self::least(sizes) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let make = |layer, sizes: &[u64]| SharedLayer::make(identity(run, limit, layer, sizes), sizes);
        Ok(Self { limit, layers: layers(sizes, make)?, is_opened: false })
    }

    /// Opens the memory that another process of this machine made for the same run.
    ///
    /// # Errors
    /// The address is none, the system does not let this process open it, or the file there is not the memory of this
    /// run.
    pub fn open(run: RunId, address: &[u64], sizes: &[Vec<u64>]) -> io::Result<Self> {
        let [process, limit, files @ ..] = address else { return Err(io::ErrorKind::InvalidInput.into()) };
        let open = |layer: usize, sizes: &[u64]| {
            let number = files.get(layer).ok_or(io::ErrorKind::InvalidInput)?;
            let path = format!("/proc/{process}/fd/{number}");
            SharedLayer::open(path.as_ref(), identity(run, *limit, layer, sizes), sizes)
        };
        Ok(Self { limit: *limit, layers: layers(sizes, open)?, is_opened: true })
    }

    /// The least room: for any two neighbouring layers, that which is solved and that which it reads most. With less, slabs
    /// would be dropped before another process reads them.
    pub fn least(sizes: &[Vec<u64>]) -> u64 {
        let bytes: Vec<u64> = sizes.iter().map(|sizes| byte_len(sizes)).collect();
        bytes.windows(2).map(|pair| pair[0].saturating_add(pair[1])).max().unwrap_or(0)
    }

    /// Length of the address of the memory of so many layers.
    pub fn address_len(n_layers: usize) -> usize {
        2 + n_layers
    }

    /// The numbers by which other processes open this memory, as long as this process holds all of it: process, limit,
    /// and the file of each layer.
    #[cfg(unix)]
    pub fn address(&self) -> Vec<u64> {
        use std::os::fd::AsRawFd;
        let files = self.layers.iter().map(|layer| layer.memory().map_or(0, |held| held.file().as_raw_fd() as u64));
        [std::process::id().into(), self.limit].into_iter().chain(files).collect()
    }

    /// Begins a layer: drops the highest ones until it and those above it fit the room.
    pub fn enter(&self, layer: Layer) {
        let mut bytes = 0_u64;
        for (above, shared) in self.layers.iter().enumerate().skip(layer.0) {
            bytes = bytes.saturating_add(shared.byte_len);
            if bytes > self.limit && above > layer.0 {
                *shared.memory.write().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
    }

    /// The scores of a slab, if some process put them there.
    pub fn slab(&self, id: SlabId) -> Option<Scores> {
        self.layers[id.layer.0].memory()?.slab(id.slab).map(Scores::from)
    }

    /// Memory there for the `len` scores of a slab, which all processes see once they are complete: when [`Scores`] are
    /// made from it. `None` if there is no room, or some process has or makes the slab.
    pub fn claim(&self, id: SlabId, len: usize) -> Option<Buffer> {
        self.layers[id.layer.0].memory()?.claim(id.slab, len).map(Buffer::from)
    }
}

impl Drop for SharedSlabs {
    fn drop(&mut self) {
        // Who lets go of a layer last has to free its memory. Processes that end together share that if they begin at
        // different ends.
        if self.is_opened {
            self.layers.reverse();
        }
    }
}

/// The memory of every layer.
fn layers(sizes: &[Vec<u64>], memory: impl Fn(usize, &[u64]) -> io::Result<SharedLayer>) -> io::Result<Vec<Shared>> {
    let layers = sizes.iter().enumerate().map(|(layer, sizes)| {
        let memory = RwLock::new(Some(Arc::new(memory(layer, sizes)?)));
        Ok(Shared { byte_len: byte_len(sizes), memory })
    });
    layers.collect()
}

/// Bytes of all slabs of a layer.
fn byte_len(sizes: &[u64]) -> u64 {
    sizes.iter().fold(0, |sum, size| sum.saturating_add(*size))
}

impl Shared {
    fn memory(&self) -> Option<Arc<SharedLayer>> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Tells the memory of a layer from that of all other layers, runs and sizes.
fn identity(run: RunId, limit: u64, layer: usize, sizes: &[u64]) -> Digest {
    let numbers = [limit, layer as u64].into_iter().chain(sizes.iter().copied());
    Digest::of(&run.0.into_iter().chain(numbers.flat_map(u64::to_le_bytes)).collect::<Vec<u8>>())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    const RUN: RunId = RunId([1; RunId::LEN]);
    const SIZES: [usize; 3] = [3, 10_000, 5];

    fn sizes() -> Vec<Vec<u64>> {
        vec![SIZES.map(|size| size as u64).to_vec(), vec![20_000], vec![15_000]]
    }

    fn scores(slab: usize) -> Vec<i8> {
        (0..SIZES[slab]).map(|i| (i % 251) as i8).collect()
    }

    fn put(shared: &SharedSlabs, id: SlabId, scores: &[i8]) -> Option<Scores> {
        let mut buffer = shared.claim(id, scores.len())?;
        buffer.copy_from_slice(scores);
        Some(buffer.into())
    }

    #[test]
    fn what_one_puts_there_another_finds() {
        let made = SharedSlabs::make(RUN, 1 << 20, &sizes()).unwrap();
        let opened = SharedSlabs::open(RUN, &made.address(), &sizes()).unwrap();
        assert_eq!(made.address().len(), SharedSlabs::address_len(3));
        assert!(opened.slab(SlabId::new(0, 1)).is_none());
        assert_eq!(*put(&made, SlabId::new(0, 1), &scores(1)).unwrap(), scores(1));
        assert_eq!(*opened.slab(SlabId::new(0, 1)).unwrap(), scores(1));
        assert!(opened.slab(SlabId::new(0, 0)).is_none() && opened.slab(SlabId::new(0, 2)).is_none());
        put(&opened, SlabId::new(0, 2), &scores(2)).unwrap();
        assert_eq!(*made.slab(SlabId::new(0, 2)).unwrap(), scores(2));
        // It outlives the process that made it.
        drop(made);
        assert_eq!(*opened.slab(SlabId::new(0, 2)).unwrap(), scores(2));
    }

    #[test]
    fn room_is_limited() {
        assert_eq!(SharedSlabs::least(&sizes()), 35_000);
        assert!(SharedSlabs::make(RUN, 34_999, &sizes()).is_err());
        let shelf = SharedSlabs::make(RUN, 35_000, &sizes()).unwrap();
        shelf.enter(Layer(1));
        let held = put(&shelf, SlabId::new(2, 0), &vec![-1; 15_000]).unwrap();
        shelf.enter(Layer(0));
        assert!(shelf.slab(SlabId::new(2, 0)).is_none() && shelf.claim(SlabId::new(2, 0), 15_000).is_none());
        // Readers that hold it read on.
        assert_eq!(held[14_999], -1);
        assert!(put(&shelf, SlabId::new(1, 0), &vec![-2; 20_000]).is_some());
        assert!(put(&shelf, SlabId::new(0, 1), &scores(1)).is_some());
    }

    #[test]
    fn addresses_of_others_are_refused() {
        let shelf = SharedSlabs::make(RUN, 1 << 20, &sizes()).unwrap();
        let address = shelf.address();
        assert!(SharedSlabs::open(RUN, &address[..3], &sizes()).is_err());
        assert!(SharedSlabs::open(RUN, &[u64::from(u32::MAX), 1 << 20, 0, 0, 0], &sizes()).is_err());
        let other = vec![vec![1], vec![2], vec![15_000]];
        assert!(SharedSlabs::open(RUN, &address, &other).is_err());
        assert!(SharedSlabs::open(RunId([2; RunId::LEN]), &address, &sizes()).is_err());
        // Another file has the number by now.
        let file = tempfile::tempfile().unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&file) as u64;
        assert!(SharedSlabs::open(RUN, &[address[0], address[1], number, address[3], address[4]], &sizes()).is_err());
        assert!(SharedSlabs::open(RUN, &address, &sizes()).is_ok());
    }
}
