//! A run directory, opened: its game, its manifest, and its score files, each opened when it is first read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use dab_space::{Layer, SlabId};

use super::names::{MANIFEST, layer_name};
use super::release_notes::Releases;
use crate::files::Files;
use crate::layer_file::{BLOCK_POSITIONS, FORMAT, Header, LayerFile, REORDER_BYTES};
use crate::manifest::Manifest;
use crate::score::LayerFiles;
use crate::score_bound::ScoreBounds;
use crate::storage::Output;
use crate::{Access, Checks, Digest, Game, LayerSummary, RunId, ScoreRead, SlabSet, StoreError};

/// Bytes of finished layers from which on a late manifest lists them. Writing the manifest costs as many syncs as a layer,
/// and the first and last layers are tiny. A resumed run verifies and adopts complete layers that are not listed.
pub(super) const LIST_BYTES: u64 = 1 << 20;

/// A score file, once it has been opened.
pub(super) type Opened = RwLock<Option<Arc<LayerFile>>>;

/// A layer that was there but cannot be believed.
#[derive(Debug)]
pub struct Dropped {
    /// The layer.
    pub layer: Layer,
    /// The fault of its file.
    pub error: StoreError,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; layer {} is solved again", self.error, self.layer)
    }
}

/// A directory with the result of one solve.
#[derive(Debug)]
pub struct RunDir {
    pub(super) path: PathBuf,
    pub(super) game: Game,
    pub(super) run: RunId,
    pub(super) bounds: ScoreBounds,
    pub(super) block_positions: u32,
    pub(super) reorder_bytes: u64,
    /// How its finished layers are read.
    pub(super) access: Access,
    pub(super) files: Files,
    pub(super) dropped: Vec<Dropped>,
    /// Layers that are kept as the manifest lists them.
    pub(super) unverified: SlabSet,
    pub(super) manifest: Mutex<Manifest>,
    /// Bytes of the finished layers that the manifest on disk does not list yet, and from which on it does.
    pub(super) unlisted: AtomicU64,
    pub(super) list_bytes: u64,
    /// A layer that is listed at once, with all before it.
    pub(super) listed_at_once: Layer,
    /// Score files that have been opened.
    pub(super) layers: Vec<Opened>,
    /// Last layer that is kept for good.
    pub(super) keep: Layer,
    /// Bytes that score files may take.
    pub(super) disk: u64,
    /// Scores of every slab that are derived again while it is solved.
    pub(super) checks_per_slab: usize,
    pub(super) releases: Mutex<Releases>,
    /// Bytes of the layers that are being written.
    pub(super) unfinished: Mutex<BTreeMap<Layer, u64>>,
    /// Locked as long as it is open; `None` when reading only.
    pub(super) lock: Option<Output>,
}

impl RunDir {
    /// A run none of whose layers are opened yet.
    pub(super) fn unopened(path: &Path, manifest: Manifest, lock: Option<Output>) -> Self {
        let layers = std::iter::repeat_with(Opened::default).take(manifest.n_layers).collect();
        Self::new(path, Files::of_disk(), manifest, layers, lock)
    }

    pub(super) fn new(
        path: &Path,
        files: Files,
        manifest: Manifest,
        layers: Vec<Opened>,
        lock: Option<Output>,
    ) -> Self {
        Self {
            path: path.to_path_buf(),
            game: manifest.game.clone(),
            run: manifest.game.run_id(),
            bounds: ScoreBounds::of(&manifest.game),
            block_positions: BLOCK_POSITIONS,
            reorder_bytes: REORDER_BYTES,
            access: Access::BY_POSITION,
            files,
            dropped: Vec::new(),
            unverified: SlabSet::default(),
            manifest: Mutex::new(manifest),
            unlisted: AtomicU64::new(0),
            list_bytes: 0,
            listed_at_once: Layer(0),
            layers,
            keep: Layer::MAX,
            disk: u64::MAX,
            checks_per_slab: 0,
            releases: Mutex::default(),
            unfinished: Mutex::default(),
            lock,
        }
    }

