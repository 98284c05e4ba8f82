//! Reading a finished score file by position.
//!
//! Opening checks header, directory and footer; every read checks the blocks it touches; [`LayerFile::verify`]
//! checks every byte. Nothing is allocated by a length before that was held against the length of the file.

use std::ops::Range;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use dab_space::{Layer, SlabShape};

use super::directory::Directory;
use super::header::{FORMAT, Header};
use super::record::{self, Record, RecordHead};
use super::record_encoder;
use super::record_layout::{EncodedSlab, RecordLayout};
use super::slab_decoder::{SlabDecoder, with_encoded};
use crate::block::{self, BlockId};
use crate::damage::ReadError;
use crate::digest::SlabDigest;
use crate::matrix::{self, TileDecoder, Tiling};
use crate::origin::Origin;
use crate::parity::Parities;
use crate::section::Section;
use crate::{Buffer, Crew, Damage, Digest, LayerSummary, RunId, SlabSet, StoreError};

/// A finished layer on disk, or some of its slabs in a slab file.
#[derive(Debug)]
pub struct LayerFile {
    origin: Origin,
    /// The first slab of a slab file, whose records ascend.
    first: Option<usize>,
    file: Section,
    header: Header,
    directory: Directory,
    summary: LayerSummary,
    /// Slabs whose bytes are gone.
    released: RwLock<SlabSet>,
}

impl LayerFile {
    /// Opens the score file of a layer of a run.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, or belongs elsewhere.
    pub fn open(path: &Path, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        Self::parse(Section::open(path)?, Origin::score_file(path), layer, run)
    }

    /// Opens the score file in a section of a file.
    pub(crate) fn parse(file: Section, origin: Origin, layer: Layer, run: RunId) -> Result<Self, StoreError> {
        let header = header_of(&file, &origin, run)?;
        Damage::check("layer", layer.0 as u64, header.layer.into()).map_err(origin.in_file())?;
        let (directory, digest) = Directory::read(&file, &header).map_err(origin.in_file())?;
        Ok(Self::new(origin, file, header, directory, None, digest))
    }

    /// Opens the slab file that begins with slab `first`, written as part of a layer with this header.
    pub(crate) fn open_slabs(path: &Path, expected: &Header, first: usize) -> Result<Self, StoreError> {
        let (file, origin) = (Section::open(path)?, Origin::slab_file(path));
        let header = header_of(&file, &origin, expected.run)?;
        Damage::check("header of the layer", true, header == *expected).map_err(origin.in_file())?;
        let directory = Directory::walk(&file, &header, first).map_err(origin.in_file())?;
        let digest = Digest::of_layer(header.layer, directory.digests());
        Ok(Self::new(origin, file, header, directory, Some(first), digest))
    }

    fn new(
        origin: Origin,
        file: Section,
        header: Header,
        directory: Directory,
        first: Option<usize>,
        digest: Digest,
    ) -> Self {
        let (slabs, positions) = (directory.len(), directory.positions());
        let summary = LayerSummary { layer: Layer(header.layer as usize), slabs, positions, bytes: file.len(), digest };
        Self { origin, first, file, header, directory, summary, released: RwLock::default() }
    }

    /// The record of a slab of the file, not checked.
    pub(crate) fn record_bytes(&self, slab: usize) -> Result<Vec<u8>, StoreError> {
        self.file.read(self.place(slab)?.0).map_err(self.origin.in_slab(slab))
    }

