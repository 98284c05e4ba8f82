//! Where bytes come from, so that an error can name file, layer, slab, block and remedy.

use std::path::{Path, PathBuf};

use crate::{Damage, FORMAT_VERSION, StoreError};

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

    /// Turns damage outside slabs into an error.
    pub(crate) fn damaged(&self) -> impl Fn(Damage) -> StoreError {
        |damage| self.error(self.name.clone(), damage)
    }

    /// Turns damage of a slab into an error.
    pub(crate) fn damaged_slab(&self, slab: usize) -> impl Fn(Damage) -> StoreError {
        move |damage| self.error(format!("{}, slab {slab}", self.name), damage)
    }

    /// Turns damage of a block into an error.
    pub(crate) fn damaged_block(&self, slab: usize, block: usize) -> impl Fn(Damage) -> StoreError {
        move |damage| self.error(format!("{}, slab {slab}, block {block}", self.name), damage)
    }

    /// `Ok` when this program reads format version `got`.
    pub(crate) fn check_version(&self, got: u32) -> Result<(), StoreError> {
        if got == FORMAT_VERSION {
            return Ok(());
        }
        Err(StoreError::Version { path: self.path.clone(), expected: FORMAT_VERSION, got })
    }

    fn error(&self, place: String, damage: Damage) -> StoreError {
        StoreError::Damaged { place, damage, remedy: self.remedy }
    }
}
