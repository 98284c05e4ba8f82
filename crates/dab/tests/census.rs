//! Censuses against slow counts: every set of lines one by one, every first move, reply and third move played out, scores by plain
//! recursion.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    Census, ErrorKind, Limits, LineIdx, LineSet, Observer, Position, Remedy, Score, Solve, SpaceKind, Tablebase,
    make_book,
};
use dab_space::Layer;
use dab_store::RunDir;
use serde_json::{Value, json};

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

/// The scores of all positions of a start by plain recursion.
struct Recursion {
    start: Position,
    table: Vec<Score>,
}

impl Recursion {
    fn new(start: &Position, penalty: i8) -> Self {
        Self { start: start.clone(), table: dab_solve::naive::table(start, penalty) }
    }

    /// The score of a position by its drawn lines.
    fn score(&self, drawn: LineSet) -> Score {
        let bits = self.start.undrawn().iter().enumerate().filter(|(_, line)| drawn.has(*line));
        self.table[bits.fold(0, |entry, (bit, _)| entry | 1 << bit)]
    }

    /// The counts of the positions with `k` lines more than the start.
    fn layer(&self, k: usize) -> Value {
        let (mut positions, mut first, mut second, mut tied, mut closed) = (0, 0, 0, 0, 0);
        let mut scores = BTreeMap::<i8, u64>::new();
        for (entry, score) in self.table.iter().enumerate().filter(|(entry, _)| entry.count_ones() as usize == k) {
            let drawn = dab_solve::naive::drawn_lines(&self.start, entry as u64);
            let position = Position::new(self.start.board().clone(), drawn).unwrap();
            let for_first = if k.is_multiple_of(2) { score.0 } else { -score.0 };
            positions += 1;
            *scores.entry(score.0).or_default() += 1;
            if position.open_boxes() < self.start.open_boxes() {
                closed += 1;
            } else if for_first > 0 {
                first += 1;
            } else if for_first < 0 {
                second += 1;
            } else {
                tied += 1;
            }
        }
        assert_eq!(positions, first + second + tied + closed);
        let scores = scores.into_iter().map(|(score, positions)| json!({ "score": score, "positions": positions }));
        json!({
            "lines": k,
            "positions": positions,
            "first": first,
            "second": second,
            "tied": tied,
            "closed": closed,
            "scores": scores.collect::<Vec<_>>(),
        })
    }

    /// The replies to a first move by their losing third moves; `None` if one of the three lines closes a box.
    fn replies(&self, first: LineIdx) -> Option<BTreeMap<usize, usize>> {
        let draw = |position: &Position, line| Some(position.draw(line)).filter(|(_, closed)| *closed == 0);
        let mut counts = BTreeMap::<usize, usize>::new();
        let (after_first, _) = draw(&self.start, first)?;
        for reply in after_first.undrawn().iter() {
            let (after_reply, _) = draw(&after_first, reply)?;
            let mut losing = 0;
            for third in after_reply.undrawn().iter() {
                let (after_third, _) = draw(&after_reply, third)?;
                // The first player's net boxes.
                losing += usize::from(-self.score(after_third.drawn()) < Score(0));
            }
            *counts.entry(losing).or_default() += 1;
        }
        Some(counts)
    }

    /// Holds a census against all of these; whether it lists first moves.
    #[track_caller]
    fn agrees(&self, census: &Value) -> bool {
        let layers = census["layers"].as_array().unwrap();
        for (k, layer) in layers.iter().enumerate() {
            assert_eq!(*layer, self.layer(k), "{}", self.start);
        }
        let slow: Option<Vec<BTreeMap<usize, usize>>> =
            self.start.undrawn().iter().map(|line| self.replies(line)).collect();
        let slow = slow.filter(|_| layers.len() > 3);
        assert_eq!(slow.is_some(), census["first_moves"].is_array(), "{}", self.start);
        let (Some(slow), Some(first_moves)) = (slow, census["first_moves"].as_array()) else { return false };
        let mut n_images = 0;
        for first_move in first_moves {
            // What is said of one line of a class is so for all of them.
            let line = first_move["line"].as_u64().unwrap() as LineIdx;
            let images: LineSet = images(&self.start, line);
            assert_eq!(
                (images.lowest(), json!(images.len())),
                (Some(line), first_move["images"].clone()),
                "{}",
                self.start
            );
            for line in images.iter() {
                let of_line = self.start.undrawn().iter().position(|other| other == line).unwrap();
                let replies = slow[of_line].iter().map(|(losing, n)| json!({ "losing": losing, "replies": n }));
                assert_eq!(json!(replies.collect::<Vec<_>>()), first_move["replies"], "{}, line {line}", self.start);
                assert_eq!(json!(-self.score(self.start.drawn().with(line))), first_move["score"]);
            }
            n_images += images.len();
        }
        assert_eq!(n_images, self.start.undrawn().len());
        // Each position of the second player comes from its three lines in all six orders.
        let by_moves: usize = slow.iter().flatten().map(|(losing, replies)| losing * replies).sum();
        assert_eq!(json!(by_moves / 6), layers[3]["second"], "{}", self.start);
        assert_eq!(by_moves % 6, 0, "{}", self.start);
        true
    }
}

