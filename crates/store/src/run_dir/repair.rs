//! Repairing damaged layers: intact slabs stay, the others are computed again.
//!
//! Records are found without the directory of the damaged file: each begins where the one before it ends, and a
//! recomputed record has the bytes, hence the length, of the one it replaces. The repaired file takes the place of the
//! damaged one, and of slab files, only if it is the one that the manifest lists. A layer of which slabs were released cannot be
//! written anew; its damaged records are written in their places.

use std::path::Path;

use dab_space::{Layer, SlabId, SlabShape};

use super::dir::RunDir;
use super::names::{layer_name, remove_slabs};
use crate::files::part_of;
use crate::layer_file::{FORMAT, Header, LayerFile, LayerWriter};
use crate::origin::Origin;
use crate::section::Section;
use crate::{LayerSummary, ScoreRead, Scores, StoreError};

impl RunDir {
    /// Checks every byte of a finished layer and recomputes the slabs that are damaged; returns the faults.
    ///
    /// `recompute` may read the layers above from this run. Layers are therefore repaired
    /// from the last one down.
    ///
    /// # Errors
    /// `recompute` fails; the file cannot be read or written; the repaired layer is not the listed one.
    pub fn repair<E: From<StoreError>>(
        &self,
        layer: Layer,
        shapes: &[SlabShape<'_>],
        recompute: impl FnMut(SlabId) -> Result<Scores, E>,
    ) -> Result<Vec<StoreError>, E> {
        let Some(listed) = self.finished(layer).filter(|_| !self.is_discarded(layer)) else { return Ok(Vec::new()) };
        let path = self.path.join(layer_name(layer));
        let damages = self.damages(&path, &listed)?;
        let released = self.released(layer);
        if let (false, Some(first)) = (damages.is_empty(), released.ranges().next()) {
            let is_missing = |damage: &StoreError| matches!(damage, StoreError::MissingLayer { .. });
            let file = match self.open_listed(&path, &listed) {
                Ok(file) if !damages.iter().any(is_missing) => file,
                _ => return Err(StoreError::Released { path, slab: first.start }.into()),
            };
            self.mend(&file, &listed, shapes, recompute)?;
        } else if !damages.is_empty() {
            self.rewrite(&path, &listed, shapes, recompute)?;
        }
        Ok(damages)
    }

    /// All faults of the file of a layer.
    fn damages(&self, path: &Path, listed: &LayerSummary) -> Result<Vec<StoreError>, StoreError> {
        match self.open_listed(path, listed) {
            Ok(file) => Ok(StoreError::told_once((0..listed.slabs).flat_map(|slab| file.faults(slab)).collect())),
            Err(error) if error.is_missing() => {
                Ok(vec![StoreError::MissingLayer { path: path.to_path_buf(), layer: listed.layer }])
            }
            Err(error @ StoreError::Io { .. }) => Err(error),
            // Even another format version: the manifest of this version lists the file.
            Err(error) => Ok(vec![error]),
        }
    }

    fn open_listed(&self, path: &Path, listed: &LayerSummary) -> Result<LayerFile, StoreError> {
        let file = LayerFile::open(path, listed.layer, self.run)?.check(listed)?;
        let file = file.bounded(self.bounds.of_layer(listed.layer));
        file.set_released(self.released(listed.layer));
        Ok(file)
    }

    /// Writes damaged records in their places.
    fn mend<E: From<StoreError>>(
        &self,
        file: &LayerFile,
        listed: &LayerSummary,
        shapes: &[SlabShape<'_>],
        mut recompute: impl FnMut(SlabId) -> Result<Scores, E>,
    ) -> Result<(), E> {
        for (slab, &shape) in shapes.iter().enumerate() {
            if let Err(StoreError::Damaged { .. }) = file.verify_slab(slab) {
                let record = file.encode_again(slab, shape, &recompute(SlabId::new(listed.layer, slab))?)?;
                for (path, place) in file.places_of(slab..slab + 1) {
                    let output = self.files.open(&path)?;
                    let record = record.as_ref().map_err(Clone::clone);
                    let record = record.map_err(|damage| StoreError::Unrepairable { path, damage })?;
                    self.files.write_at(&output, place.start, record)?;
                    self.files.sync(&output)?;
                }
            }
        }
        Ok(())
    }

    fn rewrite<E: From<StoreError>>(
        &self,
        path: &Path,
        listed: &LayerSummary,
        shapes: &[SlabShape<'_>],
        mut recompute: impl FnMut(SlabId) -> Result<Scores, E>,
    ) -> Result<(), E> {
        let layer = listed.layer;
        let old = Section::open(path).ok();
        let first = old.as_ref().and_then(|old| old.first(Header::LEN).ok()).unwrap_or_default();
        let mut header = self.header(layer, shapes.len());
        if let Ok(Header { format, block_positions, .. }) = Header::parse(&first, &Origin::score_file(path)) {
            (header.format, header.block_positions) = (format.min(FORMAT), block_positions);
        }
        let mut elsewhere = Elsewhere::new(self, layer, path)?;
        let writer =
            LayerWriter::begin(self.files.clone(), path.to_path_buf(), header, shapes, self.reorder_bytes, ())?;
        for slab in (writer.n_written()..shapes.len()).filter_map(|place| header.place(place)) {
            let intact = old.as_ref().and_then(|old| writer.intact(slab, old, writer.end()));
            let in_slab_file = || writer.whole(slab, elsewhere.record((slab, shapes.len()))?).ok();
            let encoded = match intact.or_else(in_slab_file) {
                Some(encoded) => encoded,
                None => writer.encode(slab, &recompute(SlabId::new(layer, slab))?),
            };
            writer.put(slab, encoded)?;
        }
        if let Err(damage) = writer.summary().check(listed) {
            self.files.remove(&part_of(path))?;
            return Err(StoreError::Unrepairable { path: path.to_path_buf(), damage }.into());
        }
        writer.finish()?;
        self.close(layer);
        Ok(remove_slabs(&self.files, &self.path, layer)?)
    }
}

/// The records of a layer that has slab files: found as its score file lists them, or by looking through the slab files.
struct Elsewhere<'a> {
    run: &'a RunDir,
    layer: Layer,
    listed: Option<LayerFile>,
    firsts: Vec<usize>,
    /// The slab file that was looked at last, with its first slab.
    opened: Option<(usize, LayerFile)>,
}

impl<'a> Elsewhere<'a> {
    fn new(run: &'a RunDir, layer: Layer, path: &Path) -> Result<Self, StoreError> {
        let listed = LayerFile::open(path, layer, run.run).ok().filter(|file| !file.slab_files().is_empty());
        Ok(Self { run, layer, listed, firsts: run.slab_files(layer)?, opened: None })
    }

    /// The record of a slab of a layer of `n_slabs` slabs, not checked.
    fn record(&mut self, (slab, n_slabs): (usize, usize)) -> Option<Vec<u8>> {
        if let Some(listed) = &self.listed {
            return listed.record_bytes(slab).ok();
        }
        let first = self.firsts[..self.firsts.partition_point(|&first| first <= slab)].last().copied()?;
        if self.opened.as_ref().is_none_or(|(opened, _)| *opened != first) {
            let file = self.run.open_slabs((self.layer, n_slabs), first).ok().flatten()?;
            self.opened = Some((first, file));
        }
        self.opened.as_ref()?.1.record_bytes(slab).ok()
    }
}
