//! The score files of a layer that is not whole: it is being solved, or repaired.
//!
//! ```text
//!    complete files     stay as they are
//!    parts              their whole records stay; one of them takes the slabs that are put
//!    ─► finished        the parts get their directories and their names; all files together have all slabs
//! ```
//! A kill at any moment leaves complete files and parts, with which a later process goes on.

use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use dab_space::{Layer, SlabShape};

use super::RunDir;
use super::names::Numbers;
use super::room::RunRoom;
use crate::digest::SlabDigest;
use crate::files::part_of;
use crate::score_bound::ScoreBound;
use crate::score_file::encode;
use crate::score_file::{EncodedSlab, Header, PartFile, ScoreFile, StoredRecord, digest_of};
use crate::{Digest, SlabSet, StoreError};

/// Where a slab is: the number of its file, and of its record in it.
#[derive(Clone, Copy)]
enum Place {
    Complete(usize, usize),
    Part(usize, usize),
}

/// A layer of which some slabs are there.
pub(super) struct LayerInWork<'a> {
    run: &'a RunDir,
    layer: Layer,
    header: Header,
    bound: ScoreBound,
    room: RunRoom<'a>,
    /// By number.
    complete: Vec<(u32, ScoreFile)>,
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
                Ok(file) if *file.header() == work.header => work.add_complete(number, file),
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
            true => work.own = work.add_part(numbers.free(0, 1), shapes)?,
            false => work.own = Some(0),
        }
        work.room.take(work.byte_len(0, 0))?;
        Ok(work)
    }

    /// Adds a complete file, all of whose records count, in place of those of files before it.
    pub(super) fn add_complete(&mut self, number: u32, file: ScoreFile) {
        let at = self.complete.len();
        let places = self.places.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (record, entry) in file.entries().iter().enumerate() {
            if let Some(place) = places.get_mut(entry.slab) {
                *place = Some(Place::Complete(at, record));
            }
        }
        self.complete.push((number, file));
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
            self.add_complete(number, file);
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
        let Some(part) = PartFile::begin(self.run.files.clone(), &path, self.header, shapes)? else { return Ok(None) };
        let at = self.parts.len();
        let places = self.places.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (record, entry) in part.entries().iter().enumerate() {
            places[entry.slab] = Some(Place::Part(at, record));
        }
        self.parts.push((number, part));
        Ok(Some(at))
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
    pub(super) fn record(&self, slab: usize) -> Result<StoredRecord<'_>, StoreError> {
        let found = match self.places().get(slab).copied().flatten() {
            Some(Place::Complete(file, record)) => {
                let file = &self.complete[file].1;
                file.entries().get(record).map(|entry| file.record(entry, self.bound))
            }
            Some(Place::Part(part, record)) => self.parts[part].1.record(record, self.bound),
            None => None,
        };
        found.ok_or_else(|| StoreError::Unfinished { path: self.run.path.clone(), layer: self.layer })
    }

    /// The record of a slab. Does not touch the files, so threads encode side by side, or a large slab together.
    pub(super) fn encode(&self, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> EncodedSlab {
        encode(&self.header, slab, shape, scores)
    }

    /// Takes a slab. It can be read from now on.
    ///
    /// # Errors
    /// The file cannot be written, or would outgrow the disk allowed.
    ///
    /// # Panics
    /// When there is no such slab, or it is there already.
    pub(super) fn put(&self, slab: usize, encoded: &EncodedSlab) -> Result<(), StoreError> {
        let is_new = self.places()[slab].is_none();
        assert!(is_new, "slab {slab} of layer {} was put twice", self.layer);
        let Some(own) = self.own else {
            return Err(StoreError::Locked { path: self.run.path.clone() });
        };
        self.room.take(self.byte_len(1, encoded.bytes.len() as u64))?;
        let record = self.parts[own].1.append(slab, encoded)?;
        self.places.write().unwrap_or_else(PoisonError::into_inner)[slab] = Some(Place::Part(own, record));
        Ok(())
    }

    /// Returns when all slabs that were put before will survive a power cut.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.parts.iter().try_for_each(|(_, part)| part.sync())
    }

    /// Digest of the layer, if all slabs are there.
    pub(super) fn digest(&self) -> Option<Digest> {
        let digest = |place: &Option<Place>| -> Option<SlabDigest> {
            match (*place)? {
                Place::Complete(file, record) => Some(self.complete[file].1.entries().get(record)?.digest),
                Place::Part(part, record) => {
                    self.parts[part].1.record(record, self.bound).map(|record| record.digest())
                }
            }
        };
        let digests = self.places().iter().map(digest).collect::<Option<Vec<_>>>()?;
        Some(digest_of(&self.header, digests.into_iter()))
    }

    /// Completes the parts; returns the numbers of the files that have slabs that count.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn finish(self) -> Result<Vec<u32>, StoreError> {
        self.room.take(self.byte_len(0, 0))?;
        let places = self.places.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (mut of_complete, mut of_parts) = (vec![false; self.complete.len()], vec![false; self.parts.len()]);
        for place in places.iter().flatten() {
            match *place {
                Place::Complete(file, _) => of_complete[file] = true,
                Place::Part(part, _) => of_parts[part] = true,
            }
        }
        // A layer without slabs has a file, too.
        if places.is_empty() {
            of_complete.first_mut().or(of_parts.first_mut()).into_iter().for_each(|is_used| *is_used = true);
        }
        let complete = self.complete.iter().zip(of_complete).filter(|(_, is_used)| *is_used);
        let mut used: Vec<u32> = complete.map(|((number, _), _)| *number).collect();
        for ((number, part), is_used) in self.parts.into_iter().zip(of_parts) {
            match is_used {
                true => {
                    part.finish()?;
                    used.push(number);
                }
                false => part.remove()?,
            }
        }
        used.sort_unstable();
        self.run.files.sync_dir(&self.run.path)?;
        Ok(used)
    }

    /// Removes the part that took slabs: they are wrong. Others stay as they were found.
    pub(super) fn remove_own(mut self) -> Result<(), StoreError> {
        self.own.map_or(Ok(()), |own| self.parts.swap_remove(own).1.remove())
    }

    /// The path of the part that takes slabs, or of the run.
    pub(super) fn path(&self) -> &Path {
        self.own.map_or(&self.run.path, |own| self.parts[own].1.path())
    }

    /// Bytes of all files when they are complete and have `more` records of so many bytes together.
    fn byte_len(&self, more: usize, bytes: u64) -> u64 {
        let complete: u64 = self.complete.iter().map(|(_, file)| file.byte_len()).sum();
        let len = |(at, (_, part)): (usize, &(u32, PartFile))| match self.own {
            Some(own) if own == at => part.byte_len_with(more, bytes),
            _ => part.byte_len_with(0, 0),
        };
        complete + self.parts.iter().enumerate().map(len).sum::<u64>()
    }

    fn places(&self) -> RwLockReadGuard<'_, Vec<Option<Place>>> {
        self.places.read().unwrap_or_else(PoisonError::into_inner)
    }
}
