//! The front door: opening, probing and solving with this crate alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::store::{Crew, RunDir};
use crate::{
    Batch, Effort, Error, ErrorKind, Files, Layer, Library, Limits, LineSet, Observer, OnDemand, OnDemandSolve,
    Position, Score, Solve, SpaceKind, TableError, Tablebase, make_book,
};

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
fn a_run_and_memory_answer_alike() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x3");
    let solved = Solve { limits: Limits::new(2, 1 << 30), ..crate::solve(position("2x3")) }.into_dir(&path).unwrap();
    // A table does not lock its run.
    crate::solve(position("2x3")).into_dir(&path).unwrap();
    let in_memory = Solve { space: SpaceKind::Full, ..crate::solve(position("2x3")) }.in_memory().unwrap();
    let opened = Tablebase::open(&path).unwrap();
    assert_eq!((solved.files().kind(), opened.files().kind(), in_memory.files().kind()), ("run", "run", "solved"));
    let positions: Vec<Position> = (0..1 << 10).map(|mask| position(&format!("2x3:{mask:x}"))).collect();
    let drawn: Vec<LineSet> = positions.iter().map(Position::drawn).collect();
    let scores = opened.probe_many(&drawn).unwrap();
    let best = opened.best_many(&drawn).unwrap();
    assert_eq!(best, in_memory.best_many(&drawn).unwrap());
    let cache = opened.cache(1 << 20);
    let book = opened.book_through(&cache);
    for ((position, score), best) in positions.iter().zip(scores).zip(best) {
        for table in [&solved, &opened, &in_memory] {
            assert_eq!(table.probe(position).unwrap(), score);
        }
        let answer = opened.answer(position).unwrap();
        assert_eq!(answer.best().collect::<LineSet>(), best);
        assert_eq!(answer, in_memory.answer(position).unwrap());
        assert_eq!(book.probe(position).unwrap(), score);
    }
    let start = opened.start().clone();
    assert_eq!(opened.best_play(&start).unwrap(), in_memory.best_play(&start).unwrap());
    assert_eq!(opened.best_play(&start).unwrap().len(), 17);
}

#[test]
fn many_questions_are_refused_like_single_ones() {
    let table = crate::solve(position("1x2:1")).in_memory().unwrap();
    let (all, book) = (table.board().all(), table.book());
    assert_eq!(table.best_many(&[all]).unwrap(), [LineSet::EMPTY]);
    // Line 0 is drawn in the start; there is no line 7.
    for (foreign, name) in [(LineSet::EMPTY, "1x2:0"), (all.with(7), "1x2:ff")] {
        let error = table.probe(&position("1x2:0")).unwrap_err().to_string().replace("1x2:0", name);
        for refused in [table.probe_many(&[all, foreign]).err(), table.best_many(&[all, foreign]).err()] {
            assert_eq!(refused.map(|error| error.to_string()).as_ref(), Some(&error));
        }
        let refused = book.batch(&[all, foreign]).move_scores().unwrap_err();
        assert_eq!((refused.index, refused.to_string()), (Some(1), format!("number 1: {error}")));
    }
    let start = table.start().drawn();
    for (line, message) in [(0, "line 0 is drawn already in 1x2:1"), (7, "there is no line 7: the last one is 6")] {
        let refused = book.batch(&[start, start]).regrets(&[3, line]).unwrap_err();
        assert_eq!((refused.index, refused.error.to_string().as_str()), (Some(1), message));
    }
    let stopped = book.batch(&[start]).until(&|| true).scores().unwrap_err();
    assert!(matches!(stopped.error, TableError::Stopped));
}

