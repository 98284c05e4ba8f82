//! A complete score file, its records found by its directory.
//!
//! Opening checks header, directory and footer; every read checks the blocks it touches. Nothing is allocated by a length before
//! that was held against the length of the file.

use std::path::Path;

use dab_space::{Layer, SlabShape};

use super::directory::{self, Entry};
use super::header::Header;
use super::stored_record::StoredRecord;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;
use crate::{Access, Damage, RunId, StoreError};

/// A complete score file.
#[derive(Debug)]
pub(crate) struct ScoreFile {
    origin: Origin,
    file: Section,
    header: Header,
    entries: Vec<Entry>,
}

impl ScoreFile {
    /// Opens a score file of a layer of a run.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, or belongs elsewhere.
    pub(crate) fn open(path: &Path, layer: Layer, run: RunId, access: Access) -> Result<Self, StoreError> {
        Self::parse(Section::open_with(path, access)?, Origin::score_file(path), layer, run)
    }

    /// Opens the score file that a section of a file is.
    pub(crate) fn parse(file: Section, origin: Origin, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        let header = Header::read(&file, &origin, run)?;
        Damage::check("layer", layer.0 as u64, header.layer.into()).map_err(origin.in_file())?;
        let entries = directory::read(&file, &header).map_err(origin.in_file())?;
        Ok(Self { origin, file, header, entries })
    }

    /// `Ok` when the score file at `path` belongs to a run.
    ///
    /// # Errors
    /// It belongs to another run, cannot be read, or has no intact header.
    pub(crate) fn check_run(path: &Path, run: RunId) -> Result<(), StoreError> {
        Header::read(&Section::open(path)?, &Origin::score_file(path), run).map(drop)
    }

    /// The same file, if it has so many bytes.
    pub(crate) fn of_len(self, byte_len: u64) -> Result<Self, StoreError> {
        Damage::check("length as listed", byte_len, self.byte_len()).map_err(self.origin.in_file())?;
        Ok(self)
    }

    /// The same file, if its header is that of the other files of its layer.
    pub(crate) fn of_layer(self, header: &Header) -> Result<Self, StoreError> {
        Damage::check("header of the layer", true, self.header == *header).map_err(self.origin.in_file())?;
        Ok(self)
    }

    /// Its path and, within a book, its layer.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Length in bytes.
    pub(crate) fn byte_len(&self) -> u64 {
        self.file.len()
    }

    /// Its records, in the order in which they lie.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// One of its records.
    pub(crate) fn record(&self, entry: &Entry, bound: ScoreBound) -> StoredRecord<'_> {
        StoredRecord { origin: &self.origin, file: self.file.clone(), header: &self.header, entry: *entry, bound }
    }

    /// `Ok` when every record is whole and that of a slab of its shape.
    ///
    /// # Errors
    /// Names the first one that is not.
    pub(crate) fn check(&self, shapes: &[SlabShape<'_>]) -> Result<(), StoreError> {
        for entry in &self.entries {
            let shape = *shapes.get(entry.slab).ok_or_else(|| StoreError::NoSuchSlab {
                path: self.origin.path.clone(),
                slab: entry.slab,
                n_slabs: shapes.len(),
            })?;
            self.record(entry, ScoreBound::ANY).check(shape).map_err(self.origin.in_slab(entry.slab))?;
        }
        Ok(())
    }
}
