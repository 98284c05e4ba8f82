//! Starts of every kind of symmetry: over every cut from which a layout may be chosen, the fast kernel, the definition and plain
//! recursion agree, and the graph of slabs is what the moves of all positions say.
//!
//! What a start does to a solver depends on the symmetries of its root, on the cut, and on whether the halves are exchanged: by a
//! reflection, a half-turn, or any map of a graph. So starts are drawn by their group. Lines are drawn orbit by orbit, and a start
//! counts if its root has exactly the group that was asked for.

use super::common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::kernel::rows::RowKernel;
use crate::kernel::{Isa, Kernel, scalar};
use crate::{SlabKeeper, SlabSource, naive, solve_with, verify};
use common::SPACES;
use dab_board::{Board, LineIdx, LineSet, Position, Score};
use dab_space::cuts::cuts;
use dab_space::partition::Partition;
use dab_space::{Budget, Half, Layer, Layout, Rules, SlabId, SlabKey, Space, SpaceKind, Units};
use dab_store::{Buffer, MemoryStore, ScoreRead, Scores, StoreError, Wanted};
use dab_table::Book;
use fastrand::Rng;
use rayon::prelude::*;

/// Most positions of a space in which the moves of every one are compared with the graph of slabs.
const FEW: u128 = 4_000;
/// Positions of a space that are compared with plain recursion, at most.
const PROBED: usize = 1_000;
/// Widest waist that is tried: each of its sets of units has slabs of its own.
const WIDEST: usize = 12;

/// Says at a panic which start it was.
struct Trying(String);

#[expect(clippy::print_stderr, reason = "a panic elsewhere does not name the start")]
impl Drop for Trying {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while trying {}", self.0);
        }
    }
}

/// A source of slabs that notes what a kernel asks for, and has `poison` for all scores that are not wanted.
struct Noting<'a> {
    space: &'a Space,
    slabs: SlabKeeper<'a>,
    poison: i8,
    asked: Mutex<BTreeMap<SlabId, Vec<Wanted>>>,
}

impl SlabSource for Noting<'_> {
    fn slab(&self, id: SlabId, wanted: &dyn Fn() -> Wanted) -> Result<Scores, StoreError> {
        let (wanted, cols) = (wanted(), self.space.shape(self.space.layout().key(id)).cols());
        let scores = self.slabs.slab(id, &|| Wanted::ALL)?;
        let known = scores.iter().enumerate().map(|(place, &score)| match has(&wanted, place / cols, place % cols) {
            true => score,
            false => self.poison,
        });
        let scores = Scores::new(known.collect());
        self.asked.lock().unwrap().entry(id).or_default().push(wanted);
        Ok(scores)
    }

    fn buffer(&self, len: usize) -> Buffer {
        self.slabs.buffer(len)
    }

    fn batch_bytes(&self, positions: u64) -> u64 {
        self.slabs.batch_bytes(positions)
    }

    fn table_bytes(&self) -> u64 {
        self.slabs.table_bytes()
    }

    fn set_table_bytes(&self, bytes: u64) {
        self.slabs.set_table_bytes(bytes);
    }
}

fn has(wanted: &Wanted, row: usize, col: usize) -> bool {
    wanted.has_row(row) && wanted.has_cols(col..col + 1)
}

/// The places that the moves of all positions of a slab lead to, by slab.
fn led_to(space: &Space, key: SlabKey) -> BTreeMap<SlabId, BTreeSet<(usize, usize)>> {
    let [rows, cols] = [space.layout().rows(key), space.layout().cols(key)];
    let places = (0..rows as usize).flat_map(|row| (0..cols as usize).map(move |col| (row, col)));
    let moves = places.flat_map(|(row, col)| scalar::moves(space, space.mask_at(key, row, col)));
    let mut led_to: BTreeMap<SlabId, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for (_, place) in moves {
        led_to.entry(place.id).or_default().insert((place.row, place.col));
    }
    led_to
}

/// Whether a slab may be its own mirror image: then half of its moves solve it.
fn may_be_mirrored(layout: &Layout, key: SlabKey) -> bool {
    let swaps = |symmetry: usize| layout.symmetries()[symmetry].swaps;
    key.filled[Half::Upper] == key.filled[Half::Lower] && layout.images(key).any(|(image, i)| image == key && swaps(i))
}