/// The lines that symmetries of the start make of a line.
fn images(start: &Position, line: LineIdx) -> LineSet {
    let keeps = |map: &&Vec<LineIdx>| start.drawn().iter().all(|line| start.drawn().has(map[line]));
    start.board().symmetries().iter().filter(keeps).map(|map| map[line]).collect()
}

#[track_caller]
fn count(table: &Tablebase, lines: usize) -> Value {
    serde_json::to_value(Census::count(table, lines, Limits::default(), &()).unwrap()).unwrap()
}

#[test]
fn censuses_are_slow_counts() {
    let mut with_first_moves = Vec::new();
    for (start, penalty, lines) in [
        ("1x1", 0, 4),
        ("2x2", 0, 12),
        ("2x2", 1, 4),
        ("2x3", 0, 6),
        // Icelandic starts: two lines can close a box, or even one.
        ("3x3:111249", 0, 5),
        ("2x3:130", 0, 4),
        // Drawn from the beginning: a chain, a closed box.
        ("2x3:21", 0, 4),
        ("2x3:489", 0, 4),
        ("2x3:12c9", 0, 4),
        ("triangles:open:3", 0, 4),
        ("closed:5", 0, 3),
        ("3x3", 0, 3),
    ] {
        let start = position(start);
        let recursion = Recursion::new(&start, penalty);
        for space in [SpaceKind::Quiet, SpaceKind::Full] {
            let solve = Solve { space, penalty: penalty.into(), ..crate::solve(start.clone()) };
            if space == SpaceKind::Quiet || start.undrawn().len() < 20 {
                let lists_moves = recursion.agrees(&count(&solve.in_memory().unwrap(), lines));
                with_first_moves.extend(lists_moves.then(|| start.to_string()));
            }
        }
    }
    with_first_moves.dedup();
    assert_eq!(with_first_moves, ["1x1:0", "2x2:0", "2x3:0", "3x3:0"]);
}

#[test]
fn books_have_the_census_of_their_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x3");
    let run = crate::solve(position("2x3")).into_dir(&path).unwrap();
    let made = dir.path().join("2x3.book");
    // Three lines may leave a box to capture, and the position after that has four.
    make_book(&RunDir::open(&path).unwrap(), Layer(4), &made, crate::Limits::default()).unwrap();
    let book = Tablebase::open(&made).unwrap();
    let (of_run, of_book) = (count(&run, 3), count(&book, 3));
    assert_eq!([&of_run["layers"], &of_run["first_moves"]], [&of_book["layers"], &of_book["first_moves"]]);
    let error = Census::count(&book, 5, Limits::default(), &()).unwrap_err();
    assert_eq!((error.kind(), error.remedy()), (ErrorKind::File, Some(&Remedy::AskRun)), "{error:?}");
    assert!(error.to_string().contains("2x3.book holds layers 0 to 4"), "{error}");
    let error = Census::count(&run, 18, Limits::default(), &()).unwrap_err();
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Input, "2x3:0 has 17 undrawn lines left, not 18"));
}

/// Counts positions; stops after so many.
struct Watch {
    seen: AtomicU64,
    stop_after: u64,
}

impl Observer for Watch {
    fn positions(&self, n: u64) {
        self.seen.fetch_add(n, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.seen.load(Ordering::Relaxed) > self.stop_after
    }
}

#[test]
fn censuses_tell_how_far_they_are_and_can_be_stopped() {
    let table = crate::solve(position("2x3")).in_memory().unwrap();
    for lines in [0, 2, 3, 17, 40] {
        let watch = Watch { seen: AtomicU64::new(0), stop_after: u64::MAX };
        if Census::count(&table, lines, Limits::default(), &watch).is_ok() {
            assert_eq!(u128::from(watch.seen.into_inner()), Census::n_positions(&table, lines));
        }
    }
    let watch = Watch { seen: AtomicU64::new(0), stop_after: 100 };
    let error = Census::count(&table, 17, Limits::default(), &watch).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert!(u128::from(watch.seen.into_inner()) < Census::n_positions(&table, 17));
}
