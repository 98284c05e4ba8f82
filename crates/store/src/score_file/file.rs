//! A score file to be read: a complete one, its records found by its directory, or one that is still written, its records found by
//! their fronts.
//!
//! Opening checks header, directory and footer; every read checks the blocks it touches. Nothing is allocated by a length before
//! that was held against the length of the file.

use std::path::Path;
use std::sync::Arc;

use dab_codec::ReadError;
use dab_space::{Layer, SlabShape};

use super::directory;
use super::entry::Entry;
use super::header::Header;
use super::source::Source;
use super::stored_record::StoredRecord;
use crate::files::part_of;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;
use crate::{Access, Damage, RunId, StoreError};

/// The layer that score files are of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfLayer {
    pub(crate) layer: Layer,
    pub(crate) run: RunId,
    /// Checked of every score that is decoded.
    pub(crate) bound: ScoreBound,
}

/// A complete score file.
#[derive(Debug)]
pub(crate) struct ScoreFile {
    source: Arc<Source>,
    bytes: Section,
    entries: Vec<Entry>,
}

impl ScoreFile {
    /// Opens a score file of a layer.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, or belongs elsewhere.
    pub(crate) fn open(path: &Path, of: OfLayer, access: Access) -> Result<Self, StoreError> {
        Self::parse(Section::open_with(path, access)?, Origin::score_file(path), of)
    }

    /// Opens the score file that a section of a file is.
    pub(crate) fn parse(bytes: Section, origin: Origin, of: OfLayer) -> Result<Self, StoreError> {
        let header = Header::read(&bytes, &origin, of.run)?;
        Damage::check("layer", of.layer.0 as u64, header.layer.into()).map_err(origin.in_file())?;
        let entries = directory::read(&bytes, &header).map_err(origin.in_file())?;
        Ok(Self { source: Arc::new(Source { origin, header, bound: of.bound }), bytes, entries })
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
        Damage::check("length as listed", byte_len, self.byte_len()).map_err(self.origin().in_file())?;
        Ok(self)
    }

    /// The same file, if its header is that of the other files of its layer.
    pub(crate) fn of_layer(self, header: &Header) -> Result<Self, StoreError> {
        Damage::check("header of the layer", true, self.header() == header).map_err(self.origin().in_file())?;
        Ok(self)
    }

    /// Its path and, within a book, its layer.
    pub(crate) fn origin(&self) -> &Origin {
        &self.source.origin
    }

    pub(crate) fn header(&self) -> &Header {
        &self.source.header
    }

    /// Length in bytes.
    pub(crate) fn byte_len(&self) -> u64 {
        self.bytes.len()
    }

    /// Its records, in the order in which they lie.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// One of its records.
    pub(crate) fn record(&self, entry: &Entry) -> StoredRecord {
        StoredRecord { source: self.source.clone(), file: self.bytes.clone(), entry: *entry }
    }

    /// `Ok` when every record is whole and that of a slab of its shape.
    ///
    /// # Errors
    /// Names the first one that is not.
    pub(crate) fn check(&self, shapes: &[SlabShape<'_>]) -> Result<(), StoreError> {
        for entry in &self.entries {
            let shape = *shapes.get(entry.slab).ok_or_else(|| StoreError::NoSuchSlab {
                path: self.origin().path.clone(),
                slab: entry.slab,
                n_slabs: shapes.len(),
            })?;
            self.record(entry).check(shape).map_err(self.origin().in_slab(entry.slab))?;
        }
        Ok(())
    }
}

/// A score file that another process may be writing. It is complete once it has its final name, and its records are the same ones.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    source: Arc<Source>,
    bytes: Section,
    /// Where the next record begins.
    end: u64,
}

