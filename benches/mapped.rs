//! The time of a score from files that are read by position, and from files that are mapped: of a book and of a run, one by one
//! and many together. Files are in the system's cache.

use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use dab_board::LineSet;
use dab_solve::solve;
use dab_space::Rules;
use dab_store::{Access, Game, RunDir};
use dab_table::{Files, IndexLimits, Tablebase};

/// A book that the sources hold.
const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/books/4x4.book");
/// The board of the run, which is solved for this.
const BOARD: &str = "3x4";
/// Positions asked one by one.
const SINGLE: usize = 1_000;
/// Positions asked together.
const BATCH: usize = 100_000;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let dir = tempfile::tempdir().expect("there is a temporary directory");
    let space = dab_benches::space(BOARD);
    let rules = Rules { penalty: 0, marks: false };
    let run = RunDir::create_or_resume(dir.path(), &Game::of(&space, rules), space.n_layers()).expect("it is empty");
    solve(&space, rules, &run, u64::MAX, &()).expect("the temporary directory can be written");
    drop(run);
    probes(&mut criterion, "book of 4x4", Path::new(BOOK));
    probes(&mut criterion, "run of 3x4", dir.path());
    criterion.final_summary();
}

fn probes(criterion: &mut Criterion, name: &str, path: &Path) {
    let open = |access| {
        let files = Files::open_with(path, access).expect("it is a run or a book");
        Tablebase::from_files(files, IndexLimits::default()).expect("its index is small")
    };
    // SAFETY: this program alone has the run, and nobody changes the book while it is measured.
    let ways = [("by position", Access::BY_POSITION), ("mapped", unsafe { Access::mapped() })];
    let tables = ways.map(|(way, access)| (way, open(access)));

    let positions = tables[0].1.sample(BATCH, None, 1).expect("it stores positions");
    let single = |table: &Tablebase, positions: &[LineSet]| -> i64 {
        let book = table.book();
        positions.iter().map(|&drawn| i64::from(book.probe_drawn(drawn).expect("it is held").0)).sum()
    };
    let batch = |table: &Tablebase| table.probe_many(&positions).expect("all are held");
    let [(_, by_position), (_, mapped)] = &tables;
    let expected = batch(by_position);
    assert_eq!(batch(mapped), expected, "the map differs from the file");
    let sum = expected[..SINGLE].iter().map(|score| i64::from(score.0)).sum::<i64>();
    assert!(tables.iter().all(|(_, table)| single(table, &positions[..SINGLE]) == sum));

    let mut group = criterion.benchmark_group(format!("mapped/{name}"));
    group.sample_size(20).warm_up_time(Duration::from_secs(1));
    for (way, table) in &tables {
        group.throughput(Throughput::Elements(SINGLE as u64));
        group.bench_function(BenchmarkId::new("one by one", way), |b| b.iter(|| single(table, &positions[..SINGLE])));
        group.throughput(Throughput::Elements(BATCH as u64));
        group.bench_function(BenchmarkId::new("together", way), |b| b.iter(|| batch(table)));
    }
}