/// Against scores of the positions that the lines lead to, and single answers: of every position of a board, of a start with a chain, from memory and files, by one thread and by all.
#[test]
fn scores_of_moves_are_those_of_answers() {
    let dir = tempfile::tempdir().unwrap();
    let tables = [
        crate::solve(position("2x2")).into_dir(dir.path().join("run")).unwrap(),
        Solve { space: SpaceKind::Full, penalty: 2, ..crate::solve(position("2x2")) }.in_memory().unwrap(),
        Solve { penalty: 1, ..crate::solve(position("2x3:1003")) }.in_memory().unwrap(),
    ];
    for table in &tables {
        let (board, start) = (table.board(), table.start().drawn());
        let drawn = (0..1 << board.n_lines()).map(LineSet).filter(|drawn| start.is_subset(*drawn));
        let drawn: Vec<LineSet> = drawn.filter(|&drawn| table.space().mask_of(drawn).is_some()).collect();
        let batch = table.book().batch(&drawn);
        let rows = batch.move_scores().unwrap();
        assert_eq!(batch.by(Crew::Alone).move_scores().unwrap(), rows);
        let best = batch.best().unwrap();
        for ((&drawn, row), best) in drawn.iter().zip(rows.chunks(board.n_lines())).zip(best) {
            let position = Position::new(board.clone(), drawn).unwrap();
            let answer = table.answer(&position).unwrap();
            let mut expected = vec![Batch::DRAWN; board.n_lines()];
            for line in position.undrawn().iter() {
                let (next, closed) = position.draw(line);
                let rest = table.probe(&next).unwrap();
                expected[line] = if closed > 0 { closed + rest } else { -rest };
            }
            assert!(answer.moves.iter().all(|m| expected[m.line] == m.score), "{position}");
            assert_eq!((row, best), (&expected[..], answer.best().collect::<LineSet>()), "{position}");
            let lines: Vec<usize> = position.undrawn().iter().collect();
            let regrets = table.book().batch(&vec![drawn; lines.len()]).regrets(&lines).unwrap();
            let expected = answer.moves.iter().map(|m| i16::from(answer.score.0) - i16::from(m.score.0));
            assert!(regrets.into_iter().eq(expected), "{position}");
        }
    }
}

#[test]
fn a_table_is_told_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let table = crate::solve(position("2x2")).into_dir(&path).unwrap();
    assert_eq!(format!("{table:?}"), format!("Tablebase(2x2:0, quiet space, {})", path.display()));
}

/// Who prints an error with its causes prints no sentence twice.
#[test]
fn causes_say_more_than_their_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    crate::solve(position("2x2")).into_dir(&path).unwrap();
    let lacking = crate::Tablebase::open(dir.path().join("lacking")).unwrap_err();
    let inside = crate::Tablebase::open(path.join("manifest.json").join("inside")).unwrap_err();
    std::fs::write(path.join("manifest.json"), "{").unwrap();
    let damaged = crate::Tablebase::open(&path).unwrap_err();
    for error in [lacking, inside, damaged] {
        let error = crate::Error::from(error);
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        let said: Vec<String> = causes.map(ToString::to_string).collect();
        let is_new = |(i, text): (usize, &String)| said[..i].iter().all(|before| !before.contains(text));
        assert!(said.iter().enumerate().all(is_new), "{said:?}");
    }
}

#[test]
fn on_demand_in_memory_or_in_temporary_files() {
    let position = position("3x3:fff");
    let limits = Limits::new(1, 1 << 30);
    let in_memory = OnDemandSolve::run(&position, 1, limits, &()).unwrap();
    assert!(matches!(in_memory.files(), Files::Memory(..)));
    let on_demand = OnDemandSolve::new(&position, 1, Limits { memory: 1 << 20, ..limits }, &()).unwrap();
    let in_files = on_demand.solve(&()).unwrap();
    assert!(matches!(in_files.files(), Files::Temporary(..)));
    assert_eq!(in_memory.answer(&position).unwrap(), in_files.answer(&position).unwrap());
}

#[test]
fn refusals_name_numbers_and_no_option() {
    let too_long = OnDemandSolve::run(&position("4x5"), 0, Limits::new(1, 1 << 30), &()).unwrap_err();
    let too_little =
        Solve { limits: Limits::new(1, 1 << 20), ..crate::solve(position("3x3")) }.in_memory().unwrap_err();
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { disk: 1 << 10, ..Limits::default() };
    let no_room = Solve { limits, ..crate::solve(position("3x4")) }.into_dir(dir.path().join("run")).unwrap_err();
    let not_held = crate::solve(position("1x2:1")).in_memory().unwrap().probe(&position("1x2:0")).unwrap_err().into();
    let limit = ErrorKind::Limit;
    for (error, kind) in [(too_long, limit), (too_little, limit), (no_room, limit), (not_held, ErrorKind::Input)] {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(!error.to_string().contains("--"), "{error}");
    }
    let no_run = Tablebase::open(dir.path()).unwrap_err();
    assert!(matches!(no_run, TableError::Store(_)), "{no_run}");
    assert_eq!(Error::from(no_run).kind(), ErrorKind::File);
}

