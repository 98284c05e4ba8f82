//! Slabs are read as they were written, from files as from memory, in any order of writing and by any thread.

use super::common;

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{MemoryStore, RunDir, ScoreRead, ScoreWrite, Scores};
use bitvec::vec::BitVec;
use common::{Random, Slabs, game, record_of, run};
use dab_space::{Layer, SlabId};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..common::seeds_beside() })]

    #[test]
    fn files_and_memory_agree(
        sizes in prop::collection::vec((0..24usize, 0..90usize), 0..6),
        range in 1..=126i8,
        penalty in -3..4i8,
        block_positions in 1..200u32,
        seed: u64,
    ) {
        let game = game("2x2", penalty);
        let slabs = Slabs::new(&game, &sizes, range, seed);
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create_or_resume(directory.path(), &game, 1).unwrap().with_block_positions(block_positions);
        let memory = MemoryStore::new(1).with_marks(game.marks);
        let (on_disk, in_memory) = (slabs.write(&run, Layer(0)).unwrap(), slabs.write(&memory, Layer(0)).unwrap());
        prop_assert_eq!((on_disk.digest, on_disk.marks_digest), (in_memory.digest, in_memory.marks_digest));
        prop_assert_eq!((on_disk.slabs, on_disk.positions), (in_memory.slabs, in_memory.positions));
        let file_len = fs::metadata(directory.path().join("layer-00.score")).unwrap().len();
        prop_assert_eq!(on_disk.bytes, file_len);
        slabs.check(&run, Layer(0));
        slabs.check(&memory, Layer(0));
        drop(run);
        let reopened = RunDir::open(directory.path()).unwrap();
        slabs.check(&reopened, Layer(0));
        reopened.stored_layer(Layer(0)).unwrap().verify().unwrap();
        prop_assert_eq!(reopened.finished(Layer(0)), Some(on_disk));
        prop_assert!(reopened.digest().is_some());
    }
}

#[test]
fn blocks_of_full_size() {
    let game = game("2x2", 0);
    let slabs = Slabs::new(&game, &[(331, 150), (1, 40_000), (40_000, 1)], 6, 3);
    let directory = tempfile::tempdir().unwrap();
    let run = RunDir::create_or_resume(directory.path(), &game, 1).unwrap();
    slabs.write(&run, Layer(0)).unwrap();
    for (slab, (shape, scores)) in slabs.shapes().into_iter().zip(&slabs.scores).enumerate() {
        assert_eq!(&run.read_slab(SlabId::new(0, slab), shape).unwrap(), scores);
        let (row, col) = (shape.rows() / 2, shape.cols() / 2);
        assert_eq!(run.read_score(SlabId::new(0, slab), shape, row, col).unwrap(), scores[row * shape.cols() + col]);
    }
    run.stored_layer(Layer(0)).unwrap().verify().unwrap();
}

#[test]
fn neither_order_nor_threads_change_a_score() {
    let game = game("2x2", 1);
    let slabs = Slabs::new(&game, &[(5, 40); 30], 9, 4);
    let shapes = slabs.shapes();
    let file = |put: &dyn Fn(&dyn crate::LayerSink)| {
        let directory = tempfile::tempdir().unwrap();
        let run = run(directory.path(), &game);
        let sink = run.begin_layer(Layer(0), &shapes).unwrap();
        put(sink.as_ref());
        let summary = sink.finish().unwrap();
        slabs.check(&run, Layer(0));
        (summary, fs::read(directory.path().join("manifest.json")).unwrap())
    };
    let in_order = file(&|sink| (0..30).for_each(|slab| sink.put(slab, slabs.scores[slab].clone()).unwrap()));
    let backwards = file(&|sink| (0..30).rev().for_each(|slab| sink.put(slab, slabs.scores[slab].clone()).unwrap()));
    assert!(in_order == backwards);

    let mut random = Random(5);
    for n_threads in 1..6 {
        let mut order: Vec<usize> = (0..30).collect();
        (1..30).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
        let next = AtomicUsize::new(0);
        let work = |sink: &dyn crate::LayerSink| {
            while let Some(&slab) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                sink.put(slab, slabs.scores[slab].clone()).unwrap();
            }
        };
        let threaded = file(&|sink| {
            std::thread::scope(|scope| (0..n_threads).for_each(|_| drop(scope.spawn(|| work(sink)))));
        });
        assert!(in_order == threaded, "{n_threads} threads");
    }
}

#[test]
fn other_shapes_are_refused() {
    let game = game("2x2", 0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    let run = run(directory.path(), &game);
    slabs.write(&run, Layer(0)).unwrap();
    let shapes = slabs.shapes();
    let error = run.read_slab(SlabId::new(0, 1), shapes[3]).unwrap_err().to_string();
    assert!(error.contains("layer-00.score, slab 1: expected 4 x 9, got 3 x 11"), "{error}");
    assert!(run.read_score(SlabId::new(0, 1), shapes[3], 0, 0).is_err());
    let error = run.read_slab(SlabId::new(0, 4), shapes[3]).unwrap_err().to_string();
    assert!(error.contains("4 slabs and no slab 4"), "{error}");
    let others = Slabs::new(&game, &[(3, 11)], 20, 9);
    let error = run.read_slab(SlabId::new(0, 1), others.shapes()[0]).unwrap_err().to_string();
    assert!(error.contains("parity"), "{error}");
}

/// The example of the format: a reader that was written from the page alone decodes these bytes.
#[test]
fn a_tile_is_as_the_format_shows_it() {
    let directory = tempfile::tempdir().unwrap();
    let game = game("2x2", 0);
    if game.marks {
        return; // The example has none.
    }
    let run = run(directory.path(), &game);
    let bits = |len: usize| (0..len).map(|i| i % 2 == 1).collect::<BitVec>();
    let score = |row: usize, col: usize| if (row, col) == (3, 5) { 20 } else { (row % 4) as i8 - (col % 8) as i8 };
    let scores = Scores::new((0..16 * 64).map(|i| score(i / 64, i % 64)).collect());
    let slabs = Slabs { parities: vec![(bits(16), bits(64))], scores: vec![scores] };
    slabs.write(&run, Layer(0)).unwrap();
    let file = fs::read(directory.path().join("layer-00.score")).unwrap();
    let page = include_str!("../../../docs/FORMAT.md");
    let example = page.split("**Example.**").nth(1).and_then(|text| text.split("```").nth(1)).unwrap();
    let hex = |word: &&str| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = example.lines().flat_map(|line| line.split_ascii_whitespace().take_while(hex));
    let tile: Vec<u8> = words.map(|word| u8::from_str_radix(word, 16).unwrap()).collect();
    let end = record_of(&file, 0).end;
    assert_eq!(file[end - 54..end], tile);
}
