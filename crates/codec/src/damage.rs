//! Faults of bytes, without the file that they are in, which the owner of the bytes knows.

use std::error::Error;
use std::fmt;
use std::io;

/// A fault in some bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum Damage {
    /// Fewer bytes than a part of the file needs.
    Short { what: &'static str, expected: u64, got: u64 },
    /// A field with another value than it must have.
    Field { what: &'static str, expected: String, got: String },
    /// Bytes that do not match their checksum.
    Checksum { what: &'static str, expected: u32, got: u32 },
    /// A compressed block that does not decompress.
    Compression(String),
    /// JSON that cannot be read, or has other fields.
    Json(String),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { what, expected, got } => write!(f, "{what} ends early: expected {expected} bytes, got {got}"),
            Self::Field { what, expected, got } => write!(f, "{what}: expected {expected}, got {got}"),
            Self::Checksum { what, expected, got } => {
                write!(f, "checksum of {what}: expected {expected:08x}, got {got:08x}")
            }
            Self::Compression(text) => write!(f, "does not decompress: {text}"),
            Self::Json(text) => f.write_str(text),
        }
    }
}

impl Error for Damage {}

impl Damage {
    /// `Ok` when a field has the value it must have.
    pub fn check<T: PartialEq + fmt::Display>(what: &'static str, expected: T, got: T) -> Result<(), Self> {
        if expected == got {
            return Ok(());
        }
        Err(Self::Field { what, expected: expected.to_string(), got: got.to_string() })
    }

    /// `Ok` when a checksum agrees.
    pub fn check_crc(what: &'static str, expected: u32, got: u32) -> Result<(), Self> {
        if expected == got { Ok(()) } else { Err(Self::Checksum { what, expected, got }) }
    }

    /// `Ok` when `got` bytes are at least `expected`.
    pub fn check_len(what: &'static str, expected: u64, got: u64) -> Result<(), Self> {
        if got >= expected { Ok(()) } else { Err(Self::Short { what, expected, got }) }
    }
}

/// Bytes that could not be read or cannot be believed.
#[derive(Debug)]
pub enum ReadError {
    /// They are damaged.
    Damage(Damage),
    /// The operating system refused.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damage(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Error for ReadError {}

impl From<Damage> for ReadError {
    fn from(error: Damage) -> Self {
        Self::Damage(error)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A fault of a payload.
#[derive(Debug)]
pub struct Fault {
    /// The number of the block, if the fault is in one.
    pub block: Option<usize>,
    /// The fault.
    pub error: ReadError,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Fault {}

impl Fault {
    /// Turns an error in a block into one that names it.
    pub(crate) fn in_block<E: Into<ReadError>>(block: usize) -> impl Fn(E) -> Self {
        move |error| Self { block: Some(block), error: error.into() }
    }
}

impl<E: Into<ReadError>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self { block: None, error: error.into() }
    }
}
