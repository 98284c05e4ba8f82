//! A slab in a score file: decoded as a whole, at some places or at one, or just checked.
//!
//! A record is read alike in a complete file and in one that is still written: what counts is its entry, and no byte of it is
//! believed before its checksum.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "encode")]
use dab_codec::Effort;
use dab_codec::{Body, Crew, Decoded, Fault, Payload, ReadError, Wanted};
use dab_space::SlabShape;

use super::entry::Entry;
use super::record::Record;
#[cfg(feature = "encode")]
use super::record::{EncodedSlab, encode_as};
use super::record_layout::RecordLayout;
use super::source::Source;
use crate::digest::{Digests, SlabDigest};
use crate::section::Section;
use crate::{Buffer, Part, StoreError};

/// Bytes of the largest record that is read at once. Debug builds solve small boards, whose larger slabs are then read block by block, too.
const AT_ONCE: u64 = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 20 };

/// Bytes that a thread keeps for the next record it reads, at most.
const MOST_KEPT: usize = 32 << 20;

thread_local! {
    /// The record or the block that is being decoded.
    static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `read` with memory of this thread for encoded bytes, emptied; so it is not called by `read` itself.
fn with_encoded<T>(read: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    ENCODED.with_borrow_mut(|bytes| {
        bytes.clear();
        let found = read(bytes);
        if bytes.capacity() > MOST_KEPT {
            *bytes = Vec::new();
        }
        found
    })
}

/// The record of a slab, and the file that has it.
#[derive(Clone, Debug)]
pub struct StoredRecord {
    pub(super) source: Arc<Source>,
    pub(super) file: Section,
    pub(super) entry: Entry,
}

impl StoredRecord {
    /// The number of the slab.
    pub(crate) fn slab_number(&self) -> usize {
        self.entry.slab
    }

    /// Shape of the slab, and digests of its scores and marks, as listed.
    pub(crate) fn digest(&self) -> SlabDigest {
        self.entry.digest
    }

    /// All scores, row-major.
    ///
    /// # Errors
    /// The slab has another shape, or is damaged.
    pub fn slab(&self, shape: SlabShape<'_>) -> Result<Buffer, StoreError> {
        self.part(shape, Part::default(), &Wanted::ALL, Crew::Alone).map(|part| part.scores)
    }

    /// At least the scores that are wanted or were decoded before, in memory that was used before if that is large enough, decoded by
    /// these threads.
    ///
    /// # Errors
    /// As [`StoredRecord::slab`], as far as blocks of wanted scores are concerned.
    pub(crate) fn part(
        &self,
        shape: SlabShape<'_>,
        Part { scores, mut decoded }: Part,
        wanted: &Wanted,
        crew: Crew,
    ) -> Result<Part, StoreError> {
        self.with_head_of(shape, |payload, from| {
            let mut scores = scores.with_len(shape.positions());
            let part = (wanted, &mut decoded, &mut scores[..]);
            let check = |scores: &[i8]| self.source.bound.check(scores);
            payload.decode(from, self.source.header.shape(shape), crew, part, &check).map_err(self.in_slab())?;
            Ok(Part { scores, decoded })
        })
    }

    /// The scores at some places, given by `row * cols + col`: decodes the blocks that they are in.
    ///
    /// # Errors
    /// As [`StoredRecord::slab`], as far as these blocks are concerned.
    ///
    /// # Panics
    /// When a place lies outside `shape`.
    pub fn scores(&self, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        self.with_head_of(shape, |payload, from| {
            let scores = payload.scores(from, self.source.header.shape(shape), places).map_err(self.in_slab())?;
            self.source.bound.check(&scores).map_err(self.in_slab())?;
            Ok(scores)
        })
    }

    /// One score; reads just the block it is in.
    ///
    /// # Errors
    /// As [`StoredRecord::scores`].
    ///
    /// # Panics
    /// When `row` or `col` lies outside `shape`.
    pub fn score(&self, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        assert!(row < shape.rows() && col < shape.cols(), "({row}, {col}) lies outside the slab");
        self.check_size(shape)?;
        let SlabDigest { rows, cols, .. } = self.entry.digest;
        let layout = RecordLayout::new(&self.source.header, self.entry.slab, (rows, cols)).map_err(self.in_slab())?;
        let payload_at = layout.payload_at as u64;
        let byte_len = self.entry.byte_len.saturating_sub(payload_at);
        let at = self.entry.offset + payload_at;
        let read = |range: Range<u64>, bytes: &mut Vec<u8>| self.file.append(at + range.start..at + range.end, bytes);
        let shape = self.source.header.shape(shape);
        let score = with_encoded(|bytes| layout.payload.score(shape, (row, col), byte_len, &read, bytes));
        let score = score.map_err(self.in_slab())?;
        self.source.bound.check(&[score]).map_err(self.in_slab())?;
        Ok(score)
    }

    /// Checks every byte of the record, and its digest.
    ///
    /// # Errors
    /// It is damaged.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.verified(|_, _| ())
    }

    /// All faults: one for each damaged block, or one for the slab where its blocks cannot be told.
    pub(crate) fn faults(&self) -> Vec<StoreError> {
        let Err(first) = self.verify() else { return Vec::new() };
        let blocks = self.with_record(|record| {
            let (payload, head) = record.payload();
            Ok(payload.faults((head, record.blocks())).map(self.in_slab()).collect::<Vec<_>>())
        });
        blocks.ok().filter(|blocks| !blocks.is_empty()).unwrap_or_else(|| vec![first])
    }

    /// `Ok` when the record is whole and that of a slab of this shape. Its scores are not decoded.
    ///
    /// # Errors
    /// It is damaged, or the disk fails.
    pub(super) fn check(&self, shape: SlabShape<'_>) -> Result<(), Fault> {
        with_encoded(|bytes| {
            self.file.append(self.entry.range(), bytes)?;
            Record::new(&self.source.header, &self.entry, bytes)?.check(shape)
        })
    }

    /// The record coded as densely as can be; every byte of it is verified.
    #[cfg(feature = "encode")]
    pub(super) fn recoded(&self) -> Result<EncodedSlab, StoreError> {
        let Entry { slab, digest, .. } = self.entry;
        let by = (Effort::Book, Crew::Alone);
        self.verified(|shape, scores| encode_as(&self.source.header, (slab, digest), shape, scores, by))
    }

    /// Calls `read` with the shape and the scores, every byte of the record verified.
    fn verified<T>(&self, read: impl FnOnce(SlabShape<'_>, &[i8]) -> T) -> Result<T, StoreError> {
        self.with_record(|record| {
            let ((payload, head), (rows, cols)) = (record.payload(), record.parities());
            let shape = SlabShape { row_parity: &rows, col_parity: &cols };
            let mut scores = Buffer::new(rows.len() * cols.len());
            let part = (&Wanted::ALL, &mut Decoded::default(), &mut scores[..]);
            // The digest is judged first: it says more than a score.
            let from = (head, Body::Here(record.blocks()));
            let decoded = payload.decode(from, self.source.header.shape(shape), Crew::Alone, part, &|_| Ok(()));
            decoded.map_err(self.in_slab())?;
            let digests = Digests::of_values(&scores, self.source.header.marks, Crew::Alone);
            let listed = self.entry.digest.digests.check(&digests, ["digest of the scores", "digest of the marks"]);
            listed.and_then(|()| self.source.bound.check(&scores)).map_err(self.in_slab())?;
            Ok(read(shape, &scores))
        })
    }

    /// Calls `read` with the payload, its head and its blocks; the record must be that of a slab of this shape. The blocks of a large
    /// record are read when they are asked for: by all threads that decode it, and only those that are wanted.
    fn with_head_of<T>(
        &self,
        shape: SlabShape<'_>,
        read: impl FnOnce(Payload, (&[u8], Body<'_>)) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.check_size(shape)?;
        let (Entry { slab, digest, .. }, Range { start, end }) = (self.entry, self.entry.range());
        let layout =
            RecordLayout::new(&self.source.header, slab, (digest.rows, digest.cols)).map_err(self.in_slab())?;
        let is_here = self.entry.byte_len <= AT_ONCE;
        let first = if is_here { end } else { end.min(start + layout.head_len() as u64) };
        with_encoded(|bytes| {
            self.file.append(start..first, bytes).map_err(self.in_slab::<ReadError>())?;
            let of = (&self.source.header, &self.entry);
            let record = if is_here { Record::new(of.0, of.1, bytes) } else { Record::of_head(of.0, of.1, bytes) };
            let record = record.map_err(self.in_slab())?;
            if !record.has_parity_of(shape) {
                return Err(self.other_shape("the parity of the index".into(), "another parity".into()));
            }
            let ((payload, head), Range { start, end }) = (record.payload(), record.blocks_at());
            let there =
                |range: Range<u64>, to: &mut Vec<u8>| self.file.append(start + range.start..start + range.end, to);
            read(payload, (head, if is_here { Body::Here(record.blocks()) } else { Body::There(end - start, &there) }))
        })
    }

    fn with_record<T>(&self, read: impl FnOnce(&Record<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        with_encoded(|bytes| {
            self.file.append(self.entry.range(), bytes).map_err(self.in_slab::<ReadError>())?;
            read(&Record::new(&self.source.header, &self.entry, bytes).map_err(self.in_slab())?)
        })
    }

    /// `Ok` when the slab has as many rows and columns as `shape`.
    fn check_size(&self, shape: SlabShape<'_>) -> Result<(), StoreError> {
        let digest = self.entry.digest;
        if (digest.rows as usize, digest.cols as usize) == (shape.rows(), shape.cols()) {
            return Ok(());
        }
        let expected = format!("{} x {}", shape.rows(), shape.cols());
        Err(self.other_shape(expected, format!("{} x {}", digest.rows, digest.cols)))
    }

    fn other_shape(&self, expected: String, got: String) -> StoreError {
        StoreError::Shape { path: self.source.origin.path.clone(), slab: self.entry.slab, expected, got }
    }

    /// Turns a fault into an error that names file and slab.
    fn in_slab<E: Into<Fault>>(&self) -> impl Fn(E) -> StoreError {
        self.source.origin.in_slab(self.entry.slab)
    }
}
