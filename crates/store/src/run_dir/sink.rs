//! The score file of a layer that one process writes. Slabs that several processes have left in slab files are copied.

use std::path::Path;

use dab_space::{Layer, SlabShape};

use super::dir::RunDir;
use super::names::{layer_name, remove_slabs};
use super::room::RunRoom;
use crate::files::part_of;
use crate::layer_file::{Header, LayerWriter};
use crate::origin::Origin;
use crate::section::Section;
use crate::{LayerSummary, ScoreRead, StoreError};

impl RunDir {
    /// `Ok` when this run may write a layer.
    pub(super) fn check_unfinished(&self, layer: Layer) -> Result<(), StoreError> {
        let (path, n_layers) = (self.path.clone(), self.n_layers());
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly { path });
        }
        if layer.0 >= n_layers {
            return Err(StoreError::NoSuchLayer { path, layer, n_layers });
        }
        if self.is_finished(layer) { Err(StoreError::AlreadyFinished { path, layer }) } else { Ok(()) }
    }

    /// Starts a layer whose slabs have these shapes, or goes on with one that was interrupted.
    ///
    /// # Errors
    /// As [`ScoreWrite::begin_layer`](crate::ScoreWrite::begin_layer).
    pub(super) fn sink<'a>(&'a self, layer: Layer, shapes: &'a [SlabShape<'a>]) -> Result<RunSink<'a>, StoreError> {
        self.check_unfinished(layer)?;
        let header = self.header(layer, shapes.len());
        let path = self.path.join(layer_name(layer));
        self.check_begun(&part_of(&path), header)?;
        let writer = LayerWriter::begin(
            self.files.clone(),
            path,
            header,
            shapes,
            self.reorder_bytes,
            RunRoom::new(self, layer),
        )?;
        let writer = writer.bounded(self.bounds.of_layer(layer));
        let sink = RunSink { run: self, layer, n_slabs: shapes.len(), writer };
        sink.adopt_all()?;
        Ok(sink)
    }

    /// Whether one process has left slabs of a layer of `n_slabs` slabs in its file: then only one process goes on with it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_begun_by_one(&self, layer: Layer, n_slabs: usize) -> Result<bool, StoreError> {
        let part = part_of(&self.path.join(layer_name(layer)));
        match Section::open(&part) {
            Err(error) if error.is_missing() => Ok(false),
            Err(error) => Err(error),
            Ok(file) => {
                let first = file.first(Header::LEN).map_err(Origin::score_file(&part).in_file())?;
                Ok(first == self.header(layer, n_slabs).to_bytes() && file.len() > first.len() as u64)
            }
        }
    }

    /// `Ok` unless an older program began a layer that cannot be begun anew: slabs that it reads may be released.
    fn check_begun(&self, part: &Path, header: Header) -> Result<(), StoreError> {
        let has_all = self.manifest().released.is_empty() && self.manifest().discarded.is_empty();
        if has_all || !part.exists() {
            return Ok(());
        }
        let (file, origin) = (Section::open(part)?, Origin::score_file(part));
        match Header::parse(&file.first(Header::LEN).map_err(origin.in_file())?, &origin) {
            Ok(found) if found.format < header.format && (Header { format: found.format, ..header }) == found => {
                Err(origin.other_version(header.format, found.format))
            }
            _ => Ok(()),
        }
    }
}

/// A layer that is being written.
pub(super) struct RunSink<'a> {
    run: &'a RunDir,
    layer: Layer,
    n_slabs: usize,
    pub(super) writer: LayerWriter<'a, RunRoom<'a>>,
}

impl RunSink<'_> {
    /// Copies the records of the slab file that begins with slab `first`, those that the score file does not hold yet,
    /// every block of them checked. Returns whether the score file holds all its slabs now: not if there is no such file, or
    /// a slab between them and those that the score file holds is missing.
    fn adopt(&self, first: usize) -> Result<bool, StoreError> {
        let Some(file) = self.run.open_slabs((self.layer, self.n_slabs), first)? else { return Ok(false) };
        let (end, held) = (first + file.summary().slabs, self.n_slabs - self.writer.n_written());
        if end < held {
            return Ok(false);
        }
        for slab in (first..held).rev() {
            let record =
                self.writer.whole(slab, file.record_bytes(slab)?).map_err(|fault| file.in_slab(slab, fault))?;
            self.writer.put(slab, record)?;
        }
        Ok(true)
    }

    /// Copies all slab files that go on where the score file ends, one after the other, down to the first damaged one: its
    /// slabs have to be computed again.
    fn adopt_all(&self) -> Result<(), StoreError> {
        for first in self.run.slab_files(self.layer)?.into_iter().rev() {
            match self.adopt(first) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if error.is_damage() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Completes the layer and removes its slab files.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When a slab is missing.
    pub(super) fn finish(self) -> Result<LayerSummary, StoreError> {
        let Self { run, layer, writer, .. } = self;
        let summary = writer.finish()?;
        run.note_finished(summary)?;
        remove_slabs(&run.files, &run.path, layer)?;
        Ok(summary)
    }
}
