//! Opening what was named by a user or left by somebody: regular files only, read whole only up to a length.
//!
//! A pipe would keep a program waiting for ever, and a device has no end. Every file that is read whole goes through
//! [`read_whole`], every file that is read by position through [`open_regular`].

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Most bytes of a text that a person writes: a position, a game, a graph, problems.
pub const TEXT_BYTES: u64 = 1 << 20;
/// Most bytes of a file of times, or of measurements.
pub const RECORDS_BYTES: u64 = 1 << 24;
/// Most bytes of a manifest. That of 5x5 has some kilobytes; lists of released slabs make larger ones.
pub(crate) const MANIFEST_BYTES: u64 = 1 << 26;
/// Most bytes of a game in the head of a book, which may hold a graph as JSON.
pub(crate) const GAME_BYTES: u32 = 1 << 23;

/// Opens a regular file for reading. Anything else is an error at once: nobody waits for the other end of a pipe.
///
/// # Errors
/// There is no such file, it may not be read, or it is no regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Opening some devices does something, so they are not opened. What takes the place of a file meanwhile is opened, but
    // not waited for.
    check_regular(&std::fs::metadata(path)?)?;
    let file = without_waiting(OpenOptions::new().read(true)).open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file of at most so many.
///
/// # Errors
/// As [`open_regular`], or the file is longer.
pub fn read_whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    // Nothing is read of a file that says that it is too long.
    check_len(file.metadata()?.len(), most)?;
    read_to_end(file, most)
}

/// The bytes that come from anywhere, at most so many.
///
/// # Errors
/// They cannot be read, or there are more.
pub fn read_to_end(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    check_len(bytes.len() as u64, most)?;
    Ok(bytes)
}

fn check_len(len: u64, most: u64) -> io::Result<()> {
    if len <= most { Ok(()) } else { Err(io::Error::other(format!("it has more than {most} bytes"))) }
}

fn check_regular(found: &std::fs::Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is no regular file")) }
}

#[cfg(all(target_os = "linux", feature = "encode"))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

#[cfg(not(all(target_os = "linux", feature = "encode")))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_their_bound() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_whole(&path, 5).unwrap(), b"12345");
        assert_eq!(read_whole(&path, 4).unwrap_err().to_string(), "it has more than 4 bytes");
        assert_eq!(read_whole(dir.path(), 4).unwrap_err().to_string(), "it is no regular file");
        assert_eq!(read_to_end(io::repeat(0), 4).unwrap_err().to_string(), "it has more than 4 bytes");
        assert_eq!(read_whole(&dir.path().join("none"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
        // Most that any memory holds, and none of it is read.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read_whole(&path, 1 << 30).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            assert_eq!(open_regular(path).unwrap_err().to_string(), "it is no regular file");
        }
    }
}
