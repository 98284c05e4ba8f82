//! A book: the first layers of a run in one file.
//!
//! ```text
//! header      the game, number of layers (frame.rs)
//! layer 0     \
//! layer 1      | score files, coded as densely as can be
//! ...         /
//! directory   56 bytes a layer, with marks 88: slabs, positions, bytes, digest (frame.rs)
//! footer      written last: the file is complete (frame.rs)
//! ```
//!
//! Opening checks header, directory and footer; a layer is opened when it is first read, and checked like any score
//! file. Positions beyond the last layer are not in the book.

mod frame;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use dab_space::{Layer, SlabId};

use crate::files::Files;
use crate::origin::Origin;
use crate::score::Records;
use crate::score_bound::ScoreBounds;
use crate::score_file::{OfLayer, StoredLayer, StoredRecord};
use crate::section::Section;
use crate::storage::{Disk, Storage};
use crate::{Access, Digest, Game, LayerSummary, RunDir, RunId, StoreError};

use frame::Frame;

/// An opened book.
#[derive(Debug)]
pub struct BookFile {
    origin: Origin,
    file: Section,
    frame: Frame,
    run: RunId,
    bounds: ScoreBounds,
    layers: Vec<OnceLock<Arc<StoredLayer>>>,
}

impl BookFile {
    /// Opens a book. Takes the same time for any size.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, or is damaged outside its layers.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Access::BY_POSITION)
    }

    /// As [`BookFile::open`], read in this way.
    ///
    /// # Errors
    /// As [`BookFile::open`], or the file cannot be mapped.
    pub fn open_with(path: &Path, access: Access) -> Result<Self, StoreError> {
        Self::of(Section::open_with(path, access)?, path)
    }

    /// Opens a book in memory; `path` is its name in errors.
    ///
    /// # Errors
    /// The book is not complete, or is damaged outside its layers.
    pub fn in_memory(bytes: Arc<[u8]>, path: &Path) -> Result<Self, StoreError> {
        Self::of(Section::of_bytes(bytes), path)
    }

    fn of(file: Section, path: &Path) -> Result<Self, StoreError> {
        let origin = Origin::book(path);
        let frame = Frame::read(&file, &origin)?;
        let run = frame.game.run_id();
        let layers = frame.layers.iter().map(|_| OnceLock::new()).collect();
        let bounds = ScoreBounds::of(&frame.game);
        Ok(Self { origin, file, frame, run, bounds, layers })
    }

    /// Makes a book of the layers 0 to `last` of a finished run, every byte of them verified, and opens it.
    ///
    /// # Errors
    /// The run is not finished or damaged, has no layer `last`, there is a file `path` already, or it cannot be written.
    #[cfg(feature = "encode")]
    pub fn make(run: &RunDir, last: Layer, path: &Path) -> Result<Self, StoreError> {
        Self::make_on(Arc::new(Disk), run, last, path)
    }

    /// As [`BookFile::make`], with every change of the disk made through `storage`.
    #[cfg(feature = "encode")]
    pub fn make_on(storage: Arc<dyn Storage>, run: &RunDir, last: Layer, path: &Path) -> Result<Self, StoreError> {
        // Publishing would refuse, too, but only after all the work.
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: path.to_path_buf() });
        }
        let mut frame = Frame::of(run, last)?;
        Files::new(storage).write_new(path, |write| {
            write(&frame.header())?;
            for layer in 0..=last.0 {
                frame.layers[layer] = run.stored_layer(Layer(layer))?.recode_to(write)?;
            }
            write(&frame.tail())
        })?;
        Self::open(path)
    }

    /// Bytes that a book of the layers 0 to `last` of a finished run takes at most, but for a few that coding anew may add
    /// to small layers.
    ///
    /// # Errors
    /// The run is not finished or has no layer `last`.
    pub fn byte_len(run: &RunDir, last: Layer) -> Result<u64, StoreError> {
        Ok(Frame::of(run, last)?.byte_len())
    }

    /// Length of the file in bytes: header, layers, directory and footer.
    pub fn file_len(&self) -> u64 {
        self.file.len()
    }

    /// Path of the book.
    pub fn path(&self) -> &Path {
        &self.origin.path
    }

    /// The game of the run that the book was made from.
    pub fn game(&self) -> &Game {
        &self.frame.game
    }

    /// Number of layers of that run.
    pub fn n_layers(&self) -> usize {
        self.frame.n_layers
    }

    /// The last layer that the book holds.
    pub fn last_layer(&self) -> Layer {
        Layer(self.layers.len() - 1)
    }

    /// Digest of that run, over all its layers.
    pub fn digest(&self) -> Digest {
        self.frame.digests.scores
    }

    /// Digest of the marks of that run, if scores have marks.
    pub fn marks_digest(&self) -> Option<Digest> {
        self.frame.digests.marks
    }

    /// A layer of the book.
    ///
    /// # Errors
    /// The book does not hold the layer, or it is damaged.
    pub fn stored_layer(&self, layer: Layer) -> Result<Arc<StoredLayer>, StoreError> {
        let Some(cell) = self.layers.get(layer.0) else {
            let (path, n_layers) = (self.origin.path.clone(), self.n_layers());
            return Err(match layer.0 < n_layers {
                true => StoreError::BeyondBook { path, layer, last: self.last_layer() },
                false => StoreError::NoSuchLayer { path, layer, n_layers },
            });
        };
        if let Some(file) = cell.get() {
            return Ok(file.clone());
        }
        let file = self.file.part(self.frame.range(layer));
        let of = OfLayer { layer, run: self.run, bound: self.bounds.of_layer(layer) };
        let file = StoredLayer::parse(file, self.origin.layer(layer), of)?;
        let file = file.check(&self.frame.layers[layer.0])?;
        Ok(cell.get_or_init(|| Arc::new(file)).clone())
    }
}

impl Records for BookFile {
    fn record(&self, id: SlabId) -> Result<StoredRecord, StoreError> {
        self.stored_layer(id.layer)?.record(id.slab)
    }

    fn summary(&self, layer: Layer) -> Option<LayerSummary> {
        self.frame.layers.get(layer.0).copied()
    }
}
