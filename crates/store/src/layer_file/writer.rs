//! Writing a score file: slabs come in any order from any thread, records leave in the order of the file.
//! A slab can be read as soon as it was put.
//!
//! The file grows under a `.part` name. An interrupted one is taken up again: its longest prefix of whole, intact
//! records is kept, the rest cut off. Only [`LayerWriter::finish`] gives it the final name, after directory, footer
//! and a sync, so a file of that name is complete.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_codec::{Fault, ReadError};
use dab_space::{Layer, SlabShape};

use super::directory::Directory;
use super::header::Header;
use super::record;
#[cfg(feature = "encode")]
use super::record_encoder;
use super::record_layout::EncodedSlab;
use super::reorder_buffer::ReorderBuffer;
use super::room::Room;
use super::slab_decoder::SlabDecoder;
use crate::files::{Files, part_of};
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::{Section, read_exact_at};
use crate::storage::Output;
use crate::{Buffer, Crew, LayerSummary, StoreError};

/// Bytes after which records are synced, so that a power cut costs no more than these.
const SYNC_BYTES: u64 = 256 << 20;

/// A layer being written.
pub(crate) struct LayerWriter<'a, R> {
    files: Files,
    path: PathBuf,
    header: Header,
    origin: Origin,
    shapes: &'a [SlabShape<'a>],
    /// Checked of every score that is read: records may be those of another process.
    bound: ScoreBound,
    room: R,
    part: Output,
    state: Mutex<State>,
}

struct State {
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
        if !room.admits(directory.end()) {
            return Err(room.spent());
        }
        let state = Mutex::new(State { directory, early, synced_len });
        Ok(Self { files, path, header, origin, shapes, bound: ScoreBound::ANY, room, part, state })
    }

    /// The same file, refusing scores beyond a bound.
    pub(crate) fn bounded(self, bound: ScoreBound) -> Self {
        Self { bound, ..self }
    }

    /// The record of a slab. Does not touch the file, so threads encode side by side, or a large slab together.
    #[cfg(feature = "encode")]
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
    pub(crate) fn whole(&self, slab: usize, bytes: Vec<u8>) -> Result<EncodedSlab, Fault> {
        record::check(&self.header, slab, self.shapes[slab], bytes)
    }

    /// All scores of a slab that was put, in memory that was used before if that is large enough.
    ///
    /// # Errors
    /// The slab was not put, or cannot be read.
    pub(crate) fn read_slab_into(&self, slab: usize, used: Buffer) -> Result<Buffer, StoreError> {
        self.decoder().slab((slab, self.shapes[slab]), used, Crew::Together, |bytes| self.append(slab, bytes))
    }

    /// The scores at some places of a slab that was put, given by `row * cols + col`.
    ///
    /// # Errors
    /// As [`LayerWriter::read_slab_into`].
    pub(crate) fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.decoder().scores(slab, self.shapes[slab], places, |bytes| self.append(slab, bytes))
    }

    fn decoder(&self) -> SlabDecoder<'_> {
        SlabDecoder { origin: &self.origin, header: &self.header, bound: self.bound }
    }

    /// Appends the record of a slab that was put.
    fn append(&self, slab: usize, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
        let range = {
            let (state, place) = (self.state(), self.place(slab));
            match state.directory.record(place) {
                Some((range, _)) => range,
                None if state.early.append(place, bytes)? => return Ok(()),
                None => {
                    let layer = Layer(self.header.layer as usize);
                    return Err(StoreError::Unfinished { path: self.path.clone(), layer });
                }
            }
        };
        bytes.resize((range.end - range.start) as usize, 0);
        read_exact_at(&self.part.file, bytes, range.start).map_err(StoreError::io("read", &self.origin.path))
    }

    /// The place of the record of a slab.
    fn place(&self, slab: usize) -> usize {
        let (layer, n_slabs) = (self.header.layer, self.shapes.len());
        self.header.place(slab).unwrap_or_else(|| panic!("layer {layer} has {n_slabs} slabs and no slab {slab}"))
    }

    /// Slabs that are in the file, those that come first in it.
    pub(crate) fn n_written(&self) -> usize {
        self.state().directory.len()
    }

    /// The offset in bytes of the next record.
    pub(crate) fn end(&self) -> u64 {
        self.state().directory.end()
    }

    /// Writes a slab, or keeps it until those before it have come.
    pub(crate) fn put(&self, slab: usize, encoded: EncodedSlab) -> Result<(), StoreError> {
        let (mut state, place) = (self.state(), self.place(slab));
        let is_new = place >= state.directory.len() && !state.early.contains(place);
        assert!(is_new, "slab {slab} of layer {} was put twice", self.header.layer);
        if place > state.directory.len() {
            self.make_room(&state, encoded.bytes.len() as u64)?;
            return state.early.insert(place, encoded);
        }
        let mut next = Some(encoded);
        while let Some(encoded) = next {
            self.write(&mut state, encoded)?;
            let place = state.directory.len();
            next = state.early.take(place)?;
        }
        Ok(())
    }

    /// Writes the next record.
    fn write(&self, state: &mut State, slab: EncodedSlab) -> Result<(), StoreError> {
        self.make_room(state, slab.bytes.len() as u64)?;
        self.files.write_at(&self.part, state.directory.end(), &slab.bytes)?;
        state.directory.push(slab.bytes.len() as u64, slab.digest);
        if state.directory.end() - state.synced_len >= SYNC_BYTES {
            self.files.sync(&self.part)?;
            state.synced_len = state.directory.end();
        }
        Ok(())
    }

    /// Returns when the slabs in the file will survive a power cut, and how many these are. Others may read and write meanwhile.
    pub(crate) fn sync(&self) -> Result<usize, StoreError> {
        let (n_written, end) = {
            let state = self.state();
            (state.directory.len(), state.directory.end())
        };
        self.files.sync(&self.part)?;
        let mut state = self.state();
        state.synced_len = state.synced_len.max(end);
        Ok(n_written)
    }

    /// Makes sure that the files of the layer may take so many bytes more.
    fn make_room(&self, state: &State, bytes: u64) -> Result<(), StoreError> {
        let byte_len = state.directory.end() + state.early.byte_len() + bytes;
        if self.room.admits(byte_len) { Ok(()) } else { Err(self.room.spent()) }
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
            bytes: state.directory.end() + state.directory.to_bytes(&self.header).len() as u64,
            digest: state.directory.layer_digest(&self.header),
        }
    }

    /// Completes the file and gives it its final name.
    pub(crate) fn finish(self) -> Result<LayerSummary, StoreError> {
        let summary = self.summary();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !self.room.admits(summary.bytes) {
            return Err(self.room.spent());
        }
        state.early.finish()?;
        self.files.write_at(&self.part, state.directory.end(), &state.directory.to_bytes(&self.header))?;
        self.files.publish(&self.part, &self.path)?;
        Ok(summary)
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
    for slab in (0..shapes.len()).filter_map(|place| header.place(place)) {
        match record::read_at(part, directory.end(), header, slab, shapes[slab]) {
            Ok(record) => directory.push(record.bytes.len() as u64, record.digest),
            Err(Fault { error: ReadError::Damage(_), .. }) => break,
            Err(Fault { error, .. }) => return Err(error),
        }
    }
    Ok(Some(directory))
}
