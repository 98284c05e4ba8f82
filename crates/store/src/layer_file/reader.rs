//! A finished score file: opened, verified, its records found; `score_reader` reads scores of it by position.
//!
//! Opening checks header, directory and footer; every read checks the blocks it touches; [`LayerFile::verify`]
//! checks every byte. Nothing is allocated by a length before that was held against the length of the file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use dab_codec::{Fault, Shape};
use dab_space::{Layer, SlabShape};

use super::directory::Directory;
use super::header::{FORMAT, Header};
use super::record::{Record, RecordHead};
#[cfg(feature = "encode")]
use super::record_encoder;
use super::record_layout::{EncodedSlab, RecordLayout};
use super::slab_decoder::SlabDecoder;
use super::slab_files::SlabFiles;
use crate::digest::SlabDigest;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;
use crate::{Access, Buffer, Crew, Damage, Digest, LayerSummary, RunId, SlabSet, StoreError};

/// A finished layer on disk, or some of its slabs in a slab file.
#[derive(Debug)]
pub struct LayerFile {
    pub(super) origin: Origin,
    /// The first slab of a slab file, whose records ascend.
    first: Option<usize>,
    file: Section,
    /// The files that have the records, if `file` has none.
    slab_files: Option<SlabFiles>,
    pub(super) header: Header,
    directory: Directory,
    summary: LayerSummary,
    /// The bound of its scores.
    pub(super) bound: ScoreBound,
    /// Slabs whose bytes are gone.
    released: RwLock<SlabSet>,
}

impl LayerFile {
    /// Opens the score file of a layer of a run.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, or belongs elsewhere.
    pub fn open(path: &Path, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        Self::open_with(path, layer, run, Access::BY_POSITION)
    }

    /// As [`LayerFile::open`]; it and its slab files are read in this way.
    ///
    /// # Errors
    /// As [`LayerFile::open`], or the file cannot be mapped.
    pub fn open_with(path: &Path, layer: Layer, run: RunId, access: Access) -> Result<Self, StoreError> {
        let (file, origin) = (Section::open_with(path, access)?, Origin::score_file(path));
        let header = Header::read(&file, &origin, run)?;
        let (whole, table) = Self::listed_in(file, origin, layer, header)?;
        if !header.is_in_slab_files() {
            return Ok(whole);
        }
        let slab_files = SlabFiles::read((path.with_extension("slabs"), access), &whole.file, &header, table);
        Ok(Self { slab_files: Some(slab_files.map_err(whole.origin.in_file())?), ..whole })
    }

    /// `Ok` when the score file at `path` belongs to a run.
    ///
    /// # Errors
    /// It belongs to another run, cannot be read, or has no intact header.
    pub(crate) fn check_run(path: &Path, run: RunId) -> Result<(), StoreError> {
        Header::read(&Section::open(path)?, &Origin::score_file(path), run).map(drop)
    }

    /// Opens the score file in a section of a file, where it has its records.
    pub(crate) fn parse(file: Section, origin: Origin, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        let header = Header::read(&file, &origin, run)?;
        match header.is_in_slab_files() {
            true => Err(origin.other_version(FORMAT, header.format)),
            false => Ok(Self::listed_in(file, origin, layer, header)?.0),
        }
    }

    /// A score file with the slabs that its directory lists, and its bytes between header and directory.
    fn listed_in(
        file: Section,
        origin: Origin,
        layer: Layer,
        header: Header,
    ) -> Result<(Self, Range<u64>), StoreError> {
        Damage::check("layer", layer.0 as u64, header.layer.into()).map_err(origin.in_file())?;
        let (directory, digest, at) = Directory::read(&file, &header).map_err(origin.in_file())?;
        let bytes = directory.file_len();
        Ok((Self::new((origin, file), header, directory, None, bytes, digest), Header::LEN as u64..at))
    }

