//! The order of the waist configurations: one that is read lies close to its readers.
//!
//! A configuration is a binary number with a digit for each waist unit, and a move at the waist adds a one. Here the units of
//! a board read 1 0 2, from the highest digit to the lowest:
//!
//! ```text
//!    rank                7     6     5     4     3     2     1     0       solved from left to right
//!    filled units      1,0,2  1,0   1,2    1    0,2    0     2    none
//!    a move fills 2      └─────┘     └─────┘     └─────┘     └─────┘       read at once, while still in memory
//!    a move fills 1      └───────────────────────┘                         read after half of all positions
//! ```
//! So a low digit saves decoding what the moves of its unit read. The price is memory, which holds all that is solved in between, and
//! every lower digit makes that more. Units have the lower digits the more they save for a doubling of it. That is the same order for
//! every memory.

use dab_space::{Layout, SlabKey, UnitMask};

/// By ordinal of a waist configuration: its rank. Those of a higher rank are solved first.
pub(super) fn ranks(layout: &Layout) -> Vec<UnitMask> {
    let units = units(layout);
    let rank = |filled: UnitMask| units.iter().fold(0, |rank, unit| rank << 1 | filled >> unit & 1);
    let ranks: Vec<UnitMask> = layout.waists().iter().map(|waist| rank(waist.filled)).collect();
    // A slab that is read may be stored as its mirror image. The highest rank of all images grows with every unit, too.
    let highest = |waist| images(layout, waist).map(|image| ranks[image as usize]).max();
    (0..ranks.len() as u32).filter_map(highest).collect()
}

/// The waist units, from the highest digit to the lowest.
fn units(layout: &Layout) -> Vec<usize> {
    let positions = positions(layout);
    let all: f64 = positions.iter().sum();
    let saved_by_doubling: Vec<f64> = (0..layout.partition().sizes.waist)
        .map(|unit| {
            let has_reader = |filled: UnitMask| (layout.waist_of(filled ^ 1 << unit) as usize) < positions.len();
            let with_it = || layout.waists().iter().zip(&positions).filter(|(waist, _)| waist.filled >> unit & 1 == 1);
            let filled: f64 = with_it().map(|(_, positions)| positions).sum();
            let read: f64 =
                with_it().filter(|(waist, _)| has_reader(waist.filled)).map(|(_, positions)| positions).sum();
            read / (all / filled.max(all - filled)).log2()
        })
        .collect();
    let mut units: Vec<usize> = (0..saved_by_doubling.len()).collect();
    units.sort_by(|&a, &b| saved_by_doubling[a].total_cmp(&saved_by_doubling[b]));
    units
}

/// By ordinal of a waist configuration: the positions that are stored for it, or for its mirror image.
fn positions(layout: &Layout) -> Vec<f64> {
    let mut stored = vec![0.0; layout.waists().len()];
    for key in layout.layers().iter().flatten() {
        stored[key.waist as usize] += layout.positions(*key) as f64;
    }
    let least = |waist| layout.least(SlabKey::new(waist, 0, 0)).0.waist;
    (0..stored.len() as u32).map(|waist| stored[least(waist) as usize]).collect()
}

/// The ordinals of the images of a waist configuration.
fn images(layout: &Layout, waist: u32) -> impl Iterator<Item = u32> {
    layout.images(SlabKey::new(waist, 0, 0)).map(|(image, _)| image.waist)
}

#[cfg(test)]
mod tests {
    use dab_space::{Space, SpaceKind};

    use super::*;

    #[test]
    fn ranks_grow_with_every_unit() {
        for (start, kind) in [
            ("3x4", SpaceKind::Quiet),
            ("4x4", SpaceKind::Quiet),
            ("2x3", SpaceKind::Full),
            ("3x4:1f0000", SpaceKind::Quiet),
            ("triangles:open:6", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let (layout, ranks) = (space.layout(), ranks(space.layout()));
            for (waist, rank) in layout.waists().iter().zip(&ranks) {
                let free = (0..layout.partition().sizes.waist).filter(|unit| waist.filled >> unit & 1 == 0);
                let with = free.map(|unit| layout.waist_of(waist.filled | 1 << unit));
                let mut with = with.filter(|&with| with != u32::MAX);
                assert!(with.all(|with| images(layout, with).all(|image| ranks[image as usize] > *rank)), "{start}");
            }
        }
    }

    #[test]
    fn units_that_save_most_have_the_lowest_digits() {
        let space = Space::new("3x5".parse().unwrap(), SpaceKind::Quiet).unwrap();
        assert_eq!(units(space.layout()), [3, 6, 0, 4, 1, 5, 7, 9, 2, 8]);
    }
}
