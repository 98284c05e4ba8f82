//! No damage to a finished score file goes unnoticed, and none makes a read return a wrong score.

use super::common;

use std::fs;
use std::path::Path;

use dab_space::Layer;

use crate::{StoreError, StoredLayer};
use common::{Slabs, game, record_of, run};

/// A finished file, its bytes and its slabs.
fn with_file(check: impl Fn(&Path, &[u8], &Slabs, &dyn Fn() -> Result<StoredLayer, StoreError>)) {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
    let path = directory.path().join("layer-00.score");
    let bytes = fs::read(&path).unwrap();
    let open = || StoredLayer::open(&path, Layer(0), game.run_id());
    open().unwrap().verify().unwrap();
    check(&path, &bytes, &slabs, &open);
}

#[test]
fn flipped_bits_of_every_byte_are_detected() {
    check_flips(7);
}

#[test]
#[ignore = "long: every bit of a file"]
fn every_flipped_bit_is_detected() {
    check_flips(1);
}

/// Flips bits, one at a time: every one, or with a step of 7 at least one of each byte.
fn check_flips(step: usize) {
    with_file(|path, bytes, slabs, open| {
        let shapes = slabs.shapes();
        for bit in (0..8 * bytes.len()).step_by(step) {
            let mut flipped = bytes.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(path, flipped).unwrap();
            let Ok(file) = open() else { continue };
            assert!(file.verify().is_err(), "bit {bit}");
            for (slab, scores) in slabs.scores.iter().enumerate() {
                let shape = shapes[slab];
                if let Ok(read) = file.record(slab).unwrap().slab(shape) {
                    assert_eq!(*read, **scores, "bit {bit}");
                }
                // Of the tile, whose scores are decoded one after the other, some will do.
                for (i, score) in scores.iter().enumerate().step_by(1 + scores.len() / 50) {
                    if let Ok(read) = file.record(slab).unwrap().score(shape, i / shape.cols(), i % shape.cols()) {
                        assert_eq!(read, *score, "bit {bit}");
                    }
                }
            }
        }
    });
}

#[test]
fn every_truncation_and_zero_filled_tail_is_detected() {
    with_file(|path, bytes, _, open| {
        for len in 0..bytes.len() {
            fs::write(path, &bytes[..len]).unwrap();
            assert!(matches!(open(), Err(StoreError::Damaged { .. })), "{len}");
            let mut zero_filled = bytes[..len].to_vec();
            zero_filled.resize(bytes.len(), 0);
            fs::write(path, &zero_filled).unwrap();
            assert!(open().is_err(), "{len}");
        }
        fs::write(path, [bytes, b"more"].concat()).unwrap();
        assert!(open().is_err());
    });
}

#[test]
fn random_files_are_refused() {
    with_file(|path, bytes, _, open| {
        let mut random = common::Random(6);
        for _ in 0..300 {
            let len = random.below(400) as usize;
            let noise: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            fs::write(path, [&bytes[..bytes.len() * random.below(2) as usize], &noise].concat()).unwrap();
            assert!(open().is_err() || noise.is_empty());
        }
    });
}

#[test]
fn errors_name_file_slab_and_block() {
    with_file(|path, bytes, slabs, open| {
        // The last byte of a record belongs to its last block.
        let mut flipped = bytes.to_vec();
        flipped[record_of(bytes, 3).end - 1] ^= 1;
        fs::write(path, flipped).unwrap();
        let file = open().unwrap();
        let shape = slabs.shapes()[3];
        for error in [
            file.verify().unwrap_err(),
            file.record(3).unwrap().slab(shape).unwrap_err(),
            file.record(3).unwrap().score(shape, 3, 8).unwrap_err(),
        ] {
            let error = error.to_string();
            assert!(error.contains("layer-00.score, slab 3, block 2 is damaged: checksum"), "{error}");
        }
        assert_eq!(file.record(3).unwrap().score(shape, 0, 0).unwrap(), slabs.scores[3][0]);
    });
}

#[test]
fn every_damaged_block_is_named() {
    with_file(|path, bytes, _, open| {
        // The last bytes of slab 3 belong to its last blocks; slab 0 is a tile, behind its head.
        let mut flipped = bytes.to_vec();
        let ends = (0..3).scan(record_of(bytes, 3).end, |end, back| {
            let at = *end - 1;
            *end -= block_len(bytes, 2 - back);
            Some(at)
        });
        ends.collect::<Vec<_>>().into_iter().for_each(|at| flipped[at] ^= 1);
        fs::write(path, flipped).unwrap();
        let file = open().unwrap();
        let faults: Vec<String> = file.faults(3).iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 3, "{faults:?}");
        for (block, fault) in faults.iter().enumerate() {
            assert!(fault.contains(&format!("layer-00.score, slab 3, block {block} is damaged: checksum")), "{fault}");
        }
        assert!((0..3).all(|slab| file.faults(slab).is_empty()));
        assert!(file.verify().is_err());
    });
}

fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

/// Bytes of a block of slab 3, which has three.
fn block_len(bytes: &[u8], block: usize) -> usize {
    let record_at = record_of(bytes, 3).start;
    let size = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (rows, cols) = (size(record_at + 8), size(record_at + 12));
    let table_at = record_at + common::FRONT + rows.div_ceil(8) + cols.div_ceil(8);
    let end = |block: usize| number(bytes, table_at + 13 * block);
    if block == 0 { end(0) } else { end(block) - end(block - 1) }
}

#[test]
fn files_truncated_after_they_were_opened_are_named() {
    with_file(|path, bytes, slabs, open| {
        let file = open().unwrap();
        // The last block of slab 0 ends where the directory begins; of it just one byte is gone.
        let directory_at = record_of(bytes, 0).end;
        let truncated = fs::File::options().write(true).open(path).unwrap();
        truncated.set_len(directory_at as u64 - 1).unwrap();
        let shape = slabs.shapes()[0];
        let ends = format!("the file ends early: expected {directory_at} bytes, got {}", directory_at - 1);
        for (error, part) in [
            (file.record(0).unwrap().score(shape, 15, 63).unwrap_err(), "layer-00.score, slab 0, block 0 is damaged: "),
            (file.record(0).unwrap().slab(shape).unwrap_err(), "layer-00.score, slab 0 is damaged: "),
            (file.record(0).unwrap().scores(shape, &[0]).unwrap_err(), "layer-00.score, slab 0 is damaged: "),
            (file.verify().unwrap_err(), "layer-00.score, slab 0 is damaged: "),
        ] {
            let error = error.to_string();
            assert!(error.contains(&format!("{part}{ends}")), "{error}");
        }
        assert_eq!(file.record(3).unwrap().score(slabs.shapes()[3], 0, 0).unwrap(), slabs.scores[3][0]);
        truncated.set_len(0).unwrap();
        assert!((0..4).all(|slab| file.record(slab).unwrap().score(slabs.shapes()[slab], 0, 0).is_err()));
    });
}

#[test]
fn a_file_in_the_wrong_place_is_refused() {
    let game = game("2x2", 0);
    let directory = tempfile::tempdir().unwrap();
    Slabs::small(&game).write(&run(directory.path(), &game), Layer(0)).unwrap();
    let path = directory.path().join("layer-00.score");
    assert!(StoredLayer::open(&path, Layer(0), game.run_id()).is_ok());
    assert!(matches!(StoredLayer::open(&path, Layer(1), game.run_id()), Err(StoreError::Damaged { .. })));
    let other = common::game("2x3", 0).run_id();
    assert!(matches!(StoredLayer::open(&path, Layer(0), other), Err(StoreError::ForeignFile { .. })));
}