/// The graph of slabs against the moves of all positions, and against what the kernel asks for: every score that a move leads to is
/// wanted, and the kernel uses no other one.
fn check_sources(space: &Space, kernel: &RowKernel<'_>, scores: &MemoryStore) {
    let layout = space.layout();
    for (layer, keys) in layout.layers().iter().enumerate() {
        let together = kernel.sources_of_waist(keys_of_one_waist(keys));
        for (slab, &key) in keys.iter().enumerate() {
            let sources: BTreeSet<SlabId> = kernel.sources(key, u64::MAX).into_iter().collect();
            if let Some(of_key) = keys_of_one_waist(keys).iter().position(|&other| other == key) {
                assert_eq!(
                    together[of_key].iter().copied().collect::<BTreeSet<_>>(),
                    sources,
                    "layer {layer}, slab {slab}"
                );
            }
            let led_to = led_to(space, key);
            // Either is better than any score, by one kind of move or another.
            for poison in [-100, 100] {
                let slabs = SlabKeeper::new(space, scores, u64::MAX);
                let noting = Noting { space, slabs, poison, asked: Mutex::default() };
                let solved = kernel.slab(&noting, key).unwrap();
                let expected = scores.read_slab(SlabId::new(layer, slab), space.shape(key)).unwrap();
                assert!(*solved == *expected, "layer {layer}, slab {slab}: reads scores that are not wanted");
                let asked = noting.asked.into_inner().unwrap();
                assert!(asked.keys().eq(&sources), "layer {layer}, slab {slab}: asked for");
                let is_wanted = |(id, places): (&SlabId, &BTreeSet<(usize, usize)>)| {
                    places.iter().all(|&(row, col)| asked[id].iter().any(|wanted| has(wanted, row, col)))
                };
                assert!(may_be_mirrored(layout, key) || led_to.iter().all(is_wanted), "layer {layer}, slab {slab}");
            }
            let led_to = led_to.into_keys().collect();
            let is_right = sources == led_to || may_be_mirrored(layout, key) && sources.is_subset(&led_to);
            assert!(is_right, "layer {layer}, slab {slab}: {sources:?} are read, moves lead to {led_to:?}");
        }
    }
}

/// The keys of a layer that have the waist of its last one.
fn keys_of_one_waist(keys: &[SlabKey]) -> &[SlabKey] {
    let waist = keys.last().map(|key| key.waist);
    let n = keys.iter().rev().take_while(|key| Some(key.waist) == waist).count();
    &keys[keys.len() - n..]
}

/// Solves a space and compares it with the definition and with the scores `expected` of all sets of lines.
fn check_space(space: &Space, penalty: i32, expected: &[Score]) {
    let (layout, rules) = (space.layout(), Rules::new(space, penalty).unwrap());
    let scores = MemoryStore::new(space.n_layers());
    let kernel = RowKernel::new(space, rules, Isa::best());
    solve_with(&Kernel::Rows(RowKernel::new(space, rules, Isa::best())), space, &scores, u64::MAX, &()).unwrap();
    let all = layout.total_positions();
    assert_eq!(u128::from(verify::full(space, rules, &scores, u64::MAX, &()).unwrap()), all);
    if all <= FEW {
        check_sources(space, &kernel, &scores);
        for isa in Isa::available() {
            let again = MemoryStore::new(space.n_layers());
            solve_with(&Kernel::Rows(RowKernel::new(space, rules, isa)), space, &again, u64::MAX, &()).unwrap();
            let digest = |store: &MemoryStore, layer| store.finished(Layer(layer)).unwrap().digest;
            assert!((0..space.n_layers()).all(|layer| digest(&again, layer) == digest(&scores, layer)), "{isa:?}");
        }
    }
    let (book, start) = (Book::new(space, &scores), layout.units().start());
    for entry in (0..expected.len()).step_by(expected.len().div_ceil(PROBED)) {
        let drawn = naive::drawn_lines(start, entry as u64);
        assert_eq!(book.probe_drawn(drawn).unwrap(), expected[entry], "drawn lines {:x}", drawn.0);
    }
}

