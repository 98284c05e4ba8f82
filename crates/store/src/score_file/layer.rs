//! A layer on disk: one score file or several, which together have each of its slabs.
//!
//! Where two files have a slab, the later one counts: it was written because the slab of the other one is damaged.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use dab_space::Layer;

#[cfg(feature = "encode")]
use super::directory;
use super::entry::Entry;
use super::file::{OfLayer, ScoreFile};
use super::header::Header;
use super::stored_record::StoredRecord;
use crate::digest::{Digests, SlabDigest};
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;
use crate::{Access, Damage, LayerSummary, RunId, SlabSet, StoreError};

/// Where a slab is: the number of its file among those of the layer, and of its record in it.
type Place = (u32, u32);

/// A finished layer on disk.
#[derive(Debug)]
pub struct StoredLayer {
    files: Vec<ScoreFile>,
    /// By slab.
    places: Vec<Place>,
    summary: LayerSummary,
    /// Slabs whose bytes are gone.
    released: RwLock<SlabSet>,
}

impl StoredLayer {
    /// Opens a layer of a run that is a single score file.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, belongs elsewhere, or has not all slabs.
    pub fn open(path: &Path, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        let of = OfLayer { layer, run, bound: ScoreBound::ANY };
        Self::of(vec![ScoreFile::open(path, of, Access::BY_POSITION)?])
    }

    /// Opens the layer that a section of a file is.
    pub(crate) fn parse(file: Section, origin: Origin, of: OfLayer) -> Result<Self, StoreError> {
        Self::of(vec![ScoreFile::parse(file, origin, of)?])
    }

    /// The layer that these files have, at least one, the later ones behind the earlier ones.
    ///
    /// # Errors
    /// A slab is missing, or the files have different headers.
    pub(crate) fn of(files: Vec<ScoreFile>) -> Result<Self, StoreError> {
        let (header, origin) = (*files[0].header(), files[0].origin().clone());
        let files = files.into_iter().map(|file| file.of_layer(&header)).collect::<Result<Vec<_>, _>>()?;
        let places = places(&files, header.n_slabs);
        let n_found = places.iter().flatten().count() as u64;
        Damage::check("slabs of the layer", header.n_slabs, n_found).map_err(origin.in_file())?;
        let places: Vec<Place> = places.into_iter().flatten().collect();
        let entry = |&(file, record): &Place| &files[file as usize].entries()[record as usize];
        let digests = digests_of(&header, places.iter().map(|place| entry(place).digest));
        let summary = LayerSummary {
            layer: Layer(header.layer as usize),
            slabs: places.len(),
            positions: places.iter().map(|place| entry(place).positions()).fold(0, u64::saturating_add),
            bytes: files.iter().map(ScoreFile::byte_len).sum(),
            digest: digests.scores,
            marks_digest: digests.marks,
        };
        Ok(Self { files, places, summary, released: RwLock::default() })
    }

    /// Whether these files together have all of so many slabs.
    pub(crate) fn has_all(files: &[ScoreFile], n_slabs: u64) -> bool {
        places(files, n_slabs).iter().flatten().count() as u64 == n_slabs
    }

