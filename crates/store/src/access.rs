//! How files are read: by position, or mapped into memory.
//!
//! A read by position that comes too short, because somebody has truncated the file, is an ordinary error. A mapped file spares
//! the calls of the system, but beyond its new end an access kills the program. So mapping is a promise, which its caller makes
//! once, in [`Access::mapped`], where its contract is written; all else that opens files takes an [`Access`] and is safe.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::sync::Arc;

use crate::maps::Mmap;

/// How finished files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    is_mapped: bool,
}

impl Access {
    /// Reads by position: always safe, and the default. Pages that are read this way stay in the system's cache and do not count as
    /// memory of this process.
    pub const BY_POSITION: Self = Self { is_mapped: false };

    /// Maps each book and score file that is read. Its pages count as memory of this process while they are in use; the
    /// system takes them back when it is short.
    ///
    /// # Safety
    /// Until everything that was opened with this value is dropped, nobody may change or truncate the bytes of the files: no other
    /// program, and nothing in this one. A run may be mapped only when it is not solved, repaired or released any more, since all
    /// of these write to its files; removing or replacing a whole file is harmless. Files of a network or of a device that may fail
    /// are better read by position.
    #[cfg(feature = "map")]
    pub const unsafe fn mapped() -> Self {
        Self { is_mapped: true }
    }

    /// The bytes of an opened file, if it is to be mapped.
    ///
    /// # Errors
    /// The system cannot map it.
    #[cfg(feature = "map")]
    pub(crate) fn map(self, file: &File) -> io::Result<Option<Arc<Mmap>>> {
        if !self.is_mapped {
            return Ok(None);
        }
        // SAFETY: whoever made this value by `mapped` has promised that the bytes of the file stay as they are.
        let map = unsafe { Mmap::map(file)? };
        Ok(Some(Arc::new(map)))
    }

    #[cfg(not(feature = "map"))]
    pub(crate) fn map(self, _file: &File) -> io::Result<Option<Arc<Mmap>>> {
        Ok(None)
    }
}
