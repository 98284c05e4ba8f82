//! Memory for the scores of one layer that the processes of a machine share.
//!
//! ```text
//!  0          64                 whole pages        bounds[1]
//!  | identity | state: u8 a slab | scores of slab 0 | scores of slab 1 | ...      a byte a score
//!
//!  state:  0 nothing  ──►  1 being written, by the process that made it 1  ──►  2 complete, never written again
//! ```
//!
//! The memory is a file without a name, which the system frees with the last process that holds it. It is sealed before
//! any process maps it: nobody can truncate it, so no access to a map can fail. A process that opens it compares length,
//! seals and identity first, so that a number which meanwhile belongs to another file is an error.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use memmap2::{MmapOptions, MmapRaw};

use crate::Digest;
use crate::section::read_exact_at;
use crate::storage::write_all_at;

const MAGIC: [u8; 32] = *b"dab: decoded slabs of one layer\0";
const IDENTITY_LEN: usize = MAGIC.len() + Digest::LEN;

/// Scores begin at a multiple of this.
const PAGE: u64 = 4096;

const NOTHING: u8 = 0;
const BEING_WRITTEN: u8 = 1;
const COMPLETE: u8 = 2;

/// The memory of one layer, as one process holds it.
#[derive(Debug)]
pub(crate) struct SharedLayer {
    file: File,
    /// The pages of identity and states, mapped to be written.
    states: MmapRaw,
    /// The whole memory, mapped to be read.
    map: MmapRaw,
    bounds: Vec<u64>,
}

impl SharedLayer {
    /// Makes empty memory for slabs of so many positions, at most `limit` bytes of scores. `identity` tells the layer
    /// from all others.
    ///
    /// # Errors
    /// The system has no such memory.
    pub(crate) fn make(identity: Digest, sizes: &[u64], limit: u64) -> io::Result<Self> {
        let bounds = bounds(sizes);
        let file = system::make(byte_len(&bounds, limit))?;
        // The states are written, not left as a hole, so that the system has memory for them from now on.
        let mut head = vec![NOTHING; bounds[0] as usize];
        head[..IDENTITY_LEN].copy_from_slice(&identity_bytes(identity));
        write_all_at(&file, &head, 0)?;
        system::seal(&file)?;
        Self::map(file, bounds)
    }

    /// Opens the memory that another process made for the same layer.
    ///
    /// # Errors
    /// The file cannot be opened, is not sealed, or is not the memory of this layer.
    pub(crate) fn open(path: &Path, identity: Digest, sizes: &[u64], limit: u64) -> io::Result<Self> {
        let bounds = bounds(sizes);
        let file = File::options().read(true).write(true).open(path)?;
        let foreign = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("shared memory {what}"));
        if !system::is_sealed(&file) {
            return Err(foreign("that is not sealed"));
        }
        if file.metadata()?.len() != byte_len(&bounds, limit) {
            return Err(foreign("of another length"));
        }
        let mut found = [0; IDENTITY_LEN];
        read_exact_at(&file, &mut found, 0)?;
        match found == identity_bytes(identity) {
            true => Self::map(file, bounds),
            false => Err(foreign("of another layer or run")),
        }
    }

    fn map(file: File, bounds: Vec<u64>) -> io::Result<Self> {
        let states = MmapOptions::new().len(bounds[0] as usize).map_raw(&file)?;
        let map = MmapOptions::new().map_raw_read_only(&file)?;
        Ok(Self { file, states, map, bounds })
    }

    /// The open file, for other processes to find it.
    #[cfg(unix)]
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// The scores of a slab, if they are complete.
    pub(crate) fn slab(self: &Arc<Self>, slab: usize) -> Option<SharedScores> {
        // Acquire: the scores were written before their state.
        let is_complete = self.state(slab).load(Ordering::Acquire) == COMPLETE;
        is_complete.then(|| SharedScores { layer: self.clone(), range: self.range(slab) })
    }

    /// Writes the scores of a slab, unless it has another size, there is no room, or another process writes them.
    /// Returns them as they are in shared memory, if they are complete.
    pub(crate) fn put(self: &Arc<Self>, slab: usize, scores: &[i8]) -> Option<SharedScores> {
        let range = self.range(slab);
        let state = self.state(slab);
        if range.len() == scores.len()
            && range.end <= self.map.len()
            && state.compare_exchange(NOTHING, BEING_WRITTEN, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            && write_all_at(&self.file, bytemuck::cast_slice(scores), range.start as u64).is_ok()
        {
            state.store(COMPLETE, Ordering::Release);
        }
        self.slab(slab)
    }

    fn range(&self, slab: usize) -> Range<usize> {
        self.bounds[slab] as usize..self.bounds[slab + 1] as usize
    }

    fn state(&self, slab: usize) -> &AtomicU8 {
        assert!(slab + 1 < self.bounds.len(), "no slab {slab}");
        // SAFETY: the byte lies within the map, which lives as long as the borrow and cannot shrink; all processes access
        // it by atomic operations.
        unsafe { AtomicU8::from_ptr(self.states.as_mut_ptr().add(IDENTITY_LEN + slab)) }
    }
}

