//! The time of a score on its way into a file and back, for the largest layer of 3x4, by direction. `DAB_ISA` chooses the
//! instruction set.
//!
//! Writing ends in the cache of the operating system; the time of the disk is not measured.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use dab_solve::kernel::Isa;
use dab_space::{Layer, Rules, SlabId, SlabShape};
use dab_store::{Game, RunDir, ScoreRead, ScoreWrite, Scores, StoredLayer};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    codec(&mut criterion);
    criterion.final_summary();
}

fn codec(criterion: &mut Criterion) {
    let (space, solved) = dab_benches::solved("3x4");
    let layout = space.layout();
    let layers = (0..space.n_layers()).map(Layer);
    let layer = layers.max_by_key(|&layer| layout.layer_positions(layer.0)).expect("a space has layers");
    let shapes: Vec<SlabShape<'_>> = layout.layers()[layer.0].iter().map(|&key| space.shape(key)).collect();
    let slabs: Vec<Scores> = shapes
        .iter()
        .enumerate()
        .map(|(i, &shape)| solved.read_slab(SlabId::new(layer, i), shape).expect("it is solved"))
        .collect();
    let game = Game::of(&space, Rules { penalty: 0, marks: false });
    let positions = layout.layer_positions(layer.0) as u64;

    // Writes the layer into a new run, and returns the time of encoding alone, without opening and syncing files.
    let write = |run: &RunDir| {
        let sink = run.begin_layer(layer, &shapes).expect("the temporary directory can be written");
        let begin = Instant::now();
        for (slab, scores) in slabs.iter().enumerate() {
            sink.put(slab, scores.clone()).expect("the temporary directory can be written");
        }
        let elapsed = begin.elapsed();
        sink.finish().expect("the temporary directory can be written");
        elapsed
    };
    let in_new_run = |done: &mut dyn FnMut(&RunDir)| {
        let dir = tempfile::tempdir().expect("there is a temporary directory");
        done(&RunDir::create_or_resume(dir.path(), &game, space.n_layers()).expect("the directory is empty"));
    };
    let read = |file: &StoredLayer, slab: usize| {
        file.record(slab).and_then(|record| record.slab(shapes[slab])).expect("it has just been written")
    };

    let mut group = criterion.benchmark_group(format!("codec/3x4 layer {layer}, {:?}", Isa::best()));
    group.throughput(Throughput::Elements(positions)).sample_size(20).warm_up_time(Duration::from_secs(1));
    group.bench_function("encode", |b| {
        b.iter_custom(|n| {
            let mut elapsed = Duration::ZERO;
            (0..n).for_each(|_| in_new_run(&mut |run| elapsed += write(run)));
            elapsed
        });
    });
    in_new_run(&mut |run| {
        write(run);
        let file = run.stored_layer(layer).expect("it has just been written");
        for (slab, scores) in slabs.iter().enumerate() {
            assert_eq!(*read(&file, slab), **scores, "slab {slab}");
        }
        group.bench_function("decode", |b| {
            b.iter(|| (0..slabs.len()).map(|slab| read(&file, slab).len()).sum::<usize>())
        });
        group.bench_function("verify", |b| b.iter(|| file.verify().expect("it has just been written")));
    });
}
