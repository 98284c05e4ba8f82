//! Slab files hold slabs of an unfinished layer: any process writes them, the one that holds the lock puts them together.
//!
//! ```text
//! layer-07.slabs/000000.slab    header of the layer, records of slabs 0, 1, ...
//! layer-07.slabs/000012.slab    header of the layer, records of slabs 12, ...
//! ```
//! A slab file begins as its score file does and goes on with the records of some neighbouring slabs, byte by byte as
//! they will be there, the first slab first; its name is this slab. It gets that name when it is whole and synced, so a file of that name
//! may be read, and a second writer writes the same bytes. Putting a layer together is copying records.
//! When the layer is finished its slab files are removed, and readers look into the score file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use dab_space::{Layer, SlabShape};

use super::dir::RunDir;
use super::names::{layer_name, remove_slabs, slabs_name};
use super::room::RunRoom;
use crate::files::part_of;
use crate::layer_file::{Header, LayerFile, LayerWriter, record_encoder};
use crate::origin::Origin;
use crate::section::Section;
use crate::{Digest, LayerSummary, ScoreRead, Scores, StoreError};

/// A slab file that is not written yet.
#[derive(Debug)]
pub struct EncodedSlabs {
    layer: Layer,
    first: usize,
    bytes: Vec<u8>,
    digest: Digest,
}

impl EncodedSlabs {
    /// Length of the file.
    pub fn byte_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Digest of a layer that has just these slabs.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

impl RunDir {
    /// Encodes neighbouring slabs of a layer of `n_slabs` slabs, from slab `first` on.
    ///
    /// # Panics
    /// When the number of scores is not that of a shape.
    pub fn encode_slabs<'a>(
        &self,
        (layer, n_slabs): (Layer, usize),
        first: usize,
        slabs: impl IntoIterator<Item = (SlabShape<'a>, Scores)>,
    ) -> EncodedSlabs {
        let header = self.header(layer, n_slabs);
        let (mut bytes, mut digests) = (header.to_bytes().to_vec(), Vec::new());
        for (slab, (shape, scores)) in (first..).zip(slabs) {
            bytes.reserve(scores.len() / 3);
            digests.push(record_encoder::append(&mut bytes, &header, slab, shape, &scores));
        }
        EncodedSlabs { layer, first, bytes, digest: Digest::of_layer(layer.0 as u32, &digests) }
    }

    /// Writes a slab file; needs no lock. If its layer was finished in the meantime, there is nothing left to do.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_slabs(&self, slabs: &EncodedSlabs) -> Result<(), StoreError> {
        let path = self.slab_path(slabs.layer, slabs.first);
        let dir = self.path.join(slabs_name(slabs.layer));
        let written = match dir.is_dir() {
            true => Ok(()),
            false => self.files.create_dir(&dir),
        };
        let written = written.and_then(|()| self.files.write_alone(&path, &slabs.bytes));
        match written {
            Err(error) if !(is_missing(&error) && self.finished_meanwhile(slabs.layer)?) => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether there is a slab file that begins with slab `first`.
    pub fn has_slabs(&self, layer: Layer, first: usize) -> bool {
        self.slab_path(layer, first).is_file()
    }

    /// Opens a slab file of a layer of `n_slabs` slabs; `None` if there is none.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or belongs elsewhere.
    pub fn open_slabs(&self, (layer, n_slabs): (Layer, usize), first: usize) -> Result<Option<LayerFile>, StoreError> {
        match LayerFile::open_slabs(&self.slab_path(layer, first), &self.header(layer, n_slabs), first) {
            Err(error) if is_missing(&error) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Whether a layer is finished, as the manifest on disk says if this run does not write it itself.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn finished_meanwhile(&self, layer: Layer) -> Result<bool, StoreError> {
        if !self.is_finished(layer) {
            self.read_again()?;
        }
        Ok(self.is_finished(layer))
    }

    /// Starts to put together a layer whose slabs have these shapes, or goes on with one that was interrupted.
    ///
    /// # Errors
    /// As [`ScoreWrite::begin_layer`](crate::ScoreWrite::begin_layer).
    pub fn assemble<'a>(&'a self, layer: Layer, shapes: &'a [SlabShape<'a>]) -> Result<Assembly<'a>, StoreError> {
        let (path, n_layers) = (self.path.clone(), self.n_layers());
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly { path });
        }
        if layer.0 >= n_layers {
            return Err(StoreError::NoSuchLayer { path, layer, n_layers });
        }
        if self.is_finished(layer) {
            return Err(StoreError::AlreadyFinished { path, layer });
        }
        let header = self.header(layer, shapes.len());
        let path = path.join(layer_name(layer));
        self.check_begun(&part_of(&path), header)?;
        let writer = LayerWriter::begin(
            self.files.clone(),
            path,
            header,
            shapes,
            self.reorder_bytes,
            RunRoom::new(self, layer),
        )?;
        Ok(Assembly { run: self, layer, n_slabs: shapes.len(), writer })
    }

    /// `Ok` unless an older program began a layer that cannot be begun anew: slabs that it reads may be released.
    fn check_begun(&self, part: &Path, header: Header) -> Result<(), StoreError> {
        let has_all = self.manifest().released.is_empty() && self.manifest().discarded.is_empty();
        if has_all || !part.exists() {
            return Ok(());
        }
        let (file, origin) = (Section::open(part)?, Origin::score_file(part));
        match Header::parse(&file.first(Header::LEN).map_err(origin.in_file())?, &origin) {
            Ok(found) if found.format != header.format && (Header { format: found.format, ..header }) == found => {
                Err(origin.other_version(header.format, found.format))
            }
            _ => Ok(()),
        }
    }

    fn slab_path(&self, layer: Layer, first: usize) -> PathBuf {
        self.path.join(slabs_name(layer)).join(format!("{first:06}.slab"))
    }

    /// The first slabs of the slab files of a layer, ascending.
    fn slab_files(&self, layer: Layer) -> Result<Vec<usize>, StoreError> {
        let dir = self.path.join(slabs_name(layer));
        let entries = match fs::read_dir(&dir) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(StoreError::io("list", &dir))?,
        };
        let mut firsts = Vec::new();
        for entry in entries {
            let name = entry.map_err(StoreError::io("list", &dir))?.file_name();
            firsts.extend(name.to_str().and_then(|name| name.strip_suffix(".slab")?.parse::<usize>().ok()));
        }
        firsts.sort_unstable();
        Ok(firsts)
    }
}

