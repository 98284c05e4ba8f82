//! A run directory: the result of one solve on disk.
//!
//! ```text
//! lock                     held while a process writes
//! manifest.json            the game, the layers that are finished, and the score files of each (manifest.rs)
//! layer-00.score  ...      the score files (names.rs)
//! layer-07.score.part      a score file that is being written
//! seconds.tsv              times of the layers; no result (seconds.rs)
//! ```
//!
//! ```text
//!    start ─► RunDir ─► finished layers, each opened when it is first read
//!               │
//!               ├─► LayerInWork: the files of a layer that is solved or repaired ─► finished
//!               └─► releases: slabs of finished layers whose room is given back
//! ```
//! A layer is believed when its score files open and the manifest lists it with the same digest. Complete files with all slabs of a
//! layer that the manifest does not list (the writer was killed before it did) are verified and adopted.

mod due;
#[cfg(feature = "encode")]
mod followed;
#[cfg(feature = "encode")]
mod in_work;
mod manifest;
mod names;
mod opened_layers;
mod releases;
#[cfg(feature = "encode")]
mod repair;
mod room;
mod seconds;
#[cfg(feature = "encode")]
mod share;
#[cfg(feature = "encode")]
mod sink;
mod start;
#[cfg(feature = "encode")]
mod write;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dab_space::{Layer, SlabId};

use crate::digest::Digests;
use crate::files::Files;
use crate::score::Records;
use crate::score_bound::ScoreBounds;
use crate::score_file::{BLOCK_POSITIONS, Header, MAX_BLOCK_POSITIONS, OfLayer, ScoreFile, StoredLayer, StoredRecord};
use crate::storage::Output;
use crate::{Access, Checks, Digest, Game, LayerSummary, RunId, ScoreRead, SlabSet, StoreError};

use due::Releases;
use manifest::{ListedFile, Manifest};
use names::{MANIFEST, score_name};
use opened_layers::OpenedLayers;

#[cfg(feature = "encode")]
pub use share::JoinedRun;

pub(crate) use manifest::MAX_LAYERS;

/// Bytes of finished layers from which on a late manifest lists them. Writing the manifest costs as many syncs as a layer,
/// and the first and last layers are tiny. A resumed run verifies and adopts complete layers that are not listed.
const LIST_BYTES: u64 = 1 << 20;

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
    path: PathBuf,
    game: Game,
    run: RunId,
    bounds: ScoreBounds,
    options: Options,
    files: Files,
    dropped: Vec<Dropped>,
    /// Layers that are kept as the manifest lists them.
    unverified: SlabSet,
    manifest: Mutex<Manifest>,
    /// Bytes of the finished layers that the manifest on disk does not list yet.
    unlisted: AtomicU64,
    layers: OpenedLayers,
    releases: Mutex<Releases>,
    /// Whether the file system makes holes, once it was asked.
    has_holes: OnceLock<bool>,
    /// Bytes of the layers that are being written.
    unfinished: Mutex<BTreeMap<Layer, u64>>,
    /// Locked as long as it is open; `None` when reading only.
    lock: Option<Output>,
}

/// The wishes of the caller.
#[derive(Clone, Copy, Debug)]
struct Options {
    /// Positions of a block.
    block_positions: u32,
    /// How finished layers are read.
    access: Access,
    /// Last layer that is kept for good.
    keep: Layer,
    /// Bytes that score files may take.
    disk: u64,
    /// Scores of every slab that are derived again while it is solved.
    checks_per_slab: usize,
    /// Bytes of unlisted layers from which on the manifest lists them.
    list_bytes: u64,
    /// A layer that is listed at once, with all before it.
    listed_at_once: Layer,
    /// Whether other processes add score files of their own.
    is_shared: bool,
}

impl Options {
    const DEFAULT: Self = Self {
        block_positions: BLOCK_POSITIONS,
        access: Access::BY_POSITION,
        keep: Layer::MAX,
        disk: u64::MAX,
        checks_per_slab: 0,
        list_bytes: 0,
        listed_at_once: Layer(0),
        is_shared: false,
    };
}

