//! Reading a finished score file through a map.
//!
//! Opening checks header, directory and footer; every read checks the blocks it touches; [`LayerFile::verify`]
//! checks every byte. No length is believed before it is held against the length of the file.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use dab_space::SlabShape;

use super::Header;
use super::directory::Directory;
use super::record::{Record, RecordLayout};
use crate::digest::{ScoreHasher, SlabDigest};
use crate::map::Section;
use crate::origin::Origin;
use crate::parity::Parities;
use crate::{Buffer, Damage, Digest, LayerSummary, RunId, StoreError, block};

/// Bytes that a thread keeps for the next record it reads, at most.
const MOST_KEPT: usize = 32 << 20;

thread_local! {
    /// The record that is being decoded.
    static RECORD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A finished layer on disk, or some of its slabs in a slab file.
#[derive(Debug)]
pub struct LayerFile {
    origin: Origin,
    /// The first slab: 0 but in slab files.
    first: usize,
    bytes: Section,
    header: Header,
    directory: Directory,
    summary: LayerSummary,
}

impl LayerFile {
    /// Opens the score file of a layer of a run.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, is damaged, or belongs elsewhere.
    pub fn open(path: &Path, layer: usize, run: RunId) -> Result<Self, StoreError> {
        Self::parse(Section::open(path)?, Origin::score_file(path), layer, run)
    }

    /// The score file that `bytes` are.
    pub(crate) fn parse(bytes: Section, origin: Origin, layer: usize, run: RunId) -> Result<Self, StoreError> {
        let header = Header::parse(&bytes, &origin)?;
        if header.run != run {
            let (path, expected, got) = (origin.path, run.to_string(), header.run.to_string());
            return Err(StoreError::ForeignFile { path, expected, got });
        }
        Damage::check("layer", layer as u64, header.layer.into()).map_err(origin.damaged())?;
        let (directory, digest) = Directory::parse(&bytes, &header).map_err(origin.damaged())?;
        let (slabs, positions, byte_len) = (directory.len(), directory.positions(), bytes.len() as u64);
        let summary = LayerSummary { layer, slabs, positions, bytes: byte_len, digest };
        Ok(Self { origin, first: 0, bytes, header, directory, summary })
    }

    /// Opens the slab file that begins with slab `first`, written as part of a layer with this header.
    pub(crate) fn open_slabs(path: &Path, expected: &Header, first: usize) -> Result<Self, StoreError> {
        let (bytes, origin) = (Section::open(path)?, Origin::slab_file(path));
        let header = Header::parse(&bytes, &origin)?;
        if header.run != expected.run {
            let (path, expected, got) = (origin.path, expected.run.to_string(), header.run.to_string());
            return Err(StoreError::ForeignFile { path, expected, got });
        }
        let directory = Damage::check("header of the layer", true, header == *expected)
            .and_then(|()| Directory::walk(&bytes, &header, first))
            .map_err(origin.damaged())?;
        let digest = Digest::of_layer(header.layer, directory.digests());
        let (slabs, positions, byte_len) = (directory.len(), directory.positions(), bytes.len() as u64);
        let summary = LayerSummary { layer: header.layer as usize, slabs, positions, bytes: byte_len, digest };
        Ok(Self { origin, first, bytes, header, directory, summary })
    }

    /// The record of a slab of the file.
    pub(crate) fn record_bytes(&self, slab: usize) -> Result<Vec<u8>, StoreError> {
        self.copy(self.place(slab)?.0)
    }

    /// Turns damage of a slab into an error.
    pub(crate) fn damaged_slab(&self, slab: usize) -> impl Fn(Damage) -> StoreError {
        self.origin.damaged_slab(slab)
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `Ok` when this is the layer that was listed somewhere.
    pub(crate) fn check(self, listed: &LayerSummary) -> Result<Self, StoreError> {
        self.summary.check(listed).map_err(self.origin.damaged())?;
        Ok(self)
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
        self.read_slab_into(slab, shape, Buffer::default())
    }

    /// As [`LayerFile::read_slab`], into memory that was used before: fresh memory costs more than decoding.
    ///
    /// # Errors
    /// As [`LayerFile::read_slab`].
    pub fn read_slab_into(&self, slab: usize, shape: SlabShape<'_>, used: Buffer) -> Result<Buffer, StoreError> {
        let mut scores = Buffer::default();
        self.with_record(slab, shape, |record, parities| {
            scores = used.with_len(shape.positions());
            (0..record.layout.n_blocks()).try_for_each(|block| {
                let scores = &mut scores[record.layout.block_range(block)];
                self.decode(record, slab, block, parities, scores).map(drop)
            })
        })?;
        Ok(scores)
    }

    /// Calls `read` with the record of a slab, read past the map, and the parities of its scores.
    fn with_record(
        &self,
        slab: usize,
        shape: SlabShape<'_>,
        read: impl FnOnce(&Record<'_>, &Parities) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (range, digest) = self.place_of_shape(slab, shape)?;
        RECORD.with_borrow_mut(|bytes| {
            self.bytes.copy_to(range, bytes).map_err(StoreError::io("read", &self.origin.path))?;
            let record = self.record(slab, bytes, digest)?;
            record.check_header().map_err(self.origin.damaged_slab(slab))?;
            if !record.has_parity_of(shape) {
                let (expected, got) = ("the parity of the index".into(), "another parity".into());
                return Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got });
            }
            read(&record, &Parities::of(shape, self.header.is_odd))?;
            if bytes.capacity() > MOST_KEPT {
                *bytes = Vec::new();
            }
            Ok(())
        })
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
        let (range, digest) = self.place_of_shape(slab, shape)?;
        let record = self.record(slab, &self.bytes[range], digest)?;
        let position = row * shape.cols() + col;
        let block = record.layout.block_of(position);
        let range = record.layout.block_range(block);
        let parity = u8::from(shape.is_odd(row, col) != self.header.is_odd);
        let found = record.block(block);
        found
            .and_then(|found| block::decode_one(found.mode, found.bytes, range.len(), position - range.start, parity))
            .map_err(self.origin.damaged_block(slab, block))
    }

    /// The scores at some places of a slab, given by `row * cols + col`: decodes the blocks that they are in.
    ///
    /// # Errors
    /// As [`LayerFile::read_slab`], as far as these blocks are concerned.
    ///
    /// # Panics
    /// When a place lies outside `shape`.
    pub fn read_scores(&self, slab: usize, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        assert!(places.iter().all(|&place| place < shape.positions()), "a place lies outside the slab");
        let (mut found, mut scores) = (vec![0; places.len()], Vec::new());
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&i| places[i]);
        self.with_record(slab, shape, |record, parities| {
            let block_of = |i: usize| record.layout.block_of(places[i]);
            for wanted in order.chunk_by(|&a, &b| block_of(a) == block_of(b)) {
                let block = block_of(wanted[0]);
                let range = record.layout.block_range(block);
                scores.resize(range.len(), 0);
                self.decode(record, slab, block, parities, &mut scores)?;
                wanted.iter().for_each(|&i| found[i] = scores[places[i] - range.start]);
            }
            Ok(())
        })?;
        Ok(found)
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
        let (range, expected) = self.place(slab)?;
        let bytes = self.copy(range)?;
        let record = self.record(slab, &bytes, expected)?;
        record.check_header().map_err(self.origin.damaged_slab(slab))?;
        let parities = record.parities(self.header.is_odd);
        let mut hasher = ScoreHasher::default();
        let mut scores = Vec::new();
        let mut end = record.layout.body_at();
        for block in 0..record.layout.n_blocks() {
            scores.resize(record.layout.block_range(block).len(), 0);
            end = self.decode(&record, slab, block, &parities, &mut scores)?;
            hasher.update(&scores);
        }
        Damage::check("end of the record", bytes.len(), end)
            .and_then(|()| Damage::check("digest in the directory", expected.digest, record.digest().digest))
            .and_then(|()| Damage::check("digest of the scores", expected.digest, hasher.finish()))
            .map_err(self.origin.damaged_slab(slab))
    }

    /// Decodes one block; returns where it ends within the record.
    fn decode(
        &self,
        record: &Record<'_>,
        slab: usize,
        block: usize,
        parities: &Parities,
        scores: &mut [i8],
    ) -> Result<usize, StoreError> {
        let first = record.layout.block_range(block).start;
        let decoded = record.block(block).and_then(|found| {
            block::decode(found.mode, found.bytes, parities, first, scores)?;
            Ok(found.end)
        });
        decoded.map_err(self.origin.damaged_block(slab, block))
    }

    /// Where the record of a slab is, and its digest.
    fn place(&self, slab: usize) -> Result<(Range<usize>, SlabDigest), StoreError> {
        let n_slabs = self.directory.len();
        let place = slab.checked_sub(self.first).and_then(|slab| self.directory.slab(slab));
        place.ok_or_else(|| StoreError::NoSuchSlab { path: self.origin.path.clone(), slab, n_slabs })
    }

    /// As [`LayerFile::place`], of a slab that must have this many rows and columns.
    fn place_of_shape(&self, slab: usize, shape: SlabShape<'_>) -> Result<(Range<usize>, SlabDigest), StoreError> {
        let (range, digest) = self.place(slab)?;
        if (digest.rows as usize, digest.cols as usize) == (shape.rows(), shape.cols()) {
            return Ok((range, digest));
        }
        let expected = format!("{} x {}", shape.rows(), shape.cols());
        let got = format!("{} x {}", digest.rows, digest.cols);
        Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got })
    }

    /// Bytes of the file, to be decoded as a whole.
    fn copy(&self, range: Range<usize>) -> Result<Vec<u8>, StoreError> {
        self.bytes.copy(range).map_err(StoreError::io("read", &self.origin.path))
    }

    /// The record of a slab in its bytes.
    fn record<'a>(&self, slab: usize, bytes: &'a [u8], digest: SlabDigest) -> Result<Record<'a>, StoreError> {
        RecordLayout::new(digest.rows, digest.cols, self.header.block_positions)
            .and_then(|layout| Record::new(self.header.layer, slab, layout, bytes))
            .map_err(self.origin.damaged_slab(slab))
    }
}
