//! Finishing a layer that several processes solved: its score file lists their slab files, which stay where they are.
//!
//! ```text
//!    slab files of all slabs ─► heads of their records ─► directory ─► layer-07.score ─► manifest
//! ```
//! Only the heads of the records are read: the slab files were synced before they got their names.

use std::collections::BTreeSet;
use std::fs;

use dab_space::Layer;

use super::dir::RunDir;
use super::names::{layer_name, slabs_name};
use super::room::RunRoom;
use crate::layer_file::{Directory, Header, IN_SLAB_FILES_FORMAT, Room, slab_file_name, slab_file_table};
use crate::{Digest, LayerSummary, StoreError};

/// The slab files of a layer that is to be finished, those of the last slabs first.
pub struct SlabFileList<'a> {
    run: &'a RunDir,
    layer: Layer,
    header: Header,
    directory: Directory,
    /// The first slab of each slab file added, descending.
    firsts: Vec<usize>,
}

impl RunDir {
    /// Begins to list the slab files of a layer of `n_slabs` slabs.
    ///
    /// # Errors
    /// The layer is finished already or there is none of this number, or the run was opened for reading only.
    pub fn list_slab_files(&self, layer: Layer, n_slabs: usize) -> Result<SlabFileList<'_>, StoreError> {
        self.check_unfinished(layer)?;
        let header = Header { format: IN_SLAB_FILES_FORMAT, ..self.header(layer, n_slabs) };
        Ok(SlabFileList { run: self, layer, header, directory: Directory::new(), firsts: Vec::new() })
    }
}

impl SlabFileList<'_> {
    /// Adds the slab file that begins with slab `first` and ends where the one before it begins. Returns the digest of its slabs,
    /// or `None` if there is no such file.
    ///
    /// # Errors
    /// The slab file is damaged: it is removed, and its slabs have to be computed again. Or the disk fails.
    pub fn add(&mut self, first: usize) -> Result<Option<Digest>, StoreError> {
        let n_slabs = self.header.n_slabs as usize;
        let end = self.firsts.last().copied().unwrap_or(n_slabs);
        let file = self.run.open_slabs((self.layer, n_slabs), first).and_then(|file| match file {
            Some(file) => file.check_slabs(end - first).map(Some),
            None => Ok(None),
        });
        if file.as_ref().is_err_and(StoreError::is_damage) {
            self.run.files.remove(&self.run.slab_path(self.layer, first))?;
        }
        let Some(file) = file? else { return Ok(None) };
        file.walked().rev().for_each(|(byte_len, digest)| self.directory.push(byte_len, digest));
        self.firsts.push(first);
        Ok(Some(file.summary().digest))
    }

    /// Finishes the layer.
    ///
    /// # Errors
    /// The score file cannot be written.
    ///
    /// # Panics
    /// When a slab is missing.
    pub fn finish(mut self) -> Result<LayerSummary, StoreError> {
        self.firsts.reverse();
        let Self { run, layer, header, directory, firsts } = &self;
        let (run, layer) = (*run, *layer);
        assert_eq!(directory.len() as u64, header.n_slabs, "a slab of layer {layer} is missing");
        let summary = LayerSummary {
            layer,
            slabs: directory.len(),
            positions: directory.positions(),
            bytes: directory.file_len(),
            digest: directory.layer_digest(header),
        };
        let room = RunRoom::new(run, layer);
        if !room.admits(summary.bytes) {
            return Err(room.spent());
        }
        self.remove_others()?;
        run.files.sync_dir(&run.path.join(slabs_name(layer)))?;
        run.files.replace(&run.path.join(layer_name(layer)), |write| {
            write(&header.to_bytes())?;
            write(&slab_file_table(firsts))?;
            write(&directory.to_bytes(header))
        })?;
        run.note_finished(summary)?;
        Ok(summary)
    }

    /// Removes what killed writers have left among the slab files.
    fn remove_others(&self) -> Result<(), StoreError> {
        let names: BTreeSet<String> = self.firsts.iter().map(|&first| slab_file_name(first)).collect();
        let dir = self.run.path.join(slabs_name(self.layer));
        for entry in fs::read_dir(&dir).map_err(StoreError::io("list", &dir))? {
            let entry = entry.map_err(StoreError::io("list", &dir))?;
            if entry.file_name().to_str().is_some_and(|name| names.contains(name)) {
                continue;
            }
            match self.run.files.remove(&entry.path()) {
                // Its writer, who is too late, has removed it.
                Err(error) if error.is_missing() => {}
                removed => removed?,
            }
        }
        Ok(())
    }
}
