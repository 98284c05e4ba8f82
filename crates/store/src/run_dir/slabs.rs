//! Slab files hold neighbouring slabs of a layer that several processes solve: any of them writes one.
//!
//! ```text
//! layer-07.slabs/000000.slab    header of the layer, records of slabs 0, 1, ...
//! layer-07.slabs/000012.slab    header of the layer, records of slabs 12, ...
//! ```
//! A slab file begins as a score file does and goes on with the records of some neighbouring slabs, the first slab first; its
//! name is this slab. It gets that name when it is whole and synced, so a file of that name may be read; it stays as it is, and
//! whoever writes the same slabs later is too late. When all slabs of a layer are there, the holder of the lock lists them in
//! its score file ([`SlabFileList`](super::SlabFileList)).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dab_space::{Layer, SlabShape};

use super::dir::RunDir;
use super::names::slabs_name;
#[cfg(feature = "encode")]
use crate::layer_file::record_encoder;
use crate::layer_file::{LayerFile, slab_file_name};
use crate::{Digest, ScoreRead, Scores, StoreError};

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
    #[cfg(feature = "encode")]
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

    /// Writes a slab file; needs no lock. If it is there already, or its layer was finished in the meantime, there is nothing left to do.
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
            // Somebody was faster, and what was written here was removed.
            Err(error) if error.is_missing() && (path.is_file() || self.finished_meanwhile(slabs.layer)?) => Ok(()),
            written => written,
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
            Err(error) if error.is_missing() => Ok(None),
            opened => opened.map(|file| Some(file.bounded(self.bounds.of_layer(layer)))),
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

    pub(super) fn slab_path(&self, layer: Layer, first: usize) -> PathBuf {
        self.path.join(slabs_name(layer)).join(slab_file_name(first))
    }

    /// The first slabs of the slab files of a layer, ascending.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn slab_files(&self, layer: Layer) -> Result<Vec<usize>, StoreError> {
        slab_files_in(&self.path.join(slabs_name(layer)))
    }
}

/// The first slabs of the slab files in a directory, ascending.
pub(super) fn slab_files_in(dir: &Path) -> Result<Vec<usize>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(StoreError::io("list", dir))?,
    };
    let mut firsts = Vec::new();
    for entry in entries {
        let name = entry.map_err(StoreError::io("list", dir))?.file_name();
        firsts.extend(name.to_str().and_then(|name| name.strip_suffix(".slab")?.parse::<usize>().ok()));
    }
    firsts.sort_unstable();
    Ok(firsts)
}
