//! Repairing damaged layers: intact slabs stay, the others are computed again.
//!
//! A file with a damaged header or directory is taken for one that was interrupted: its whole records stay, and it gets both anew.
//! Slabs that are damaged or lost are put into another file of the layer, and the room of their old records is given back. The layer
//! must then have the digest that the manifest lists.

use std::collections::BTreeSet;

use dab_space::{Layer, SlabId, SlabShape};

use super::RunDir;
use super::in_work::LayerInWork;
use super::names::Numbers;
use super::releases::holes;
use crate::files::part_of;
use crate::score_file::Header;
use crate::{Damage, LayerSummary, ScoreRead, Scores, StoreError};

impl RunDir {
    /// Checks every byte of a finished layer and recomputes the slabs that are damaged; returns the faults.
    ///
    /// `recompute` may read the layers above from this run. Layers are therefore repaired
    /// from the last one down.
    ///
    /// # Errors
    /// `recompute` fails; the files cannot be read or written; the repaired layer is not the listed one.
    pub fn repair<E: From<StoreError>>(
        &self,
        layer: Layer,
        shapes: &[SlabShape<'_>],
        mut recompute: impl FnMut(SlabId) -> Result<Scores, E>,
    ) -> Result<Vec<StoreError>, E> {
        let Some(listed) = self.finished(layer).filter(|_| !self.is_discarded(layer)) else { return Ok(Vec::new()) };
        let released = self.released(layer);
        let (mut work, mut faults) = self.take_stock(&listed, shapes)?;
        let mut lost = Vec::new();
        for slab in (0..shapes.len()).filter(|&slab| !released.contains(slab)) {
            match work.record(slab) {
                Ok(record) => {
                    let found = record.faults();
                    if !found.is_empty() {
                        lost.push(slab);
                        faults.extend(found);
                    }
                }
                Err(_) => lost.push(slab),
            }
        }
        if faults.is_empty() {
            return Ok(faults);
        }
        if !lost.is_empty() {
            let number = self.manifest().files_of(layer).last().map_or(0, |last| last.file.saturating_add(1));
            lost.iter().for_each(|&slab| work.forget(slab));
            let part = work.add_part(number, shapes)?;
            work.put_into(part);
        }
        for slab in lost {
            // An earlier repair that was interrupted may have left it.
            if work.record(slab).is_err() {
                let scores = recompute(SlabId::new(layer, slab))?;
                work.put(slab, shapes[slab], &scores)?;
            }
        }
        self.finish_repair(&listed, work)?;
        Ok(StoreError::told_once(faults))
    }

    /// The listed files of a layer, and their faults without those of slabs.
    fn take_stock(
        &self,
        listed: &LayerSummary,
        shapes: &[SlabShape<'_>],
    ) -> Result<(LayerInWork<'_>, Vec<StoreError>), StoreError> {
        let layer = listed.layer;
        let files = self.manifest().files_of(layer).to_vec();
        let mut work = LayerInWork::new(self, layer, self.header_found(layer, shapes.len()));
        let mut faults = Vec::new();
        for listed in &files {
            let (number, path) = (listed.file, self.score_path(layer, listed.file));
            let opened = self.open_file(layer, number).and_then(|file| file.of_len(listed.bytes));
            let fault = match opened.and_then(|file| file.of_layer(work.header())) {
                Ok(file) => {
                    work.add_complete(number, &file);
                    continue;
                }
                Err(error) if error.is_missing() => StoreError::MissingLayer { path: path.clone(), layer },
                Err(error @ (StoreError::Io { .. } | StoreError::Version { .. })) => return Err(error),
                Err(error) => error,
            };
            if let Some(first) = self.released(layer).ranges().next() {
                return Err(StoreError::Released { path, slab: first.start });
            }
            if !matches!(fault, StoreError::MissingLayer { .. }) {
                work.take_back(number)?;
            }
            // What an interrupted repair has taken back is still there.
            if part_of(&path).exists() {
                work.add_part(number, shapes)?;
            }
            faults.push(fault);
        }
        Ok((work, faults))
    }

    /// The header of the files of a finished layer of so many slabs: that of the first one that is intact.
    fn header_found(&self, layer: Layer, n_slabs: usize) -> Header {
        let (files, header) = (self.manifest().files_of(layer).to_vec(), self.header(layer, n_slabs));
        let mut found = files.iter().filter_map(|listed| self.open_file(layer, listed.file).ok());
        let found = found.find_map(|file| {
            let block_positions = file.header().block_positions;
            Some(Header { block_positions, ..header }).filter(|header| header == file.header())
        });
        found.unwrap_or(header)
    }

    /// Lists the files of a repaired layer, and gives back the room of the others.
    fn finish_repair(&self, listed: &LayerSummary, work: LayerInWork<'_>) -> Result<(), StoreError> {
        let layer = listed.layer;
        let wrong = match work.digests() {
            Some(digests) => {
                listed.digests().check(&digests, ["digest as listed", "digest of the marks as listed"]).err()
            }
            None => Some(Damage::Field { what: "slabs", expected: "all of them".into(), got: "some".into() }),
        };
        if let Some(damage) = wrong {
            let path = work.path().to_path_buf();
            work.remove_own()?;
            return Err(StoreError::Unrepairable { path, damage });
        }
        let (used, _) = work.finish()?;
        let released = self.released(layer);
        self.insert_finished(layer, &used)?;
        self.list()?;
        let stored = self.stored_layer(layer)?;
        stored.set_released(released.clone());
        self.punch(&stored, &holes(&stored, |slab| released.contains(slab)))?;
        let mut others = Numbers { parts: BTreeSet::new(), ..Numbers::of(&self.path, layer)? };
        others.complete.retain(|number| !used.contains(number));
        self.remove_files(layer, &others)
    }
}