    /// The same run, writing blocks of another size from now on.
    ///
    /// # Panics
    /// When `block_positions` is not within 1 and 2^24.
    pub fn with_block_positions(self, block_positions: u32) -> Self {
        assert!((1..=crate::layer_file::MAX_BLOCK_POSITIONS).contains(&block_positions));
        Self { block_positions, ..self }
    }

    /// The same run, holding at most so many bytes of slabs in memory that come before their turn; the others wait on
    /// disk.
    pub fn with_reorder_bytes(self, reorder_bytes: u64) -> Self {
        Self { reorder_bytes, ..self }
    }

    /// The same run, releasing slabs and discarding layers above `last` as soon as nothing unsolved reads them.
    pub fn keeping(self, last: Layer) -> Self {
        Self { keep: last, ..self }
    }

    /// The same run, refusing to let its score files grow beyond so many bytes.
    pub fn limited_to(self, disk: u64) -> Self {
        Self { disk, ..self }
    }

    /// The same run, having so many scores of every slab derived again while it is solved.
    pub fn checking(self, per_slab: usize) -> Self {
        Self { checks_per_slab: per_slab, ..self }
    }

    /// The same run, listing tiny layers together: for a process that solves all of them itself, down to `last`.
    pub fn listing_late(self, last: Layer) -> Self {
        Self { list_bytes: LIST_BYTES, listed_at_once: last, ..self }
    }

    /// Scores that were derived again while the run was solved.
    pub fn checks(&self) -> Option<Checks> {
        self.manifest().checks.clone()
    }

    /// Whether the scores of a finished layer were discarded; its summary stays.
    pub fn is_discarded(&self, layer: Layer) -> bool {
        self.manifest().discarded.contains(&layer)
    }

    /// Bytes of the finished layers that were not discarded, without those that released slabs gave back.
    pub(super) fn byte_len(&self) -> u64 {
        let manifest = self.manifest();
        let here = manifest.finished.values().filter(|layer| !manifest.discarded.contains(&layer.layer));
        let all: u64 = here.map(|layer| layer.bytes).sum();
        drop(manifest);
        all.saturating_sub(self.released_bytes())
    }

    /// Layers with files that cannot be believed; they count as unfinished.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// Finished layers of a resumed run whose blocks nobody looked at: only their headers and directories were checked.
    pub fn unverified(&self) -> &SlabSet {
        &self.unverified
    }

    /// Path of the run directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The game of the run.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Number of layers, finished or not.
    pub fn n_layers(&self) -> usize {
        self.layers.len()
    }

    /// Digest of the run, once all layers are finished.
    pub fn digest(&self) -> Option<Digest> {
        self.manifest().run_digest()
    }

    /// The header of the score file of a layer of so many slabs.
    pub(super) fn header(&self, layer: Layer, n_slabs: usize) -> Header {
        Header {
            format: FORMAT,
            layer: layer.0 as u32,
            n_slabs: n_slabs as u64,
            block_positions: self.block_positions,
            is_odd: self.game.is_odd(),
            run: self.run,
        }
    }

