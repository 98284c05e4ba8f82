//! Reading scores of a finished score file: a slab, a score, or some.

use std::ops::Range;

use dab_space::SlabShape;

use super::reader::LayerFile;
use super::record;
use super::record_layout::RecordLayout;
use super::slab_decoder::{SlabDecoder, with_encoded};
use crate::block::{self, BlockId};
use crate::damage::ReadError;
use crate::matrix::{self, TileDecoder, Tiling};
use crate::origin::Origin;
use crate::{Buffer, Crew, StoreError};

impl LayerFile {
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
        let origin = self.origin_of(slab);
        self.decoder(&origin).slab((slab, shape), used, crew, |bytes| self.append(slab, range, bytes))
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
        let score = match layout.tiling {
            Some(tiling) => self.read_score_in_tile(slab, range, &layout, tiling, shape, (row, col)),
            None => self.read_score_in_block(slab, range, &layout, shape, (row, col)),
        }?;
        self.bound.check(&[score]).map_err(|damage| self.in_slab(slab, damage))?;
        Ok(score)
    }

    /// As [`LayerFile::read_score`], of a slab in blocks.
    fn read_score_in_block(
        &self,
        slab: usize,
        range: Range<u64>,
        layout: &RecordLayout,
        shape: SlabShape<'_>,
        (row, col): (usize, usize),
    ) -> Result<i8, StoreError> {
        let position = row * shape.cols() + col;
        let block = layout.block_of(position);
        let positions = layout.block_range(block);
        let parity = u8::from(shape.is_odd(row, col) != self.header.is_odd);
        let id = BlockId { layer: self.header.layer, slab: slab as u64, block: block as u64 };
        let (file, range) = self.found(slab, range)?;
        with_encoded(|bytes| {
            record::read_block_at(&file, range, layout, id, &[], bytes)
                .and_then(|mode| {
                    let place = position - positions.start;
                    Ok(block::decode_one(mode, bytes, positions.len(), place, parity)?)
                })
                .map_err(|error| self.origin_of(slab).in_block(slab, block)(error))
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
        let (file, range) = self.found(slab, range)?;
        with_encoded(|bytes| {
            let key = record::read_key_at(&file, range.start, layout, (tiling, &tile), bytes)
                .map_err(|error| self.origin_of(slab).in_slab(slab)(error))?;
            let seal = key.seal();
            let decoder = TileDecoder::new(tiling, &tile, &key, shape, self.header.is_odd, place)
                .map_err(|damage| self.in_slab(slab, damage))?;
            let block = decoder.block;
            let id = BlockId { layer: self.header.layer, slab: slab as u64, block: block as u64 };
            record::read_block_at(&file, range, layout, id, &seal, bytes)
                .and_then(|mode| matrix::check_mode(mode).map_err(ReadError::from))
                .and_then(|()| decoder.score(bytes).map_err(ReadError::from))
                .map_err(|error| self.origin_of(slab).in_block(slab, block)(error))
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
        let origin = self.origin_of(slab);
        self.decoder(&origin).scores(slab, shape, places, |bytes| self.append(slab, range, bytes))
    }

    pub(super) fn decoder<'a>(&'a self, origin: &'a Origin) -> SlabDecoder<'a> {
        SlabDecoder { origin, header: &self.header, bound: self.bound }
    }

    /// Appends the record of a slab.
    fn append(&self, slab: usize, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
        let (file, range) = self.found(slab, range)?;
        file.append(range, bytes).map_err(|error| self.origin_of(slab).in_slab(slab)(error))
    }

    /// Byte range and layout of the record of a slab that must have this many rows and columns.
    fn place_of_shape(&self, slab: usize, shape: SlabShape<'_>) -> Result<(Range<u64>, RecordLayout), StoreError> {
        let (range, digest) = self.place(slab)?;
        if (digest.rows as usize, digest.cols as usize) == (shape.rows(), shape.cols()) {
            return Ok((range, self.layout(digest).map_err(|damage| self.in_slab(slab, damage))?));
        }
        let expected = format!("{} x {}", shape.rows(), shape.cols());
        let got = format!("{} x {}", digest.rows, digest.cols);
        Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got })
    }
}
