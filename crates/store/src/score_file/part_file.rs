//! A score file that is being written: slabs come in any order from any thread, and each is appended as it comes.
//!
//! The file grows under a `.part` name, locked by its writer. An interrupted one is taken up again: the whole records at its front
//! stay, up to the first fault, and the rest is cut off when something is written in its place. [`PartFile::finish`] appends the directory and gives it the final name
//! after a sync, so a file of that name is complete.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::SlabShape;

use super::directory::{self, Entry};
use super::header::Header;
use super::record_layout::EncodedSlab;
use super::stored_record::StoredRecord;
use super::walk;
use crate::StoreError;
use crate::files::{Files, part_of};
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;
use crate::storage::Output;

/// Bytes after which records are synced, so that a power cut costs no more than these.
const SYNC_BYTES: u64 = 256 << 20;

/// A score file that is being written.
#[derive(Debug)]
pub(crate) struct PartFile {
    files: Files,
    /// Its final name.
    path: PathBuf,
    header: Header,
    origin: Origin,
    output: Output,
    /// The same file, to be read.
    input: Section,
    /// Locked by the thread that appends a record: it must be whole before another one comes behind it.
    appending: Mutex<()>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    entries: Vec<Entry>,
    /// Where the next record begins.
    end: u64,
    /// Whether bytes lie behind that, which an interrupted process or damage has left.
    has_tail: bool,
    /// Bytes that survive a power cut, and whether the name of the file does.
    synced_len: u64,
    is_name_synced: bool,
}

impl PartFile {
    /// Begins the score file that will be `path`, or goes on with its `.part`, keeping the slabs of these shapes. `None` if another
    /// process writes it.
    ///
    /// # Errors
    /// The file cannot be read or written, or is of another format.
    pub(crate) fn begin(
        files: Files,
        path: &Path,
        header: Header,
        shapes: &[SlabShape<'_>],
    ) -> Result<Option<Self>, StoreError> {
        let output = files.open(&part_of(path))?;
        // Where there are no locks, the lock of the run keeps writers apart.
        if let Err(TryLockError::WouldBlock) = output.file.try_lock() {
            return Ok(None);
        }
        let input = output.file.try_clone().and_then(Section::of).map_err(StoreError::io("examine", &output.path))?;
        let origin = Origin::score_file(&output.path);
        let entries = match found_header(&input, &origin, &header)? {
            Found::Other => Vec::new(),
            _ => walk::whole_records(&origin, &input, &header, shapes).map_err(origin.in_file())?,
        };
        let end = entries.last().map_or(Header::LEN as u64, |last| last.range().end);
        let found = found_header(&input, &origin, &header)?;
        if matches!(found, Found::Other) {
            files.truncate(&output, end.min(input.len()))?;
        }
        if !matches!(found, Found::Ours) {
            files.write_at(&output, 0, &header.to_bytes())?;
        }
        let has_tail = input.len() > end;
        let state = Mutex::new(State { entries, end, has_tail, synced_len: 0, is_name_synced: false });
        let (path, appending) = (path.to_path_buf(), Mutex::default());
        Ok(Some(Self { files, path, header, origin, output, input, appending, state }))
    }

    /// Appends a record; returns its number in the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&self, slab: usize, EncodedSlab { bytes, digest }: &EncodedSlab) -> Result<usize, StoreError> {
        let _appending = self.appending.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = self.cut_tail()?;
        self.files.write_at(&self.output, offset, bytes)?;
        let (n_before, unsynced) = {
            let (mut state, byte_len) = (self.state(), bytes.len() as u64);
            state.entries.push(Entry { slab, offset, byte_len, digest: *digest });
            state.end += byte_len;
            (state.entries.len() - 1, state.end - state.synced_len)
        };
        if unsynced >= SYNC_BYTES {
            self.sync()?;
        }
        Ok(n_before)
    }

    /// Cuts off what lies behind the whole records, as soon as something takes its place: it may be all that is left of other slabs.
    /// Returns where the whole records end.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn cut_tail(&self) -> Result<u64, StoreError> {
        let (end, has_tail) = {
            let state = self.state();
            (state.end, state.has_tail)
        };
        if has_tail {
            self.files.truncate(&self.output, end)?;
            self.state().has_tail = false;
        }
        Ok(end)
    }

    /// Returns when all records that were appended before will survive a power cut. Others may read and write meanwhile.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        let (end, is_name_synced, is_synced) = {
            let state = self.state();
            (state.end, state.is_name_synced, state.end == state.synced_len)
        };
        if !is_synced {
            self.files.sync(&self.output)?;
        }
        if !is_name_synced {
            self.files.sync_parent(&self.path)?;
        }
        let mut state = self.state();
        (state.synced_len, state.is_name_synced) = (state.synced_len.max(end), true);
        Ok(())
    }

    /// Its records, in the order in which they lie.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.state().entries.clone()
    }

    /// Length in bytes that the complete file would have if it had `more` records of so many bytes together.
    pub(crate) fn byte_len_with(&self, more: usize, bytes: u64) -> u64 {
        let state = self.state();
        state.end + bytes + directory::tail_len(state.entries.len() + more)
    }

    /// One of its records.
    pub(crate) fn record(&self, record: usize, bound: ScoreBound) -> Option<StoredRecord<'_>> {
        let (entry, end) = {
            let state = self.state();
            (*state.entries.get(record)?, state.end)
        };
        let (origin, header) = (&self.origin, &self.header);
        Some(StoredRecord { origin, file: self.input.with_len(end), header, entry, bound })
    }

    /// The final name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Completes the file and gives it its final name; its directory is still to be synced.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        self.cut_tail()?;
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.files.write_at(&self.output, state.end, &directory::to_bytes(&state.entries, state.end))?;
        self.files.sync(&self.output)?;
        self.files.rename(&self.output.path, &self.path)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) fn remove(self) -> Result<(), StoreError> {
        self.files.remove(&self.output.path)
    }

    /// A panic in another thread leaves the state whole: records enter it after they were written.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a part begins with.
enum Found {
    /// The header that it must have.
    Ours,
    /// Something damaged.
    Damaged,
    /// The header of another file, or too few bytes for one.
    Other,
}

fn found_header(part: &Section, origin: &Origin, expected: &Header) -> Result<Found, StoreError> {
    let bytes = part.first(Header::LEN).map_err(origin.in_file())?;
    match Header::parse(&bytes, origin) {
        _ if bytes.len() < Header::LEN => Ok(Found::Other),
        Ok(found) => Ok(if found == *expected { Found::Ours } else { Found::Other }),
        Err(StoreError::Damaged { .. }) => Ok(Found::Damaged),
        Err(error) => Err(error),
    }
}
