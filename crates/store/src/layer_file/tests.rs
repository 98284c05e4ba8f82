//! Tests sizes beyond 32 and offsets beyond 40 bits: a slab of more positions than 32 bits count, in a file of more bytes
//! than 40 bits count. The file is sparse and the scores of the slab are alike, so the test is small.

use std::fs::File;
use std::os::unix::fs::FileExt;

use bitvec::prelude::*;
use dab_space::{Layer, SlabShape};

use super::directory::Directory;
use super::header::PLAIN_FORMAT;
use super::record::RecordHead;
use super::record_encoder::hollow;
use super::record_layout::RecordLayout;
use super::{BLOCK_POSITIONS, Header, LayerFile};
use crate::digest::SlabDigest;
use crate::{Digest, RunId};

const ROWS: u32 = 80_000;
const COLS: u32 = 70_000;

#[test]
fn blocks_and_records_beyond_40_bits_are_found() {
    let run = RunId([3; RunId::LEN]);
    let header =
        Header { format: PLAIN_FORMAT, layer: 24, n_slabs: 3, block_positions: BLOCK_POSITIONS, is_odd: false, run };
    let layout = RecordLayout::new(ROWS, COLS, header.blocking()).unwrap();
    let positions = u64::from(ROWS) * u64::from(COLS);
    assert!(positions > 1 << 32);
    assert_eq!(layout.block_range(layout.n_blocks() - 1).end as u64, positions);

    let (row_parity, col_parity) = (bitvec![0; ROWS as usize], bitvec![0; COLS as usize]);
    let shape = SlabShape { row_parity: &row_parity, col_parity: &col_parity };
    let digest = SlabDigest { rows: ROWS, cols: COLS, digest: Digest([9; Digest::LEN]) };
    // All scores are 0 but those of the last block, which are 4.
    let record = hollow(&header, 2, shape, digest);

    let mut directory = Directory::new();
    let small = SlabDigest { rows: 1, cols: 1, digest: Digest([1; Digest::LEN]) };
    directory.push((1 << 40) + 1000, small);
    directory.push(5 << 30, small);
    let at = directory.end();
    directory.push(record.len() as u64, digest);
    assert!(at > 1 << 40 && directory.positions() == positions + 2);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("layer-24.score");
    let file = File::create(&path).unwrap();
    file.write_all_at(&header.to_bytes(), 0).unwrap();
    file.write_all_at(&record, at).unwrap();
    file.write_all_at(&directory.to_bytes(&header), directory.end()).unwrap();

    let layer = LayerFile::open(&path, Layer(24), run).unwrap();
    assert!(layer.summary().bytes > 1 << 40 && layer.summary().positions == positions + 2);
    let (rows, cols) = (ROWS as usize, COLS as usize);
    assert_eq!(layer.read_score(2, shape, rows - 1, cols - 1).unwrap(), 4);
    assert_eq!(layer.read_score(2, shape, rows - 2, 17).unwrap(), 0);
    // Blocks around position 2^32.
    let row = (1usize << 32) / cols;
    for row in row - 1..=row + 1 {
        assert_eq!(layer.read_score(2, shape, row, cols / 2).unwrap(), 0);
    }
    let head = RecordHead::parse(24, 2, layout, &record).unwrap();
    assert_eq!(head.byte_len().unwrap(), record.len() as u64);
}
