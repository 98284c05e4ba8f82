//! A table as it is read: from its files or through a slab cache, with single scores below its last layer that were learned since.
//!
//! ```text
//!    place ─► slab cache, if there is one ─► files ─ below the last layer ─► learned before?
//! ```

use std::sync::{Arc, PoisonError, RwLock};

use dab_board::{LineIdx, Position};
use dab_space::{Layer, Place, SlabId, SlabShape};
use dab_store::{LayerSummary, ScoreRead, Scores, SlabCache, StoreError};
use rustc_hash::FxHashMap;

use crate::{Answer, Book, Marks, TableError, Tablebase, is_beyond};

/// A table with the way in which it is read.
pub struct Source {
    table: Arc<Tablebase>,
    cache: Option<Arc<SlabCache<'static>>>,
    learned: RwLock<FxHashMap<Place, i8>>,
}

/// One line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The lines in the order in which they are drawn.
    pub lines: Vec<LineIdx>,
    /// Whether it reaches the end of the game.
    pub is_whole: bool,
}

impl Source {
    /// A table of whose files every question reads what it needs: the way for few questions.
    pub fn new(table: impl Into<Arc<Tablebase>>) -> Self {
        Self { table: table.into(), cache: None, learned: RwLock::default() }
    }

    /// A table read through a slab cache of `bytes` bytes.
    pub fn cached(table: impl Into<Arc<Tablebase>>, bytes: u64) -> Self {
        let source = Self::new(table);
        Self { cache: Some(Arc::new(SlabCache::to_query(Arc::clone(&source.table), bytes))), ..source }
    }

    /// As [`Source::cached`], where a thread decodes the slabs, so that no question waits for one.
    pub(crate) fn decoded_aside(table: impl Into<Arc<Tablebase>>, bytes: u64) -> Self {
        let source = Self::cached(table, bytes);
        source.cache.iter().for_each(SlabCache::decode_aside);
        source
    }

    /// The table.
    pub fn table(&self) -> &Arc<Tablebase> {
        &self.table
    }

    /// Its answers.
    pub fn book(&self) -> Book<'_> {
        self.table.book_through(self)
    }

    /// The answer for a position. Where the table has no marks, they take a walk over all that best play can reach.
    ///
    /// # Errors
    /// As [`Tablebase::answer`].
    pub fn answer(&self, position: &Position, marks: bool) -> Result<Answer, TableError> {
        let book = self.book();
        if marks { Marks::new(&book).answer(position) } else { book.answer(position) }
    }

    /// One line of best play, always the lowest best line. Where the scores end, `beyond` may know the rest; if it does
    /// not, the play ends there.
    ///
    /// # Errors
    /// As [`Tablebase::best_play`], and those of `beyond`.
    pub fn best_play<E: From<TableError>>(
        &self,
        position: &Position,
        beyond: impl FnOnce(&Position) -> Result<Option<Vec<LineIdx>>, E>,
    ) -> Result<Play, E> {
        let mut lines = Vec::new();
        let rest = match self.book().play_on(position, &mut lines) {
            Err(error) if error.is_beyond() => {
                beyond(&lines.iter().fold(position.clone(), |now, &line| now.draw(line).0))?
            }
            played => played.map(|()| Some(Vec::new()))?,
        };
        let is_whole = rest.is_some();
        lines.extend(rest.unwrap_or_default());
        Ok(Play { lines, is_whole })
    }

    /// Learns the value of a position that the table does not hold, with a mark if the table has marks.
    pub fn learn(&self, place: Place, value: i8) {
        self.learned.write().unwrap_or_else(PoisonError::into_inner).insert(place, value);
    }

    fn learned(&self, place: Place) -> Option<i8> {
        self.learned.read().unwrap_or_else(PoisonError::into_inner).get(&place).copied()
    }

    fn scores(&self) -> &dyn ScoreRead {
        match &self.cache {
            Some(cache) => cache.as_ref(),
            None => self.table.files().scores(),
        }
    }
}

impl ScoreRead for Source {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.scores().read_slab(id, shape)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        match self.scores().read_score(id, shape, row, col) {
            Err(error) if is_beyond(&error) => self.learned(Place { id, row, col }).ok_or(error),
            score => score,
        }
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.scores().read_scores(id, shape, places)
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.scores().finished(layer)
    }
}