    /// Opens the slab file that begins with slab `first`, written as part of a layer with this header.
    pub(crate) fn open_slabs(path: &Path, expected: &Header, first: usize) -> Result<Self, StoreError> {
        let (file, origin) = (Section::open(path)?, Origin::slab_file(path));
        let header = Header::read(&file, &origin, expected.run)?;
        Damage::check("header of the layer", true, header == *expected).map_err(origin.in_file())?;
        let directory = Directory::walk(&file, &header, first).map_err(origin.in_file())?;
        let digest = Digest::of_layer(header.layer, directory.digests());
        let bytes = file.len();
        Ok(Self::new((origin, file), header, directory, Some(first), bytes, digest))
    }

    fn new(
        (origin, file): (Origin, Section),
        header: Header,
        directory: Directory,
        first: Option<usize>,
        bytes: u64,
        digest: Digest,
    ) -> Self {
        let (slabs, positions) = (directory.len(), directory.positions());
        let summary = LayerSummary { layer: Layer(header.layer as usize), slabs, positions, bytes, digest };
        Self {
            origin,
            first,
            file,
            slab_files: None,
            header,
            directory,
            summary,
            bound: ScoreBound::ANY,
            released: RwLock::default(),
        }
    }

    /// The same file, refusing scores beyond a bound.
    pub(crate) fn bounded(self, bound: ScoreBound) -> Self {
        Self { bound, ..self }
    }

    /// The first slabs of the slab files that have the records, ascending; none if the records are here.
    pub(crate) fn slab_files(&self) -> &[usize] {
        self.slab_files.as_ref().map_or(&[], SlabFiles::firsts)
    }

    /// `Ok` when a slab file has so many slabs.
    pub(crate) fn check_slabs(self, n_slabs: usize) -> Result<Self, StoreError> {
        Damage::check("slabs of the file", n_slabs, self.directory.len()).map_err(self.origin.in_file())?;
        Ok(self)
    }

    /// Shape and digest of each slab of a slab file and the length of its record, from its first slab on.
    pub(crate) fn walked(&self) -> impl DoubleEndedIterator<Item = (u64, SlabDigest)> {
        let records = (0..self.directory.len()).filter_map(|place| self.directory.record(place));
        records.map(|(range, digest)| (range.end - range.start, digest))
    }

    /// The record of a slab of the file, not checked.
    pub(crate) fn record_bytes(&self, slab: usize) -> Result<Vec<u8>, StoreError> {
        let (file, range) = self.found(slab, self.place(slab)?.0)?;
        file.read(range).map_err(self.origin_of(slab).in_slab(slab))
    }

