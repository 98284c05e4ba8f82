//! Reading scores of a finished score file: a slab, a score, or some.

use std::ops::Range;

use dab_space::SlabShape;

use super::reader::LayerFile;
use super::record_layout::RecordLayout;
use super::slab_decoder::with_encoded;
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
        let (file, range) = self.found(slab, range)?;
        let payload_at = range.start + layout.payload_at as u64;
        let byte_len = range.end.saturating_sub(payload_at);
        let read = |range: Range<u64>, bytes: &mut Vec<u8>| {
            file.append(payload_at + range.start..payload_at + range.end, bytes)
        };
        let score =
            with_encoded(|bytes| layout.payload.score(self.header.shape(shape), (row, col), byte_len, &read, bytes))
                .map_err(|fault| self.in_slab(slab, fault))?;
        self.bound.check(&[score]).map_err(|damage| self.in_slab(slab, damage))?;
        Ok(score)
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

    /// Appends the record of a slab.
    fn append(&self, slab: usize, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
        let (file, range) = self.found(slab, range)?;
        file.append(range, bytes).map_err(|error| self.origin_of(slab).in_slab(slab)(error))
    }

    /// Byte range and layout of the record of a slab that must have this many rows and columns.
    fn place_of_shape(&self, slab: usize, shape: SlabShape<'_>) -> Result<(Range<u64>, RecordLayout), StoreError> {
        let (range, digest) = self.place(slab)?;
        if (digest.rows as usize, digest.cols as usize) == (shape.rows(), shape.cols()) {
            return Ok((range, self.layout(slab, digest).map_err(|damage| self.in_slab(slab, damage))?));
        }
        let expected = format!("{} x {}", shape.rows(), shape.cols());
        let got = format!("{} x {}", digest.rows, digest.cols);
        Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got })
    }
}
