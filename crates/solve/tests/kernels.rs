//! Every kernel gives the same layers, byte by byte.

use dab_board::{Board, Position, Start};
use dab_solve::kernel::rows::RowKernel;
use dab_solve::kernel::{Isa, Kernel};
use dab_solve::{solve_with, verify};
use dab_space::partition::{Partition, straight_cuts};
use dab_space::{Layout, Rules, Space, SpaceKind, Units};
use dab_store::{Digest, MemoryStore, ScoreRead};

fn solved(kernel: &Kernel<'_>, space: &Space, budget: u64) -> MemoryStore {
    let scores = MemoryStore::new(space.n_layers());
    solve_with(kernel, space, &scores, budget, &()).unwrap();
    scores
}

fn digests(scores: &MemoryStore, space: &Space) -> Vec<Digest> {
    (0..space.n_layers()).map(|layer| scores.finished(layer).unwrap().digest).collect()
}

#[track_caller]
fn check(start: &Position, kind: SpaceKind, penalty: i32) {
    check_space(&Space::new(start.clone(), kind).unwrap(), penalty);
}

#[track_caller]
fn check_space(space: &Space, penalty: i32) {
    let (start, kind) = (space.layout().units().start(), space.kind());
    let rules = Rules::new(space, penalty).unwrap();
    let sizes = space.layout().partition().sizes;
    let told = format!("{start} {kind} penalty {penalty} {sizes:?}");
    let reference = solved(&Kernel::Reference(space, rules), space, u64::MAX);
    // Every position by the definition, and by the rows of the reference.
    let all = space.layout().total_positions() as u64;
    let by_definition = verify::sample(space, rules, &reference, u64::MAX, usize::MAX, &());
    assert_eq!(by_definition.unwrap_or_else(|error| panic!("{told}: {error}")), all, "{told}");
    // Without memory moves are walked for every slab that they lead to on its own.
    for budget in [0, u64::MAX] {
        let by_rows = verify::full(space, rules, &reference, budget, &());
        assert_eq!(by_rows.unwrap_or_else(|error| panic!("{told}, budget {budget}: {error}")), all, "{told}");
    }
    let expected = digests(&reference, space);
    // Without memory every slab is read in a batch of its own.
    for (isa, budget) in Isa::available().into_iter().map(|isa| (isa, u64::MAX)).chain([(Isa::best(), 0)]) {
        let found = digests(&solved(&Kernel::Rows(RowKernel::new(space, rules, isa)), space, budget), space);
        let wrong = (0..expected.len()).rev().find(|&layer| found[layer] != expected[layer]);
        assert_eq!(wrong, None, "{told} {isa:?} {budget}: first wrong layer");
    }
}

#[test]
fn every_start_of_small_boards() {
    let boards = [(1, 1), (1, 2), (1, 5), (1, 6), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)];
    for (rows, cols) in boards {
        for start in Start::ALL {
            for kind in [SpaceKind::Quiet, SpaceKind::Full] {
                let start = Position::start(Board::grid(rows, cols).unwrap(), start);
                // The four million positions of the full 3x3 are enough once.
                let is_large = kind == SpaceKind::Full && start.undrawn().len() > 22;
                for &penalty in if is_large { &[0][..] } else { &[0, 3, 100] } {
                    check(&start, kind, penalty);
                }
            }
        }
    }
}

/// The index prefers few slabs on small boards; the kernels must not care where the cut runs.
#[test]
fn every_cut_of_small_boards() {
    for (rows, cols, start) in [
        (1, 6, Start::American),
        (2, 3, Start::American),
        (3, 3, Start::American),
        (3, 3, Start::Icelandic),
        (3, 4, Start::Icelandic),
        (4, 4, Start::Swedish),
    ] {
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            let start = Position::start(Board::grid(rows, cols).unwrap(), start);
            if kind == SpaceKind::Full && start.undrawn().len() > 18 {
                continue;
            }
            let units = Units::new(start, kind).unwrap();
            for cut in straight_cuts(&units) {
                let partition = Partition::new(&units, cut);
                if partition.sizes.waist <= 13 {
                    check_space(&Space::of(Layout::of(units.clone(), partition).unwrap()), 0);
                }
            }
        }
    }
}

#[test]
fn larger_boards() {
    for (rows, cols, start) in
        [(2, 5, Start::American), (3, 4, Start::Icelandic), (4, 4, Start::Swedish), (3, 5, Start::Swedish)]
    {
        check(&Position::start(Board::grid(rows, cols).unwrap(), start), SpaceKind::Quiet, 0);
    }
}

#[test]
#[ignore = "long: 2 * 10^9 positions by the reference, 3 GB"]
fn american_4x4() {
    let space = Space::new("4x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
    let rules = Rules::new(&space, 0).unwrap();
    let of = |kernel: Kernel<'_>| digests(&solved(&kernel, &space, u64::MAX), &space);
    let expected = of(Kernel::Reference(&space, rules));
    for isa in Isa::available() {
        assert_eq!(of(Kernel::Rows(RowKernel::new(&space, rules, isa))), expected, "{isa:?}");
    }
}
