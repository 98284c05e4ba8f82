//! Decoding records: whole slabs, or the scores at some places. Where the bytes of a record come from is up to the caller.

use std::cell::RefCell;

use dab_space::SlabShape;

use super::header::Header;
use super::record::Record;
use super::record_layout::RecordLayout;
use crate::matrix::{self, Decoder};
use crate::origin::Origin;
use crate::parity::Parities;
use crate::score_bound::ScoreBound;
use crate::{Buffer, Crew, Damage, StoreError, block};

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
        let mut scores = Buffer::default();
        self.with_record(slab, shape, fill, |record, parities| {
            scores = used.with_len(shape.positions());
            self.decode_all(record, slab, parities, crew, &mut scores)
        })?;
        Ok(scores)
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
        assert!(places.iter().all(|&place| place < shape.positions()), "a place lies outside the slab");
        let (mut found, mut scores) = (vec![0; places.len()], Vec::new());
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&i| places[i]);
        self.with_record(slab, shape, fill, |record, parities| {
            let layout = record.head.layout;
            if let Some(tiling) = layout.tiling {
                let decoder = Decoder::new(tiling, record.head.key(), parities).map_err(self.origin.in_slab(slab))?;
                return self.read_scores_in_tiles(record, slab, &decoder, places, &mut found);
            }
            let block_of = |i: usize| layout.block_of(places[i]);
            for wanted in order.chunk_by(|&a, &b| block_of(a) == block_of(b)) {
                let block = block_of(wanted[0]);
                let range = layout.block_range(block);
                scores.resize(range.len(), 0);
                self.decode(record, slab, block, parities, &mut scores)?;
                wanted.iter().for_each(|&i| found[i] = scores[places[i] - range.start]);
            }
            Ok(())
        })?;
        self.bound.check(&found).map_err(self.origin.in_slab(slab))?;
        Ok(found)
    }

    /// Decodes a whole record.
    pub(super) fn decode_all(
        self,
        record: &Record<'_>,
        slab: usize,
        parities: &Parities,
        crew: Crew,
        scores: &mut [i8],
    ) -> Result<(), StoreError> {
        let layout = record.head.layout;
        let crew = crew.for_slab(scores.len());
        if let Some(tiling) = layout.tiling {
            Decoder::new(tiling, record.head.key(), parities)
                .map_err(self.origin.in_slab(slab))?
                .slab(crew, |block| tile_of(record, block), scores)
                .map_err(|(block, damage)| self.origin.in_block(slab, block)(damage))?;
        } else {
            (0..record.n_blocks()).try_for_each(|block| {
                let scores = &mut scores[layout.block_range(block)];
                self.decode(record, slab, block, parities, scores)
            })?;
        }
        self.bound.check_by(crew, scores).map_err(self.origin.in_slab(slab))
    }

    /// Calls `read` with the record of a slab and the parities of its scores.
    fn with_record(
        self,
        slab: usize,
        shape: SlabShape<'_>,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), StoreError>,
        read: impl FnOnce(&Record<'_>, &Parities) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        with_encoded(|bytes| {
            fill(bytes)?;
            let record = RecordLayout::of(shape, self.header.blocking())
                .and_then(|layout| Record::new(self.header.layer, slab, layout, bytes))
                .map_err(self.origin.in_slab(slab))?;
            if !record.head.has_parity_of(shape) {
                let (expected, got) = ("the parity of the index".into(), "another parity".into());
                return Err(StoreError::Shape { path: self.origin.path.clone(), slab, expected, got });
            }
            read(&record, &Parities::of(shape, self.header.is_odd))
        })
    }

    /// As [`SlabDecoder::scores`], of a slab in tiles.
    fn read_scores_in_tiles(
        self,
        record: &Record<'_>,
        slab: usize,
        decoder: &Decoder,
        places: &[usize],
        found: &mut [i8],
    ) -> Result<(), StoreError> {
        let located = decoder.locate(places);
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&i| located[i].block);
        for wanted in order.chunk_by(|&a, &b| located[a].block == located[b].block) {
            let block = located[wanted[0]].block;
            let read = |columns: &[matrix::Column]| {
                wanted.iter().for_each(|&i| found[i] = columns[located[i].col][located[i].lane]);
            };
            tile_of(record, block)
                .and_then(|bytes| decoder.tile(block, bytes, read))
                .map_err(self.origin.in_block(slab, block))?;
        }
        Ok(())
    }

    /// Decodes one block that is a run of positions.
    fn decode(
        self,
        record: &Record<'_>,
        slab: usize,
        block: usize,
        parities: &Parities,
        scores: &mut [i8],
    ) -> Result<(), StoreError> {
        let first = record.head.layout.block_range(block).start;
        record
            .block(block)
            .and_then(|found| block::decode(found.mode, found.bytes, parities, first, scores))
            .map_err(self.origin.in_block(slab, block))
    }
}

/// The bytes of a tile.
fn tile_of<'a>(record: &Record<'a>, block: usize) -> Result<&'a [u8], Damage> {
    let found = record.block(block)?;
    matrix::check_mode(found.mode)?;
    Ok(found.bytes)
}
