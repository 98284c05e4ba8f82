//! Reading a file, or a range of it, by position. The file may be in memory.
//!
//! Files are mapped only where the caller has promised that they stay as they are ([`Access`]): another process may truncate
//! them, and reading beyond the end of a mapped file kills the program. A read by position that comes too short is an ordinary
//! error. Bytes of a map are copied like those of a file, so one reader serves both.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dab_codec::ReadError;

use crate::maps::Mmap;
use crate::whole::open_regular;
use crate::{Access, Damage, StoreError};

/// A range of an opened file; offsets count from the start of the range.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    file: Opened,
    start: u64,
    len: u64,
}

#[derive(Clone, Debug)]
enum Opened {
    File(Arc<File>),
    Mapped(Arc<Mmap>),
    Memory(Arc<[u8]>),
}

impl Section {
    /// Opens a whole file, to be read by position.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Access::BY_POSITION)
    }

    /// Opens a whole file.
    pub(crate) fn open_with(path: &Path, access: Access) -> Result<Self, StoreError> {
        let file = open_regular(path).map_err(StoreError::io("open", path))?;
        match access.map(&file).map_err(StoreError::io("map", path))? {
            Some(map) => Ok(Self { start: 0, len: map.len() as u64, file: Opened::Mapped(map) }),
            None => Self::of(file).map_err(StoreError::io("examine", path)),
        }
    }

    /// The whole of an opened file, as long as it is now.
    pub(crate) fn of(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: Opened::File(Arc::new(file)), start: 0, len })
    }

    /// The whole of a file in memory.
    pub(crate) fn of_bytes(bytes: Arc<[u8]>) -> Self {
        Self { start: 0, len: bytes.len() as u64, file: Opened::Memory(bytes) }
    }

    /// A range of this section.
    ///
    /// # Panics
    /// When the range does not lie within the section.
    pub(crate) fn part(&self, range: Range<u64>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len);
        Self { file: self.file.clone(), start: self.start + range.start, len: range.end - range.start }
    }

    /// The same file, believed to have so many bytes: it has grown since it was opened.
    pub(crate) fn with_len(&self, len: u64) -> Self {
        Self { len, ..self.clone() }
    }

    /// The same file, as long as it is now.
    pub(crate) fn as_long_as_now(&self) -> io::Result<Self> {
        match &self.file {
            Opened::File(file) => Ok(self.with_len(file.metadata()?.len().saturating_sub(self.start))),
            _ => Ok(self.clone()),
        }
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Appends a range of the section to `bytes`. Nothing is allocated for a range beyond the end.
    pub(crate) fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        Damage::check_len("the file", range.end, self.len)?;
        let (start, len, at) = (self.start + range.start, (range.end - range.start) as usize, bytes.len());
        let all: &[u8] = match &self.file {
            Opened::File(file) => {
                bytes.resize(at + len, 0);
                return fill_from(file, &mut bytes[at..], start);
            }
            Opened::Mapped(map) => map,
            Opened::Memory(all) => all,
        };
        bytes.extend_from_slice(&all[start as usize..][..len]);
        Ok(())
    }

    /// A range of the section.
    pub(crate) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        self.append(range, &mut bytes)?;
        Ok(bytes)
    }

    /// The first bytes of the section, at most `most`.
    pub(crate) fn first(&self, most: usize) -> Result<Vec<u8>, ReadError> {
        self.read(0..self.len.min(most as u64))
    }
}

/// Fills `bytes` from an offset of a file on.
fn fill_from(file: &File, bytes: &mut [u8], offset: u64) -> Result<(), ReadError> {
    match read_exact_at(file, bytes, offset) {
        // Somebody has truncated the file since it was opened.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            let (expected, got) = (offset + bytes.len() as u64, file.metadata()?.len());
            Err(Damage::Short { what: "the file", expected, got }.into())
        }
        read => Ok(read?),
    }
}

/// Reads from an offset of a file, whatever position the file is at.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads from an offset of a file, whatever position the file is at.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            n => (bytes, offset) = (&mut bytes[n..], offset + n as u64),
        }
    }
    Ok(())
}

/// Reads from an offset of a file: this target has none.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_exact_at(_file: &File, _bytes: &mut [u8], _offset: u64) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_ends() {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&path, b"0123456789").unwrap();
        let part = |whole: Section| whole.part(2..9).part(1..6);
        let in_memory = part(Section::of_bytes(b"0123456789"[..].into()));
        // SAFETY: nobody else knows the file, and it is dropped before it is truncated below.
        #[allow(unsafe_code)]
        let access = unsafe { Access::mapped() };
        let mapped = part(Section::open_with(path.path(), access).unwrap());
        let part = part(Section::open(path.path()).unwrap());
        for part in [&part, &in_memory, &mapped] {
            assert_eq!(part.read(0..5).unwrap(), b"34567");
            assert_eq!(part.first(2).unwrap(), b"34");
            assert!(matches!(part.read(0..u64::MAX), Err(ReadError::Damage(Damage::Short { got: 5, .. }))));
        }
        // Truncated while it is open.
        std::fs::write(&path, b"01234").unwrap();
        assert_eq!(part.read(1..2).unwrap(), b"4");
        let short = Damage::Short { what: "the file", expected: 6, got: 5 };
        assert!(matches!(part.read(1..3), Err(ReadError::Damage(damage)) if damage == short));
    }
}
