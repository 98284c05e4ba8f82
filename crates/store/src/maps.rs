//! Maps of files and of memory, by memmap2. Without feature `map` there are none: no file is mapped, and buffers are on the heap.

#[cfg(feature = "map")]
pub(crate) use memmap2::{Mmap, MmapMut, MmapRaw};

#[cfg(not(feature = "map"))]
pub(crate) use NoMap as Mmap;
#[cfg(not(feature = "map"))]
pub(crate) use NoMap as MmapMut;
#[cfg(not(feature = "map"))]
pub(crate) use NoMap as MmapRaw;

/// A map that is never made.
#[cfg(not(feature = "map"))]
#[derive(Debug)]
pub(crate) enum NoMap {}

#[cfg(not(feature = "map"))]
impl NoMap {
    pub(crate) fn map_anon(_len: usize) -> std::io::Result<Self> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn as_ptr(&self) -> *const u8 {
        match *self {}
    }

    pub(crate) fn as_mut_ptr(&self) -> *mut u8 {
        match *self {}
    }
}

#[cfg(not(feature = "map"))]
impl std::ops::Deref for NoMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match *self {}
    }
}

#[cfg(not(feature = "map"))]
impl std::ops::DerefMut for NoMap {
    fn deref_mut(&mut self) -> &mut [u8] {
        match *self {}
    }
}
