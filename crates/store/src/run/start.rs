//! Starting, resuming and opening a run: checks of the directory, the lock, and the layers that can be believed.

use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dab_space::Layer;

use super::manifest::{MAX_LAYERS, Manifest};
use super::names::{LOCK, MANIFEST, Numbers, is_ours, score_name};
use super::{Dropped, RunDir};
use crate::files::Files;
use crate::origin::Origin;
use crate::score_file::{ScoreFile, StoredLayer};
use crate::section::Section;
use crate::storage::{Disk, Output, Storage};
use crate::{Access, Damage, Game, LayerSummary, RunId, StoreError};

impl RunDir {
    /// Opens the run of `game` for writing, in a new or empty directory or in the one where it was interrupted.
    ///
    /// Missing and damaged layers count as unfinished; [`RunDir::dropped`] names them.
    ///
    /// # Errors
    /// The directory cannot be written, is being written by another process, or holds something else, be it one layer of
    /// another run.
    #[cfg(feature = "encode")]
    pub fn create_or_resume(path: &Path, game: &Game, n_layers: usize) -> Result<Self, StoreError> {
        Self::create_or_resume_on(Arc::new(Disk), path, game, n_layers)
    }

    /// As [`RunDir::create_or_resume`], with every change of the directory made through `storage`.
    ///
    /// # Errors
    /// As [`RunDir::create_or_resume`].
    #[cfg(feature = "encode")]
    pub fn create_or_resume_on(
        storage: Arc<dyn Storage>,
        path: &Path,
        game: &Game,
        n_layers: usize,
    ) -> Result<Self, StoreError> {
        assert!(n_layers <= MAX_LAYERS, "{n_layers} layers are more than {MAX_LAYERS}");
        let files = Files::new(storage);
        prepare(&files, path)?;
        let lock = lock(&files, path)?;
        let manifest_path = path.join(MANIFEST);
        let found = find_manifest(&manifest_path)?;
        if let Some(found) = &found {
            check_same(path, (game, n_layers), (&found.game, found.n_layers))?;
        }
        refuse_foreign(path, game.run_id())?;
        let checks = found.as_ref().and_then(|found| found.checks.clone());
        let manifest = Manifest { checks, ..Manifest::new(game, n_layers) };
        let mut run = Self::new(path, files, manifest, Some(lock));
        let mut numbers = Numbers::in_dir(path)?;
        for layer in (0..n_layers).map(Layer) {
            run.find_layer(layer, found.as_ref(), numbers.remove(&layer).unwrap_or_default())?;
        }
        if found.as_ref() != Some(&*run.manifest()) {
            run.list()?;
        }
        run.punch_again()?;
        Ok(run)
    }

