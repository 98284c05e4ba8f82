//! Golden histograms: `data/golden/hist_RxC.tsv`, how many of all 2^L positions have which score, by drawn lines.
//!
//! Each stored position of the full space stands for as many as there are slabs in its orbit and ways to fill its
//! corner classes; the quiet space must score it alike.

use super::common;

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use common::{Solved, golden, space};
use dab_board::{LineSet, Position, Score};
use dab_space::{SlabKey, Space, SpaceKind};

type Histogram = BTreeMap<(usize, Score), u64>;

/// For each stored slab the number of slabs that it stands for, itself included.
fn orbits(space: &Space) -> HashMap<SlabKey, u64> {
    let (layout, sizes) = (space.layout(), space.layout().partition().sizes);
    let mut orbits = HashMap::new();
    for waist in 0..layout.waists().len() as u32 {
        for (upper, lower) in (0..=sizes.upper).flat_map(|upper| (0..=sizes.lower).map(move |lower| (upper, lower))) {
            let key = SlabKey::new(waist, upper as u8, lower as u8);
            *orbits.entry(layout.least(key).0).or_default() += 1;
        }
    }
    orbits
}

/// In how many ways the corner classes of a position can be filled by the same numbers of units.
fn corner_ways(space: &Space, drawn: LineSet) -> u64 {
    let filled = space.mask_of(drawn).unwrap();
    let ways = |class: &u64| binomial(class.count_ones().into(), (filled & class).count_ones().into());
    space.layout().parallel_classes().classes().iter().map(ways).product()
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

#[track_caller]
fn check(board: &str, rows: usize) {
    let start: Position = board.parse().unwrap();
    let spaces = [SpaceKind::Full, SpaceKind::Quiet].map(|kind| space(&start, kind));
    let [full, quiet] = [0, 1].map(|i| Solved::new(&spaces[i], 0));
    let (book, orbits) = (quiet.book(), orbits(full.space));
    let histogram = Mutex::new(Histogram::new());
    full.par_stored_rows(|key, scored| {
        let mut here = Histogram::new();
        for &(drawn, score) in scored {
            assert_eq!(book.probe_drawn(drawn).unwrap(), score, "{board} {drawn:?}");
            *here.entry((drawn.len(), score)).or_default() += orbits[&key] * corner_ways(full.space, drawn);
        }
        let mut histogram = histogram.lock().unwrap();
        here.into_iter().for_each(|(entry, n)| *histogram.entry(entry).or_default() += n);
    });
    let found = histogram.into_inner().unwrap();
    assert_eq!(found.values().sum::<u64>(), 1 << start.undrawn().len());
    let expected = golden(&format!("hist_{board}.tsv"), rows).into_iter().map(|columns| {
        let [drawn, score, n] = &columns[..] else { panic!("{columns:?}") };
        ((drawn.parse().unwrap(), Score(score.parse().unwrap())), n.parse().unwrap())
    });
    assert_eq!(found, expected.collect::<Histogram>(), "{board}");
}

#[test]
fn two_by_three() {
    check("2x3", 114);
}

#[test]
fn three_by_three() {
    check("3x3", 256);
}

#[test]
fn two_by_five() {
    check("2x5", 321);
}
