//! The time of a slab file when several processes solve a run, for the largest layer of 3x4: until it is safely on disk, and
//! until it is found and listed.
//!
//! Its bytes hardly count: the slabs are small.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use dab_space::{Layer, Rules, SlabId};
use dab_store::{EncodedSlabs, Game, RunDir, ScoreRead};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    together(&mut criterion);
    criterion.final_summary();
}

fn together(criterion: &mut Criterion) {
    let (space, solved) = dab_benches::solved("3x4");
    let layout = space.layout();
    let layers = (0..space.n_layers()).map(Layer);
    let layer = layers.max_by_key(|&layer| layout.layer_positions(layer.0)).expect("a space has layers");
    let keys = &layout.layers()[layer.0];
    let game = Game::of(&space, Rules { penalty: 0 });

    // Makes each slab of the layer a slab file of a new run; returns the time of writing them and that of listing them.
    let in_new_run = || {
        let dir = tempfile::tempdir().expect("there is a temporary directory");
        let run = RunDir::create_or_resume(dir.path(), &game, space.n_layers()).expect("the directory is empty");
        let encode = |slab: usize| {
            let shape = space.shape(keys[slab]);
            let scores = solved.read_slab(SlabId::new(layer, slab), shape).expect("it is solved");
            run.encode_slabs((layer, keys.len()), slab, [(shape, scores)])
        };
        let slabs: Vec<EncodedSlabs> = (0..keys.len()).map(encode).collect();
        let begin = Instant::now();
        slabs.iter().for_each(|slabs| run.write_slabs(slabs).expect("the temporary directory can be written"));
        let written = begin.elapsed();
        let begin = Instant::now();
        let mut list = run.list_slab_files(layer, keys.len()).expect("the slab files are there");
        for (slab, expected) in slabs.iter().enumerate().rev() {
            assert_eq!(list.add(slab).expect("it was just written"), Some(expected.digest()), "slab {slab}");
        }
        let listed = begin.elapsed();
        list.finish().expect("the temporary directory can be written");
        [written, listed]
    };

    let mut group = criterion.benchmark_group(format!("together/3x4 layer {layer}"));
    group.throughput(Throughput::Elements(keys.len() as u64)).sample_size(10).warm_up_time(Duration::from_secs(1));
    for (part, question) in ["write a slab file", "list a slab file"].into_iter().enumerate() {
        group.bench_function(question, |b| b.iter_custom(|n| (0..n).map(|_| in_new_run()[part]).sum()));
    }
}
