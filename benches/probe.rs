//! The time of a question: the score of a position or of all its moves, from memory, from a run, or from the theory.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use dab_board::{LineSet, Position, Score};
use dab_endgame::openings::optimal_openings;
use dab_endgame::{allcock, buzzard_ciere};
use dab_solve::solve;
use dab_space::{Rules, Space};
use dab_store::{Game, MemoryStore, RunDir};
use dab_table::Book;

const BOARD: &str = "3x4";
/// Positions asked in a row.
const N: usize = 10_000;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let (space, memory) = dab_benches::solved(BOARD);
    probes(&mut criterion, &space, &memory);
    endgames(&mut criterion);
    criterion.final_summary();
}

fn probes(criterion: &mut Criterion, space: &Space, memory: &MemoryStore) {
    let dir = tempfile::tempdir().expect("there is a temporary directory");
    let rules = Rules { penalty: 0, marks: false };
    let run = RunDir::create_or_resume(dir.path(), &Game::of(space, rules), space.n_layers()).expect("it is empty");
    solve(space, rules, &run, u64::MAX, &()).expect("the temporary directory can be written");

    let positions = dab_benches::random_positions(space, N);
    let start: &Position = space.layout().units().start();
    let quiet: Vec<LineSet> = positions
        .iter()
        .map(|&drawn| Position::new(start.board().clone(), drawn).expect("it is on the board").capture_run().after)
        .collect();
    let (memory, run) = (Book::new(space, memory), Book::new(space, &run));
    let sum = |book: &Book<'_>, positions: &[LineSet]| -> i64 {
        positions.iter().map(|&drawn| i64::from(book.probe_drawn(drawn).expect("every position is held").0)).sum()
    };
    let best = |book: &Book<'_>, drawn: LineSet| book.answer_drawn(drawn).expect("every position is held").score;
    assert_eq!(memory.probe(start).ok(), Some(Score(0)), "{BOARD} is a draw");
    assert_eq!(sum(&memory, &positions), sum(&run, &positions), "the run differs from memory");
    assert!(positions.iter().all(|&drawn| {
        let answer = memory.answer_drawn(drawn).expect("every position is held");
        answer.moves.is_empty() || answer.best().next().is_some()
    }));

    let mut group = criterion.benchmark_group(format!("probe/{BOARD}"));
    group.throughput(Throughput::Elements(N as u64)).sample_size(20).warm_up_time(Duration::from_secs(1));
    group.bench_function("score of a quiet position, memory", |b| b.iter(|| sum(&memory, &quiet)));
    group.bench_function("score, memory", |b| b.iter(|| sum(&memory, &positions)));
    group.bench_function("score, run read by position", |b| b.iter(|| sum(&run, &positions)));
    group.bench_function("every move, memory", |b| {
        b.iter(|| positions.iter().map(|&drawn| i64::from(best(&memory, drawn).0)).sum::<i64>());
    });
}

fn endgames(criterion: &mut Criterion) {
    let million: dab_endgame::Position =
        "3^1000000+4^1000000+5^1000000+4l^1000000+6l^1000000+8l^1000000".parse().expect("an endgame");
    assert_eq!(allcock::value(&million), buzzard_ciere::value(&million));
    assert!(!optimal_openings(&million).is_empty());
    let mut group = criterion.benchmark_group("probe/endgame");
    group.bench_function("value, a million of each component", |b| b.iter(|| allcock::value(black_box(&million))));
    group.bench_function("openings, a million of each component", |b| b.iter(|| optimal_openings(black_box(&million))));
}
