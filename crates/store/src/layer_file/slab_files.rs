//! The slab files with the records of a layer that several processes solved.
//!
//! ```text
//!    slabs       0 .. 11       12       13 .. 40
//!    file      000000.slab  000012.slab  000013.slab      each: header, records, the first slab first
//!
//!    the score file of the layer in place of records:     | first slab | first slab | ... | crc32 |
//! ```
//! The directory of such a layer gives the offsets that its records would have in one file, the last slab first. So the
//! place of a record in its slab file follows from the first slabs alone: its distance from the end of the first record.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dab_codec::ReadError;
use dab_space::Layer;

use super::header::{FORMAT, Header};
use crate::bytes::{u32_at, u64_at};
use crate::origin::Origin;
use crate::section::Section;
use crate::{Access, Damage, StoreError};

const FIRST_LEN: usize = 8;
const CRC_LEN: usize = 4;
/// Slab files of a layer that are kept open: neighbouring slabs are often read one after the other.
const MOST_OPEN: usize = 4;

/// The name of the slab file that begins with slab `first`.
pub(crate) fn slab_file_name(first: usize) -> String {
    format!("{first:06}.slab")
}

/// The table of first slabs, which ascend, as a score file has it.
pub(crate) fn slab_file_table(firsts: &[usize]) -> Vec<u8> {
    let mut bytes: Vec<u8> = firsts.iter().flat_map(|&first| (first as u64).to_le_bytes()).collect();
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The slab files of a layer.
#[derive(Debug)]
pub(super) struct SlabFiles {
    dir: PathBuf,
    access: Access,
    /// The header that each of them has.
    header: Header,
    /// The first slab of each, ascending.
    firsts: Vec<usize>,
    opened: Mutex<VecDeque<(usize, Section)>>,
}

impl SlabFiles {
    /// The slab files in a directory, to be read in this way, that the table in these bytes of a score file lists.
    pub(super) fn read(
        (dir, access): (PathBuf, Access),
        file: &Section,
        header: &Header,
        table: Range<u64>,
    ) -> Result<Self, ReadError> {
        let bytes = file.read(table)?;
        Damage::check_len("the table of slab files", CRC_LEN as u64, bytes.len() as u64)?;
        let (table, crc) = bytes.split_at(bytes.len() - CRC_LEN);
        Damage::check_crc("the table of slab files", u32_at(crc, 0), crc32fast::hash(table))?;
        Damage::check("bytes of the table beyond the last entry", 0, table.len() % FIRST_LEN)?;
        let firsts: Vec<u64> = table.chunks_exact(FIRST_LEN).map(|first| u64_at(first, 0)).collect();
        let is_right = firsts.first().map_or(header.n_slabs == 0, |&first| first == 0)
            && firsts.is_sorted_by(|a, b| a < b)
            && firsts.last().is_none_or(|&last| last < header.n_slabs);
        Damage::check("first slabs from 0 on, ascending", true, is_right)?;
        let firsts = firsts.into_iter().map(|first| first as usize).collect();
        let header = Header { format: FORMAT, ..*header };
        Ok(Self { dir, access, header, firsts, opened: Mutex::default() })
    }

    /// The first slab of each, ascending.
    pub(super) fn firsts(&self) -> &[usize] {
        &self.firsts
    }

    /// The slabs of the file that has a slab of the layer.
    pub(super) fn containing(&self, slab: usize) -> Range<usize> {
        let next = self.firsts.partition_point(|&first| first <= slab);
        let end = self.firsts.get(next).copied().unwrap_or(self.header.n_slabs as usize);
        self.firsts[next.saturating_sub(1)]..end
    }

    /// The path of the file that begins with slab `first`.
    pub(super) fn path(&self, first: usize) -> PathBuf {
        self.dir.join(slab_file_name(first))
    }

    /// The file that begins with slab `first`, which must be so long.
    ///
    /// # Errors
    /// It is missing, damaged or belongs elsewhere.
    pub(super) fn open(&self, first: usize, byte_len: u64) -> Result<Section, StoreError> {
        let opened = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = opened().iter().find(|(of, _)| *of == first) {
            return Ok(file.clone());
        }
        let path = self.path(first);
        let file = Section::open_with(&path, self.access).map_err(|error| self.missing(&path, error))?;
        let origin = Origin::score_file(&path);
        let header = Header::read(&file, &origin, self.header.run)?;
        Damage::check("header of the layer", true, header == self.header)
            .and_then(|()| Damage::check("file length", byte_len, file.len()))
            .map_err(origin.in_file())?;
        let mut opened = opened();
        opened.push_front((first, file.clone()));
        opened.truncate(MOST_OPEN);
        Ok(file)
    }

    fn missing(&self, path: &Path, error: StoreError) -> StoreError {
        match error.is_missing() {
            true => StoreError::MissingLayer { path: path.to_path_buf(), layer: Layer(self.header.layer as usize) },
            false => error,
        }
    }
}
