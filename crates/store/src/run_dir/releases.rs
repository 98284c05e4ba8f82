//! Releasing slabs of finished layers: their room is given back while the layer stays.
//!
//! ```text
//!    its last readers will survive a power cut ─► due ─► listed ─► hole
//! ```
//! A slab is listed in the manifest before its bytes go, so a hole is never taken for damage. Holes have the borders of whole
//! blocks of the file system; a block goes with the last slab that reaches into it, and no byte of another slab is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};

use dab_space::{Layer, SlabId};

use super::dir::RunDir;
use super::release_notes::Releases;
use crate::layer_file::LayerFile;
use crate::storage::{FILE_BLOCK, Output};
use crate::{SlabSet, StoreError};

/// Slabs are released at least as often as this part of the disk allowed is written, or so many bytes.
const PART_OF_DISK: u64 = 64;
const MOST_BETWEEN: u64 = 256 << 20;

impl RunDir {
    pub(super) fn releases(&self) -> MutexGuard<'_, Releases> {
        self.releases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a slab of a finished layer was released.
    pub fn is_released(&self, layer: Layer, slab: usize) -> bool {
        self.manifest().released.get(&layer).is_some_and(|slabs| slabs.contains(slab))
    }

    /// Released slabs of a layer that was not discarded.
    pub fn released(&self, layer: Layer) -> SlabSet {
        self.manifest().released.get(&layer).cloned().unwrap_or_default()
    }

    /// Bytes that released slabs of layers that were not discarded have given back.
    pub fn released_bytes(&self) -> u64 {
        if self.lock.is_some() {
            return self.releases().freed.values().sum();
        }
        let layers: Vec<Layer> = self.manifest().released.keys().copied().collect();
        let holes = |layer: Layer| -> u64 {
            let Ok(file) = self.layer_file(layer) else { return 0 };
            self.released(layer).ranges().flat_map(|range| holes(&file, range)).map(|(_, hole)| len(&hole)).sum()
        };
        layers.into_iter().map(holes).sum()
    }

    /// Bytes of all layers, holes and discarded ones included.
    pub(super) fn written(&self) -> u64 {
        let finished: u64 = self.manifest().finished.values().map(|layer| layer.bytes).sum();
        finished + self.unfinished().values().sum::<u64>()
    }

    /// Bytes that score files may still take.
    pub(super) fn room(&self) -> u64 {
        self.disk.saturating_sub(self.byte_len() + self.unfinished().values().sum::<u64>())
    }

    /// Bytes that are written between releases: the fewer, the less room.
    pub(super) fn release_bytes(&self) -> u64 {
        (self.disk / PART_OF_DISK).clamp(self.list_bytes, MOST_BETWEEN)
    }

    /// Whether there is hardly any room for more slabs.
    pub(super) fn has_little_room(&self) -> bool {
        self.keep != Layer::MAX && self.room() < self.release_bytes()
    }

    /// Takes slabs to be released soon.
    pub(super) fn push_due(&self, slabs: &[SlabId]) -> Result<(), StoreError> {
        for &id in slabs {
            let SlabId { layer, slab } = id;
            if layer <= self.keep || self.is_discarded(layer) || self.is_released(layer, slab) {
                continue;
            }
            let bytes = self.layer_file(layer)?.record_len(slab);
            let mut releases = self.releases();
            releases.due.push(id);
            releases.due_bytes += bytes;
        }
        Ok(())
    }

    /// Releases the slabs that are due, unless they are few bytes and there is room; returns whether it wrote the manifest.
    pub(super) fn release_due(&self) -> Result<bool, StoreError> {
        let (written, is_short) = (self.written(), self.has_little_room());
        let due = {
            let mut releases = self.releases();
            releases.written = written;
            let is_little = releases.due_bytes < self.list_bytes.min(self.disk / PART_OF_DISK) && !is_short;
            if releases.due.is_empty() || is_little {
                return Ok(false);
            }
            releases.due_bytes = 0;
            std::mem::take(&mut releases.due)
        };
        if !self.has_holes()? {
            return Ok(false);
        }
        let mut to_punch: BTreeMap<Layer, BTreeSet<usize>> = BTreeMap::new();
        {
            let mut manifest = self.manifest();
            for SlabId { layer, slab } in due {
                if !manifest.discarded.contains(&layer) {
                    manifest.released.entry(layer).or_default().insert(slab);
                    to_punch.entry(layer).or_default().insert(slab);
                }
            }
        }
        if to_punch.is_empty() {
            return Ok(false);
        }
        self.list()?;
        for (layer, slabs) in to_punch {
            self.punch(layer, |range| slabs.range(range.clone()).next().is_some())?;
        }
        Ok(true)
    }

    /// Makes the holes of all released slabs once more: a killed writer may have listed them and not made them.
    pub(super) fn punch_again(&self) -> Result<(), StoreError> {
        let layers: Vec<Layer> = self.manifest().released.keys().copied().collect();
        layers.into_iter().try_for_each(|layer| self.punch(layer, |_| true))
    }

    /// Makes the holes of those ranges of released slabs of a layer that are wanted.
    fn punch(&self, layer: Layer, is_wanted: impl Fn(&Range<usize>) -> bool) -> Result<(), StoreError> {
        let (released, file) = (self.released(layer), self.layer_file(layer)?);
        file.set_released(released.clone());
        let (mut output, mut freed): (Option<Output>, u64) = (None, 0);
        for range in released.ranges() {
            for (path, hole) in holes(&file, range.clone()) {
                freed += len(&hole);
                if !is_wanted(&range) {
                    continue;
                }
                let output = match output.take_if(|output| output.path == path) {
                    Some(opened) => output.insert(opened),
                    None => output.insert(self.files.open(&path)?),
                };
                if !self.files.punch(output, hole)? {
                    return Ok(());
                }
            }
        }
        self.releases().freed.insert(layer, freed);
        Ok(())
    }

    /// Whether the file system makes holes: the lock, which is empty, shows it.
    fn has_holes(&self) -> Result<bool, StoreError> {
        let (known, Some(lock)) = (self.releases().has_holes, &self.lock) else { return Ok(false) };
        match known {
            Some(known) => Ok(known),
            None => {
                let found = self.files.punch(lock, 0..FILE_BLOCK)?;
                self.releases().has_holes = Some(found);
                Ok(found)
            }
        }
    }

    /// Forgets the releases of a discarded layer.
    pub(super) fn forget_releases(&self, layer: Layer) {
        let mut releases = self.releases();
        releases.freed.remove(&layer);
        releases.due.retain(|id| id.layer != layer);
    }
}

/// The whole blocks of the file system in the records of some neighbouring slabs, by file.
fn holes(file: &LayerFile, slabs: Range<usize>) -> impl Iterator<Item = (PathBuf, Range<u64>)> {
    let blocks = |bytes: Range<u64>| bytes.start.next_multiple_of(FILE_BLOCK)..bytes.end / FILE_BLOCK * FILE_BLOCK;
    let holes = file.places_of(slabs).into_iter().map(move |(path, bytes)| (path, blocks(bytes)));
    holes.filter(|(_, hole)| !hole.is_empty())
}

fn len(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}