impl RunDir {
    /// A run none of whose layers are opened yet.
    fn new(path: &Path, files: Files, manifest: Manifest, lock: Option<Output>) -> Self {
        Self {
            path: path.to_path_buf(),
            game: manifest.game.clone(),
            run: manifest.game.run_id(),
            bounds: ScoreBounds::of(&manifest.game),
            options: Options::DEFAULT,
            files,
            dropped: Vec::new(),
            unverified: SlabSet::default(),
            unlisted: AtomicU64::new(0),
            layers: OpenedLayers::new(manifest.n_layers),
            manifest: Mutex::new(manifest),
            releases: Mutex::default(),
            has_holes: OnceLock::new(),
            unfinished: Mutex::default(),
            lock,
        }
    }

    /// The same run with other options.
    fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// The same run, writing blocks of another size from now on.
    ///
    /// # Panics
    /// When `block_positions` is not within 1 and 2^24.
    pub fn with_block_positions(self, block_positions: u32) -> Self {
        assert!((1..=MAX_BLOCK_POSITIONS).contains(&block_positions));
        self.with(|options| options.block_positions = block_positions)
    }

    /// The same run, releasing slabs and discarding layers above `last` as soon as nothing unsolved reads them.
    pub fn keeping(self, last: Layer) -> Self {
        self.with(|options| options.keep = last)
    }

    /// The same run, refusing to let its score files grow beyond so many bytes.
    pub fn limited_to(self, disk: u64) -> Self {
        self.with(|options| options.disk = disk)
    }

    /// The same run, having so many scores of every slab derived again while it is solved.
    pub fn checking(self, per_slab: usize) -> Self {
        self.with(|options| options.checks_per_slab = per_slab)
    }

    /// The same run, listing tiny layers together: for a process that solves all of them itself, down to `last`.
    pub fn listing_late(self, last: Layer) -> Self {
        self.with(|options| (options.list_bytes, options.listed_at_once) = (LIST_BYTES, last))
    }

    /// The same run, to which other processes add score files of their own ([`JoinedRun`]).
    pub fn shared(self) -> Self {
        self.with(|options| options.is_shared = true)
    }

    /// Scores that were derived again while the run was solved.
    pub fn checks(&self) -> Option<Checks> {
        self.manifest().checks.clone()
    }

    /// Whether the scores of a finished layer were discarded; its summary stays.
    pub fn is_discarded(&self, layer: Layer) -> bool {
        self.manifest().discarded.contains(&layer)
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
        Some(self.digests()?.scores)
    }

    pub(crate) fn digests(&self) -> Option<Digests> {
        self.manifest().run_digests()
    }

    /// Digest of the marks of the run, once all layers are finished, if scores have marks.
    pub fn marks_digest(&self) -> Option<Digest> {
        self.digests()?.marks
    }

    /// The header of the score files of a layer of so many slabs.
    fn header(&self, layer: Layer, n_slabs: usize) -> Header {
        Header {
            layer: layer.0 as u32,
            n_slabs: n_slabs as u64,
            block_positions: self.options.block_positions,
            is_odd: self.game.is_odd(),
            marks: self.game.marks,
            run: self.run,
        }
    }

    /// The path of a score file of a layer.
    fn score_path(&self, layer: Layer, number: u32) -> PathBuf {
        self.path.join(score_name(layer, number))
    }

    /// Takes note of a finished layer, whose score files have these numbers; lists it when that is due.
    fn note_finished(&self, layer: Layer, numbers: &[u32]) -> Result<LayerSummary, StoreError> {
        let summary = self.insert_finished(layer, numbers)?;
        let unlisted = self.unlisted.fetch_add(summary.bytes, Ordering::Relaxed) + summary.bytes;
        // Layers that are not kept are discarded after the last one.
        let is_last = self.digest().is_some() || layer == self.options.listed_at_once;
        if is_last || unlisted >= self.options.list_bytes {
            self.list()?;
        }
        Ok(summary)
    }

    /// Takes a finished layer, whose score files have these numbers. It is still to be listed.
    fn insert_finished(&self, layer: Layer, numbers: &[u32]) -> Result<LayerSummary, StoreError> {
        let (stored, listed) = self.open_layer(layer, numbers)?;
        let summary = stored.summary();
        self.layers.put(layer, Arc::new(stored));
        self.manifest().insert(summary, listed);
        Ok(summary)
    }

