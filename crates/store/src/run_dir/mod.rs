//! A run directory: the result of one solve on disk.
//!
//! ```text
//! lock                     held while somebody writes
//! manifest.json            what is solved, which layers are finished
//! layer-00.score  ...      one score file per finished layer
//! layer-07.score.part      the layer being written
//! seconds.tsv              how long the layers took; no result
//! layer-07.slabs/          slab files for it, when several processes write it (slabs.rs)
//! ```
//!
//! A layer is believed when its score file opens and the manifest lists it with the same digest. A complete file that
//! the manifest does not list (the writer was killed before it did) is verified and adopted.

mod repair;
mod seconds;
mod slabs;
mod start;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use dab_space::{SlabId, SlabShape};

use crate::files::Files;
use crate::layer_file::{BLOCK_POSITIONS, Header, LayerFile, REORDER_BYTES};
use crate::manifest::{MAX_LAYERS, Manifest};
use crate::origin::Origin;
use crate::storage::{Disk, Output, Storage};
use crate::{Buffer, Damage, Digest, Game, LayerSink, LayerSummary, RunId, ScoreRead, ScoreWrite, Scores, StoreError};

pub use slabs::{Assembly, EncodedSlabs};
pub use start::Dropped;
use start::Found;

/// Bytes of finished layers from which on the manifest lists them. It costs as many syncs as a layer, and the first
/// and last layers are tiny; a run that is resumed verifies and adopts what is complete.
const LIST_BYTES: u64 = 1 << 20;

const MANIFEST: &str = "manifest.json";

fn layer_name(layer: usize) -> String {
    format!("layer-{layer:02}.score")
}

/// Where slab files of a layer are, until it is finished.
fn slabs_name(layer: usize) -> String {
    format!("layer-{layer:02}.slabs")
}

/// A score file, once it has been opened.
type Opened = RwLock<Option<Arc<LayerFile>>>;

/// A directory with the result of one solve.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    game: Game,
    run: RunId,
    block_positions: u32,
    reorder_bytes: u64,
    files: Files,
    dropped: Vec<Dropped>,
    manifest: Mutex<Manifest>,
    /// Bytes of the finished layers that the manifest on disk does not list yet, and from which on it does.
    unlisted: AtomicU64,
    list_bytes: u64,
    /// Score files that have been opened.
    layers: Vec<Opened>,
    /// Last layer that is kept for good.
    keep: usize,
    /// Bytes that score files may take.
    disk: u64,
    /// Locked as long as it is open; `None` when reading only.
    lock: Option<Output>,
}

impl RunDir {
    /// Opens the run of `game` for writing, in a new or empty directory or in the one where it was interrupted.
    ///
    /// Missing, damaged or foreign layers count as unfinished; [`RunDir::dropped`] names them.
    ///
    /// # Errors
    /// The directory cannot be written, is being written by another process, or holds something else.
    pub fn create_or_resume(path: &Path, game: &Game, n_layers: usize) -> Result<Self, StoreError> {
        Self::create_or_resume_on(Arc::new(Disk), path, game, n_layers)
    }