/// Complete scores of a slab in shared memory.
#[derive(Clone)]
pub(crate) struct SharedScores {
    layer: Arc<SharedLayer>,
    range: Range<usize>,
}

impl Deref for SharedScores {
    type Target = [i8];

    fn deref(&self) -> &[i8] {
        assert!(self.range.end <= self.layer.map.len());
        // SAFETY: the range lies within the map, which lives as long as `self` and cannot shrink. It is the range of a
        // complete slab, to which no process writes: only the one that turned `NOTHING` into `BEING_WRITTEN` did.
        unsafe {
            let start = self.layer.map.as_ptr().add(self.range.start);
            std::slice::from_raw_parts(start.cast(), self.range.len())
        }
    }
}

/// Byte offsets of the slabs, and of the end.
fn bounds(sizes: &[u64]) -> Vec<u64> {
    let mut end = (IDENTITY_LEN as u64 + sizes.len() as u64).next_multiple_of(PAGE);
    let mut bounds = vec![end];
    bounds.extend(sizes.iter().map(|size| {
        end = end.saturating_add(*size);
        end
    }));
    bounds
}

/// Length of the memory: all slabs, or as many as fit into `limit` bytes.
fn byte_len(bounds: &[u64], limit: u64) -> u64 {
    bounds[bounds.len() - 1].min(bounds[0].saturating_add(limit))
}

fn identity_bytes(identity: Digest) -> [u8; IDENTITY_LEN] {
    let mut bytes = [0; IDENTITY_LEN];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..].copy_from_slice(&identity.0);
    bytes
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::File;
    use std::io;

    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};

    /// A file in memory, without a name.
    pub(super) fn make(byte_len: u64) -> io::Result<File> {
        let file = File::from(memfd_create("dab", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
        file.set_len(byte_len)?;
        Ok(file)
    }

    const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

    /// Fixes the length of the file for good.
    pub(super) fn seal(file: &File) -> io::Result<()> {
        Ok(fcntl_add_seals(file, SEALS)?)
    }

    pub(super) fn is_sealed(file: &File) -> bool {
        fcntl_get_seals(file).is_ok_and(|seals| seals.contains(SEALS))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::File;
    use std::io;

    pub(super) fn make(_byte_len: u64) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn seal(_file: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_sealed(_file: &File) -> bool {
        false
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    const SIZES: [u64; 3] = [3, 10_000, 5];

    fn open(file: &File, identity: Digest) -> io::Result<SharedLayer> {
        SharedLayer::open(format!("/proc/self/fd/{}", file.as_raw_fd()).as_ref(), identity, &SIZES, 1 << 20)
    }

    #[track_caller]
    fn refused(file: &File, identity: Digest, what: &str) {
        let error = open(file, identity).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }

    #[test]
    fn a_slab_is_written_once() {
        let made = Arc::new(SharedLayer::make(Digest::of(b"a"), &SIZES, 1 << 20).unwrap());
        let opened = Arc::new(open(made.file(), Digest::of(b"a")).unwrap());
        assert!(opened.slab(0).is_none() && opened.put(0, &[1, 2]).is_none());
        assert_eq!(*made.put(0, &[1, -2, 3]).unwrap(), [1, -2, 3]);
        assert_eq!(*opened.put(0, &[4, 4, 4]).unwrap(), [1, -2, 3]);
        // A process that died while it wrote.
        made.state(2).store(BEING_WRITTEN, Ordering::Relaxed);
        assert!(opened.put(2, &[0; 5]).is_none());
    }

    #[test]
    fn foreign_short_and_unsealed_memory_is_refused() {
        let identity = Digest::of(b"a");
        let made = SharedLayer::make(identity, &SIZES, 1 << 20).unwrap();
        assert!(made.file().set_len(0).is_err() && made.file().set_len(1 << 20).is_err());
        refused(made.file(), Digest::of(b"b"), "another layer or run");
        let other = SharedLayer::make(identity, &[1, 2], 1 << 20).unwrap();
        refused(other.file(), identity, "another length");
        let unsealed = system::make(made.file().metadata().unwrap().len()).unwrap();
        write_all_at(&unsealed, &identity_bytes(identity), 0).unwrap();
        refused(&unsealed, identity, "not sealed");
        let on_disk = tempfile::tempfile().unwrap();
        refused(&on_disk, identity, "not sealed");
    }
}