    /// Writes the manifest as it is now.
    fn list(&self) -> Result<(), StoreError> {
        let manifest = self.manifest();
        manifest.write(&self.files, &self.path.join(MANIFEST))?;
        self.unlisted.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Reads the manifest again, unless this run writes it itself: a solve may have discarded layers and released slabs since.
    fn read_again(&self) -> Result<(), StoreError> {
        if self.lock.is_none() {
            let now = Manifest::read(&self.path.join(MANIFEST))?;
            if now.game == self.game && now.n_layers == self.n_layers() {
                *self.manifest() = now;
            }
        }
        Ok(())
    }

    /// Opens the score files of a layer that have these numbers, ascending, and all slabs.
    fn open_layer(&self, layer: Layer, numbers: &[u32]) -> Result<(StoredLayer, Vec<ListedFile>), StoreError> {
        let files = numbers.iter().map(|&number| self.open_file(layer, number)).collect::<Result<Vec<_>, _>>()?;
        let listed = numbers.iter().zip(&files).map(|(&file, opened)| ListedFile { file, bytes: opened.byte_len() });
        let listed = listed.collect();
        if files.is_empty() {
            return Err(StoreError::MissingLayer { path: self.score_path(layer, 0), layer });
        }
        Ok((StoredLayer::of(files)?, listed))
    }

    /// Opens a score file of a layer; if too many files are open, those of other layers are closed.
    fn open_file(&self, layer: Layer, number: u32) -> Result<ScoreFile, StoreError> {
        let of = OfLayer { layer, run: self.run, bound: self.bounds.of_layer(layer) };
        let open = || ScoreFile::open(&self.score_path(layer, number), of, self.options.access);
        match open() {
            Err(error) if error.is_out_of_files() => {
                self.layers.close_all();
                open()
            }
            opened => opened,
        }
    }

    /// Opens the score files of a layer as the manifest lists them.
    fn open_listed(&self, listed: &LayerSummary) -> Result<StoredLayer, StoreError> {
        let layer = listed.layer;
        let numbers: Vec<u32> = self.manifest().files_of(layer).iter().map(|listed| listed.file).collect();
        let stored = self.open_layer(layer, &numbers)?.0.check(listed)?;
        stored.set_released(self.released(layer));
        Ok(stored)
    }

    fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A finished layer.
    ///
    /// # Errors
    /// The layer is not finished or was discarded, or a file of it is missing, damaged or another one than the manifest
    /// lists.
    pub fn stored_layer(&self, layer: Layer) -> Result<Arc<StoredLayer>, StoreError> {
        let n_layers = self.n_layers();
        if layer.0 >= n_layers {
            return Err(StoreError::NoSuchLayer { path: self.path.clone(), layer, n_layers });
        }
        if let Some(stored) = self.layers.opened(layer) {
            return Ok(stored);
        }
        let Some(listed) = self.finished(layer) else {
            return Err(StoreError::Unfinished { path: self.path.clone(), layer });
        };
        if self.is_discarded(layer) {
            return Err(StoreError::Discarded { path: self.path.clone(), layer });
        }
        match self.open_listed(&listed) {
            Err(StoreError::Io { path, source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                self.read_again()?;
                Err(match self.is_discarded(layer) {
                    true => StoreError::Discarded { path: self.path.clone(), layer },
                    false => StoreError::MissingLayer { path, layer },
                })
            }
            opened => Ok(self.layers.put_if_closed(layer, Arc::new(opened?))),
        }
    }
}

impl Records for RunDir {
    fn record(&self, id: SlabId) -> Result<StoredRecord, StoreError> {
        self.stored_layer(id.layer)?.record(id.slab)
    }

    fn summary(&self, layer: Layer) -> Option<LayerSummary> {
        self.manifest().finished.get(&layer).copied()
    }

    fn reconsider(&self, id: SlabId, error: StoreError) -> StoreError {
        let SlabId { layer, slab } = id;
        match error {
            // Where the scores of a slab were, there may be a hole by now, or no file.
            StoreError::Damaged { .. } if self.read_again().is_ok() => {
                if self.is_discarded(layer) {
                    StoreError::Discarded { path: self.path.clone(), layer }
                } else if self.is_released(layer, slab) {
                    StoreError::Released { path: self.score_path(layer, 0), slab }
                } else {
                    // A repair may have put the slab into another file.
                    if self.lock.is_none() {
                        self.layers.close(layer);
                    }
                    error
                }
            }
            error => error,
        }
    }
}
