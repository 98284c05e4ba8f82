//! The score files of a layer that is not whole: it is being solved, or repaired.
//!
//! ```text
//!    complete files     stay as they are
//!    parts              their whole records stay; one of them takes the slabs that are put
//!    ─► finished        the parts get their directories and their names; all files together have all slabs
//! ```
//! A kill at any moment leaves complete files and parts, with which a later process goes on.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use dab_space::{Layer, SlabShape};

use super::RunDir;
use super::names::Numbers;
use super::room::RunRoom;
use crate::digest::Digests;
use crate::files::part_of;
use crate::score_bound::ScoreBound;
use crate::score_file::{Header, PartFile, ScoreFile, StoredRecord, digests_of, encode, entry_len};
use crate::{SlabSet, StoreError};

/// The record of a slab, and the number of its file.
type Place = (u32, StoredRecord);

/// A layer of which some slabs are there.
pub(super) struct LayerInWork<'a> {
    run: &'a RunDir,
    layer: Layer,
    header: Header,
    bound: ScoreBound,
    room: RunRoom<'a>,
    /// Numbers and lengths of the complete files.
    complete: Vec<(u32, u64)>,
    /// By number.
    parts: Vec<(u32, PartFile)>,
    /// The one of the parts that takes slabs.
    own: Option<usize>,
    /// By slab.
    places: RwLock<Vec<Option<Place>>>,
}

impl<'a> LayerInWork<'a> {
    /// A layer without files.
    pub(super) fn new(run: &'a RunDir, layer: Layer, header: Header) -> Self {
        Self {
            run,
            layer,
            header,
            bound: run.bounds.of_layer(layer),
            room: RunRoom::new(run, layer),
            complete: Vec::new(),
            parts: Vec::new(),
            own: None,
            places: RwLock::new(vec![None; header.n_slabs as usize]),
        }
    }

