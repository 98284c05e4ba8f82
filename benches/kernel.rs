//! The time of a kernel for a position, in one slab of the middle layer, by board and kernel.
//!
//! The slabs that the kernel reads hold invented scores, so nothing has to be solved first. Invented scores are
//! fair because no kernel branches on a score.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use dab_solve::SlabKeeper;
use dab_solve::kernel::rows::RowKernel;
use dab_solve::kernel::{Isa, Kernel};
use dab_space::{Layer, Rules, SlabId, SlabKey, SlabShape, Space, UnitMask};
use dab_store::{LayerSummary, ScoreRead, Scores, StoreError};

/// Positions of a slab too large for the caches of the processor, and small enough for the reference kernel.
const TARGET: u64 = 500_000;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    ["3x5", "4x4"].into_iter().for_each(|board| kernels(&mut criterion, board));
    criterion.final_summary();
}

fn kernels(criterion: &mut Criterion, board: &str) {
    let space = dab_benches::space(board);
    let key = slab(&space);
    let positions = space.shape(key).positions() as u64;
    let invented = Invented(&space);
    let keeper = SlabKeeper::new(&space, &invented, u64::MAX);
    let rules = Rules { penalty: 0, marks: false };
    let expected = Kernel::Reference(&space, rules).slab(&keeper, key).expect("inventing does not fail");

    let mut group = criterion.benchmark_group(format!("kernel/{board}"));
    group.throughput(Throughput::Elements(positions)).sample_size(10).warm_up_time(Duration::from_secs(1));
    let mut measure = |name: &str, kernel: Kernel<'_>| {
        let scores = || kernel.slab(&keeper, key).expect("inventing does not fail");
        assert!(*scores() == *expected, "{name} differs from the reference");
        group.bench_with_input(BenchmarkId::new(name, positions), &key, |b, _| b.iter(|| black_box(scores())));
    };
    for isa in Isa::available() {
        measure(&format!("rows {isa:?}"), Kernel::Rows(RowKernel::new(&space, rules, isa)));
    }
    measure("reference", Kernel::Reference(&space, rules));
}

/// The slab of the middle layer whose size is closest to [`TARGET`].
fn slab(space: &Space) -> SlabKey {
    let layers = space.layout().layers();
    let keys = layers[layers.len() / 2].iter().copied();
    keys.min_by_key(|&key| space.layout().positions(key).abs_diff(TARGET)).expect("every layer has slabs")
}

/// Invented scores of the right parity, equal on mirror images.
struct Invented<'a>(&'a Space);

impl Invented<'_> {
    fn score(&self, filled: UnitMask, is_odd: bool) -> i8 {
        let layout = self.0.layout();
        let images = layout.symmetries().iter().map(|symmetry| symmetry.apply(filled));
        let least = images.map(|image| layout.parallel_classes().canonical(image)).min().unwrap_or(filled);
        let mixed = least.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61;
        2 * mixed as i8 - 8 + i8::from(is_odd)
    }
}

impl ScoreRead for Invented<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        let places = (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col)));
        places.map(|(row, col)| self.read_score(id, shape, row, col)).collect::<Result<_, _>>().map(Scores::new)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        let key = self.0.layout().key(id);
        Ok(self.score(self.0.mask_at(key, row, col), shape.is_odd(row, col)))
    }

    fn finished(&self, _layer: Layer) -> Option<LayerSummary> {
        None
    }
}
