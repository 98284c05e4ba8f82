//! Releasing slabs of finished layers: their room is given back while the layer stays.
//!
//! ```text
//!    its last readers will survive a power cut ─► due ─► listed ─► hole
//! ```
//! A slab is listed in the manifest before its bytes go, so a hole is never taken for damage. Holes have the borders of whole
//! blocks of the file system; a block goes with the last slab that reaches into it, and no byte of another slab is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{MutexGuard, PoisonError};

use dab_space::{Layer, SlabId};

use super::RunDir;
use super::due::Releases;
use crate::score_file::StoredLayer;
use crate::storage::FILE_BLOCK;
use crate::{SlabSet, StoreError};

/// Slabs are released at least as often as this part of the disk allowed is written, or so many bytes.
const PART_OF_DISK: u64 = 64;
const MOST_BETWEEN: u64 = 256 << 20;

impl RunDir {
    pub(super) fn releases(&self) -> MutexGuard<'_, Releases> {
        self.releases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a slab of a finished layer was released.
    pub(crate) fn is_released(&self, layer: Layer, slab: usize) -> bool {
        self.manifest().released.get(&layer).is_some_and(|slabs| slabs.contains(slab))
    }

    /// Released slabs of a layer that was not discarded.
    pub fn released(&self, layer: Layer) -> SlabSet {
        self.manifest().released.get(&layer).cloned().unwrap_or_default()
    }

    /// Bytes that released slabs of layers that were not discarded have given back.
    pub fn released_bytes(&self) -> u64 {
        if self.lock.is_some() {
            return self.releases().freed();
        }
        let layers: Vec<Layer> = self.manifest().released.keys().copied().collect();
        let freed = |layer: Layer| {
            let (Ok(stored), released) = (self.stored_layer(layer), self.released(layer)) else { return 0 };
            holes(&stored, |slab| released.contains(slab)).iter().map(|hole| hole.len()).sum::<u64>()
        };
        layers.into_iter().map(freed).sum()
    }

    /// Bytes that are written between releases: the fewer, the less room.
    fn release_bytes(&self) -> u64 {
        (self.options.disk / PART_OF_DISK).clamp(self.options.list_bytes, MOST_BETWEEN)
    }

    /// Whether there is hardly any room for more slabs.
    pub(super) fn has_little_room(&self) -> bool {
        self.options.keep != Layer::MAX && self.room() < self.release_bytes()
    }

    /// Whether so much was written since slabs were last released that it pays to release more.
    pub(super) fn has_written_much(&self) -> bool {
        let written = self.written();
        self.releases().written_since(written) >= self.release_bytes()
    }

    /// Takes slabs to be released soon.
    pub(super) fn push_due(&self, slabs: &[SlabId]) -> Result<(), StoreError> {
        for &id in slabs {
            let SlabId { layer, slab } = id;
            if layer <= self.options.keep || self.is_discarded(layer) || self.is_released(layer, slab) {
                continue;
            }
            let bytes = self.stored_layer(layer)?.record_len(slab);
            self.releases().push(id, bytes);
        }
        Ok(())
    }

    /// Releases the slabs that are due, unless they are few bytes and there is room.
    pub(super) fn release_due(&self) -> Result<(), StoreError> {
        let few = self.options.list_bytes.min(self.options.disk / PART_OF_DISK);
        let (least, written) = (if self.has_little_room() { 0 } else { few }, self.written());
        let due = self.releases().take(least, written);
        if due.is_empty() || !self.has_holes()? {
            return Ok(());
        }
        let mut released: BTreeMap<Layer, BTreeSet<usize>> = BTreeMap::new();
        {
            let mut manifest = self.manifest();
            for SlabId { layer, slab } in due {
                if !manifest.discarded.contains(&layer) {
                    manifest.released.entry(layer).or_default().insert(slab);
                    released.entry(layer).or_default().insert(slab);
                }
            }
        }
        if released.is_empty() {
            return Ok(());
        }
        self.list()?;
        released.into_iter().try_for_each(|(layer, slabs)| self.punch_released(layer, |slab| slabs.contains(&slab)))
    }

    /// Makes the holes of all released slabs once more: a killed writer may have listed them and not made them.
    pub(super) fn punch_again(&self) -> Result<(), StoreError> {
        let layers: Vec<Layer> = self.manifest().released.keys().copied().collect();
        layers.into_iter().try_for_each(|layer| self.punch_released(layer, |_| true))
    }

    /// Makes those holes of released slabs of a layer that some of these slabs are in.
    fn punch_released(&self, layer: Layer, is_new: impl Fn(usize) -> bool) -> Result<(), StoreError> {
        let (stored, released) = (self.stored_layer(layer)?, self.released(layer));
        let holes = holes(&stored, |slab| released.contains(slab));
        let freed = holes.iter().map(Hole::len).sum();
        stored.set_released(released);
        let new: Vec<Hole> = holes.into_iter().filter(|hole| hole.slabs.iter().any(|&slab| is_new(slab))).collect();
        if self.punch(&stored, &new)? {
            self.releases().set_freed(layer, freed);
        }
        Ok(())
    }

    /// Makes holes in the files of a layer; `false` where the file system cannot do that.
    pub(super) fn punch(&self, stored: &StoredLayer, holes: &[Hole]) -> Result<bool, StoreError> {
        for of_file in holes.chunk_by(|a, b| a.file == b.file) {
            let output = self.files.open(&stored.files()[of_file[0].file].origin().path)?;
            for hole in of_file {
                if !self.files.punch(&output, hole.bytes.clone())? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the file system makes holes: the lock, which is empty, shows it.
    fn has_holes(&self) -> Result<bool, StoreError> {
        let Some(lock) = &self.lock else { return Ok(false) };
        if let Some(&known) = self.has_holes.get() {
            return Ok(known);
        }
        let found = self.files.punch(lock, 0..FILE_BLOCK)?;
        Ok(*self.has_holes.get_or_init(|| found))
    }
}

/// Whole blocks of the file system inside neighbouring records of a file.
pub(super) struct Hole {
    /// The file, by its place among those of the layer.
    file: usize,
    bytes: Range<u64>,
    /// The slabs of the records that it is inside of.
    slabs: Vec<usize>,
}

impl Hole {
    fn len(&self) -> u64 {
        self.bytes.end - self.bytes.start
    }
}

/// The holes of slabs of a layer that are not wanted, and of records that do not count any more.
pub(super) fn holes(stored: &StoredLayer, is_unwanted: impl Fn(usize) -> bool) -> Vec<Hole> {
    let mut holes = Vec::new();
    for (file, of_file) in stored.files().iter().enumerate() {
        let goes = |record: usize, slab: usize| is_unwanted(slab) || !stored.counts(file, record);
        let gone: Vec<_> = of_file.entries().iter().enumerate().filter(|&(i, entry)| goes(i, entry.slab)).collect();
        for stretch in gone.chunk_by(|(_, a), (_, b)| a.range().end == b.offset) {
            let (first, last) = (stretch[0].1, stretch[stretch.len() - 1].1);
            let bytes = first.offset.next_multiple_of(FILE_BLOCK)..last.range().end / FILE_BLOCK * FILE_BLOCK;
            if !bytes.is_empty() {
                holes.push(Hole { file, bytes, slabs: stretch.iter().map(|(_, entry)| entry.slab).collect() });
            }
        }
    }
    holes
}