/// Whether a file or its directory was not there.
fn is_missing(error: &StoreError) -> bool {
    matches!(error, StoreError::Io { source, .. } if source.kind() == ErrorKind::NotFound)
}

/// A layer that is put together, from slab files and from scores.
pub struct Assembly<'a> {
    run: &'a RunDir,
    layer: Layer,
    n_slabs: usize,
    pub(super) writer: LayerWriter<'a, RunRoom<'a>>,
}

impl Assembly<'_> {
    /// Slabs that the score file holds so far: these last ones of the layer.
    pub fn n_slabs(&self) -> usize {
        self.writer.n_written()
    }

    /// Whether the score file holds all slabs from slab `first` on.
    pub fn holds(&self, first: usize) -> bool {
        first + self.n_slabs() >= self.n_slabs
    }

    /// Copies the records of the slab file that begins with slab `first`, those that the score file does not hold yet,
    /// every block of them checked. Returns the digest of all slabs of the slab file, or `None` if there is no such
    /// file or a slab between it and those that the score file holds is missing.
    ///
    /// # Errors
    /// The slab file is damaged: it is removed, and its slabs have to be computed again. Or the disk fails.
    pub fn adopt(&self, first: usize) -> Result<Option<Digest>, StoreError> {
        let adopted = self.run.open_slabs((self.layer, self.n_slabs), first).and_then(|file| {
            let Some(file) = file else { return Ok(None) };
            let (end, held) = (first + file.summary().slabs, self.n_slabs - self.n_slabs());
            if end < held {
                return Ok(None);
            }
            for slab in (first..held).rev() {
                let record = self.writer.whole(slab, file.record_bytes(slab)?).map_err(file.in_slab(slab))?;
                self.writer.put(slab, record)?;
            }
            Ok(Some(file.summary().digest))
        });
        if let Err(StoreError::Damaged { .. } | StoreError::ForeignFile { .. }) = &adopted {
            self.run.files.remove(&self.run.slab_path(self.layer, first))?;
        }
        adopted
    }

    /// Copies all slab files that go on where the score file ends, one after the other; returns the faults of those that were removed.
    ///
    /// # Errors
    /// The disk fails.
    pub fn adopt_all(&self) -> Result<Vec<StoreError>, StoreError> {
        let mut damaged = Vec::new();
        for first in self.run.slab_files(self.layer)?.into_iter().rev() {
            match self.adopt(first) {
                Err(error @ (StoreError::Damaged { .. } | StoreError::ForeignFile { .. })) => damaged.push(error),
                Err(error) => return Err(error),
                Ok(Some(_)) => {}
                Ok(None) => break,
            }
        }
        Ok(damaged)
    }

    /// Completes the layer and removes its slab files.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When a slab is missing.
    pub fn finish(self) -> Result<LayerSummary, StoreError> {
        let Self { run, layer, writer, .. } = self;
        let summary = writer.finish()?;
        let file = LayerFile::open(&run.path.join(layer_name(layer)), layer, run.run)?;
        *run.layers[layer.0].write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(file));
        run.manifest().finished.insert(layer, summary);
        let unlisted = run.unlisted.fetch_add(summary.bytes, Ordering::Relaxed) + summary.bytes;
        // Layers that are not kept are discarded after the last one.
        let is_last = run.digest().is_some() || layer == run.listed_at_once;
        if is_last || unlisted >= run.list_bytes {
            run.list()?;
        }
        remove_slabs(&run.files, &run.path, layer)?;
        Ok(summary)
    }
}