    /// The record of a slab that `bytes` are, its head checked.
    fn record<'a>(&self, slab: usize, bytes: &'a [u8]) -> Result<Record<'a>, StoreError> {
        let listed = self.place(slab)?.1;
        let record = self.layout(listed).and_then(|layout| Record::new(self.header.layer, slab, layout, bytes));
        record.map_err(self.origin.in_slab(slab))
    }

    /// Turns damage of a slab into an error.
    pub(crate) fn in_slab(&self, slab: usize) -> impl Fn(Damage) -> StoreError {
        self.origin.in_slab(slab)
    }

    /// Hands the whole layer to `write`, slab by slab, coded as densely as can be; every byte of it is verified. Returns
    /// the layer in numbers as it was written.
    pub(crate) fn recode_to(
        &self,
        write: &mut dyn FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<LayerSummary, StoreError> {
        let header = Header { format: FORMAT, ..self.header };
        write(&header.to_bytes())?;
        let mut directory = Directory::new();
        for slab in (0..self.directory.len()).filter_map(|place| header.place(place)) {
            let recode = |head: &RecordHead<'_>, parities: &Parities, scores: &[i8]| {
                (record_encoder::recode(&header, slab, head, parities, scores), head.digest())
            };
            let (record, digest) = self.verified(slab, recode)?;
            write(&record)?;
            directory.push(record.len() as u64, digest);
        }
        let tail = directory.to_bytes(&header);
        write(&tail)?;
        Ok(LayerSummary { bytes: directory.end() + tail.len() as u64, ..self.summary })
    }

    /// Calls `read` with the head, the parities and the scores of a slab, every byte of it verified.
    fn verified<T>(
        &self,
        slab: usize,
        read: impl FnOnce(&RecordHead<'_>, &Parities, &[i8]) -> T,
    ) -> Result<T, StoreError> {
        let listed = self.place(slab)?.1;
        let bytes = self.record_bytes(slab)?;
        let record = self.record(slab, &bytes)?;
        let parities = record.head.parities(self.header.is_odd);
        let mut scores = Buffer::new(record.head.layout.positions());
        self.decoder().decode_all(&record, slab, &parities, Crew::Alone, &mut scores)?;
        Damage::check("digest in the directory", listed.digest, record.head.digest().digest)
            .and_then(|()| Damage::check("digest of the scores", listed.digest, Digest::of_scores(&scores)))
            .map_err(self.origin.in_slab(slab))?;
        Ok(read(&record.head, &parities, &scores))
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

    /// The record of a slab whose scores were computed again, and its offset.
    ///
    /// # Errors
    /// There is no such slab; or, inside, it is not the one that the directory lists.
    pub(crate) fn encode_again(
        &self,
        slab: usize,
        shape: SlabShape<'_>,
        scores: &[i8],
    ) -> Result<Result<(u64, Vec<u8>), Damage>, StoreError> {
        let (range, listed) = self.place(slab)?;
        let EncodedSlab { bytes, digest } = record_encoder::encode(&self.header, slab, shape, scores);
        let is_listed = Damage::check("digest in the directory", listed.digest, digest.digest)
            .and_then(|()| Damage::check("length of the record", range.end - range.start, bytes.len() as u64));
        Ok(is_listed.map(|()| (range.start, bytes)))
    }

    /// Positions of a slab, 0 if there is no such slab.
    pub fn positions(&self, slab: usize) -> u64 {
        self.listed(slab).map_or(0, |(_, slab)| u64::from(slab.rows) * u64::from(slab.cols))
    }

    /// The bytes of the records of some neighbouring slabs.
    pub(crate) fn records(&self, slabs: Range<usize>) -> Option<Range<u64>> {
        let (first, last) = (self.listed(slabs.start)?.0, self.listed(slabs.end.checked_sub(1)?)?.0);
        Some(first.start.min(last.start)..first.end.max(last.end))
    }

    /// The layer in numbers.
    pub fn summary(&self) -> LayerSummary {
        self.summary
    }

    /// All scores of a slab, row-major.
    ///
    /// # Errors
    /// There is no such slab, it has another shape, or it is damaged.
    pub fn read_slab(&self, slab: usize, shape: SlabShape<'_>) -> Result<Buffer, StoreError> {
        self.read_slab_into(slab, shape, Buffer::default(), Crew::Alone)
    }

    /// As [`LayerFile::read_slab`], into memory that was used before: fresh memory costs more than decoding. By these threads.
    ///
    /// # Errors
    /// As [`LayerFile::read_slab`].
    pub fn read_slab_into(
        &self,
        slab: usize,
        shape: SlabShape<'_>,
        used: Buffer,
        crew: Crew,
    ) -> Result<Buffer, StoreError> {
        let (range, _) = self.place_of_shape(slab, shape)?;
        self.decoder().slab((slab, shape), used, crew, |bytes| self.append(slab, range, bytes))
    }

    /// One score; reads just the block it is in.
    ///
    /// # Errors
    /// As [`LayerFile::read_slab`], as far as this block is concerned.
    ///
    /// # Panics
    /// When `row` or `col` lies outside `shape`.
    pub fn read_score(&self, slab: usize, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        assert!(row < shape.rows() && col < shape.cols(), "({row}, {col}) lies outside the slab");
        let (range, layout) = self.place_of_shape(slab, shape)?;
        if let Some(tiling) = layout.tiling {
            return self.read_score_in_tile(slab, range, &layout, tiling, shape, (row, col));
        }
        let position = row * shape.cols() + col;
        let block = layout.block_of(position);
        let positions = layout.block_range(block);
        let parity = u8::from(shape.is_odd(row, col) != self.header.is_odd);
        let id = BlockId { layer: self.header.layer, slab: slab as u64, block: block as u64 };
        with_encoded(|bytes| {
            let mode = record::read_block_at(&self.file, range, &layout, id, &[], bytes)
                .map_err(self.origin.in_block(slab, block))?;
            block::decode_one(mode, bytes, positions.len(), position - positions.start, parity)
                .map_err(self.origin.in_block(slab, block))
        })
    }

    /// As [`LayerFile::read_score`], of a slab in tiles.
    fn read_score_in_tile(
        &self,
        slab: usize,
        range: Range<u64>,
        layout: &RecordLayout,
        tiling: Tiling,
        shape: SlabShape<'_>,
        place: (usize, usize),
    ) -> Result<i8, StoreError> {
        let tile = tiling.tile(place.0, place.1);
        with_encoded(|bytes| {
            let key = record::read_key_at(&self.file, range.start, layout, (tiling, &tile), bytes)
                .map_err(self.origin.in_slab(slab))?;
            let seal = key.seal();
            let decoder = TileDecoder::new(tiling, &tile, &key, shape, self.header.is_odd, place)
                .map_err(self.origin.in_slab(slab))?;
            let block = decoder.block;
            let id = BlockId { layer: self.header.layer, slab: slab as u64, block: block as u64 };
            record::read_block_at(&self.file, range, layout, id, &seal, bytes)
                .and_then(|mode| matrix::check_mode(mode).map_err(ReadError::from))
                .and_then(|()| decoder.score(bytes).map_err(ReadError::from))
                .map_err(self.origin.in_block(slab, block))
        })
    }

    /// The scores at some places of a slab, given by `row * cols + col`: decodes the blocks that they are in.
    ///
    /// # Errors
    /// As [`LayerFile::read_slab`], as far as these blocks are concerned.
    ///
    /// # Panics
    /// When a place lies outside `shape`.
    pub fn read_scores(&self, slab: usize, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let (range, _) = self.place_of_shape(slab, shape)?;
        self.decoder().scores(slab, shape, places, |bytes| self.append(slab, range, bytes))
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
            let record = self.record(slab, &bytes)?;
            let fault = |block| record.block(block).err().map(self.origin.in_block(slab, block));
            Ok((0..record.n_blocks()).filter_map(fault).collect::<Vec<_>>())
        });
        blocks.ok().filter(|blocks| !blocks.is_empty()).unwrap_or_else(|| vec![first])
    }

    fn decoder(&self) -> SlabDecoder<'_> {
        SlabDecoder { origin: &self.origin, header: &self.header }
    }

    /// Appends the record of a slab.
    fn append(&self, slab: usize, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
        self.file.append(range, bytes).map_err(self.origin.in_slab(slab))
    }

    /// Byte range of the record of a slab, and its digest.
    fn place(&self, slab: usize) -> Result<(Range<u64>, SlabDigest), StoreError> {
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

    /// Byte range and layout of the record of a slab that must have this many rows and columns.
    fn place_of_shape(&self, slab: usize, shape: SlabShape<'_>) -> Result<(Range<u64>, RecordLayout), StoreError> {
        let (range, digest) = self.place(slab)?;
        if (digest.rows as usize, digest.cols as usize) == (shape.rows(), shape.cols()) {
            return Ok((range, self.layout(digest).map_err(self.origin.in_slab(slab))?));
        }
        let expected = format!("{} x {}", shape.rows(), shape.cols());
        let got = format!("{} x {}", digest.rows, digest.cols);
        Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got })
    }

    fn layout(&self, SlabDigest { rows, cols, .. }: SlabDigest) -> Result<RecordLayout, Damage> {
        RecordLayout::new(rows, cols, self.header.blocking())
    }
}

/// The header of a file, which must belong to this run.
fn header_of(file: &Section, origin: &Origin, run: RunId) -> Result<Header, StoreError> {
    let header = Header::parse(&file.first(Header::LEN).map_err(origin.in_file())?, origin)?;
    if header.run == run {
        return Ok(header);
    }
    let (path, expected, got) = (origin.path.clone(), run.to_string(), header.run.to_string());
    Err(StoreError::ForeignFile { path, expected, got })
}
