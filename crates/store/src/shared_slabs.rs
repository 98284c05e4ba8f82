//! Scores that the processes of a machine share, so that each slab is decoded once and in memory once.
//!
//! ```text
//!    file of a layer    | there: u8 by slab | padding | scores of slab 0 | scores of slab 1 | ...      a byte a score
//! ```
//! The files are sparse, lie in memory and have no names: the system frees them with the last process that holds
//! them, however it ends. One process makes the shelf, the others open it by its [`SharedSlabs::address`]. What is on the
//! shelf stays; a process lets go of a layer as a whole, and who still reads it holds its map. All processes let go of
//! the same layers at the same time, since that follows from sizes alone.
//!
//! A shelf promises nothing: what is not there, for whatever reason, is in the run.

use std::fs::File;
use std::io;
use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, PoisonError, RwLock};

use crate::Scores;
use crate::map::{Filling, bytes_of};

/// Where the system keeps files in memory.
const MEMORY: &str = "/dev/shm";
/// Scores begin at a multiple of this.
const PAGE: u64 = 4096;

/// A shelf, as one process holds it.
#[derive(Debug)]
pub struct SharedSlabs {
    limit: u64,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Where the scores of each slab begin, and where those of the last one end.
    bounds: Vec<u64>,
    held: RwLock<Option<Arc<Held>>>,
}

#[derive(Debug)]
struct Held {
    file: File,
    map: Arc<Filling>,
}

impl SharedSlabs {
    /// An empty shelf for layers whose slabs have so many positions each, with room for `limit` bytes.
    ///
    /// # Errors
    /// The system has no such memory.
    pub fn make(limit: u64, sizes: &[Vec<u64>]) -> io::Result<Self> {
        Self::of(limit, sizes, |_, byte_len| {
            let file = tempfile::tempfile_in(MEMORY)?;
            file.set_len(byte_len)?;
            Ok(file)
        })
    }

    /// The shelf that another process of this machine has made for the same layers.
    ///
    /// # Errors
    /// There is none at this address, or the system does not let this process have it.
    pub fn open(address: &[u64], sizes: &[Vec<u64>]) -> io::Result<Self> {
        let [process, limit, files @ ..] = address else { return Err(io::ErrorKind::InvalidInput.into()) };
        Self::of(*limit, sizes, |layer, byte_len| {
            let number = files.get(layer).ok_or(io::ErrorKind::InvalidInput)?;
            let file = File::options().read(true).write(true).open(format!("/proc/{process}/fd/{number}"))?;
            match file.metadata()?.len() == byte_len {
                true => Ok(file),
                false => Err(io::ErrorKind::InvalidData.into()),
            }
        })
    }

    fn of(limit: u64, sizes: &[Vec<u64>], file: impl Fn(usize, u64) -> io::Result<File>) -> io::Result<Self> {
        let layer = |(layer, sizes): (usize, &Vec<u64>)| {
            let mut end = (sizes.len() as u64).next_multiple_of(PAGE);
            let room = end.saturating_add(limit);
            let mut bounds = vec![end];
            bounds.extend(sizes.iter().map(|size| {
                end += size;
                end
            }));
            let file = file(layer, end.min(room))?;
            let map = Arc::new(Filling::new(&file)?);
            Ok(Layer { bounds, held: RwLock::new(Some(Arc::new(Held { file, map }))) })
        };
        Ok(Self { limit, layers: sizes.iter().enumerate().map(layer).collect::<io::Result<_>>()? })
    }

    /// Length of the address of a shelf for so many layers.
    pub fn address_len(n_layers: usize) -> usize {
        2 + n_layers
    }

    /// What other processes need to open this shelf, while this process holds all of it.
    #[cfg(unix)]
    pub fn address(&self) -> Vec<u64> {
        use std::os::fd::AsRawFd;
        let files = self.layers.iter().map(|layer| layer.held().map_or(0, |held| held.file.as_raw_fd() as u64));
        [std::process::id().into(), self.limit].into_iter().chain(files).collect()
    }

