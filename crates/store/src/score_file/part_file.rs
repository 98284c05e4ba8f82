//! A score file that is being written: slabs come in any order from any thread, and each is appended as it comes.
//!
//! The file grows under a `.part` name, locked by its writer. An interrupted one is taken up again: the whole records at its front
//! stay, up to the first fault, and the rest is cut off when something is written in its place. [`PartFile::finish`] appends the directory and gives it the final name
//! after a sync, so a file of that name is complete.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_codec::{Crew, ReadError};
use dab_space::SlabShape;

use super::directory;
use super::entry::Entry;
use super::file::GrowingFile;
use super::header::Header;
use super::record::EncodedSlab;
use super::source::Source;
use super::stored_record::StoredRecord;
use crate::StoreError;
use crate::files::Files;
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
    source: Arc<Source>,
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
    /// Goes on with `output`, which will be the score file at `path`, keeping the slabs of these shapes; or begins it, if it is empty. `None`
    /// if another process writes it.
    ///
    /// # Errors
    /// The file cannot be read or written, or is of another format.
    pub(crate) fn take_up(
        files: Files,
        path: PathBuf,
        output: Output,
        (header, bound): (Header, ScoreBound),
        shapes: &[SlabShape<'_>],
    ) -> Result<Option<Self>, StoreError> {
        // Where there are no locks, the lock of the run keeps writers apart.
        if let Err(TryLockError::WouldBlock) = output.file.try_lock() {
            return Ok(None);
        }
        let input = output.file.try_clone().and_then(Section::of).map_err(StoreError::io("examine", &output.path))?;
        let source = Arc::new(Source { origin: Origin::score_file(&output.path), header, bound });
        let found = found_header(&input, &source)?;
        let entries = match found {
            Found::Other => Vec::new(),
            _ => whole_records(&source, &input, shapes).map_err(source.origin.in_file())?,
        };
        let end = entries.last().map_or(Header::LEN as u64, |last| last.range().end);
        if matches!(found, Found::Other) {
            files.truncate(&output, end.min(input.len()))?;
        }
        if !matches!(found, Found::Ours) {
            files.write_at(&output, 0, &header.to_bytes())?;
        }
        let has_tail = input.len() > end;
        let state = Mutex::new(State { entries, end, has_tail, synced_len: 0, is_name_synced: false });
        Ok(Some(Self { files, path, source, output, input, appending: Mutex::default(), state }))
    }

    /// Appends a record; returns it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&self, EncodedSlab { slab, bytes, digest }: &EncodedSlab) -> Result<StoredRecord, StoreError> {
        let _appending = self.appending.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = self.cut_tail()?;
        self.files.write_at(&self.output, offset, bytes)?;
        let entry = Entry { slab: *slab, offset, byte_len: bytes.len() as u64, digest: *digest };
        let unsynced = {
            let mut state = self.state();
            state.entries.push(entry);
            state.end += entry.byte_len;
            state.end - state.synced_len
        };
        if unsynced >= SYNC_BYTES {
            self.sync()?;
        }
        Ok(self.record(entry))
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
    pub(crate) fn records(&self) -> Vec<StoredRecord> {
        self.state().entries.iter().map(|&entry| self.record(entry)).collect()
    }

    fn record(&self, entry: Entry) -> StoredRecord {
        StoredRecord { source: self.source.clone(), file: self.input.with_len(entry.range().end), entry }
    }

    /// Length in bytes that the complete file would have.
    pub(crate) fn byte_len(&self) -> u64 {
        let state = self.state();
        state.end + directory::tail_len(&self.source.header, state.entries.len())
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
        self.files.write_at(
            &self.output,
            state.end,
            &directory::to_bytes(&self.source.header, &state.entries, state.end),
        )?;
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

fn found_header(part: &Section, Source { origin, header, .. }: &Source) -> Result<Found, StoreError> {
    let bytes = part.first(Header::LEN).map_err(origin.in_file())?;
    match Header::parse(&bytes, origin) {
        _ if bytes.len() < Header::LEN => Ok(Found::Other),
        Ok(found) => Ok(if found == *header { Found::Ours } else { Found::Other }),
        Err(StoreError::Damaged { .. }) => Ok(Found::Damaged),
        Err(error) => Err(error),
    }
}

/// The records at the front of an interrupted file, of slabs of these shapes: whole, every block of them, up to the first fault. All
/// threads check them.
///
/// # Errors
/// The disk fails. Damage is no error: it ends the records that count.
fn whole_records(source: &Arc<Source>, file: &Section, shapes: &[SlabShape<'_>]) -> Result<Vec<Entry>, ReadError> {
    let (mut found, mut is_there) = (Vec::new(), vec![false; shapes.len()]);
    let mut file = GrowingFile::new(source.clone(), file.clone());
    while let Some(record) = unless_damaged(file.next())?.flatten() {
        match is_there.get_mut(record.slab_number()) {
            Some(is_there) if !*is_there => *is_there = true,
            _ => break,
        }
        found.push(record);
    }
    let entries: Vec<Entry> = found.iter().map(|record| record.entry).collect();
    let checks = Crew::Together
        .map(found, |record| unless_damaged(record.check(shapes[record.slab_number()]).map_err(|fault| fault.error)));
    let mut whole = Vec::with_capacity(entries.len());
    for (entry, check) in entries.into_iter().zip(checks) {
        if check?.is_none() {
            break;
        }
        whole.push(entry);
    }
    Ok(whole)
}

/// Bytes that were read, or nothing if they are damaged.
fn unless_damaged<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Damage(_)) => Ok(None),
        read => read.map(Some),
    }
}