    /// Takes a layer as finished if its files can be believed. Files that a killed process has left beside it are removed.
    ///
    /// # Errors
    /// Files that may be intact are not dropped but an error: those that the disk cannot read, those of another format, those of
    /// another run, and those beside released slabs.
    #[cfg(feature = "encode")]
    fn find_layer(&mut self, layer: Layer, found: Option<&Manifest>, mut numbers: Numbers) -> Result<(), StoreError> {
        let listed = found.and_then(|found| Some((found, *found.finished.get(&layer)?)));
        if let Some((found, summary)) = listed.filter(|(found, _)| found.discarded.contains(&layer)) {
            let mut manifest = self.manifest();
            manifest.insert(summary, found.files_of(layer).to_vec());
            manifest.discarded.insert(layer);
            drop(manifest);
            // Left there when the writer was killed between listing it and removing it.
            return self.remove_files(layer, &numbers);
        }
        let believed = match listed {
            Some((found, summary)) => self.believe_listed(summary, found).map(Some),
            None => self.believe_unlisted(layer, &numbers),
        };
        match believed {
            Ok(Some(used)) => {
                numbers.complete.retain(|number| !used.contains(number));
                self.remove_files(layer, &numbers)
            }
            Ok(None) => Ok(()),
            Err(error) if error.is_missing() || error.is_fault_of_bytes() => {
                let error = match error {
                    StoreError::Io { path, .. } => StoreError::MissingLayer { path, layer },
                    error => error,
                };
                // Slabs that released ones would be solved from may be released, too: what is left must not be touched.
                if found.is_some_and(|found| found.released.contains_key(&layer)) {
                    return Err(error);
                }
                self.dropped.push(Dropped { layer, error });
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Takes a layer as the manifest found lists it, as far as headers and directories say; returns the numbers of its files.
    #[cfg(feature = "encode")]
    fn believe_listed(&mut self, listed: LayerSummary, found: &Manifest) -> Result<Vec<u32>, StoreError> {
        let layer = listed.layer;
        let numbers: Vec<u32> = found.files_of(layer).iter().map(|file| file.file).collect();
        let (stored, files) = self.open_layer(layer, &numbers)?;
        let stored = stored.check(&listed)?;
        let mut manifest = self.manifest();
        manifest.insert(listed, files);
        if let Some(released) = found.released.get(&layer) {
            stored.set_released(released.clone());
            manifest.released.insert(layer, released.clone());
        }
        drop(manifest);
        self.unverified.insert(layer.0);
        self.layers.put(layer, Arc::new(stored));
        Ok(numbers)
    }

    /// Takes a layer that no manifest lists if its complete files have all slabs, every byte of them intact; returns their numbers.
    #[cfg(feature = "encode")]
    fn believe_unlisted(&self, layer: Layer, numbers: &Numbers) -> Result<Option<Vec<u32>>, StoreError> {
        let numbers: Vec<u32> = numbers.complete.iter().copied().collect();
        let files = numbers.iter().map(|&number| self.open_file(layer, number)).collect::<Result<Vec<_>, _>>()?;
        let n_slabs = files.first().map_or(1, |file| file.header().n_slabs);
        if !StoredLayer::has_all(&files, n_slabs) {
            return Ok(None);
        }
        drop(files);
        let (stored, files) = self.open_layer(layer, &numbers)?;
        stored.verify()?;
        self.manifest().insert(stored.summary(), files);
        self.layers.put(layer, Arc::new(stored));
        Ok(Some(numbers))
    }

    /// Opens a run for reading; needs no lock and no permission to write.
    ///
    /// # Errors
    /// There is no run or it is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut manifest = read_manifest(path)?;
        loop {
            match check_layers(path, &manifest) {
                Ok(()) => return Ok(Self::new(path, Files::of_disk(), manifest, None)),
                Err(error) => {
                    // A solve may have discarded the layer since the manifest was read.
                    let now = read_manifest(path)?;
                    if now == manifest {
                        return Err(error);
                    }
                    manifest = now;
                }
            }
        }
    }

    /// As [`RunDir::open`]; its layers are read in this way.
    ///
    /// # Errors
    /// As [`RunDir::open`]. A layer that cannot be mapped is an error when it is first read.
    pub fn open_with(path: &Path, access: Access) -> Result<Self, StoreError> {
        Ok(Self::open(path)?.with(|options| options.access = access))
    }

    /// Opens a run for reading, whatever its score files are like: each is looked at when it is read.
    ///
    /// # Errors
    /// There is no run or its manifest is damaged.
    pub fn open_to_verify(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::new(path, Files::of_disk(), read_manifest(path)?, None))
    }

    /// Opens a run whose score files may be damaged or missing, to [`RunDir::repair`] them.
    ///
    /// # Errors
    /// There is no run, its manifest is damaged, a score file belongs to another run, or another process writes it.
    #[cfg(feature = "encode")]
    pub fn open_to_repair(path: &Path) -> Result<Self, StoreError> {
        let manifest = read_manifest(path)?;
        let lock = lock(&Files::of_disk(), path)?;
        refuse_foreign(path, manifest.game.run_id())?;
        Ok(Self::new(path, Files::of_disk(), manifest, Some(lock)))
    }
}

impl RunDir {
    /// The file that the process which writes a run holds a lock of, as long as it lives.
    pub fn lock_of(path: &Path) -> PathBuf {
        path.join(LOCK)
    }
}

/// Makes the directory, or checks that it is empty or holds a run.
fn prepare(files: &Files, path: &Path) -> Result<(), StoreError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return files.create_dir(path);
        }
        entries => entries.map_err(StoreError::io("list", path))?,
    };
    let mut foreign = None;
    for entry in entries {
        let name = entry.map_err(StoreError::io("list", path))?.file_name();
        let name = name.to_string_lossy();
        if name == MANIFEST {
            return Ok(());
        }
        if !is_ours(&name) {
            foreign = Some(format!("it has no {MANIFEST} but holds {name}"));
        }
    }
    foreign.map_or(Ok(()), |found| Err(StoreError::NoPlaceForRun { path: path.to_path_buf(), found }))
}