/// Which cuts of a start are tried.
enum Cuts {
    Every,
    /// The best one and another one.
    Two,
}

/// Checks a start in one space.
fn check_start(units: &Units, penalty: i32, which: Cuts, rng: &mut Rng) {
    let start = units.start();
    let what = format!("{start} in the {} space, penalty {penalty}", units.kind());
    let graph = start.board().graph_file().map_or(String::new(), |text| format!(" of\n{text}"));
    let expected = naive::table(start, penalty as i8);
    let mut partitions: Vec<Partition> = cuts(units).into_iter().map(|cut| Partition::new(units, cut)).collect();
    partitions.retain(|partition| partition.sizes.waist <= WIDEST);
    if let Cuts::Two = which {
        let _trying = Trying(format!("the best cut: {what}{graph}"));
        check_space(&Space::with_layout(Layout::new(units.clone()).unwrap()), penalty, &expected);
        rng.shuffle(&mut partitions);
        partitions.truncate(1);
    }
    for partition in partitions {
        let _trying = Trying(format!("{} ({:?}): {what}{graph}", partition.sizes, partition.joints));
        let layout = Layout::with_partition(units.clone(), partition, &Budget::unbounded()).unwrap();
        check_space(&Space::with_layout(layout), penalty, &expected);
    }
}

/// All products of some maps of lines.
fn generated(n_lines: usize, generators: &[&Vec<LineIdx>]) -> BTreeSet<Vec<LineIdx>> {
    let mut group = BTreeSet::from([(0..n_lines).collect::<Vec<LineIdx>>()]);
    let mut front: Vec<Vec<LineIdx>> = group.iter().cloned().collect();
    while let Some(map) = front.pop() {
        for generator in generators {
            let product: Vec<LineIdx> = map.iter().map(|&image| generator[image]).collect();
            if group.insert(product.clone()) {
                front.push(product);
            }
        }
    }
    group
}

/// All groups that two symmetries of a board generate: every subgroup of those of a grid, of a row and of a polygon.
fn subgroups(board: &Board) -> BTreeSet<BTreeSet<Vec<LineIdx>>> {
    let maps = board.symmetries();
    let pairs = maps.iter().flat_map(|a| maps.iter().map(move |b| [a, b]));
    pairs.map(|pair| generated(board.n_lines(), &pair)).collect()
}

/// A start with at most so many open lines that keeps every map of `group`; its orbits are drawn at random.
fn random_start(
    board: &Arc<Board>,
    group: &BTreeSet<Vec<LineIdx>>,
    most_open: usize,
    rng: &mut Rng,
) -> Option<Position> {
    let orbit = |line: LineIdx| group.iter().map(|map| map[line]).collect::<LineSet>();
    let mut orbits: Vec<LineSet> = Vec::new();
    for line in 0..board.n_lines() {
        if !orbits.iter().any(|orbit| orbit.has(line)) {
            orbits.push(orbit(line));
        }
    }
    rng.shuffle(&mut orbits);
    let most_open = most_open.min(board.n_lines());
    let n_open = rng.usize(most_open.div_ceil(2)..=most_open);
    let mut open = LineSet::EMPTY;
    for orbit in orbits {
        if (open | orbit).len() <= n_open {
            open |= orbit;
        }
    }
    (!open.is_empty()).then(|| Position::new(board.clone(), board.all() - open).unwrap())
}

/// The units of a random start whose root has exactly the symmetries of `group`, if one turns up.
fn start_of_group(
    board: &Arc<Board>,
    group: &BTreeSet<Vec<LineIdx>>,
    kind: SpaceKind,
    most_open: usize,
    rng: &mut Rng,
) -> Option<Units> {
    let start = |_| random_start(board, group, most_open, rng);
    let units = (0..200).filter_map(start).map(|start| Units::new(start, kind).unwrap());
    units.into_iter().find(|units| !units.units().is_empty() && units.symmetries().len() == group.len())
}

/// A penalty as users choose them: mostly none.
fn penalty(rng: &mut Rng) -> i32 {
    [0, 0, 1, 3][rng.usize(..4)]
}