impl GrowingFile {
    /// Opens the file that is or will be `path`. `None` if there is none, or it does not begin with this header yet.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn open(path: &Path, header: &Header, bound: ScoreBound) -> Result<Option<Self>, StoreError> {
        let part = part_of(path);
        // It may get its final name between the two looks.
        for path in [&part, path] {
            let bytes = match Section::open(path) {
                Err(error) if error.is_missing() => continue,
                opened => opened?,
            };
            let origin = Origin::score_file(path);
            let is_ours = bytes.first(Header::LEN).map_err(origin.in_file())? == header.to_bytes();
            return Ok(is_ours.then(|| Self::new(Arc::new(Source { origin, header: *header, bound }), bytes)));
        }
        Ok(None)
    }

    /// The records of a file from the first on.
    pub(super) fn new(source: Arc<Source>, bytes: Section) -> Self {
        Self { source, bytes, end: Header::LEN as u64 }
    }

    /// The records that have been appended since the last look.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn grown(&mut self) -> Result<Vec<StoredRecord>, StoreError> {
        let source = self.source.clone();
        self.bytes = self.bytes.as_long_as_now().map_err(StoreError::io("examine", &source.origin.path))?;
        std::iter::from_fn(|| self.next().transpose()).collect::<Result<_, _>>().map_err(source.origin.in_file())
    }

    /// The next record, if its front is intact and the file reaches to its end.
    pub(super) fn next(&mut self) -> Result<Option<StoredRecord>, ReadError> {
        let found = Entry::find(&self.bytes, &self.source.header, self.end)?;
        Ok(found.map(|entry| {
            self.end = entry.range().end;
            StoredRecord { source: self.source.clone(), file: self.bytes.clone(), entry }
        }))
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use bitvec::prelude::*;
    use dab_space::SlabShape;

    use super::super::part_file::PartFile;
    use super::super::record::encode;
    use super::*;
    use crate::files::Files;

    const HEADER: Header =
        Header { layer: 3, n_slabs: 4, block_positions: 16, is_odd: false, marks: false, run: RunId([1; RunId::LEN]) };

    fn open(path: &Path, header: &Header) -> Result<Option<GrowingFile>, StoreError> {
        GrowingFile::open(path, header, ScoreBound::ANY)
    }

    #[test]
    fn records_are_found_as_they_come() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("layer-03.score");
        let header = HEADER;
        assert!(open(&path, &header).unwrap().is_none());
        let files = Files::of_disk();
        let output = files.open(&part_of(&path)).unwrap();
        let of = (header, ScoreBound::ANY);
        let part = PartFile::take_up(files, path.clone(), output, of, &[]).unwrap().unwrap();
        assert!(open(&path, &Header { layer: 2, ..header }).unwrap().is_none());
        let mut growing = open(&path, &header).unwrap().unwrap();
        let bits = bitvec![0; 5];
        let shape = SlabShape { row_parity: &bits, col_parity: &bits };
        let scores = |slab: usize| vec![2 * slab as i8; 25];
        let mut found = Vec::new();
        for slab in [2, 0, 3] {
            assert!(growing.grown().unwrap().is_empty());
            part.append(&encode(&header, slab, shape, &scores(slab))).unwrap();
            found.extend(growing.grown().unwrap());
        }
        part.finish().unwrap();
        assert!(growing.grown().unwrap().is_empty(), "the directory is no record");
        // Opened later, under its final name.
        found.extend(open(&path, &header).unwrap().unwrap().grown().unwrap());
        assert_eq!(found.iter().map(StoredRecord::slab_number).collect::<Vec<_>>(), [2, 0, 3, 2, 0, 3]);
        for record in &found {
            let read = record.slab(shape).unwrap();
            assert_eq!(*read, scores(record.slab_number()));
        }
    }

    #[test]
    fn a_record_that_is_not_whole_yet_is_found_later() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("layer-03.score.part");
        let (header, bits) = (HEADER, bitvec![0; 5]);
        let record = encode(&header, 1, SlabShape { row_parity: &bits, col_parity: &bits }, &[0; 25]).bytes;
        let whole = [&header.to_bytes()[..], &record].concat();
        std::fs::write(&path, &whole[..Header::LEN]).unwrap();
        let mut growing = open(&directory.path().join("layer-03.score"), &header).unwrap().unwrap();
        for len in Header::LEN..whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            assert!(growing.grown().unwrap().is_empty(), "{len}");
        }
        std::fs::write(&path, whole).unwrap();
        assert_eq!(growing.grown().unwrap().len(), 1);
    }
}