    /// Begins a layer: lets go of the highest ones until it and those above it fit the room.
    pub fn enter(&self, layer: usize) {
        let mut bytes = 0_u64;
        for (above, shelved) in self.layers.iter().enumerate().skip(layer) {
            bytes = bytes.saturating_add(shelved.bounds[shelved.bounds.len() - 1]);
            if bytes > self.limit && above > layer {
                *shelved.held.write().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
    }

    /// The scores of a slab, if they are there.
    pub fn slab(&self, layer: usize, slab: usize) -> Option<Scores> {
        let shelved = &self.layers[layer];
        let held = shelved.held()?;
        let mut there = [0];
        read_at(&held.file, &mut there, slab as u64).ok()?;
        // Whoever wrote that they are there had written them before.
        fence(Ordering::Acquire);
        let range = shelved.bounds[slab] as usize..shelved.bounds[slab + 1] as usize;
        (there == [1]).then(|| Scores::shared(held.map.clone(), range))
    }

    /// Puts the scores of a slab there, if there is room, and returns them as they are there.
    pub fn put(&self, layer: usize, slab: usize, scores: &[i8]) -> Option<Scores> {
        let there = self.slab(layer, slab);
        if there.is_some() {
            return there;
        }
        let shelved = &self.layers[layer];
        let [begin, end] = [shelved.bounds[slab], shelved.bounds[slab + 1]];
        if end - shelved.bounds[0] > self.limit || end - begin != scores.len() as u64 {
            return None;
        }
        let held = shelved.held()?;
        write_at(&held.file, bytes_of(scores), begin).ok()?;
        write_at(&held.file, &[1], slab as u64).ok()?;
        self.slab(layer, slab)
    }
}

impl Layer {
    fn held(&self) -> Option<Arc<Held>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const SIZES: [usize; 3] = [3, 10_000, 5];

    fn sizes() -> Vec<Vec<u64>> {
        vec![SIZES.map(|size| size as u64).to_vec(), vec![20_000], vec![]]
    }

    fn scores(slab: usize) -> Vec<i8> {
        (0..SIZES[slab]).map(|i| (i % 251) as i8).collect()
    }

    #[test]
    fn what_one_puts_there_another_finds() {
        let made = SharedSlabs::make(1 << 20, &sizes()).unwrap();
        let opened = SharedSlabs::open(&made.address(), &sizes()).unwrap();
        assert_eq!(made.address().len(), SharedSlabs::address_len(3));
        assert!(opened.slab(0, 1).is_none());
        assert_eq!(*made.put(0, 1, &scores(1)).unwrap(), scores(1));
        assert_eq!(*opened.slab(0, 1).unwrap(), scores(1));
        assert!(opened.slab(0, 0).is_none() && opened.slab(0, 2).is_none());
        opened.put(0, 2, &scores(2)).unwrap();
        assert_eq!(*made.slab(0, 2).unwrap(), scores(2));
        // It outlives whoever made it.
        drop(made);
        assert_eq!(*opened.slab(0, 2).unwrap(), scores(2));
    }

    #[test]
    fn room_is_limited() {
        let shelf = SharedSlabs::make(20_000, &sizes()).unwrap();
        let above = shelf.put(1, 0, &vec![-1; 20_000]);
        assert!(above.is_none() || above.is_some_and(|above| above[19_999] == -1));
        let held = shelf.slab(1, 0);
        shelf.enter(0);
        assert!(shelf.slab(1, 0).is_none() && shelf.put(1, 0, &vec![-1; 20_000]).is_none());
        // Who holds it reads on.
        assert!(held.is_none_or(|held| held[0] == -1));
        let small = SharedSlabs::make(9_000, &sizes()).unwrap();
        assert!(small.put(0, 0, &scores(0)).is_some());
        assert!(small.put(0, 1, &scores(1)).is_none() && small.put(0, 2, &scores(2)).is_none());
    }

    #[test]
    fn addresses_of_others_are_refused() {
        let shelf = SharedSlabs::make(1 << 20, &sizes()).unwrap();
        let address = shelf.address();
        assert!(SharedSlabs::open(&address[..3], &sizes()).is_err());
        assert!(SharedSlabs::open(&[u64::from(u32::MAX), 1 << 20, 0, 0, 0], &sizes()).is_err());
        let other = vec![vec![1], vec![2], vec![50_000]];
        assert!(SharedSlabs::open(&address, &other).is_err());
    }
}