/// Checks starts with every group of symmetries of a board over every cut; returns for each space how many groups had a start.
fn check_board(board: &Arc<Board>, most_open: usize, n_starts: usize) -> [usize; 2] {
    let groups: Vec<_> = subgroups(board).into_iter().collect();
    SPACES.map(|kind| {
        let has_start = |(i, group): (usize, &BTreeSet<Vec<LineIdx>>)| {
            let mut rng = Rng::with_seed(i as u64);
            let starts = (0..n_starts).filter(|_| {
                let units = start_of_group(board, group, kind, most_open, &mut rng);
                units.is_some_and(|units| {
                    let penalty = penalty(&mut rng);
                    check_start(&units, penalty, Cuts::Every, &mut rng);
                    true
                })
            });
            starts.count() > 0
        };
        groups.par_iter().enumerate().filter(|&group| has_start(group)).count()
    })
}

/// The graph file of a ring of coins with a string to the ground at each, and its turns and reflections.
fn ring(n: usize) -> Arc<Board> {
    let coins: String = (0..n).map(|i| format!("coin c{i}\n")).collect();
    let strings: String = (0..n).map(|i| format!("string c{i} c{}\nstring c{i} ground\n", (i + 1) % n)).collect();
    let map = |image: &dyn Fn(usize) -> usize| {
        let images: Vec<String> = (0..n).map(|i| format!("c{}", image(i) % n)).collect();
        format!("symmetry {}\n", images.join(" "))
    };
    let symmetries = map(&|i| i + 1) + &map(&|i| n - i);
    Board::from_graph_file("ring", &format!("{coins}{strings}{symmetries}")).unwrap()
}

const BOARDS: [&str; 19] = [
    "1x2",
    "1x3",
    "1x6",
    "2x2",
    "2x3",
    "3x2",
    "2x4",
    "2x5",
    "2x6",
    "2x7",
    "3x3",
    "3x4",
    "3x5",
    "4x4",
    "closed:8",
    "open:5",
    "triangles:open:4",
    "triangles:closed:5",
    "triangles:closed:6",
];

#[test]
fn every_group_of_every_board() {
    for name in BOARDS {
        let board = Board::parse(name).unwrap();
        let all = subgroups(&board).len();
        assert_eq!(check_board(&board, 12, 1), [all; 2], "groups of {name} that have a start");
    }
}

/// Some groups have no start of their own: lines that turns alone exchange are exchanged by reflections, too.
#[test]
fn every_group_of_boards_with_few_orbits() {
    assert_eq!(check_board(&Board::parse("1x1").unwrap(), 4, 1), [6, 6]);
    for (n, groups) in [(3, [4, 5]), (4, [8, 9]), (6, [13, 15])] {
        assert_eq!(check_board(&ring(n), 12, 1), groups, "groups of a ring of {n} that have a start");
    }
}

#[test]
#[ignore = "long: ten starts of 16 open lines of every group"]
fn every_group_again() {
    for name in BOARDS {
        check_board(&Board::parse(name).unwrap(), 16, 10);
    }
}

/// Starts that ended in a panic once: their halves are exchanged, but not by a reflection at the waist.
#[test]
fn starts_that_failed() {
    let mut rng = Rng::with_seed(0);
    for (start, kind) in [
        ("2x3:10200", SpaceKind::Quiet),
        ("2x4:801", SpaceKind::Quiet),
        ("2x4:402", SpaceKind::Quiet),
        ("2x4:102000", SpaceKind::Quiet),
        ("2x3:101", SpaceKind::Full),
    ] {
        let units = Units::new(start.parse().unwrap(), kind).unwrap();
        for penalty in [0, 1] {
            check_start(&units, penalty, Cuts::Every, &mut rng);
        }
    }
}

/// Larger ones: quarter-turns, a half-turn with both diagonals, one diagonal, a half-turn of 3x4.
#[test]
fn large_starts_that_failed() {
    for (start, kind) in [
        ("4x4:ecf37f59af", SpaceKind::Full),
        ("4x4:38f1c339cc", SpaceKind::Quiet),
        ("4x4:e20278c913", SpaceKind::Quiet),
        ("3x4:500a", SpaceKind::Quiet),
    ] {
        let _trying = Trying(start.to_owned());
        let space = Space::new(start.parse().unwrap(), kind).unwrap();
        let rules = Rules::new(&space, 0).unwrap();
        let scores = MemoryStore::new(space.n_layers());
        solve_with(&Kernel::best(&space, rules), &space, &scores, u64::MAX, &()).unwrap();
        assert!(verify::sample(&space, rules, &scores, u64::MAX, 20, &()).unwrap() > 0);
    }
}

