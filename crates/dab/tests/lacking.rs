//! Answers that a book has but for some moves: solving these completes them.

use std::sync::Arc;

use crate::store::{BookFile, RunDir};
use crate::{Effort, Layer, Library, Limits, OnDemand, Position, Question, Source, Tablebase};

/// So little that no solve takes only a moment.
fn little() -> Limits {
    Limits::new(1, 1 << 20)
}

/// Two tables: a run of a board, with marks or without, and a book of its layers 0 to `last`, which is asked before anything is solved.
fn tables(
    (board, marks): (&str, bool),
    last: usize,
    limits: Limits,
    dir: &std::path::Path,
) -> (Tablebase, Arc<Source>, OnDemand) {
    let (run, book) = (dir.join("run"), dir.join("book"));
    let solved = crate::Solve { marks, ..crate::solve(board.parse().unwrap()) }.into_dir(&run).unwrap();
    BookFile::make(&RunDir::open(&run).unwrap(), Layer(last), &book).unwrap();
    let book = Arc::new(Source::new(Tablebase::open(&book).unwrap()));
    let mut library = Library::new(limits);
    library.add(Arc::clone(&book));
    (solved, book, OnDemand { library, limits })
}

#[test]
fn a_completed_answer_is_that_of_the_run() {
    [false, true].into_iter().for_each(|marks| check_completed(marks, 5));
}

#[test]
#[ignore = "long: 40 answers"]
fn many_completed_answers_are_those_of_the_run() {
    [false, true].into_iter().for_each(|marks| check_completed(marks, 20));
}

/// Checks so many answers that are completed, and those that come up meanwhile and are solved whole.
fn check_completed(marks: bool, most: usize) {
    let dir = tempfile::tempdir().unwrap();
    let (run, book, tables) = tables(("3x3", marks), 8, little(), dir.path());
    let (mut n_completed, mut n_whole, mut random) = (0, 0, 1u64);
    while n_completed < most {
        // Six to nine lines.
        let mut drawn = 0u64;
        while drawn.count_ones() < 6 + (random >> 20) as u32 % 4 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            drawn |= 1 << ((random >> 33) % 24);
        }
        let position: Position = format!("3x3:{drawn:x}").parse().unwrap();
        let held = book.answer(&position, false);
        let whole = crate::Solve { limits: little(), ..crate::solve(position.clone()) }.plan().unwrap();
        let task = tables.task(Question::from(&position), Effort::Any, &()).unwrap().unwrap();
        let Some(n_lacking) = task.n_lacking() else {
            n_whole += 1;
            assert!(held.is_err(), "{position}");
            continue;
        };
        assert!(task.cost.positions < whole.plan.positions(), "{position}");
        assert_eq!(n_lacking == 0, held.is_ok(), "{position}");
        n_completed += usize::from(n_lacking > 0);
        assert!(task.run(&()).unwrap().is_none());
        let expected = run.answer(&position).unwrap();
        assert_eq!(expected.mark.is_some(), marks);
        assert_eq!(book.answer(&position, false).unwrap(), expected, "{position}");
        assert_eq!(tables.answer(&position, Effort::Tables).unwrap(), Some(expected), "{position}");
    }
    // Those with most moves below the book.
    assert!(n_whole > 0);
}

#[test]
fn an_answer_takes_no_more_than_its_effort() {
    let dir = tempfile::tempdir().unwrap();
    let (run, _, tables) = tables(("2x3", true), 5, Limits::new(1, 1 << 30), dir.path());
    let position: Position = "2x3:1f".parse().unwrap();
    let below: Position = "2x3:ff".parse().unwrap();
    // What takes a moment is solved whole.
    let task = tables.task(Question::from(&position), Effort::Any, &()).unwrap().unwrap();
    assert_eq!(task.n_lacking(), None);
    assert_eq!(tables.answer(&below, Effort::Tables).unwrap(), None);
    assert_eq!(tables.answer(&below, Effort::Quick).unwrap(), Some(run.answer(&below).unwrap()));
    // The table was kept.
    assert_eq!(tables.answer(&below, Effort::Tables).unwrap(), Some(run.answer(&below).unwrap()));
    let elsewhere: Position = "4x5".parse().unwrap();
    assert_eq!(tables.answer(&elsewhere, Effort::Quick).unwrap(), None);
    assert!(tables.answer(&elsewhere, Effort::Any).is_err());
}
