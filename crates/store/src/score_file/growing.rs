//! A score file that another process writes, as far as it has come.
//!
//! Its records are found by their fronts, each where the one before it ends; a front that is not whole yet is looked at again
//! later. The file is complete once it has its final name, and its records are the same ones.

use std::path::Path;

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
    origin: Origin,
    file: Section,
    header: Header,
    entries: Vec<Entry>,
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
            let file = match Section::open(path) {
                Err(error) if error.is_missing() => continue,
                opened => opened?,
            };
            let origin = Origin::score_file(path);
            let begins_as_ours = file.first(Header::LEN).map_err(origin.in_file())? == header.to_bytes();
            return Ok(begins_as_ours.then(|| Self { origin, file, header: *header, entries: Vec::new() }));
        }
        Ok(None)
    }

    /// Looks for records that have been appended; returns those.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn grow(&mut self) -> Result<&[Entry], StoreError> {
        self.file = self.file.as_long_as_now().map_err(StoreError::io("examine", &self.origin.path))?;
        let n_known = self.entries.len();
        let mut end = self.entries.last().map_or(Header::LEN as u64, |last| last.range().end);
        while let Some(entry) = walk::record_at(&self.file, &self.header, end).map_err(self.origin.in_file())? {
            end = entry.range().end;
            self.entries.push(entry);
        }
        Ok(&self.entries[n_known..])
    }

    /// One of the records found.
    pub(crate) fn record(&self, entry: &Entry, bound: ScoreBound) -> StoredRecord<'_> {
        StoredRecord { origin: &self.origin, file: self.file.clone(), header: &self.header, entry: *entry, bound }
    }
}