/// A random graph with the symmetries that some random permutations of its coins generate, as the text of its file; the
/// permutations may generate too many.
fn random_graph(rng: &mut Rng) -> String {
    let n = rng.usize(2..10);
    let permutations: Vec<Vec<usize>> = (0..rng.usize(1..3)).map(|_| short_cycles(n, rng)).collect();
    let mut strings = String::new();
    let mut has_string = vec![false; n];
    let mut n_strings = 0;
    // Number `n` is the ground.
    let image = |map: &[usize], end: usize| map.get(end).copied().unwrap_or(end);
    let n_wanted = rng.usize(4..16);
    while n_strings < n_wanted || has_string.contains(&false) {
        let a = if n_strings < n_wanted { rng.usize(..n) } else { has_string.iter().position(|has| !has).unwrap_or(0) };
        let b = rng.usize(..n + 2).min(n);
        let mut orbit = BTreeSet::from([(a.min(b), a.max(b))]);
        let mut front: Vec<(usize, usize)> = orbit.iter().copied().collect();
        while let Some((a, b)) = front.pop() {
            for map in &permutations {
                let (a, b) = (image(map, a), image(map, b));
                if orbit.insert((a.min(b), a.max(b))) {
                    front.push((a.min(b), a.max(b)));
                }
            }
        }
        if a == b {
            continue;
        }
        for &(a, b) in &orbit {
            has_string[a] = true;
            let other = if b == n { "ground".to_owned() } else { format!("c{b}") };
            if b < n {
                has_string[b] = true;
            }
            strings += &format!("string c{a} {other}\n");
        }
        n_strings += orbit.len();
    }
    let coins: String = (0..n).map(|i| format!("coin c{i}\n")).collect();
    let symmetries = permutations.iter().map(|map| {
        let images: Vec<String> = map.iter().map(|i| format!("c{i}")).collect();
        format!("symmetry {}\n", images.join(" "))
    });
    coins + &strings + &symmetries.collect::<String>()
}

/// A random permutation of cycles of at most four.
fn short_cycles(n: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut order);
    let mut map: Vec<usize> = (0..n).collect();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let (cycle, others) = rest.split_at(rng.usize(1..=rest.len().min(4)));
        for (i, &from) in cycle.iter().enumerate() {
            map[from] = cycle[(i + 1) % cycle.len()];
        }
        rest = others;
    }
    map
}

/// A random board of any kind.
fn random_board(rng: &mut Rng) -> Arc<Board> {
    if rng.bool() {
        return Board::parse(BOARDS[rng.usize(..BOARDS.len())]).unwrap();
    }
    loop {
        if let Ok(board) = Board::from_graph_file("random", &random_graph(rng)) {
            return board;
        }
    }
}

/// Checks one random start in both spaces.
fn check_random(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let start = loop {
        let board = random_board(&mut rng);
        let maps = board.symmetries();
        let generators = [&maps[rng.usize(..maps.len())], &maps[rng.usize(..maps.len())]];
        let group = generated(board.n_lines(), &generators[rng.usize(..2)..]);
        if let Some(start) = random_start(&board, &group, 13, &mut rng) {
            break start;
        }
    };
    let penalty = penalty(&mut rng);
    for kind in SPACES {
        check_start(&Units::new(start.clone(), kind).unwrap(), penalty, Cuts::Two, &mut rng);
    }
}

/// As many random starts as `PROPTEST_CASES` says (`scripts/fuzz`).
#[test]
fn random_starts() {
    let n = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    (0..n).into_par_iter().for_each(check_random);
}

#[test]
#[ignore = "long: ten minutes of random starts"]
fn random_starts_for_ten_minutes() {
    let (begin, mut seed) = (Instant::now(), 1 << 32);
    while begin.elapsed() < Duration::from_secs(600) {
        (seed..seed + 1_000).into_par_iter().for_each(check_random);
        seed += 1_000;
    }
}