/// The crates that a program compiles that only reads, those of build scripts included.
#[test]
fn a_reader_compiles_few_crates() {
    let args = [
        "tree",
        "--offline",
        "--locked",
        "-p",
        "dab-solver",
        "--no-default-features",
        "-e",
        "normal,build",
        "--prefix",
        "none",
    ];
    let tree =
        std::process::Command::new(env!("CARGO")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates: std::collections::BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains("dab-solver") && crates.len() <= 30, "{crates:?}");
    let heavy = ["dab-solve", "zstd-sys", "rayon", "serde_derive", "syn"];
    assert!(heavy.iter().all(|name| !crates.contains(name)), "{crates:?}");
}

/// Each public method of the front door has an example; those are tests, too.
#[test]
fn methods_have_examples() {
    let mut n_methods = 0;
    for file in [
        "../table/src/tablebase.rs",
        "../table/src/require.rs",
        "../table/src/sample.rs",
        "../table/src/library.rs",
        "src/solve.rs",
    ] {
        let text = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        // What comes behind a planned solve is no front door.
        let text = text.split("/// A solve before anything is listed.").next().unwrap();
        let mut has_example = false;
        for line in text.lines() {
            if let Some(method) = line.strip_prefix("    pub fn ") {
                assert!(has_example, "{file}: {method}");
                n_methods += 1;
            }
            has_example = (has_example && line.starts_with("    ///"))
                || line == "    /// ```"
                || line.ends_with("#[doc(hidden)]");
        }
    }
    assert!(n_methods > 35, "{n_methods}");
}

/// Adds up what a solve tells.
#[derive(Default)]
struct Sums {
    total: AtomicU64,
    solved: AtomicU64,
}

impl Observer for Sums {
    fn total(&self, n: u64) {
        assert_eq!(self.total.swap(n, Ordering::Relaxed) + self.solved.load(Ordering::Relaxed), 0);
    }

    fn positions(&self, n: u64) {
        self.solved.fetch_add(n, Ordering::Relaxed);
    }
}

#[test]
fn an_observer_hears_the_total_first() {
    let dir = tempfile::tempdir().unwrap();
    // Solved, and found solved.
    for _ in 0..2 {
        let sums = Sums::default();
        Solve { observer: &sums, ..crate::solve(position("2x2")) }.into_dir(dir.path()).unwrap();
        assert_eq!((sums.total.into_inner(), sums.solved.into_inner()), (433, 433));
    }
}

/// Cancels a solve as soon as it has solved anything.
#[derive(Default)]
struct AtFirstScores(AtomicBool);

impl Observer for AtFirstScores {
    fn positions(&self, _n: u64) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn a_cancelled_solve_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let cancel = AtFirstScores::default();
    let stopped = Solve { observer: &cancel, ..crate::solve(position("2x2")) }.into_dir(dir.path()).unwrap_err();
    assert_eq!(stopped.kind(), ErrorKind::Interrupted, "{stopped}");
    assert!(matches!(Tablebase::open(dir.path()).unwrap().require_finished(), Err(TableError::Unfinished { .. })));
    let table = crate::solve(position("2x2")).into_dir(dir.path()).unwrap();
    table.require_all().unwrap();
    assert_eq!(table.probe(table.start()).unwrap(), Score(2));
}

#[test]
fn a_library_of_books_in_memory_answers_like_their_files() {
    let dir = tempfile::tempdir().unwrap();
    let (run, path) = (dir.path().join("run"), dir.path().join("2x3.book"));
    crate::solve(position("2x3")).into_dir(&run).unwrap();
    let file = Tablebase::from_files(
        Files::Book(make_book(&RunDir::open(&run).unwrap(), Layer(4), &path, Limits::default()).unwrap().into()),
        Limits::default(),
    )
    .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let limits = Limits::default();
    let library = |bytes: &[u8]| {
        let mut library = Library::new(limits);
        library.add_in_memory("2x3.book", bytes.into())?;
        Ok::<_, TableError>(library)
    };
    let in_memory = OnDemand { library: library(&bytes).unwrap(), limits };
    assert_eq!(in_memory.library.tables()[0].summary().path, "2x3.book");
    let mut n_answers = 0;
    for mask in 0..1 << 6 {
        let position = position(&format!("2x3:{mask:x}"));
        let answer = in_memory.answer(&position, Effort::Tables).unwrap();
        n_answers += usize::from(answer.is_some());
        assert_eq!(answer, file.answer(&position).ok(), "{position}");
    }
    assert!((1..64).contains(&n_answers), "{n_answers}");
    let error = library(&bytes[..bytes.len() - 1]).err().unwrap();
    assert!(error.to_string().contains("2x3.book"), "{error}");
}