    /// The record of a slab that `bytes` are, its head checked.
    fn record<'a>(&self, slab: usize, bytes: &'a [u8]) -> Result<Record<'a>, StoreError> {
        let listed = self.place(slab)?.1;
        let record = self.layout(slab, listed).and_then(|layout| Record::new(layout, bytes));
        record.map_err(self.origin_of(slab).in_slab(slab))
    }

    /// Turns a fault of a slab into an error.
    pub(crate) fn in_slab(&self, slab: usize, fault: impl Into<Fault>) -> StoreError {
        self.origin_of(slab).in_slab(slab)(fault)
    }

    pub(super) fn decoder<'a>(&'a self, origin: &'a Origin) -> SlabDecoder<'a> {
        SlabDecoder { origin, header: &self.header, bound: self.bound }
    }

    /// The file with the record of a slab.
    pub(super) fn origin_of(&self, slab: usize) -> Cow<'_, Origin> {
        match &self.slab_files {
            None => Cow::Borrowed(&self.origin),
            Some(files) => Cow::Owned(Origin::score_file(&files.path(files.containing(slab).start))),
        }
    }

    /// Hands the whole layer to `write`, slab by slab, coded as densely as can be; every byte of it is verified. Returns
    /// the layer in numbers as it was written.
    #[cfg(feature = "encode")]
    pub(crate) fn recode_to(
        &self,
        write: &mut dyn FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<LayerSummary, StoreError> {
        let header = Header { format: FORMAT, ..self.header };
        write(&header.to_bytes())?;
        let mut directory = Directory::new();
        for slab in (0..self.directory.len()).filter_map(|place| header.place(place)) {
            let recode = |head: &RecordHead<'_>, shape: Shape<'_>, scores: &[i8]| {
                (record_encoder::recode(&header, slab, head, shape, scores), head.digest())
            };
            let (record, digest) = self.verified(slab, recode)?;
            write(&record)?;
            directory.push(record.len() as u64, digest);
        }
        let tail = directory.to_bytes(&header);
        write(&tail)?;
        Ok(LayerSummary { bytes: directory.end() + tail.len() as u64, ..self.summary })
    }

    /// Calls `read` with the head, the shape and the scores of a slab, every byte of it verified.
    fn verified<T>(
        &self,
        slab: usize,
        read: impl FnOnce(&RecordHead<'_>, Shape<'_>, &[i8]) -> T,
    ) -> Result<T, StoreError> {
        let listed = self.place(slab)?.1;
        let bytes = self.record_bytes(slab)?;
        let record = self.record(slab, &bytes)?;
        let ((payload, blocks), (rows, cols)) = (record.payload(), record.head.parities());
        let shape = self.header.shape(SlabShape { row_parity: &rows, col_parity: &cols });
        let mut scores = Buffer::new(rows.len() * cols.len());
        let origin = self.origin_of(slab);
        payload.decode(blocks, shape, Crew::Alone, &mut scores).map_err(origin.in_slab(slab))?;
        Damage::check("digest in the directory", listed.digest, record.head.digest().digest)
            .and_then(|()| Damage::check("digest of the scores", listed.digest, Digest::of_scores(&scores)))
            .and_then(|()| self.bound.check(&scores))
            .map_err(origin.in_slab(slab))?;
        Ok(read(&record.head, shape, &scores))
    }

    /// `Ok` when this is the layer that was listed somewhere.
    pub(crate) fn check(self, listed: &LayerSummary) -> Result<Self, StoreError> {
        self.summary.check(listed).map_err(self.origin.in_file())?;
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

    /// The record of a slab whose scores were computed again.
    ///
    /// # Errors
    /// There is no such slab; or, inside, it is not the one that the directory lists.
    #[cfg(feature = "encode")]
    pub(crate) fn encode_again(
        &self,
        slab: usize,
        shape: SlabShape<'_>,
        scores: &[i8],
    ) -> Result<Result<Vec<u8>, Damage>, StoreError> {
        let (range, listed) = self.place(slab)?;
        let EncodedSlab { bytes, digest } = record_encoder::encode(&self.header, slab, shape, scores);
        let is_listed = Damage::check("digest in the directory", listed.digest, digest.digest)
            .and_then(|()| Damage::check("length of the record", range.end - range.start, bytes.len() as u64));
        Ok(is_listed.map(|()| bytes))
    }

    /// Positions of a slab, 0 if there is no such slab.
    pub fn positions(&self, slab: usize) -> u64 {
        self.listed(slab).map_or(0, |(_, slab)| u64::from(slab.rows) * u64::from(slab.cols))
    }

    /// The bytes of the record of a slab, 0 if there is no such slab.
    pub(crate) fn record_len(&self, slab: usize) -> u64 {
        self.listed(slab).map_or(0, |(range, _)| range.end - range.start)
    }

    /// The places of the records of some neighbouring slabs, one for each file that has any of them.
    pub(crate) fn places_of(&self, slabs: Range<usize>) -> Vec<(PathBuf, Range<u64>)> {
        let (mut places, mut next) = (Vec::new(), slabs.start);
        while next < slabs.end {
            let (path, end) = match &self.slab_files {
                None => (self.origin.path.clone(), slabs.end),
                Some(files) => {
                    let of_file = files.containing(next);
                    (files.path(of_file.start), of_file.end.min(slabs.end))
                }
            };
            let place = |slab| Some(self.place_in_file(slab, self.listed(slab)?.0).0);
            if let (Some(first), Some(last)) = (place(next), place(end - 1)) {
                places.push((path, first.start.min(last.start)..first.end.max(last.end)));
            }
            next = end;
        }
        places
    }

    /// The layer in numbers.
    pub fn summary(&self) -> LayerSummary {
        self.summary
    }

    /// Checks every byte of the file and every digest.
    ///
    /// # Errors
    /// Names the first damaged slab or block.
    pub fn verify(&self) -> Result<(), StoreError> {
        (0..self.directory.len()).try_for_each(|slab| self.verify_slab(slab))
    }

    /// Checks every byte of one slab and its digest. Slabs may be verified in parallel; together with opening the
    /// file, all slabs are all bytes.
    ///
    /// # Errors
    /// There is no such slab or it is damaged.
    pub fn verify_slab(&self, slab: usize) -> Result<(), StoreError> {
        self.verified(slab, |_, _, _| ())
    }

    /// All faults of a slab: one for each damaged block, or one for the slab where its blocks cannot be told. None for a
    /// released slab.
    pub fn faults(&self, slab: usize) -> Vec<StoreError> {
        let first = match self.verify_slab(slab) {
            Ok(()) | Err(StoreError::Released { .. }) => return Vec::new(),
            Err(error) => error,
        };
        let blocks = self.record_bytes(slab).and_then(|bytes| {
            let (payload, blocks) = self.record(slab, &bytes)?.payload();
            Ok(payload.faults(blocks).map(|fault| self.in_slab(slab, fault)).collect::<Vec<_>>())
        });
        blocks.ok().filter(|blocks| !blocks.is_empty()).unwrap_or_else(|| vec![first])
    }

    /// The file that has a record that the directory has in this range, and the bytes of the record there.
    pub(super) fn found(&self, slab: usize, range: Range<u64>) -> Result<(Cow<'_, Section>, Range<u64>), StoreError> {
        let Some(files) = &self.slab_files else { return Ok((Cow::Borrowed(&self.file), range)) };
        let (range, byte_len) = self.place_in_file(slab, range);
        Ok((Cow::Owned(files.open(files.containing(slab).start, byte_len)?), range))
    }

    /// The bytes of a record, which the directory has in this range, in its file, and the length of that file.
    fn place_in_file(&self, slab: usize, range: Range<u64>) -> (Range<u64>, u64) {
        let Some(files) = &self.slab_files else { return (range, self.file.len()) };
        let slabs = files.containing(slab);
        // The last slab comes first in the directory, and last in its slab file.
        let begin = self.listed(slabs.end - 1).map_or(range.start, |(last, _)| last.start);
        let end = self.listed(slabs.start).map_or(range.end, |(first, _)| first.end);
        let at = |offset: u64| Header::LEN as u64 + (end - offset);
        (at(range.end)..at(range.start), at(begin))
    }

    /// Byte range of the record of a slab, and its digest.
    pub(super) fn place(&self, slab: usize) -> Result<(Range<u64>, SlabDigest), StoreError> {
        if self.is_released(slab) {
            return Err(StoreError::Released { path: self.origin.path.clone(), slab });
        }
        let n_slabs = self.directory.len();
        self.listed(slab).ok_or_else(|| StoreError::NoSuchSlab { path: self.origin.path.clone(), slab, n_slabs })
    }

    /// As [`LayerFile::place`], if there is such a slab.
    fn listed(&self, slab: usize) -> Option<(Range<u64>, SlabDigest)> {
        let place = match self.first {
            Some(first) => slab.checked_sub(first),
            None => self.header.place(slab),
        };
        self.directory.record(place?)
    }

    pub(super) fn layout(&self, slab: usize, listed: SlabDigest) -> Result<RecordLayout, Damage> {
        RecordLayout::new(&self.header, slab, listed.rows, listed.cols)
    }
}
