//! Writing a score file: slabs come in any order from any thread, records leave in slab order.
//!
//! The file grows under a `.part` name. An interrupted one is taken up again: its longest prefix of whole, intact
//! records is kept, the rest cut off. Only [`LayerWriter::finish`] gives it the final name, after directory, footer
//! and a sync, so a file of that name is complete.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::SlabShape;

use super::Header;
use super::directory::Directory;
use super::record::{self, EncodedSlab, Layout, Record};
use crate::digest::SlabDigest;
use crate::files::{part_of, publish};
use crate::map::map;
use crate::{Damage, LayerSummary, StoreError};

/// Bytes after which records are synced, so that a power cut costs no more than these.
const SYNC_BYTES: u64 = 256 << 20;

/// A layer being written.
pub(crate) struct LayerWriter<'a> {
    path: PathBuf,
    header: Header,
    shapes: &'a [SlabShape<'a>],
    n_resumed: usize,
    state: Mutex<State>,
}

struct State {
    file: File,
    directory: Directory,
    /// Slabs that came before their turn.
    pending: BTreeMap<usize, EncodedSlab>,
    synced_len: u64,
}

impl<'a> LayerWriter<'a> {
    /// Begins the score file that will be `path`, or goes on with its `.part`.
    pub(crate) fn begin(path: PathBuf, header: Header, shapes: &'a [SlabShape<'a>]) -> Result<Self, StoreError> {
        let part = part_of(&path);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part);
        let mut file = options.map_err(StoreError::io("create", &part))?;
        let directory = intact_prefix(&file, &part, &header, shapes)?;
        let kept = directory.as_ref().map_or(0, Directory::end);
        if file_len(&file, &part)? > kept {
            file.set_len(kept).map_err(StoreError::io("truncate", &part))?;
        }
        if directory.is_none() {
            file.write_all(&header.to_bytes()).map_err(StoreError::io("write", &part))?;
        }
        let directory = directory.unwrap_or_else(Directory::new);
        let (n_resumed, synced_len) = (directory.len(), directory.end());
        let state = Mutex::new(State { file, directory, pending: BTreeMap::new(), synced_len });
        Ok(Self { path, header, shapes, n_resumed, state })
    }

    /// Slabs kept from an interrupted run.
    pub(crate) fn n_resumed(&self) -> usize {
        self.n_resumed
    }

    /// The record of a slab. Does not touch the file, so threads encode side by side.
    pub(crate) fn encode(&self, slab: usize, scores: &[i8]) -> EncodedSlab {
        let Header { layer, block_positions, is_odd, .. } = self.header;
        record::encode(layer, slab, self.shapes[slab], is_odd, block_positions, scores)
    }

    /// Writes a slab, or keeps it until those before it have come.
    pub(crate) fn put(&self, slab: usize, encoded: EncodedSlab) -> Result<(), StoreError> {
        let mut state = self.state();
        let is_new = slab >= state.directory.len() && state.pending.insert(slab, encoded).is_none();
        assert!(is_new, "slab {slab} of layer {} was put twice", self.header.layer);
        state.write_ready(&part_of(&self.path))
    }

    /// Completes the file and gives it its final name.
    pub(crate) fn finish(self) -> Result<LayerSummary, StoreError> {
        let part = part_of(&self.path);
        let layer = self.header.layer;
        let mut state = self.state();
        state.write_ready(&part)?;
        let slabs = state.directory.len();
        assert_eq!(slabs, self.shapes.len(), "slab {slabs} of layer {layer} was never put");
        let tail = state.directory.to_bytes(layer);
        let end = state.directory.end();
        write_at(&mut state.file, end, &tail, &part)?;
        publish(&state.file, &self.path)?;
        Ok(LayerSummary {
            layer: layer as usize,
            slabs,
            positions: state.directory.positions(),
            bytes: end + tail.len() as u64,
            digest: state.directory.layer_digest(layer),
        })
    }

    /// A panic in another thread leaves the state whole: records enter the directory after they were written.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes the slabs whose turn it is. After an error they are still pending.
    fn write_ready(&mut self, part: &Path) -> Result<(), StoreError> {
        while let Some(slab) = self.pending.first_entry().filter(|slab| *slab.key() == self.directory.len()) {
            write_at(&mut self.file, self.directory.end(), &slab.get().bytes, part)?;
            let slab = slab.remove();
            self.directory.push(slab.bytes.len(), slab.digest);
        }
        if self.directory.end() - self.synced_len >= SYNC_BYTES {
            self.file.sync_data().map_err(StoreError::io("sync", part))?;
            self.synced_len = self.directory.end();
        }
        Ok(())
    }
}

fn write_at(file: &mut File, offset: u64, bytes: &[u8], path: &Path) -> Result<(), StoreError> {
    file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes)).map_err(StoreError::io("write", path))
}

fn file_len(file: &File, path: &Path) -> Result<u64, StoreError> {
    Ok(file.metadata().map_err(StoreError::io("examine", path))?.len())
}

/// The whole, intact records that an interrupted file begins with; `None` when not even its header is ours.
fn intact_prefix(
    file: &File,
    part: &Path,
    header: &Header,
    shapes: &[SlabShape<'_>],
) -> Result<Option<Directory>, StoreError> {
    if file_len(file, part)? < Header::LEN as u64 {
        return Ok(None);
    }
    let map = map(file, part)?;
    let Some(mut rest) = map.strip_prefix(&header.to_bytes()) else { return Ok(None) };
    let mut directory = Directory::new();
    for (slab, &shape) in shapes.iter().enumerate() {
        let Ok((byte_len, digest)) = intact_record(rest, slab, shape, header) else { break };
        directory.push(byte_len, digest);
        rest = &rest[byte_len..];
    }
    Ok(Some(directory))
}

/// Length and digest of the record that `bytes` begin with, if it is intact and that of this slab.
fn intact_record(
    bytes: &[u8],
    slab: usize,
    shape: SlabShape<'_>,
    header: &Header,
) -> Result<(usize, SlabDigest), Damage> {
    let layout = Layout::new(shape.rows() as u32, shape.cols() as u32, header.block_positions)?;
    let record = Record::new(header.layer, slab, layout, bytes)?;
    record.check_header()?;
    Damage::check("parity", true, record.has_parity_of(shape))?;
    let mut end = layout.body_at();
    for block in 0..layout.n_blocks() {
        end = record.block(block)?.end;
    }
    Ok((end, record.digest()))
}