    /// As [`RunDir::create_or_resume`], with every change of the directory made through `storage`.
    ///
    /// # Errors
    /// As [`RunDir::create_or_resume`].
    pub fn create_or_resume_on(
        storage: Arc<dyn Storage>,
        path: &Path,
        game: &Game,
        n_layers: usize,
    ) -> Result<Self, StoreError> {
        assert!(n_layers <= MAX_LAYERS, "{n_layers} layers are more than {MAX_LAYERS}");
        let files = Files::new(storage);
        start::prepare(&files, path)?;
        let lock = start::lock(&files, path)?;
        let manifest_path = path.join(MANIFEST);
        let found = start::find_manifest(&manifest_path)?;
        if let Some(found) = &found {
            start::check_same(path, (game, n_layers), (&found.game, found.n_layers))?;
        }
        let mut manifest = Manifest::new(game, n_layers);
        let (mut layers, mut dropped) = (Vec::new(), Vec::new());
        for layer in 0..n_layers {
            if let Some(summary) = found.as_ref().and_then(|found| found.discarded_layer(layer)) {
                manifest.finished.insert(layer, *summary);
                manifest.discarded.insert(layer);
                layers.push(Opened::default());
                // Left there when the writer was killed between listing it and removing it.
                start::remove_if_there(&files, &path.join(layer_name(layer)))?;
                continue;
            }
            let file = match start::find_layer(path, layer, game.run_id(), found.as_ref())? {
                Found::Trusted(file) => Some(file),
                Found::Nothing => None,
                Found::Dropped(error) => {
                    dropped.push(Dropped { layer, error });
                    None
                }
            };
            if file.is_some() {
                start::remove_slabs(&files, path, layer)?;
            }
            manifest.finished.extend(file.as_ref().map(|file| (layer, file.summary())));
            layers.push(Opened::new(file.map(Arc::new)));
        }
        if found.as_ref() != Some(&manifest) {
            manifest.write(&files, &manifest_path)?;
        }
        Ok(Self { dropped, ..Self::new(path, files, manifest, layers, Some(lock)) })
    }

