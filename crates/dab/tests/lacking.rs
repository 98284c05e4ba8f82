//! Answers that a book has but for some moves: solving these completes them.

use std::sync::Arc;

use dab::{Lacking, Limits, OnDemandSolve, Position, Source, Tablebase};
use dab_space::Layer;
use dab_store::{BookFile, RunDir};

/// So little that no solve takes only a moment.
fn little() -> Limits {
    Limits::new(1, 1 << 20)
}

/// Two tables: a run of a board, and a book of its layers 0 to `last`.
fn tables(board: &str, last: usize, dir: &std::path::Path) -> [Tablebase; 2] {
    let (run, book) = (dir.join("run"), dir.join("book"));
    let solved = dab::solve(board.parse().unwrap()).into_dir(&run).unwrap();
    BookFile::make(&RunDir::open(&run).unwrap(), Layer(last), &book).unwrap();
    [solved, Tablebase::open(&book).unwrap()]
}

#[test]
fn a_completed_answer_is_that_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let [run, book] = tables("3x3", 8, dir.path());
    let book = Arc::new(book);
    let (mut n_completed, mut n_whole, mut random) = (0, 0, 1u64);
    while n_completed < 40 {
        // Six to nine lines.
        let mut drawn = 0u64;
        while drawn.count_ones() < 6 + (random >> 20) as u32 % 4 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            drawn |= 1 << ((random >> 33) % 24);
        }
        let position: Position = format!("3x3:{drawn:x}").parse().unwrap();
        let source = Arc::new(Source::new(Arc::clone(&book)));
        let through = source.book();
        let held = through.answer(&position);
        let whole = OnDemandSolve::new(&position, 0, little(), &()).unwrap();
        let Some(lacking) = Lacking::of(&source, &whole).unwrap() else {
            n_whole += 1;
            assert!(held.is_err(), "{position}");
            continue;
        };
        assert!(lacking.positions() < whole.plan().positions(), "{position}");
        assert_eq!(lacking.n_solves() == 0, held.is_ok(), "{position}");
        n_completed += usize::from(lacking.n_solves() > 0);
        lacking.solve(&()).unwrap();
        assert_eq!(through.answer(&position).unwrap(), run.answer(&position).unwrap(), "{position}");
    }
    // Those with most moves below the book.
    assert!(n_whole > 0);
}

#[test]
fn what_takes_a_moment_is_solved_whole() {
    let dir = tempfile::tempdir().unwrap();
    let [_, book] = tables("2x3", 5, dir.path());
    let source = Arc::new(Source::new(book));
    let whole = OnDemandSolve::new(&"2x3:1f".parse().unwrap(), 0, Limits::new(1, 1 << 30), &()).unwrap();
    assert!(Lacking::of(&source, &whole).unwrap().is_none());
    let elsewhere = OnDemandSolve::new(&"2x2:1".parse().unwrap(), 0, little(), &()).unwrap();
    assert!(Lacking::of(&source, &elsewhere).is_err_and(|error| error.is_not_held()));
}
