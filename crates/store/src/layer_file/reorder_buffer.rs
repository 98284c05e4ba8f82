//! The reorder buffer keeps slabs that come before their turn: in memory up to a limit, beyond it in a file of their own.
//!
//! Threads never wait for the turn of a slab, so slabs may come in any order. The file is no result: a resumed layer
//! removes it and computes those slabs again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::record_layout::EncodedSlab;
use crate::StoreError;
use crate::digest::SlabDigest;
use crate::files::{Files, with_suffix};
use crate::section::read_exact_at;
use crate::storage::{FILE_BLOCK, Output};

/// Encoded slabs by the places of their records.
pub(super) struct ReorderBuffer {
    files: Files,
    path: PathBuf,
    /// Bytes that may be held in memory, and those that are.
    limit: u64,
    held: u64,
    file: Option<Output>,
    /// Length of the file.
    end: u64,
    /// Bytes of it that slabs taken out gave back.
    freed: u64,
    slabs: BTreeMap<usize, Slab>,
}

enum Slab {
    Held(EncodedSlab),
    Written { offset: u64, byte_len: usize, digest: SlabDigest },
}

impl ReorderBuffer {
    /// No slabs yet of the score file that will be `path`. Removes what an interrupted writer left.
    pub(super) fn new(files: Files, path: &Path, limit: u64) -> Result<Self, StoreError> {
        let path = with_suffix(path, ".early");
        if path.exists() {
            files.remove(&path)?;
        }
        Ok(Self { files, path, limit, held: 0, file: None, end: 0, freed: 0, slabs: BTreeMap::new() })
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        self.slabs.contains_key(&place)
    }

    /// Bytes of the file, and of the slabs in memory, which will be written once it is their turn.
    pub(super) fn byte_len(&self) -> u64 {
        self.end - self.freed + self.held
    }

    /// Whether a slab can wait in memory.
    fn has_memory_for(&self, encoded: &EncodedSlab) -> bool {
        self.held + encoded.bytes.len() as u64 <= self.limit
    }

    /// Keeps a slab until its turn.
    pub(super) fn insert(&mut self, place: usize, encoded: EncodedSlab) -> Result<(), StoreError> {
        let byte_len = encoded.bytes.len();
        if self.has_memory_for(&encoded) {
            self.held += byte_len as u64;
            self.slabs.insert(place, Slab::Held(encoded));
            return Ok(());
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => self.files.open(&self.path)?,
        };
        let offset = self.end;
        self.files.write_at(self.file.insert(file), offset, &encoded.bytes)?;
        self.end += whole_blocks(byte_len);
        self.slabs.insert(place, Slab::Written { offset, byte_len, digest: encoded.digest });
        Ok(())
    }

    /// Appends the record of a slab, which stays; returns whether it is there.
    pub(super) fn append(&self, place: usize, bytes: &mut Vec<u8>) -> Result<bool, StoreError> {
        match (self.slabs.get(&place), &self.file) {
            (Some(Slab::Held(encoded)), _) => bytes.extend_from_slice(&encoded.bytes),
            (Some(&Slab::Written { offset, byte_len, .. }), Some(output)) => {
                bytes.resize(byte_len, 0);
                read_exact_at(&output.file, bytes, offset).map_err(StoreError::io("read", &self.path))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes out a slab whose turn it is.
    pub(super) fn take(&mut self, place: usize) -> Result<Option<EncodedSlab>, StoreError> {
        match (self.slabs.remove(&place), &self.file) {
            (Some(Slab::Held(encoded)), _) => {
                self.held -= encoded.bytes.len() as u64;
                Ok(Some(encoded))
            }
            (Some(Slab::Written { offset, byte_len, digest }), Some(output)) => {
                let mut bytes = vec![0; byte_len];
                read_exact_at(&output.file, &mut bytes, offset).map_err(StoreError::io("read", &self.path))?;
                let len = whole_blocks(byte_len);
                if !self.slabs.values().any(|slab| matches!(slab, Slab::Written { .. })) {
                    self.files.truncate(output, 0)?;
                    (self.end, self.freed) = (0, 0);
                } else if self.files.punch(output, offset..offset + len)? {
                    self.freed += len;
                }
                Ok(Some(EncodedSlab { bytes, digest }))
            }
            _ => Ok(None),
        }
    }

    /// Removes the file, if one was needed.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        match self.file {
            Some(file) => {
                drop(file);
                self.files.remove(&self.path)
            }
            None => Ok(()),
        }
    }
}

/// Bytes that a slab takes in the file: whole blocks of the file system, which it gives back alone.
fn whole_blocks(byte_len: usize) -> u64 {
    (byte_len as u64).next_multiple_of(FILE_BLOCK)
}
