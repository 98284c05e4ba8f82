//! The origin of bytes, so that an error names file, layer, slab and block.

use std::path::{Path, PathBuf};

use dab_codec::{Fault, ReadError};
use dab_space::Layer;

use crate::error::FileKind;
use crate::{FORMAT_VERSION, StoreError};

/// A score file, a book, or one layer of a book.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) path: PathBuf,
    /// The file and, within a book, the layer.
    name: String,
    kind: FileKind,
}

impl Origin {
    pub(crate) fn score_file(path: &Path) -> Self {
        Self { path: path.to_path_buf(), name: path.display().to_string(), kind: FileKind::ScoreFile }
    }

    pub(crate) fn book(path: &Path) -> Self {
        Self { kind: FileKind::Book, ..Self::score_file(path) }
    }

    /// One layer of this book.
    pub(crate) fn layer(&self, layer: Layer) -> Self {
        Self { name: format!("{}, layer {layer}", self.name), ..self.clone() }
    }

    /// Turns an error outside slabs into one that names the file.
    pub(crate) fn in_file<E: Into<ReadError>>(&self) -> impl Fn(E) -> StoreError {
        |error| self.error("", error.into())
    }

    /// Turns an error in a slab into one that names file, slab and, if it is known, block.
    pub(crate) fn in_slab<E: Into<Fault>>(&self, slab: usize) -> impl Fn(E) -> StoreError {
        move |error| {
            let Fault { block, error } = error.into();
            let block = block.map_or_else(String::new, |block| format!(", block {block}"));
            self.error(&format!(", slab {slab}{block}"), error)
        }
    }

    /// `Ok` when this program reads format version `got`.
    pub(crate) fn check_version(&self, got: u32) -> Result<(), StoreError> {
        let expected = FORMAT_VERSION;
        if got == expected { Ok(()) } else { Err(StoreError::Version { path: self.path.clone(), expected, got }) }
    }

    fn error(&self, part: &str, error: ReadError) -> StoreError {
        match error {
            ReadError::Damage(damage) => {
                StoreError::Damaged { kind: self.kind, place: format!("{}{part}", self.name), damage }
            }
            ReadError::Io(error) => StoreError::io("read", &self.path)(error),
        }
    }
}
