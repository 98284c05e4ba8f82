//! Where bytes come from, so that an error can name file, layer, slab, block and remedy.

use std::path::{Path, PathBuf};

use crate::error::ReadError;
use crate::{FORMAT_VERSION, StoreError};

const REPAIR: &str = "repair the run with 'dab verify DIR --repair', or delete the file and run the same solve again";
const SLABS: &str = "delete the file and run the same solve again";
const MAKE_AGAIN: &str = "make the book again from its run with 'dab book'";

/// A score file, a book, or one layer of a book.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) path: PathBuf,
    /// The file and, within a book, the layer.
    name: String,
    remedy: &'static str,
}

impl Origin {
    pub(crate) fn score_file(path: &Path) -> Self {
        Self { path: path.to_path_buf(), name: path.display().to_string(), remedy: REPAIR }
    }

    pub(crate) fn slab_file(path: &Path) -> Self {
        Self { remedy: SLABS, ..Self::score_file(path) }
    }

    pub(crate) fn book(path: &Path) -> Self {
        Self { remedy: MAKE_AGAIN, ..Self::score_file(path) }
    }

    /// One layer of this book.
    pub(crate) fn layer(&self, layer: usize) -> Self {
        Self { name: format!("{}, layer {layer}", self.name), ..self.clone() }
    }

    /// Turns an error outside slabs into one that names the file.
    pub(crate) fn in_file<E: Into<ReadError>>(&self) -> impl Fn(E) -> StoreError {
        |error| self.error("", error.into())
    }

    /// Turns an error in a slab into one that names file and slab.
    pub(crate) fn in_slab<E: Into<ReadError>>(&self, slab: usize) -> impl Fn(E) -> StoreError {
        move |error| self.error(&format!(", slab {slab}"), error.into())
    }

    /// Turns an error in a block into one that names file, slab and block.
    pub(crate) fn in_block<E: Into<ReadError>>(&self, slab: usize, block: usize) -> impl Fn(E) -> StoreError {
        move |error| self.error(&format!(", slab {slab}, block {block}"), error.into())
    }

    /// `Ok` when this program reads format version `got`.
    pub(crate) fn check_version(&self, got: u32) -> Result<(), StoreError> {
        if got == FORMAT_VERSION {
            return Ok(());
        }
        Err(StoreError::Version { path: self.path.clone(), expected: FORMAT_VERSION, got })
    }

    fn error(&self, part: &str, error: ReadError) -> StoreError {
        match error {
            ReadError::Damage(damage) => {
                StoreError::Damaged { place: format!("{}{part}", self.name), damage, remedy: self.remedy }
            }
            ReadError::Io(error) => StoreError::io("read", &self.path)(error),
        }
    }
}