    /// Takes note of a finished layer, whose score file is there; lists it when that is due.
    pub(super) fn note_finished(&self, summary: LayerSummary) -> Result<(), StoreError> {
        let layer = summary.layer;
        let file = self.open_layer(layer)?;
        let file = file.bounded(self.bounds.of_layer(layer));
        *self.layers[layer.0].write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(file));
        self.manifest().finished.insert(layer, summary);
        let unlisted = self.unlisted.fetch_add(summary.bytes, Ordering::Relaxed) + summary.bytes;
        // Layers that are not kept are discarded after the last one.
        let is_last = self.digest().is_some() || layer == self.listed_at_once;
        if is_last || unlisted >= self.list_bytes { self.list() } else { Ok(()) }
    }

    /// Writes the manifest as it is now.
    pub(super) fn list(&self) -> Result<(), StoreError> {
        let manifest = self.manifest();
        manifest.write(&self.files, &self.path.join(MANIFEST))?;
        self.unlisted.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Reads the manifest again, unless this run writes it itself: a solve may have discarded layers and released slabs since.
    pub(super) fn read_again(&self) -> Result<(), StoreError> {
        if self.lock.is_none() {
            let now = Manifest::read(&self.path.join(MANIFEST))?;
            if now.game == self.game && now.n_layers == self.n_layers() {
                *self.manifest() = now;
            }
        }
        Ok(())
    }

    /// Closes the score file of a layer, which is opened again when it is read.
    pub(super) fn close(&self, layer: Layer) {
        *self.layers[layer.0].write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Opens the score file of a layer; if too many files are open, those of other layers are closed.
    fn open_layer(&self, layer: Layer) -> Result<LayerFile, StoreError> {
        let open = || LayerFile::open_with(&self.path.join(layer_name(layer)), layer, self.run, self.access);
        match open() {
            Err(error) if error.is_out_of_files() => {
                self.close_all();
                open()
            }
            opened => opened,
        }
    }

    /// Closes the score files that nobody is opening, unless they have lost their names: those could not be opened again.
    fn close_all(&self) {
        for (layer, cell) in self.layers.iter().enumerate() {
            if let Ok(mut opened) = cell.try_write()
                && opened.is_some()
                && self.path.join(layer_name(Layer(layer))).exists()
            {
                *opened = None;
            }
        }
    }

    pub(super) fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of the layers that are being written.
    pub(super) fn unfinished(&self) -> MutexGuard<'_, BTreeMap<Layer, u64>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The score file of a finished layer.
    ///
    /// # Errors
    /// The layer is not finished or was discarded, or its file is missing, damaged or another one than the manifest
    /// lists.
    pub fn layer_file(&self, layer: Layer) -> Result<Arc<LayerFile>, StoreError> {
        let n_layers = self.n_layers();
        let Some(cell) = self.layers.get(layer.0) else {
            return Err(StoreError::NoSuchLayer { path: self.path.clone(), layer, n_layers });
        };
        if let Some(file) = &*cell.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(file.clone());
        }
        let Some(listed) = self.finished(layer) else {
            return Err(StoreError::Unfinished { path: self.path.clone(), layer });
        };
        if self.is_discarded(layer) {
            return Err(StoreError::Discarded { path: self.path.clone(), layer });
        }
        let path = self.path.join(layer_name(layer));
        let file = match self.open_layer(layer) {
            Err(error) if error.is_missing() => {
                self.read_again()?;
                return Err(match self.is_discarded(layer) {
                    true => StoreError::Discarded { path: self.path.clone(), layer },
                    false => StoreError::MissingLayer { path, layer },
                });
            }
            file => file?.check(&listed)?.bounded(self.bounds.of_layer(layer)),
        };
        file.set_released(self.released(layer));
        let mut opened = cell.write().unwrap_or_else(PoisonError::into_inner);
        Ok(opened.get_or_insert_with(|| Arc::new(file)).clone())
    }
}

impl LayerFiles for RunDir {
    fn file(&self, layer: Layer) -> Result<Arc<LayerFile>, StoreError> {
        self.layer_file(layer)
    }

    fn summary(&self, layer: Layer) -> Option<LayerSummary> {
        self.manifest().finished.get(&layer).copied()
    }

    fn reconsider(&self, id: SlabId, error: StoreError) -> StoreError {
        let (path, SlabId { layer, slab }) = (self.path.clone(), id);
        match error {
            // Where the scores of a slab were, there may be a hole by now, or no file.
            StoreError::Damaged { .. } | StoreError::MissingLayer { .. } if self.read_again().is_ok() => {
                if self.is_discarded(layer) {
                    StoreError::Discarded { path, layer }
                } else if matches!(error, StoreError::MissingLayer { .. }) {
                    // A repair may have put slab files into one.
                    self.close(layer);
                    error
                } else if self.is_released(layer, slab) {
                    StoreError::Released { path: self.path.join(layer_name(layer)), slab }
                } else {
                    error
                }
            }
            error => error,
        }
    }
}