    /// Hands the whole layer to `write` as one score file, slab by slab in their order, coded as densely as can be; every byte of it
    /// is verified. Returns the layer in numbers as it was written.
    #[cfg(feature = "encode")]
    pub(crate) fn recode_to(
        &self,
        write: &mut dyn FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<LayerSummary, StoreError> {
        let header = self.files[0].header();
        write(&header.to_bytes())?;
        let (mut entries, mut end) = (Vec::with_capacity(self.places.len()), Header::LEN as u64);
        for slab in 0..self.places.len() {
            let record = self.record(slab)?.recoded()?;
            write(&record.bytes)?;
            let byte_len = record.bytes.len() as u64;
            entries.push(Entry { slab, offset: end, byte_len, digest: record.digest });
            end += byte_len;
        }
        let tail = directory::to_bytes(header, &entries, end);
        write(&tail)?;
        Ok(LayerSummary { bytes: end + tail.len() as u64, ..self.summary })
    }

    /// `Ok` when this is the layer that was listed somewhere.
    pub(crate) fn check(self, listed: &LayerSummary) -> Result<Self, StoreError> {
        self.summary.check(listed).map_err(self.files[0].origin().in_file())?;
        Ok(self)
    }

    /// Notes that slabs are released: reading one is an error from now on.
    pub(crate) fn set_released(&self, released: SlabSet) {
        *self.released.write().unwrap_or_else(PoisonError::into_inner) = released;
    }

    /// Whether a slab is released.
    pub fn is_released(&self, slab: usize) -> bool {
        self.released.read().unwrap_or_else(PoisonError::into_inner).contains(slab)
    }

    /// Positions of a slab, 0 if there is no such slab.
    pub fn positions(&self, slab: usize) -> u64 {
        self.entry(slab).map_or(0, Entry::positions)
    }

    /// The bytes of the record of a slab, 0 if there is no such slab.
    pub(crate) fn record_len(&self, slab: usize) -> u64 {
        self.entry(slab).map_or(0, |entry| entry.byte_len)
    }

    /// The files, the later ones behind the earlier ones.
    pub(crate) fn files(&self) -> &[ScoreFile] {
        &self.files
    }

    /// Whether a record of a file is the one that counts.
    pub(crate) fn counts(&self, file: usize, record: usize) -> bool {
        let slab = self.files[file].entries()[record].slab;
        self.places.get(slab) == Some(&(file as u32, record as u32))
    }

    /// The layer in numbers.
    pub fn summary(&self) -> LayerSummary {
        self.summary
    }

    /// Checks every byte of the slabs and every digest.
    ///
    /// # Errors
    /// Names the first damaged slab or block.
    pub fn verify(&self) -> Result<(), StoreError> {
        (0..self.places.len()).try_for_each(|slab| self.record(slab)?.verify())
    }

    /// All faults of a slab: one for each damaged block, or one for the slab where its blocks cannot be told. None for a
    /// released slab.
    pub fn faults(&self, slab: usize) -> Vec<StoreError> {
        match self.record(slab) {
            Ok(record) => record.faults(),
            Err(StoreError::Released { .. }) => Vec::new(),
            Err(error) => vec![error],
        }
    }

    fn entry(&self, slab: usize) -> Option<&Entry> {
        let &(file, record) = self.places.get(slab)?;
        self.files[file as usize].entries().get(record as usize)
    }

    /// The record of a slab.
    ///
    /// # Errors
    /// There is no such slab, or it is released.
    pub fn record(&self, slab: usize) -> Result<StoredRecord, StoreError> {
        let (file, entry) = match (self.places.get(slab), self.entry(slab)) {
            (Some(&(file, _)), Some(entry)) => (&self.files[file as usize], entry),
            _ => {
                let (path, n_slabs) = (self.files[0].origin().path.clone(), self.places.len());
                return Err(StoreError::NoSuchSlab { path, slab, n_slabs });
            }
        };
        if self.is_released(slab) {
            return Err(StoreError::Released { path: file.origin().path.clone(), slab });
        }
        Ok(file.record(entry))
    }
}

/// By slab, where it is; none where no file has it.
fn places(files: &[ScoreFile], n_slabs: u64) -> Vec<Option<Place>> {
    // No more than the files have is allocated.
    let n_records = files.iter().map(|file| file.entries().len() as u64).sum();
    let mut places = vec![None; n_slabs.min(n_records) as usize];
    for (number, file) in files.iter().enumerate() {
        for (record, entry) in file.entries().iter().enumerate() {
            if let Some(place) = places.get_mut(entry.slab) {
                *place = Some((number as u32, record as u32));
            }
        }
    }
    places
}

/// The digests of a layer that has these slabs, in their order.
pub(crate) fn digests_of(header: &Header, slabs: impl Iterator<Item = SlabDigest>) -> Digests {
    Digests::of_layer(header.layer, header.marks, &slabs.collect::<Vec<_>>())
}