/// Locks the run for this process until the file is closed, however the process ends.
fn lock(files: &Files, path: &Path) -> Result<Output, StoreError> {
    let lock = files.open(&path.join(LOCK))?;
    match lock.file.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: path.to_path_buf() }),
        Err(TryLockError::Error(source)) => Err(StoreError::Io { path: lock.path, action: "lock", source }),
    }
}

/// `Ok` when no score file of the directory says that it belongs to another run: under a manifest that came from elsewhere
/// it may be the only copy of a layer. Files that say nothing, because they are damaged, are left to whoever reads them.
fn refuse_foreign(dir: &Path, run: RunId) -> Result<(), StoreError> {
    for (layer, numbers) in Numbers::in_dir(dir)? {
        for path in numbers.paths(dir, layer) {
            if let Err(error @ StoreError::ForeignFile { .. }) = ScoreFile::check_run(&path, run) {
                return Err(error);
            }
        }
    }
    Ok(())
}

/// The manifest, if there is one.
fn find_manifest(path: &Path) -> Result<Option<Manifest>, StoreError> {
    match Manifest::read(path) {
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// The manifest of a directory that must be a run.
fn read_manifest(path: &Path) -> Result<Manifest, StoreError> {
    find_manifest(&path.join(MANIFEST))?.ok_or_else(|| {
        let found = if path.is_dir() { "it has no manifest.json" } else { "there is no such directory" };
        StoreError::NotARun { path: path.to_path_buf(), found: found.into() }
    })
}

/// `Ok` when the score files of every listed layer are there and as long as they should be.
fn check_layers(path: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    for &layer in manifest.finished.keys().filter(|layer| !manifest.discarded.contains(layer)) {
        for listed in manifest.files_of(layer) {
            let path = path.join(score_name(layer, listed.file));
            let metadata = fs::metadata(&path).map_err(|source| match source.kind() {
                ErrorKind::NotFound => StoreError::MissingLayer { path: path.clone(), layer },
                _ => StoreError::Io { path: path.clone(), action: "examine", source },
            })?;
            if metadata.len() != listed.bytes {
                // What is no regular file has no length.
                Section::open(&path)?;
                let length = Damage::check("file length", listed.bytes, metadata.len());
                length.map_err(Origin::score_file(&path).in_file())?;
            }
        }
    }
    Ok(())
}

/// `Ok` when game and number of layers asked for are those of the directory.
fn check_same(path: &Path, asked: (&Game, usize), found: (&Game, usize)) -> Result<(), StoreError> {
    let layers = || (asked.1 != found.1).then(|| ("layers", asked.1.to_string(), found.1.to_string()));
    match asked.0.difference(found.0).or_else(layers) {
        None => Ok(()),
        Some((field, expected, got)) => Err(StoreError::OtherGame { path: path.to_path_buf(), field, expected, got }),
    }
}
