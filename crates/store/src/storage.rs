//! The operations that writing needs of a file system: the seam where tests make it fail.
//!
//! Every change of a run or a book goes through [`Storage`]. Reading does not: bytes that cannot be read or believed are an
//! error wherever it happens.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes of a block of the file system: holes have its borders.
pub const FILE_BLOCK: u64 = 4096;

/// A file opened for writing, and its name.
#[derive(Debug)]
pub struct Output {
    /// The file, open for reading and writing.
    pub file: File,
    /// Its name when it was opened.
    pub path: PathBuf,
}

/// The operations of a file system that make runs and books durable. Their errors are those of the operating system.
pub trait Storage: Debug + Send + Sync {
    /// Makes a directory and those above it.
    fn create_dir(&self, path: &Path) -> io::Result<()>;

    /// Opens a file, made if it is not there; its bytes stay. A link of that name is an error, wherever it leads.
    fn open(&self, path: &Path) -> io::Result<Output>;

    /// Makes a file. The error is [`io::ErrorKind::AlreadyExists`] where anything, even a link to nowhere, has its name.
    fn create(&self, path: &Path) -> io::Result<Output>;

    /// Writes all of `bytes` at an offset; after an error some of them may be there.
    fn write_at(&self, output: &Output, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts a file off.
    fn truncate(&self, output: &Output, byte_len: u64) -> io::Result<()>;

    /// Gives back the room of a range of a file, whose bytes are zeros from now on; its length stays. Where the file system cannot
    /// do that, the error is [`io::ErrorKind::Unsupported`] and the bytes stay.
    fn punch(&self, output: &Output, range: Range<u64>) -> io::Result<()>;

    /// Returns when the bytes of a file will survive a power cut.
    fn sync(&self, output: &Output) -> io::Result<()>;

    /// Gives a file another name, replacing the file that had it; a reader sees one or the other, never a mixture.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// As [`Storage::rename`], but the error is [`io::ErrorKind::AlreadyExists`] where the name is taken.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns when the names in a directory will survive a power cut.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// The file system of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Storage for Disk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn open(&self, path: &Path) -> io::Result<Output> {
        let file = without_following(OpenOptions::new().read(true).write(true).create(true)).open(path)?;
        Ok(Output { file, path: path.to_path_buf() })
    }

    fn create(&self, path: &Path) -> io::Result<Output> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        Ok(Output { file, path: path.to_path_buf() })
    }

    fn write_at(&self, output: &Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        write_all_at(&output.file, bytes, offset)
    }

    fn truncate(&self, output: &Output, byte_len: u64) -> io::Result<()> {
        output.file.set_len(byte_len)
    }

    fn punch(&self, output: &Output, range: Range<u64>) -> io::Result<()> {
        punch(&output.file, range)
    }

    fn sync(&self, output: &Output) -> io::Result<()> {
        output.file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Windows opens no directory as a file; its file systems keep a journal of names.
        if cfg!(windows) { Ok(()) } else { File::open(path)?.sync_all() }
    }
}

/// Renames a file unless the name is taken.
#[cfg(feature = "encode")]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    Ok(tempfile::TempPath::try_from_path(from)?.persist_noclobber(to)?)
}

/// Renames a file unless the name is taken: nothing is written without the feature `encode`.
#[cfg(not(feature = "encode"))]
fn rename_new(_from: &Path, _to: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the file system of a directory, which need not be there yet, makes holes in files: then slabs can be released.
#[cfg(feature = "encode")]
pub fn makes_holes(dir: &Path) -> bool {
    let existing = dir.ancestors().find_map(|dir| match dir.as_os_str().is_empty() {
        true => Some(Path::new(".")),
        false => Some(dir).filter(|dir| dir.is_dir()),
    });
    existing.and_then(|dir| tempfile::tempfile_in(dir).ok()).is_some_and(|file| punch(&file, 0..1).is_ok())
}

/// Opens a file to write at its end, made if it is not there. A link of that name is an error, and so is a pipe.
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    let file = without_following(OpenOptions::new().create(true).append(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// These options; they refuse a link, and do not wait for the reader of a pipe. Somebody may have put one where a file is to be
/// written.
#[cfg(all(target_os = "linux", feature = "encode"))]
fn without_following(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed())
}

/// These options: here the system has no better ones.
#[cfg(not(all(target_os = "linux", feature = "encode")))]
fn without_following(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Makes a hole in a file.
#[cfg(all(target_os = "linux", feature = "encode"))]
fn punch(file: &File, range: Range<u64>) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    Ok(fallocate(file, flags, range.start, range.end - range.start)?)
}

/// Makes a hole in a file.
#[cfg(not(all(target_os = "linux", feature = "encode")))]
fn punch(_file: &File, _range: Range<u64>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes at an offset of a file, whatever position the file is at.
#[cfg(unix)]
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Writes at an offset of a file, whatever position the file is at.
#[cfg(windows)]
pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            n => (bytes, offset) = (&bytes[n..], offset + n as u64),
        }
    }
    Ok(())
}

/// Writes at an offset of a file: this target has none.
#[cfg(not(any(unix, windows)))]
pub(crate) fn write_all_at(_file: &File, _bytes: &[u8], _offset: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
