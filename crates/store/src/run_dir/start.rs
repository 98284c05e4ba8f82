//! Starting, resuming and opening a run: checks of the directory, the lock, and the layers that can be believed.

use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dab_space::Layer;

use super::dir::{Dropped, Opened, RunDir};
use super::names::{
    LOCK, MANIFEST, is_ours, is_score_file, is_slabs, layer_name, remove_if_there, remove_slabs, slabs_name,
};
use super::slabs::slab_files_in;
use crate::files::Files;
use crate::layer_file::{Header, LayerFile, slab_file_name};
use crate::manifest::{MAX_LAYERS, Manifest};
use crate::origin::Origin;
use crate::score_bound::{ScoreBound, ScoreBounds};
use crate::section::Section;
use crate::storage::{Disk, Output, Storage};
use crate::{Access, Damage, Game, RunId, SlabSet, StoreError};

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
        let mut manifest = Manifest { checks, ..Manifest::new(game, n_layers) };
        let bounds = ScoreBounds::of(game);
        let (mut layers, mut dropped, mut unverified) = (Vec::new(), Vec::new(), SlabSet::default());
        for layer in (0..n_layers).map(Layer) {
            if let Some(summary) = found.as_ref().and_then(|found| found.discarded_layer(layer)) {
                manifest.finished.insert(layer, *summary);
                manifest.discarded.insert(layer);
                layers.push(Opened::default());
                // Left there when the writer was killed between listing it and removing it.
                remove_if_there(&files, &path.join(layer_name(layer)))?;
                remove_slabs(&files, path, layer)?;
                continue;
            }
            let file = match find_layer(path, layer, (game.run_id(), bounds.of_layer(layer)), found.as_ref())? {
                Found::Listed(file) => {
                    unverified.insert(layer.0);
                    Some(file)
                }
                Found::Verified(file) => Some(file),
                Found::Nothing => None,
                Found::Dropped(error) => {
                    dropped.push(Dropped { layer, error });
                    None
                }
            };
            if file.as_ref().is_some_and(|file| file.slab_files().is_empty()) {
                remove_slabs(&files, path, layer)?;
            }
            manifest.finished.extend(file.as_ref().map(|file| (layer, file.summary())));
            let released = found.as_ref().and_then(|found| found.released.get(&layer));
            if let (Some(file), Some(released)) = (&file, released) {
                file.set_released(released.clone());
                manifest.released.insert(layer, released.clone());
            }
            layers.push(Opened::new(file.map(Arc::new)));
        }
        if found.as_ref() != Some(&manifest) {
            manifest.write(&files, &manifest_path)?;
        }
        let run = Self { dropped, unverified, ..Self::new(path, files, manifest, layers, Some(lock)) };
        run.punch_again()?;
        Ok(run)
    }

    /// Opens a run for reading; needs no lock and no permission to write.
    ///
    /// # Errors
    /// There is no run or it is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut manifest = read_manifest(path)?;
        loop {
            match check_layers(path, &manifest) {
                Ok(()) => return Ok(Self::unopened(path, manifest, None)),
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
        Ok(Self { access, ..Self::open(path)? })
    }

    /// Opens a run for reading, whatever its score files are like: each is looked at when it is read.
    ///
    /// # Errors
    /// There is no run or its manifest is damaged.
    pub fn open_to_verify(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::unopened(path, read_manifest(path)?, None))
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
        Ok(Self::unopened(path, manifest, Some(lock)))
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

/// `Ok` when no score file or slab file of the directory says that it belongs to another run: under a manifest that came from elsewhere
/// it may be the only copy of a layer. Files that say nothing, because they are damaged, are left to whoever reads them.
fn refuse_foreign(dir: &Path, run: RunId) -> Result<(), StoreError> {
    for entry in fs::read_dir(dir).map_err(StoreError::io("list", dir))? {
        let path = entry.map_err(StoreError::io("list", dir))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = match name {
            name if is_score_file(&name) => Some(path),
            // All slab files of a layer are of one run.
            name if is_slabs(&name) => slab_files_in(&path)?.first().map(|&first| path.join(slab_file_name(first))),
            _ => None,
        };
        if let Some(Err(error @ StoreError::ForeignFile { .. })) = file.map(|file| LayerFile::check_run(&file, run)) {
            return Err(error);
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

/// `Ok` when the score file of every listed layer is there and as long as it should be.
fn check_layers(path: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    for (&layer, summary) in manifest.finished.iter().filter(|(layer, _)| !manifest.discarded.contains(layer)) {
        let path = path.join(layer_name(layer));
        let metadata = fs::metadata(&path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => StoreError::MissingLayer { path: path.clone(), layer },
            _ => StoreError::Io { path: path.clone(), action: "examine", source },
        })?;
        let length = Damage::check("file length", summary.bytes, metadata.len());
        if length.is_err() && !is_list(&path)? {
            length.map_err(Origin::score_file(&path).in_file())?;
        }
    }
    Ok(())
}

/// Whether a score file lists slab files, as its header says.
fn is_list(path: &Path) -> Result<bool, StoreError> {
    let origin = Origin::score_file(path);
    let first = Section::open(path)?.first(Header::LEN).map_err(origin.in_file())?;
    Ok(Header::parse(&first, &origin).is_ok_and(|header| header.is_in_slab_files()))
}

/// `Ok` when the slab files of a layer are there.
fn check_slab_files(run: &Path, layer: Layer, file: &LayerFile) -> Result<(), StoreError> {
    if file.slab_files().is_empty() {
        return Ok(());
    }
    let dir = run.join(slabs_name(layer));
    let found = slab_files_in(&dir)?;
    let missing = file.slab_files().iter().find(|first| found.binary_search(first).is_err());
    missing.map_or(Ok(()), |&first| Err(StoreError::MissingLayer { path: dir.join(slab_file_name(first)), layer }))
}

/// `Ok` when game and number of layers asked for are those of the directory.
fn check_same(path: &Path, asked: (&Game, usize), found: (&Game, usize)) -> Result<(), StoreError> {
    let layers = || (asked.1 != found.1).then(|| ("layers", asked.1.to_string(), found.1.to_string()));
    match asked.0.difference(found.0).or_else(layers) {
        None => Ok(()),
        Some((field, expected, got)) => Err(StoreError::OtherGame { path: path.to_path_buf(), field, expected, got }),
    }
}

/// The state of the score file of a layer.
enum Found {
    Nothing,
    /// The one that the manifest lists, as far as its header and its directory say.
    Listed(LayerFile),
    /// One that no manifest lists, every byte of it intact.
    Verified(LayerFile),
    /// A file that will be replaced.
    Dropped(StoreError),
}

/// The score file of a layer if it can be believed.
///
/// # Errors
/// Files that may be intact are not dropped but an error: those that the disk cannot read, those of a newer format, and
/// those of another run.
fn find_layer(
    dir: &Path,
    layer: Layer,
    (run, bound): (RunId, ScoreBound),
    manifest: Option<&Manifest>,
) -> Result<Found, StoreError> {
    let path = dir.join(layer_name(layer));
    let listed = manifest.and_then(|manifest| manifest.finished.get(&layer));
    let file = LayerFile::open(&path, layer, run).and_then(|file| {
        check_slab_files(dir, layer, &file)?;
        let file = file.bounded(bound);
        match listed {
            Some(listed) => file.check(listed),
            None => file.verify().map(|()| file),
        }
    });
    match file {
        Ok(file) if listed.is_some() => Ok(Found::Listed(file)),
        Ok(file) => Ok(Found::Verified(file)),
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(match listed {
            Some(_) => Found::Dropped(StoreError::MissingLayer { path, layer }),
            None => Found::Nothing,
        }),
        Err(error @ (StoreError::Io { .. } | StoreError::Version { .. } | StoreError::ForeignFile { .. })) => {
            Err(error)
        }
        Err(error) => Ok(Found::Dropped(error)),
    }
}
