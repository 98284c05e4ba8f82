//! Tests sizes beyond 32 and offsets beyond 40 bits: a slab of more positions than 32 bits count, in a file of more bytes
//! than 40 bits count. The file is sparse and the blocks of the slab are alike, so the test is small.

use std::fs::File;
use std::os::unix::fs::FileExt;

use bitvec::prelude::*;
use dab_space::{Layer, SlabShape};

use super::directory;
use super::entry::Entry;
use super::record::{Record, encode};
use super::record_layout::RecordLayout;
use super::{BLOCK_POSITIONS, Header, StoredLayer};
use crate::digest::{Digests, SlabDigest};
use crate::{Digest, RunId};

/// Too few columns for tiles.
const ROWS: u32 = 90_000_000;
const COLS: u32 = 60;
/// Bytes of an entry of the block table.
const ENTRY_LEN: usize = 13;

#[test]
fn blocks_and_records_beyond_40_bits_are_found() {
    let run = RunId([3; RunId::LEN]);
    let header = Header { layer: 24, n_slabs: 3, block_positions: BLOCK_POSITIONS, is_odd: false, marks: false, run };
    let layout = RecordLayout::new(&header, 2, (ROWS, COLS)).unwrap();
    let positions = u64::from(ROWS) * u64::from(COLS);
    assert!(positions > 1 << 32);

    let (row_parity, col_parity) = (bitvec![0; ROWS as usize], bitvec![0; COLS as usize]);
    let shape = SlabShape { row_parity: &row_parity, col_parity: &col_parity };
    let digests = |byte| Digests { scores: Digest([byte; Digest::LEN]), marks: None };
    let digest = SlabDigest { rows: ROWS, cols: COLS, digests: digests(9) };
    let record = hollow(&header, &layout, digest);

    let small = SlabDigest { rows: 1, cols: 1, digests: digests(1) };
    let (mut entries, mut end) = (Vec::new(), Header::LEN as u64);
    for (slab, byte_len, digest) in
        [(0, (1 << 40) + 1000, small), (1, 5 << 30, small), (2, record.len() as u64, digest)]
    {
        entries.push(Entry { slab, offset: end, byte_len, digest });
        end += byte_len;
    }
    let at = entries[2].offset;
    assert!(at > 1 << 40);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("layer-24.score");
    let file = File::create(&path).unwrap();
    file.write_all_at(&header.to_bytes(), 0).unwrap();
    file.write_all_at(&record, at).unwrap();
    file.write_all_at(&directory::to_bytes(&header, &entries, end), end).unwrap();

    let layer = StoredLayer::open(&path, Layer(24), run).unwrap();
    assert!(layer.summary().bytes > 1 << 40 && layer.summary().positions == positions + 2);
    let (rows, cols) = (ROWS as usize, COLS as usize);
    assert_eq!(layer.record(2).unwrap().score(shape, rows - 1, cols - 1).unwrap(), 4);
    assert_eq!(layer.record(2).unwrap().score(shape, rows / 2, 17).unwrap(), 0);
    // Blocks around position 2^32.
    let row = (1usize << 32) / cols;
    for row in row - 1..=row + 1 {
        assert_eq!(layer.record(2).unwrap().score(shape, row, cols / 2).unwrap(), 0);
    }
    assert!(Record::new(&header, &entries[2], &record).is_ok());
}

/// The record of slab 2 without having its scores, written by hand: they are 0 in all blocks but the last one, and 4 there.
fn hollow(header: &Header, layout: &RecordLayout, digest: SlabDigest) -> Vec<u8> {
    let n_blocks = (u64::from(ROWS) * u64::from(COLS)).div_ceil(BLOCK_POSITIONS.into()) as usize;
    assert_eq!(layout.head_len(), layout.payload_at + n_blocks * ENTRY_LEN + 4);
    let last_len = (ROWS as usize * COLS as usize) % BLOCK_POSITIONS as usize;
    // Mode and bytes of a block, from a slab that is just this block.
    let block_of = |score: i8, len: usize| {
        let (rows, cols) = (bitvec![0; 1], bitvec![0; len]);
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let record = encode(header, 0, shape, &vec![score; len]).bytes;
        let head_len = RecordLayout::new(header, 0, (1, len as u32)).unwrap().head_len();
        (record[head_len - 5], record[head_len..].to_vec())
    };
    let (other, last) = (block_of(0, BLOCK_POSITIONS as usize), block_of(4, last_len));
    let (mut table, mut body) = (Vec::new(), Vec::new());
    for block in 0..n_blocks {
        let (mode, bytes) = if block + 1 == n_blocks { &last } else { &other };
        body.extend_from_slice(bytes);
        let place = [&24u32.to_le_bytes()[..], &2u64.to_le_bytes(), &(block as u64).to_le_bytes(), &[*mode], bytes];
        table.extend_from_slice(&(body.len() as u64).to_le_bytes());
        table.extend_from_slice(&crc32fast::hash(&place.concat()).to_le_bytes());
        table.push(*mode);
    }
    let byte_len = (layout.head_len() + body.len()) as u64;
    let mut record = Entry { slab: 2, offset: 0, digest, byte_len }.front(header);
    record.resize(layout.payload_at, 0);
    record.extend_from_slice(&table);
    record.extend_from_slice(&crc32fast::hash(&record).to_le_bytes());
    record.extend_from_slice(&body);
    record
}
