//! Decoding records: whole slabs, or the scores at some places. Where the bytes of a record come from is up to the caller.

use std::cell::RefCell;

use dab_codec::Crew;
use dab_space::SlabShape;

use super::header::Header;
use super::record::Record;
use super::record_layout::RecordLayout;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::{Buffer, StoreError};

/// Bytes that a thread keeps for the next record it reads, at most.
const MOST_KEPT: usize = 32 << 20;

thread_local! {
    /// The record or the block that is being decoded.
    static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `read` with memory of this thread for encoded bytes, emptied; so it is not called by `read` itself.
pub(super) fn with_encoded<T>(read: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    ENCODED.with_borrow_mut(|bytes| {
        bytes.clear();
        let found = read(bytes);
        if bytes.capacity() > MOST_KEPT {
            *bytes = Vec::new();
        }
        found
    })
}

/// Decodes the records of a file.
#[derive(Clone, Copy)]
pub(super) struct SlabDecoder<'a> {
    pub(super) origin: &'a Origin,
    pub(super) header: &'a Header,
    /// Checked of every score that is decoded.
    pub(super) bound: ScoreBound,
}

impl SlabDecoder<'_> {
    /// All scores of a slab, row-major, in memory that was used before if that is large enough. `fill` appends its record.
    ///
    /// # Errors
    /// `fill` fails, or the record is damaged or that of another slab or shape.
    pub(super) fn slab(
        self,
        (slab, shape): (usize, SlabShape<'_>),
        used: Buffer,
        crew: Crew,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), StoreError>,
    ) -> Result<Buffer, StoreError> {
        self.with_record(slab, shape, fill, |record| {
            let mut scores = used.with_len(shape.positions());
            let (payload, bytes) = record.payload();
            let decoded = payload.decode(bytes, self.header.shape(shape), crew, &mut scores);
            decoded.map_err(self.origin.in_slab(slab))?;
            self.bound.check_by(crew.for_slab(scores.len()), &scores).map_err(self.origin.in_slab(slab))?;
            Ok(scores)
        })
    }

    /// The scores at some places of a slab, given by `row * cols + col`: decodes the blocks that they are in. `fill` appends
    /// the record.
    ///
    /// # Errors
    /// As [`SlabDecoder::slab`], as far as these blocks are concerned.
    ///
    /// # Panics
    /// When a place lies outside `shape`.
    pub(super) fn scores(
        self,
        slab: usize,
        shape: SlabShape<'_>,
        places: &[usize],
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), StoreError>,
    ) -> Result<Vec<i8>, StoreError> {
        self.with_record(slab, shape, fill, |record| {
            let (payload, bytes) = record.payload();
            let scores = payload.scores(bytes, self.header.shape(shape), places).map_err(self.origin.in_slab(slab))?;
            self.bound.check(&scores).map_err(self.origin.in_slab(slab))?;
            Ok(scores)
        })
    }

    /// Calls `read` with the record of a slab.
    fn with_record<T>(
        self,
        slab: usize,
        shape: SlabShape<'_>,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), StoreError>,
        read: impl FnOnce(&Record<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        with_encoded(|bytes| {
            fill(bytes)?;
            let record = RecordLayout::of(self.header, slab, shape)
                .and_then(|layout| Record::new(layout, bytes))
                .map_err(self.origin.in_slab(slab))?;
            if !record.head.has_parity_of(shape) {
                let (expected, got) = ("the parity of the index".into(), "another parity".into());
                return Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got });
            }
            read(&record)
        })
    }
}
