//! The traits to read and write scores: a run directory, a book and memory look alike.
//!
//! Solvers write layers from the last down to 0 through [`ScoreWrite`]; all readers use [`ScoreRead`].

use std::time::Duration;

use dab_codec::{Crew, Wanted};
use dab_space::{Layer, SlabId, SlabShape};

use crate::{Checks, LayerCheck, LayerSummary, Part, Scores, SlabSet, StoreError, StoredRecord};

/// Scores of finished layers.
pub trait ScoreRead: Send + Sync {
    /// All scores of a slab, row-major.
    ///
    /// # Errors
    /// The layer is not finished, has no such slab or one of another shape, or its file is damaged.
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError>;

    /// At least those scores of a slab that are wanted or were decoded before, in memory that was used before if it is large enough; by
    /// these threads. A store without tiles has all scores.
    ///
    /// # Errors
    /// As [`ScoreRead::read_slab`], as far as blocks of wanted scores are concerned.
    fn read_part(
        &self,
        id: SlabId,
        shape: SlabShape<'_>,
        _part: Part,
        _wanted: &Wanted,
        _crew: Crew,
    ) -> Result<Scores, StoreError> {
        self.read_slab(id, shape)
    }

    /// One score; from a file, just its block is decoded.
    ///
    /// # Errors
    /// As [`ScoreRead::read_slab`].
    ///
    /// # Panics
    /// When `row` or `col` lies outside `shape`.
    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        assert!(row < shape.rows() && col < shape.cols(), "({row}, {col}) lies outside the slab");
        Ok(self.read_scores(id, shape, &[row * shape.cols() + col])?[0])
    }

    /// The scores at some places of a slab, given by `row * cols + col`, in their order.
    ///
    /// # Errors
    /// As [`ScoreRead::read_slab`].
    ///
    /// # Panics
    /// When a place lies outside `shape`.
    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let whole = self.read_slab(id, shape)?;
        Ok(places.iter().map(|&place| whole[place]).collect())
    }

    /// The layer in numbers, when it is finished. Its scores may have been discarded since.
    fn finished(&self, layer: Layer) -> Option<LayerSummary>;

    /// Whether a layer is finished.
    fn is_finished(&self, layer: Layer) -> bool {
        self.finished(layer).is_some()
    }
}

/// Slabs on disk: [`ScoreRead`] from files is the same for all that have them.
pub(crate) trait Records: Send + Sync {
    /// The record of a slab.
    ///
    /// # Errors
    /// The layer is not finished or not held, or a file of it is missing, damaged or another one than listed.
    fn record(&self, id: SlabId) -> Result<StoredRecord, StoreError>;

    /// The layer in numbers, when it is finished; see [`ScoreRead::finished`].
    fn summary(&self, layer: Layer) -> Option<LayerSummary>;

    /// The error of reading a slab, after another look at files that somebody else may be changing.
    fn reconsider(&self, _id: SlabId, error: StoreError) -> StoreError {
        error
    }
}

impl<T: Records> ScoreRead for T {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.read_part(id, shape, Part::default(), &Wanted::ALL, Crew::Alone)
    }

    fn read_part(
        &self,
        id: SlabId,
        shape: SlabShape<'_>,
        part: Part,
        wanted: &Wanted,
        crew: Crew,
    ) -> Result<Scores, StoreError> {
        let read = self.record(id)?.part(shape, part, wanted, crew);
        read.map(Scores::from).map_err(|error| self.reconsider(id, error))
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        self.record(id)?.score(shape, row, col).map_err(|error| self.reconsider(id, error))
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.record(id)?.scores(shape, places).map_err(|error| self.reconsider(id, error))
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.summary(layer)
    }
}

/// Scores that are being computed.
pub trait ScoreWrite: ScoreRead + ScoreRelease + ScoreCheck {
    /// Starts a layer whose slabs have these shapes, or goes on with one that was interrupted. A layer has at most
    /// one sink at a time.
    ///
    /// # Errors
    /// The layer is finished already or there is none of this number; the file cannot be written.
    fn begin_layer<'a>(
        &'a self,
        layer: Layer,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError>;

    /// Hears how long a layer took: its share of the time, where layers are solved together. Times are no result.
    fn took(&self, _layer: Layer, _time: Duration) {}
}

/// Giving back the room of scores that nothing unsolved reads. A store that keeps everything has none of this.
pub trait ScoreRelease {
    /// The last layer that is kept; those above it are discarded when no unsolved layer reads them any more.
    fn last_kept(&self) -> Layer {
        Layer::MAX
    }

    /// Releases slabs of finished layers that no unsolved slab reads: gives back the room of those that need not be kept, at once or
    /// later. All slabs that read them survive a power cut ([`LayerSink::sync`]). A store that cannot do that keeps them.
    ///
    /// # Errors
    /// The file cannot be written.
    fn release(&self, _slabs: &[SlabId]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whether so much was written since slabs were last released that it pays to release more, or [`ScoreRelease::is_short`].
    fn wants_release(&self) -> bool {
        false
    }

    /// Whether there is hardly any room for more slabs, so that others had better be released before the next one is put.
    fn is_short(&self) -> bool {
        false
    }

    /// Forgets the scores of a finished layer, and gives back their room.
    ///
    /// # Errors
    /// The file cannot be removed.
    fn discard(&self, _layer: Layer) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Notes of scores that are derived again before they are put. A store without notes wants no checks.
pub trait ScoreCheck {
    /// Scores of every slab that are derived again before the slab is put; 0 if none are.
    fn checks_per_slab(&self) -> usize {
        0
    }

    /// The checks so far.
    fn checks(&self) -> Option<Checks> {
        None
    }

    /// Notes that slabs are checked from now on, from a layer on down, unless an earlier process began with as many checks of a slab.
    ///
    /// # Errors
    /// The file cannot be written.
    fn begin_checks(&self, _layer: Layer) -> Result<(), StoreError> {
        Ok(())
    }

    /// Notes the checks of a layer that is finished or about to be.
    ///
    /// # Errors
    /// The file cannot be written.
    fn note_checks(&self, _check: LayerCheck) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Takes the slabs of one layer, from any thread and in any order. Dropping it unfinished keeps the slabs with which a later
/// [`ScoreWrite::begin_layer`] goes on.
pub trait LayerSink: Send + Sync {
    /// The slabs of a layer that was interrupted that are there, and those put since; they must not be put again.
    fn resumed_slabs(&self) -> SlabSet;

    /// As [`ScoreRead::read_part`], of a slab that was put or resumed, by all threads that are free.
    ///
    /// # Errors
    /// The slab is not there, or the file cannot be read.
    fn read_part(&self, slab: usize, part: Part, wanted: &Wanted) -> Result<Scores, StoreError>;

    /// The scores at some places of such a slab, given by `row * cols + col`.
    ///
    /// # Errors
    /// As [`LayerSink::read_part`].
    fn read_scores(&self, slab: usize, places: &[usize]) -> Result<Vec<i8>, StoreError>;

    /// Takes the scores of a slab. Encoding runs in the calling thread, and for a large slab in all threads of rayon's pool that
    /// are free.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When there is no such slab, it was put before, or the number of scores is not that of its shape.
    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError>;

    /// Returns when the slabs that were put before the call will survive a power cut.
    ///
    /// # Errors
    /// The file cannot be written.
    fn sync(&self) -> Result<(), StoreError>;

    /// Completes the layer: from now on it can be read and survives a crash.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// When a slab was never put.
    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError>;
}
