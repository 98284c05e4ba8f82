//! Every kernel gives the same layers, byte by byte.

use crate::kernel::rows::RowKernel;
use crate::kernel::{Isa, Kernel};
use crate::{solve_with, verify};
use dab_board::{Board, Position, Start};
use dab_space::cuts::straight_cuts;
use dab_space::partition::Partition;
use dab_space::{Budget, Layer, Layout, Rules, Space, SpaceKind, Units};
use dab_store::{Digest, MemoryStore, ScoreRead};

/// Most positions of a space that is checked by default; the long tests check the larger ones.
const MODERATE: u128 = 300_000;
/// The same for each cut of a board, of which there are many.
const MODERATE_CUT: u128 = 60_000;
/// Most positions of a space of which every score is derived in every way.
const FEW: u128 = 20_000;

const SPACES: [SpaceKind; 2] = [SpaceKind::Quiet, SpaceKind::Full];

fn solved(kernel: &Kernel<'_>, space: &Space, budget: u64) -> MemoryStore {
    let scores = MemoryStore::new(space.n_layers());
    solve_with(kernel, space, &scores, budget, &()).unwrap();
    scores
}

fn digests(scores: &MemoryStore, space: &Space) -> Vec<Digest> {
    (0..space.n_layers()).map(|layer| scores.finished(Layer(layer)).unwrap().digest).collect()
}

#[track_caller]
fn check_space(space: &Space, penalty: i32) {
    let (start, kind) = (space.layout().units().start(), space.kind());
    let rules = Rules::new(space, penalty).unwrap();
    check_rules(space, rules);
    if let Ok(with_marks) = rules.with_marks(start, kind) {
        check_rules(space, with_marks);
    }
}

#[track_caller]
fn check_rules(space: &Space, rules: Rules) {
    let (start, kind, sizes) = (space.layout().units().start(), space.kind(), space.layout().partition().sizes);
    let told = format!("{start} {kind} {rules:?} {sizes:?}");
    let scores = solved(&Kernel::best(space, rules), space, u64::MAX);
    // By the reference kernel slab by slab. Few positions are checked on their own, too, and without memory, where a slab
    // is walked for every slab that its moves lead to.
    let all = space.layout().total_positions();
    let mut verified = vec![verify::full(space, rules, &scores, u64::MAX, &())];
    if all <= FEW {
        verified.push(verify::sample(space, rules, &scores, u64::MAX, usize::MAX, &()));
        verified.push(verify::full(space, rules, &scores, 0, &()));
    }
    for verified in verified {
        assert_eq!(u128::from(verified.unwrap_or_else(|error| panic!("{told}: {error}"))), all, "{told}");
    }
    let expected = digests(&scores, space);
    // Without memory every slab is read in a batch of its own.
    for (isa, budget) in Isa::available().into_iter().map(|isa| (isa, u64::MAX)).chain([(Isa::best(), 0)]) {
        let found = digests(&solved(&Kernel::Rows(RowKernel::new(space, rules, isa)), space, budget), space);
        let wrong = (0..expected.len()).rev().find(|&layer| found[layer] != expected[layer]);
        assert_eq!(wrong, None, "{told} {isa:?} {budget}: first wrong layer");
    }
}

/// Checks the starts of small boards in both spaces, those with as many positions as `choose` says.
fn check_starts(choose: impl Fn(u128) -> bool) {
    for (rows, cols) in [(1, 1), (1, 2), (1, 5), (1, 6), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        for (start, kind) in Start::ALL.into_iter().flat_map(|start| SPACES.map(|kind| (start, kind))) {
            let start = Position::start(Board::grid(rows, cols).unwrap(), start);
            let space = Space::new(start, kind).unwrap();
            if choose(space.layout().total_positions()) {
                [0, 3, 100].into_iter().for_each(|penalty| check_space(&space, penalty));
            }
        }
    }
}

#[test]
fn every_start_of_small_boards() {
    check_starts(|positions| positions <= MODERATE);
}

#[test]
#[ignore = "long: 10^7 positions by the reference"]
fn every_start_of_the_rest() {
    check_starts(|positions| positions > MODERATE);
}

/// Checks every cut of some boards: the index prefers few slabs on small boards, but the kernels must not care where the
/// cut runs.
fn check_cuts(choose: impl Fn(u128) -> bool) {
    for (rows, cols, start) in [
        (1, 6, Start::American),
        (2, 3, Start::American),
        (3, 3, Start::American),
        (3, 3, Start::Icelandic),
        (3, 4, Start::Icelandic),
        (4, 4, Start::Swedish),
    ] {
        let start = Position::start(Board::grid(rows, cols).unwrap(), start);
        for kind in SPACES.into_iter().filter(|&kind| kind == SpaceKind::Quiet || start.undrawn().len() <= 18) {
            let units = Units::new(start.clone(), kind).unwrap();
            for cut in straight_cuts(&units) {
                let partition = Partition::new(&units, cut);
                if partition.sizes.waist <= 13 {
                    let layout = Layout::with_partition(units.clone(), partition, &Budget::unbounded()).unwrap();
                    if choose(layout.total_positions()) {
                        check_space(&Space::with_layout(layout), 0);
                    }
                }
            }
        }
    }
}

#[test]
fn every_cut_of_small_boards() {
    check_cuts(|positions| positions <= MODERATE_CUT);
}

#[test]
#[ignore = "long: 10^7 positions by the reference"]
fn every_cut_of_the_rest() {
    check_cuts(|positions| positions > MODERATE_CUT);
}

/// Checks the cuts that are chosen where slabs have to be small: their waists have units of the halves, too.
#[test]
fn every_wider_waist_of_small_boards() {
    let mut n_wider = 0;
    for (start, largest) in [
        ("1x6", &[40, 10][..]),
        ("2x3", &[40, 10]),
        ("2x4:0801", &[300]),
        ("3x3", &[1_500]),
        ("3x3:100100", &[2_000, 300]),
        ("4x4:a50a05a50a", &[300, 40, 10]),
    ] {
        for kind in SPACES {
            let units = Units::new(start.parse().unwrap(), kind).unwrap();
            for &largest in largest {
                let layout = Layout::within(units.clone(), largest, &Budget::unbounded()).unwrap();
                if layout.partition().n_inner() > 0 && layout.total_positions() <= MODERATE {
                    n_wider += 1;
                    check_space(&Space::with_layout(layout), 0);
                }
            }
        }
    }
    assert!(n_wider > 5, "{n_wider}");
}

#[test]
fn larger_boards() {
    for (rows, cols, start) in
        [(2, 5, Start::American), (3, 4, Start::Icelandic), (4, 4, Start::Swedish), (3, 5, Start::Swedish)]
    {
        let start = Position::start(Board::grid(rows, cols).unwrap(), start);
        check_space(&Space::new(start, SpaceKind::Quiet).unwrap(), 0);
    }
}

#[test]
#[ignore = "long: 2 * 10^9 positions by the reference, 3 GB"]
fn american_4x4() {
    let space = Space::new("4x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
    let rules = Rules::new(&space, 0).unwrap();
    let of = |isa| solved(&Kernel::Rows(RowKernel::new(&space, rules, isa)), &space, u64::MAX);
    let scores = of(Isa::best());
    let verified = verify::full(&space, rules, &scores, u64::MAX, &()).unwrap();
    assert_eq!(u128::from(verified), space.layout().total_positions());
    for isa in Isa::available() {
        assert_eq!(digests(&of(isa), &space), digests(&scores, &space), "{isa:?}");
    }
}