    /// Opens a run for reading; needs no lock and no permission to write.
    ///
    /// # Errors
    /// There is no run or it is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let manifest = start::read_manifest(path)?;
        for (&layer, summary) in manifest.finished.iter().filter(|(layer, _)| !manifest.discarded.contains(layer)) {
            let path = path.join(layer_name(layer));
            let metadata = fs::metadata(&path).map_err(|source| match source.kind() {
                ErrorKind::NotFound => StoreError::MissingLayer { path: path.clone(), layer },
                _ => StoreError::Io { path: path.clone(), action: "examine", source },
            })?;
            Damage::check("file length", summary.bytes, metadata.len()).map_err(Origin::score_file(&path).in_file())?;
        }
        Ok(Self::unopened(path, manifest, None))
    }

    /// A run none of whose layers are opened yet.
    fn unopened(path: &Path, manifest: Manifest, lock: Option<Output>) -> Self {
        let layers = std::iter::repeat_with(Opened::default).take(manifest.n_layers).collect();
        Self::new(path, Files::of_disk(), manifest, layers, lock)
    }

    fn new(path: &Path, files: Files, manifest: Manifest, layers: Vec<Opened>, lock: Option<Output>) -> Self {
        Self {
            path: path.to_path_buf(),
            game: manifest.game.clone(),
            run: manifest.game.run_id(),
            block_positions: BLOCK_POSITIONS,
            reorder_bytes: REORDER_BYTES,
            files,
            dropped: Vec::new(),
            manifest: Mutex::new(manifest),
            unlisted: AtomicU64::new(0),
            list_bytes: 0,
            layers,
            keep: usize::MAX,
            disk: u64::MAX,
            lock,
        }
    }

    /// The same run, writing blocks of another size from now on.
    ///
    /// # Panics
    /// When `block_positions` is not within 1 and [`MAX_BLOCK_POSITIONS`](crate::MAX_BLOCK_POSITIONS).
    pub fn with_block_positions(self, block_positions: u32) -> Self {
        assert!((1..=crate::MAX_BLOCK_POSITIONS).contains(&block_positions));
        Self { block_positions, ..self }
    }

    /// The same run, holding at most so many bytes of slabs in memory that come before their turn; the others wait on
    /// disk.
    pub fn with_reorder_bytes(self, reorder_bytes: u64) -> Self {
        Self { reorder_bytes, ..self }
    }

    /// The same run, discarding layers above `last` as soon as no unsolved layer reads them.
    pub fn keeping(self, last: usize) -> Self {
        Self { keep: last, ..self }
    }

    /// The same run, refusing to let its score files grow beyond so many bytes.
    pub fn limited_to(self, disk: u64) -> Self {
        Self { disk, ..self }
    }

    /// The same run, listing tiny layers together: for a process that solves all of them itself.
    pub fn listing_late(self) -> Self {
        Self { list_bytes: LIST_BYTES, ..self }
    }

    /// Whether the scores of a finished layer were discarded; what is known of it stays.
    pub fn is_discarded(&self, layer: usize) -> bool {
        self.manifest().discarded.contains(&layer)
    }

    /// Bytes of the finished layers that are here.
    fn byte_len(&self) -> u64 {
        let manifest = self.manifest();
        let here = manifest.finished.values().filter(|layer| !manifest.discarded.contains(&layer.layer));
        here.map(|layer| layer.bytes).sum()
    }

    /// Layers that were there but cannot be believed, and therefore count as unfinished.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// Where the run is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run solves.
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

    /// The score file of a finished layer.
    ///
    /// # Errors
    /// The layer is not finished or was discarded, or its file is missing, damaged or another one than the manifest
    /// lists.
    pub fn layer_file(&self, layer: usize) -> Result<Arc<LayerFile>, StoreError> {
        let n_layers = self.n_layers();
        let Some(cell) = self.layers.get(layer) else {
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
        let file = LayerFile::open(&self.path.join(layer_name(layer)), layer, self.run)?.check(&listed)?;
        let mut opened = cell.write().unwrap_or_else(PoisonError::into_inner);
        Ok(opened.get_or_insert_with(|| Arc::new(file)).clone())
    }

    /// The header of the score file of a layer of so many slabs.
    fn header(&self, layer: usize, n_slabs: usize) -> Header {
        Header {
            layer: layer as u32,
            n_slabs: n_slabs as u64,
            block_positions: self.block_positions,
            is_odd: self.game.is_odd(),
            run: self.run,
        }
    }

    /// Writes the manifest as it is now.
    fn list(&self) -> Result<(), StoreError> {
        let manifest = self.manifest();
        manifest.write(&self.files, &self.path.join(MANIFEST))?;
        self.unlisted.store(0, Ordering::Relaxed);
        Ok(())
    }

    fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScoreRead for RunDir {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.read_slab_into(id, shape, Buffer::default())
    }

    fn read_slab_into(&self, id: SlabId, shape: SlabShape<'_>, used: Buffer) -> Result<Scores, StoreError> {
        Ok(self.layer_file(id.layer.0)?.read_slab_into(id.slab, shape, used)?.into())
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        self.layer_file(id.layer.0)?.read_score(id.slab, shape, row, col)
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.layer_file(id.layer.0)?.read_scores(id.slab, shape, places)
    }

    fn finished(&self, layer: usize) -> Option<LayerSummary> {
        self.manifest().finished.get(&layer).copied()
    }
}

impl ScoreWrite for RunDir {
    fn begin_layer<'a>(
        &'a self,
        layer: usize,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError> {
        let assembly = self.assemble(layer, shapes)?;
        assembly.adopt_all()?;
        Ok(Box::new(RunSink { n_resumed: assembly.n_slabs(), assembly }))
    }

    fn last_kept(&self) -> usize {
        self.keep
    }

    fn discard(&self, layer: usize) -> Result<(), StoreError> {
        if self.is_discarded(layer) {
            return Ok(());
        }
        self.manifest().discarded.insert(layer);
        self.list()?;
        *self.layers[layer].write().unwrap_or_else(PoisonError::into_inner) = None;
        self.files.remove(&self.path.join(layer_name(layer)))
    }
}

/// A layer of a run being written.
struct RunSink<'a> {
    n_resumed: usize,
    assembly: Assembly<'a>,
}

impl LayerSink for RunSink<'_> {
    fn resumed_slabs(&self) -> usize {
        self.n_resumed
    }

    fn put(&self, slab: usize, scores: Scores) -> Result<(), StoreError> {
        self.assembly.put(slab, &scores)
    }

    fn finish(self: Box<Self>) -> Result<LayerSummary, StoreError> {
        self.assembly.finish()
    }
}