    /// Goes on with all files of an unfinished layer. A complete one that is damaged is taken for a part.
    ///
    /// # Errors
    /// A file cannot be read or written, or belongs elsewhere.
    pub(super) fn resume(run: &'a RunDir, layer: Layer, shapes: &[SlabShape<'_>]) -> Result<Self, StoreError> {
        let mut work = Self::new(run, layer, run.header(layer, shapes.len()));
        let mut numbers = Numbers::of(&run.path, layer)?;
        for &number in &numbers.complete {
            let opened = run.open_file(layer, number).and_then(|file| file.check(shapes).map(|()| file));
            match opened {
                Ok(file) if *file.header() == work.header => work.add_complete(number, &file),
                Err(error) if !error.is_fault_of_bytes() => return Err(error),
                _ => {
                    work.take_back(number)?;
                    numbers.parts.insert(number);
                }
            }
        }
        for &number in &numbers.parts {
            work.add_part(number, shapes)?;
        }
        match work.parts.is_empty() {
            true => work.create_part(numbers.free(0, 1)).map(drop)?,
            false => work.own = Some(0),
        }
        let complete: u64 = work.complete.iter().map(|(_, byte_len)| byte_len).sum();
        work.room.grow(complete + work.parts.iter().map(|(_, part)| part.byte_len()).sum::<u64>())?;
        Ok(work)
    }

    /// Adds a complete file, all of whose records count, in place of those of files before it.
    pub(super) fn add_complete(&mut self, number: u32, file: &ScoreFile) {
        self.complete.push((number, file.byte_len()));
        self.add_records(number, file.entries().iter().map(|entry| file.record(entry)));
    }

    /// Adds the files that other processes have completed since.
    ///
    /// # Errors
    /// A file cannot be read, or belongs elsewhere.
    pub(super) fn add_completed(&mut self, shapes: &[SlabShape<'_>]) -> Result<(), StoreError> {
        let mut completed = Numbers::of(&self.run.path, self.layer)?.complete;
        completed.retain(|number| self.complete.iter().all(|(known, _)| known != number));
        for number in completed {
            let file = self.run.open_file(self.layer, number)?;
            file.check(shapes)?;
            self.add_complete(number, &file);
        }
        Ok(())
    }

    /// Makes a part of a complete file again: its directory is to be made anew.
    pub(super) fn take_back(&self, number: u32) -> Result<(), StoreError> {
        let path = self.run.score_path(self.layer, number);
        self.run.files.rename(&path, &part_of(&path))
    }

    /// Adds a part, which is made if it is not there; its whole records count, in place of those of files before it. `None` if
    /// another process writes it.
    pub(super) fn add_part(&mut self, number: u32, shapes: &[SlabShape<'_>]) -> Result<Option<usize>, StoreError> {
        let path = self.run.score_path(self.layer, number);
        let output = self.run.files.open(&part_of(&path))?;
        let of = (self.header, self.bound);
        let Some(part) = PartFile::take_up(self.run.files.clone(), path, output, of, shapes)? else { return Ok(None) };
        self.add_records(number, part.records());
        self.parts.push((number, part));
        Ok(Some(self.parts.len() - 1))
    }

    /// Adds a new part, which takes the slabs that are put from now on; `false` if there is a file in its place.
    pub(super) fn create_part(&mut self, number: u32) -> Result<bool, StoreError> {
        let is_new = self.run.files.create(&part_of(&self.run.score_path(self.layer, number)))?.is_some();
        if is_new {
            self.own = self.add_part(number, &[])?;
        }
        Ok(self.own.is_some())
    }

    fn add_records(&mut self, number: u32, records: impl IntoIterator<Item = StoredRecord>) {
        let places = self.places.get_mut().unwrap_or_else(PoisonError::into_inner);
        for record in records {
            if let Some(place) = places.get_mut(record.slab_number()) {
                *place = Some((number, record));
            }
        }
    }

    /// Cuts off what lies behind the whole records of all parts: other processes are about to follow them.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn cut_tails(&self) -> Result<(), StoreError> {
        self.parts.iter().try_for_each(|(_, part)| part.cut_tail().map(drop))
    }

    /// Has a part take the slabs that are put from now on.
    pub(super) fn put_into(&mut self, part: Option<usize>) {
        self.own = part;
    }

    /// Forgets a slab, which is damaged.
    pub(super) fn forget(&self, slab: usize) {
        self.places.write().unwrap_or_else(PoisonError::into_inner)[slab] = None;
    }

    /// The header that all its files have.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The slabs that are there.
    pub(super) fn slabs(&self) -> SlabSet {
        let (places, mut slabs) = (self.places(), SlabSet::default());
        for (slab, _) in places.iter().enumerate().filter(|(_, place)| place.is_some()) {
            slabs.insert(slab);
        }
        slabs
    }

    /// The record of a slab.
    ///
    /// # Errors
    /// The slab is not there.
    pub(super) fn record(&self, slab: usize) -> Result<StoredRecord, StoreError> {
        let found = self.places().get(slab).cloned().flatten().map(|(_, record)| record);
        found.ok_or_else(|| StoreError::Unfinished { path: self.run.path.clone(), layer: self.layer })
    }

    /// Takes the scores of a slab of this shape, which can be read from now on. Threads encode side by side, or a large slab together.
    ///
    /// # Errors
    /// The file cannot be written, or would outgrow the disk allowed.
    ///
    /// # Panics
    /// When there is no such slab, it is there already, or the number of scores is not that of the shape.
    pub(super) fn put(&self, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> Result<(), StoreError> {
        let is_new = self.places()[slab].is_none();
        assert!(is_new, "slab {slab} of layer {} was put twice", self.layer);
        let Some((number, part)) = self.own.map(|own| &self.parts[own]) else {
            return Err(StoreError::Locked { path: self.run.path.clone() });
        };
        let encoded = encode(&self.header, slab, shape, scores);
        self.room.grow(encoded.bytes.len() as u64 + entry_len(self.header.marks) as u64)?;
        let record = part.append(&encoded)?;
        self.places.write().unwrap_or_else(PoisonError::into_inner)[slab] = Some((*number, record));
        Ok(())
    }

    /// Returns when all slabs that were put before will survive a power cut.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.parts.iter().try_for_each(|(_, part)| part.sync())
    }

    /// Digests of the layer, if all slabs are there.
    pub(super) fn digests(&self) -> Option<Digests> {
        let places = self.places();
        let digests = places.iter().map(|place| Some(place.as_ref()?.1.digest())).collect::<Option<Vec<_>>>()?;
        Some(digests_of(&self.header, digests.into_iter()))
    }

    /// Completes the parts; returns the numbers of the files that have slabs that count, and of the complete files that have none.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn finish(self) -> Result<(Vec<u32>, Numbers), StoreError> {
        let Self { run, complete, parts, places, .. } = self;
        let places = places.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut used: BTreeSet<u32> = places.iter().flatten().map(|(number, _)| *number).collect();
        // A layer without slabs has a file, too.
        if places.is_empty() {
            used.extend(complete.first().map(|file| file.0).or(parts.first().map(|part| part.0)));
        }
        for (number, part) in parts {
            if used.contains(&number) { part.finish() } else { part.remove() }?;
        }
        run.files.sync_dir(&run.path)?;
        let unused = complete.into_iter().map(|(number, _)| number).filter(|number| !used.contains(number)).collect();
        Ok((used.into_iter().collect(), Numbers { complete: unused, parts: BTreeSet::new() }))
    }

    /// Removes the part that took slabs: they are wrong. Others stay as they were found.
    pub(super) fn remove_own(mut self) -> Result<(), StoreError> {
        self.own.map_or(Ok(()), |own| self.parts.swap_remove(own).1.remove())
    }

    /// The path of the part that takes slabs, or of the run.
    pub(super) fn path(&self) -> &Path {
        self.own.map_or(&self.run.path, |own| self.parts[own].1.path())
    }

    fn places(&self) -> RwLockReadGuard<'_, Vec<Option<Place>>> {
        self.places.read().unwrap_or_else(PoisonError::into_inner)
    }
}
