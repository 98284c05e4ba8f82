//! Writing a score file: slabs come in any order from any thread, records leave in slab order.
//!
//! The file grows under a `.part` name. An interrupted one is taken up again: its longest prefix of whole, intact
//! records is kept, the rest cut off. Only [`LayerWriter::finish`] gives it the final name, after directory, footer
//! and a sync, so a file of that name is complete.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::{Layer, SlabShape};

use super::directory::Directory;
use super::header::Header;
use super::record;
use super::record_encoder;
use super::record_layout::EncodedSlab;
use super::reorder_buffer::ReorderBuffer;
use super::room::Room;
use crate::damage::ReadError;
use crate::files::{Files, part_of};
use crate::origin::Origin;
use crate::section::Section;
use crate::storage::Output;
use crate::{Damage, LayerSummary, StoreError};

/// A layer being written.
pub(crate) struct LayerWriter<'a, R> {
    files: Files,
    path: PathBuf,
    header: Header,
    shapes: &'a [SlabShape<'a>],
    room: R,
    state: Mutex<State>,
}

struct State {
    part: Output,
    directory: Directory,
    early: ReorderBuffer,
    synced_len: u64,
}

impl<'a, R: Room> LayerWriter<'a, R> {
    /// Begins the score file that will be `path`, or goes on with its `.part`. Slabs that come before their turn may
    /// hold `reorder_bytes` bytes of memory.
    pub(crate) fn begin(
        files: Files,
        path: PathBuf,
        header: Header,
        shapes: &'a [SlabShape<'a>],
        reorder_bytes: u64,
        room: R,
    ) -> Result<Self, StoreError> {
        let part = files.open(&part_of(&path))?;
        let byte_len = files.byte_len(&part)?;
        let part_file = part.file.try_clone().and_then(Section::of).map_err(StoreError::io("examine", &part.path))?;
        let origin = Origin::score_file(&part.path);
        let header = match Header::parse(&part_file.first(Header::LEN).map_err(origin.in_file())?, &origin) {
            // An older program began the file.
            Ok(found) if (Header { format: found.format, ..header }) == found => found,
            _ => header,
        };
        let directory = intact_prefix(&part_file, &header, shapes).map_err(origin.in_file())?;
        let kept = directory.as_ref().map_or(0, Directory::end);
        if byte_len > kept {
            files.truncate(&part, kept)?;
        }
        if directory.is_none() {
            files.write_at(&part, 0, &header.to_bytes())?;
        }
        let directory = directory.unwrap_or_else(Directory::new);
        let early = ReorderBuffer::new(files.clone(), &path, reorder_bytes)?;
        let synced_len = directory.end();
        let state = Mutex::new(State { part, directory, early, synced_len });
        Ok(Self { files, path, header, shapes, room, state })
    }

    /// The record of a slab. Does not touch the file, so threads encode side by side.
    pub(crate) fn encode(&self, slab: usize, scores: &[i8]) -> EncodedSlab {
        record_encoder::encode(&self.header, slab, self.shapes[slab], scores)
    }

    /// The record of a slab at an offset of another file, if it is there and intact.
    pub(crate) fn intact(&self, slab: usize, file: &Section, at: u64) -> Option<EncodedSlab> {
        record::read_at(file, at, &self.header, slab, self.shapes[slab]).ok()
    }

    /// The record of a slab that `bytes` are.
    ///
    /// # Errors
    /// The record is damaged.
    pub(crate) fn whole(&self, slab: usize, bytes: Vec<u8>) -> Result<EncodedSlab, Damage> {
        record::check(&self.header, slab, self.shapes[slab], bytes)
    }

    /// Slabs that are in the file.
    pub(crate) fn n_written(&self) -> usize {
        self.state().directory.len()
    }

    /// The offset in bytes of the next record.
    pub(crate) fn end(&self) -> u64 {
        self.state().directory.end()
    }

    /// Writes a slab, or keeps it until those before it have come.
    pub(crate) fn put(&self, slab: usize, encoded: EncodedSlab) -> Result<(), StoreError> {
        let mut state = self.state();
        let is_new = slab >= state.directory.len() && !state.early.contains(slab);
        assert!(is_new, "slab {slab} of layer {} was put twice", self.header.layer);
        if slab > state.directory.len() {
            if !state.early.has_memory_for(&encoded) {
                self.make_room(&mut state, encoded.bytes.len() as u64)?;
            }
            return state.early.insert(slab, encoded);
        }
        let mut next = Some(encoded);
        while let Some(encoded) = next {
            self.write(&mut state, encoded)?;
            let slab = state.directory.len();
            next = state.early.take(slab)?;
        }
        Ok(())
    }

    /// The header of the file.
    pub(crate) fn header(&self) -> Header {
        self.header
    }

    /// The run, as the writer sees it.
    pub(crate) fn room(&self) -> &R {
        &self.room
    }

    /// Writes the next slab.
    fn write(&self, state: &mut State, slab: EncodedSlab) -> Result<(), StoreError> {
        self.make_room(state, slab.bytes.len() as u64)?;
        self.files.write_at(&state.part, state.directory.end(), &slab.bytes)?;
        state.directory.push(slab.bytes.len() as u64, slab.digest);
        if state.directory.end() - state.synced_len >= self.room.sync_bytes() {
            self.sync(state, false)?;
        }
        Ok(())
    }

    /// Makes sure that the files of the layer may take so many bytes more.
    fn make_room(&self, state: &mut State, bytes: u64) -> Result<(), StoreError> {
        let byte_len = state.directory.end() + state.early.byte_len() + bytes;
        if !self.room.admits(byte_len) {
            self.sync(state, true)?;
            if !self.room.admits(byte_len) {
                return Err(self.room.spent());
            }
        }
        Ok(())
    }

    fn sync(&self, state: &mut State, is_short: bool) -> Result<(), StoreError> {
        self.files.sync(&state.part)?;
        state.synced_len = state.directory.end();
        self.room.synced(state.directory.len(), is_short)
    }

    /// The summary of the file, once all slabs are put.
    pub(crate) fn summary(&self) -> LayerSummary {
        let state = self.state();
        let (layer, slabs) = (self.header.layer, state.directory.len());
        assert_eq!(slabs, self.shapes.len(), "slab {slabs} of layer {layer} was never put");
        LayerSummary {
            layer: Layer(layer as usize),
            slabs,
            positions: state.directory.positions(),
            bytes: state.directory.end() + state.directory.to_bytes(layer).len() as u64,
            digest: state.directory.layer_digest(layer),
        }
    }

    /// Completes the file and gives it its final name.
    pub(crate) fn finish(self) -> Result<(LayerSummary, R), StoreError> {
        let summary = self.summary();
        let tail = {
            let mut state = self.state();
            let tail = state.directory.to_bytes(self.header.layer);
            self.make_room(&mut state, tail.len() as u64)?;
            tail
        };
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.early.finish()?;
        self.files.write_at(&state.part, state.directory.end(), &tail)?;
        self.files.publish(&state.part, &self.path)?;
        Ok((summary, self.room))
    }

    /// A panic in another thread leaves the state whole: records enter the directory after they were written.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The directory of the whole, intact records that an interrupted file begins with; `None` when its header is not ours.
///
/// # Errors
/// The disk fails. Damage is no error: it ends the records that are kept.
fn intact_prefix(part: &Section, header: &Header, shapes: &[SlabShape<'_>]) -> Result<Option<Directory>, ReadError> {
    if part.first(Header::LEN)? != header.to_bytes() {
        return Ok(None);
    }
    let mut directory = Directory::new();
    for (slab, &shape) in shapes.iter().enumerate() {
        match record::read_at(part, directory.end(), header, slab, shape) {
            Ok(record) => directory.push(record.bytes.len() as u64, record.digest),
            Err(ReadError::Damage(_)) => break,
            Err(error @ ReadError::Io(_)) => return Err(error),
        }
    }
    Ok(Some(directory))
}
