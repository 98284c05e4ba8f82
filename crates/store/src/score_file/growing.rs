//! A score file that another process writes, as far as it has come.
//!
//! Its records are found by their fronts, each where the one before it ends; a front that is not whole yet is looked at again
//! later. The file is complete once it has its final name, and its records are the same ones.

use std::path::Path;
use std::sync::Arc;

use super::directory::Entry;
use super::header::Header;
use super::stored_record::StoredRecord;
use super::walk;
use crate::StoreError;
use crate::files::part_of;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;

/// A score file that may be growing.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    file: Arc<(Origin, Header)>,
    bytes: Section,
    /// Where the next record begins.
    end: u64,
}

/// A record of a file that may be growing.
#[derive(Debug)]
pub(crate) struct FoundRecord {
    file: Arc<(Origin, Header)>,
    bytes: Section,
    entry: Entry,
}

impl GrowingFile {
    /// Opens the file that is or will be `path`. `None` if there is none, or it does not begin with this header yet.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<Option<Self>, StoreError> {
        let part = part_of(path);
        // It may get its final name between the two looks.
        for path in [&part, path] {
            let bytes = match Section::open(path) {
                Err(error) if error.is_missing() => continue,
                opened => opened?,
            };
            let origin = Origin::score_file(path);
            let is_ours = bytes.first(Header::LEN).map_err(origin.in_file())? == header.to_bytes();
            let file = Arc::new((origin, *header));
            return Ok(is_ours.then(|| Self { file, bytes, end: Header::LEN as u64 }));
        }
        Ok(None)
    }

    /// The records that have been appended since the last look.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn grown(&mut self) -> Result<Vec<FoundRecord>, StoreError> {
        let (origin, header) = &*self.file;
        let bytes = self.bytes.as_long_as_now().map_err(StoreError::io("examine", &origin.path))?;
        let mut found = Vec::new();
        while let Some(entry) = walk::record_at(&bytes, header, self.end).map_err(origin.in_file())? {
            self.end = entry.range().end;
            found.push(FoundRecord { file: self.file.clone(), bytes: bytes.clone(), entry });
        }
        self.bytes = bytes;
        Ok(found)
    }
}

impl FoundRecord {
    /// The slab of the record.
    pub(crate) fn slab(&self) -> usize {
        self.entry.slab
    }

    /// The record, whose scores are refused beyond a bound.
    pub(crate) fn stored(&self, bound: ScoreBound) -> StoredRecord<'_> {
        let (origin, header) = &*self.file;
        StoredRecord { origin, file: self.bytes.clone(), header, entry: self.entry, bound }
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use bitvec::prelude::*;
    use dab_codec::Crew;
    use dab_space::SlabShape;

    use super::super::encode;
    use super::super::part_file::PartFile;
    use super::*;
    use crate::files::Files;
    use crate::{Part, RunId, Wanted};

    #[test]
    fn records_are_found_as_they_come() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("layer-03.score");
        let header = Header { layer: 3, n_slabs: 4, block_positions: 16, is_odd: false, run: RunId([1; RunId::LEN]) };
        assert!(GrowingFile::open(&path, &header).unwrap().is_none());
        let part = PartFile::begin(Files::of_disk(), &path, header, &[]).unwrap().unwrap();
        assert!(GrowingFile::open(&path, &Header { layer: 2, ..header }).unwrap().is_none());
        let mut growing = GrowingFile::open(&path, &header).unwrap().unwrap();
        let bits = bitvec![0; 5];
        let shape = SlabShape { row_parity: &bits, col_parity: &bits };
        let scores = |slab: usize| vec![2 * slab as i8; 25];
        let mut found = Vec::new();
        for slab in [2, 0, 3] {
            assert!(growing.grown().unwrap().is_empty());
            part.append(slab, &encode(&header, slab, shape, &scores(slab))).unwrap();
            found.extend(growing.grown().unwrap());
        }
        part.finish().unwrap();
        assert!(growing.grown().unwrap().is_empty(), "the directory is no record");
        // Opened later, under its final name.
        found.extend(GrowingFile::open(&path, &header).unwrap().unwrap().grown().unwrap());
        assert_eq!(found.iter().map(FoundRecord::slab).collect::<Vec<_>>(), [2, 0, 3, 2, 0, 3]);
        for record in &found {
            let read =
                record.stored(ScoreBound::ANY).part(shape, Part::default(), &Wanted::ALL, Crew::Alone).unwrap().scores;
            assert_eq!(*read, scores(record.slab()));
        }
    }

    #[test]
    fn a_record_that_is_not_whole_yet_is_found_later() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("layer-03.score.part");
        let header = Header { layer: 3, n_slabs: 4, block_positions: 16, is_odd: false, run: RunId([1; RunId::LEN]) };
        let bits = bitvec![0; 5];
        let record = encode(&header, 1, SlabShape { row_parity: &bits, col_parity: &bits }, &[0; 25]).bytes;
        let whole = [&header.to_bytes()[..], &record].concat();
        std::fs::write(&path, &whole[..Header::LEN]).unwrap();
        let mut growing = GrowingFile::open(&directory.path().join("layer-03.score"), &header).unwrap().unwrap();
        for len in Header::LEN..whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            assert!(growing.grown().unwrap().is_empty(), "{len}");
        }
        std::fs::write(&path, whole).unwrap();
        assert_eq!(growing.grown().unwrap().len(), 1);
    }
}
