//! A run that several processes solve together, as one of them reads it: finished layers as their score files list them,
//! the slab files of another layer one by one.
//!
//! The files are the only truth. Whether a layer is finished is looked up as long as it is not.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use dab_space::{Layer, SlabId, SlabShape};
use dab_store::{Buffer, Crew, LayerFile, LayerSummary, RunDir, ScoreRead, Scores, StoreError};

use super::pieces::Pieces;

/// Slab files that are kept open: their slabs are read one after the other.
const MOST_OPEN: usize = 64;

/// A slab file, by layer and first slab.
type Opened = (SlabId, Arc<LayerFile>);

/// The scores of a run that several processes compute.
pub struct SharedRun<'a> {
    run: &'a RunDir,
    pieces: &'a Pieces,
    opened: Mutex<VecDeque<Opened>>,
}

impl<'a> SharedRun<'a> {
    /// The run in a directory that others write, too.
    pub fn new(run: &'a RunDir, pieces: &'a Pieces) -> Self {
        Self { run, pieces, opened: Mutex::default() }
    }

    /// The run.
    pub fn run(&self) -> &'a RunDir {
        self.run
    }

    /// The slab file that has a slab of a layer; `None` if there is none or the layer is finished by now.
    fn slab_file(&self, SlabId { layer, slab }: SlabId) -> Result<Option<Arc<LayerFile>>, StoreError> {
        let first = self.pieces.slabs(layer, self.pieces.containing(layer, slab)).start;
        let lock = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = lock().iter().find(|(id, _)| *id == SlabId::new(layer, first)) {
            return Ok(Some(file.clone()));
        }
        if self.run.finished_meanwhile(layer)? {
            return Ok(None);
        }
        let Some(file) = self.run.open_slabs((layer, self.pieces.n_slabs(layer)), first)?.map(Arc::new) else {
            return Ok(None);
        };
        let mut opened = lock();
        opened.push_front((SlabId::new(layer, first), file.clone()));
        opened.truncate(MOST_OPEN);
        Ok(Some(file))
    }

    /// The file that has a slab.
    fn file(&self, id: SlabId) -> Result<Arc<LayerFile>, StoreError> {
        let layer = id.layer;
        if !self.run.is_finished(layer)
            && let Some(file) = self.slab_file(id)?
        {
            return Ok(file);
        }
        self.run.layer_file(layer)
    }
}

impl ScoreRead for SharedRun<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.read_slab_into(id, shape, Buffer::default(), Crew::Alone)
    }

    fn read_slab_into(&self, id: SlabId, shape: SlabShape<'_>, used: Buffer, crew: Crew) -> Result<Scores, StoreError> {
        self.file(id)?.read_slab_into(id.slab, shape, used, crew).map(Scores::from)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        self.file(id)?.read_score(id.slab, shape, row, col)
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.run.finished(layer)
    }
}
