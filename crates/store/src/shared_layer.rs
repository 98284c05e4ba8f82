//! Memory for the scores of one layer that the processes of a machine share.
//!
//! ```text
//!  0          64                 whole pages        bounds[1]
//!  | identity | state: u8 a slab | scores of slab 0 | scores of slab 1 | ...      a byte a score
//!
//!  state:  0 nothing  ◄──►  1 claimed by one process, which alone writes  ──►  2 complete, never written again
//! ```
//! Scores are computed where they stay: a process claims a slab, fills it and makes it complete.
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
const CLAIMED: u8 = 1;
const COMPLETE: u8 = 2;

/// The memory of one layer, as one process holds it.
#[derive(Debug)]
pub(crate) struct SharedLayer {
    file: File,
    map: MmapRaw,
    bounds: Vec<u64>,
}

impl SharedLayer {
    /// Makes empty memory for slabs of so many positions. `identity` tells the layer from all others.
    ///
    /// # Errors
    /// The system has no such memory.
    pub(crate) fn make(identity: Digest, sizes: &[u64]) -> io::Result<Self> {
        let bounds = bounds(sizes);
        let file = system::make(bounds[sizes.len()])?;
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
    pub(crate) fn open(path: &Path, identity: Digest, sizes: &[u64]) -> io::Result<Self> {
        let bounds = bounds(sizes);
        let file = File::options().read(true).write(true).open(path)?;
        let foreign = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("shared memory {what}"));
        if !system::is_sealed(&file) {
            return Err(foreign("that is not sealed"));
        }
        if file.metadata()?.len() != bounds[sizes.len()] {
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
        let map = MmapOptions::new().map_raw(&file)?;
        Ok(Self { file, map, bounds })
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

    /// Memory for the `len` scores of a slab, for this process alone until they are complete. `None` if the slab has another
    /// size, the system has no memory left, or the slab is complete or claimed.
    pub(crate) fn claim(self: &Arc<Self>, slab: usize, len: usize) -> Option<Claim> {
        let range = self.range(slab);
        if range.len() != len || range.end > self.map.len() {
            return None;
        }
        // Acquire: what the last one did that gave up its claim comes before what this one does.
        self.state(slab).compare_exchange(NOTHING, CLAIMED, Ordering::Acquire, Ordering::Relaxed).ok()?;
        let claim = Claim { layer: self.clone(), slab };
        system::allocate(&self.file, &self.map, range).ok().map(|()| claim)
    }

    fn range(&self, slab: usize) -> Range<usize> {
        self.bounds[slab] as usize..self.bounds[slab + 1] as usize
    }

    fn state(&self, slab: usize) -> &AtomicU8 {
        assert!(slab + 1 < self.bounds.len(), "no slab {slab}");
        // SAFETY: the byte lies within the map, which lives as long as the borrow and cannot shrink; all processes access
        // it by atomic operations.
        unsafe { AtomicU8::from_ptr(self.map.as_mut_ptr().add(IDENTITY_LEN + slab)) }
    }
}

/// The memory of a slab that only this process sees until it is complete. A claim that is dropped before is given up.
#[derive(Debug)]
pub(crate) struct Claim {
    layer: Arc<SharedLayer>,
    slab: usize,
}

impl Claim {
    /// Number of scores, which is the bytes of the memory.
    pub(crate) fn len(&self) -> usize {
        self.layer.range(self.slab).len()
    }

    /// The scores, which are anything before they are written.
    pub(crate) fn scores(&self) -> &[i8] {
        let range = self.layer.range(self.slab);
        // SAFETY: the range lies within the map, as was checked when it was claimed, and the map lives as long as `self`
        // and cannot shrink. Only the process that turned `NOTHING` into `CLAIMED` has it, and only by this claim.
        unsafe { std::slice::from_raw_parts(self.layer.map.as_ptr().add(range.start).cast(), range.len()) }
    }

    /// The same, to be written.
    pub(crate) fn scores_mut(&mut self) -> &mut [i8] {
        let range = self.layer.range(self.slab);
        // SAFETY: as in `scores`; the claim is borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(self.layer.map.as_mut_ptr().add(range.start).cast(), range.len()) }
    }

    /// Shows the scores to all processes.
    pub(crate) fn complete(self) -> SharedScores {
        // Release: the scores were written before their state.
        self.layer.state(self.slab).store(COMPLETE, Ordering::Release);
        SharedScores { layer: self.layer.clone(), range: self.layer.range(self.slab) }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let state = self.layer.state(self.slab);
        let _ = state.compare_exchange(CLAIMED, NOTHING, Ordering::Release, Ordering::Relaxed);
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
        // complete slab, to which no process writes: only the one that had claimed it did.
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

fn identity_bytes(identity: Digest) -> [u8; IDENTITY_LEN] {
    let mut bytes = [0; IDENTITY_LEN];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..].copy_from_slice(&identity.0);
    bytes
}

#[cfg(all(target_os = "linux", feature = "encode"))]
mod system {
    use std::fs::File;
    use std::io;
    use std::ops::Range;

    use memmap2::{Advice, MmapRaw};
    use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
    use rustix::fs::{fallocate, fcntl_add_seals, fcntl_get_seals, memfd_create};

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

    /// Has the system give memory to a range of the file, so that no access to it can fail later.
    pub(super) fn allocate(file: &File, map: &MmapRaw, range: Range<usize>) -> io::Result<()> {
        // A system that cannot write to all pages at once gives them one by one.
        map.advise_range(Advice::PopulateWrite, range.start, range.len()).or_else(|_| {
            let (begin, len) = (range.start as u64, range.len() as u64);
            Ok(fallocate(file, FallocateFlags::KEEP_SIZE, begin, len)?)
        })
    }
}

#[cfg(not(all(target_os = "linux", feature = "encode")))]
mod system {
    use std::fs::File;
    use std::io;
    use std::ops::Range;

    use memmap2::MmapRaw;

    pub(super) fn make(_byte_len: u64) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn seal(_file: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_sealed(_file: &File) -> bool {
        false
    }

    pub(super) fn allocate(_file: &File, _map: &MmapRaw, _range: Range<usize>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    const SIZES: [u64; 3] = [3, 10_000, 5];

    fn open(file: &File, identity: Digest) -> io::Result<SharedLayer> {
        SharedLayer::open(format!("/proc/self/fd/{}", file.as_raw_fd()).as_ref(), identity, &SIZES)
    }

    #[track_caller]
    fn refused(file: &File, identity: Digest, what: &str) {
        let error = open(file, identity).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }

    fn put(layer: &Arc<SharedLayer>, slab: usize, scores: &[i8]) {
        let mut claim = layer.claim(slab, scores.len()).unwrap();
        claim.scores_mut().copy_from_slice(scores);
        assert!(claim.scores() == scores && layer.slab(slab).is_none());
        claim.complete();
    }

    #[test]
    fn a_slab_is_written_once() {
        let made = Arc::new(SharedLayer::make(Digest::of(b"a"), &SIZES).unwrap());
        let opened = Arc::new(open(made.file(), Digest::of(b"a")).unwrap());
        assert!(opened.slab(0).is_none() && opened.claim(0, 2).is_none());
        put(&made, 0, &[1, -2, 3]);
        assert_eq!(*opened.slab(0).unwrap(), [1, -2, 3]);
        assert!(opened.claim(0, 3).is_none());
    }

    #[test]
    fn a_claim_that_is_given_up_leaves_nothing() {
        let made = Arc::new(SharedLayer::make(Digest::of(b"a"), &SIZES).unwrap());
        let opened = Arc::new(open(made.file(), Digest::of(b"a")).unwrap());
        let mut claim = made.claim(2, 5).unwrap();
        claim.scores_mut().fill(7);
        assert!(opened.claim(2, 5).is_none() && opened.slab(2).is_none());
        drop(claim);
        assert!(opened.slab(2).is_none());
        put(&opened, 2, &[0; 5]);
        assert_eq!(*made.slab(2).unwrap(), [0; 5]);
        // A process that died while it wrote.
        made.state(1).store(CLAIMED, Ordering::Relaxed);
        assert!(opened.claim(1, 10_000).is_none() && opened.slab(1).is_none());
    }

    #[test]
    fn foreign_short_and_unsealed_memory_is_refused() {
        let identity = Digest::of(b"a");
        let made = SharedLayer::make(identity, &SIZES).unwrap();
        assert!(made.file().set_len(0).is_err() && made.file().set_len(1 << 20).is_err());
        refused(made.file(), Digest::of(b"b"), "another layer or run");
        let other = SharedLayer::make(identity, &[1, 2]).unwrap();
        refused(other.file(), identity, "another length");
        let unsealed = system::make(made.file().metadata().unwrap().len()).unwrap();
        write_all_at(&unsealed, &identity_bytes(identity), 0).unwrap();
        refused(&unsealed, identity, "not sealed");
        let on_disk = tempfile::tempfile().unwrap();
        refused(&on_disk, identity, "not sealed");
    }
}
