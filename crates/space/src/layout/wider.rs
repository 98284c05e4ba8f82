//! Wider waists: a cut whose slabs are too large gets some units of its halves into the waist.
//!
//! ```text
//!    4x4 along its middle       waist 4, halves of 18 units      slabs of up to 51 million positions
//!    and 2 units more           waist 6, halves of 17 units      …
//! ```
//! Units that are images of each other, or parallel, go together, so that the cut keeps its symmetries and as few positions are stored.

use dab_board::LineSet;

use super::cost::Cost;
use super::draft::cost_of;
use super::waist::{MAX_WAIST, n_waists};
use crate::budget::{Budget, Spent};
use crate::half_shape::HalfShape;
use crate::partition::Partition;
use crate::{Half, Units};

/// The most boundary units of a half: moves name them by the bits of a number.
const MAX_BOUNDARY: usize = 32;

/// The most configurations of a wider waist, because many waists are tried, in little time and memory.
const MAX_WAISTS: u64 = 1 << 14;

/// The cut with the waist widened, the cheapest units first, as long as that makes it cheaper; `None` if it never does.
pub(super) fn widened(
    units: &Units,
    (cost, partition): (&Cost, &Partition),
    largest: u64,
    budget: &Budget<'_>,
) -> Result<Option<(Cost, Partition)>, Spent> {
    let (mut best, mut widened) = ((*cost, partition.clone()), None);
    loop {
        let mut wider: Option<(Cost, Partition)> = None;
        for orbit in orbits(units, &best.1) {
            let partition = best.1.widened(units, orbit);
            if partition.sizes.waist > MAX_WAIST || n_boundary_units(&partition) > MAX_BOUNDARY {
                continue;
            }
            let least = wider.as_ref().unwrap_or(&best).0.sum(largest);
            match cost_within(units, &partition, budget) {
                Ok(Some(cost)) if cost.sum(largest) < least => wider = Some((cost, partition)),
                // A wider waist takes more memory to plan; a narrower one may do.
                Ok(_) | Err(Spent::Bytes { .. }) => {}
                Err(spent) => return Err(spent),
            }
        }
        let Some(wider) = wider else { return Ok(widened) };
        best = wider;
        widened = Some(best.clone());
    }
}

/// The cost of a cut; `None` if its waist has too many configurations, or a list is too long.
fn cost_within(units: &Units, partition: &Partition, budget: &Budget<'_>) -> Result<Option<Cost>, Spent> {
    match n_waists(partition, units.kind(), budget)? {
        0..=MAX_WAISTS => cost_of(units, partition, budget),
        _ => Ok(None),
    }
}

/// The number of boundary units of the half that has more.
fn n_boundary_units(partition: &Partition) -> usize {
    Half::BOTH.map(|half| HalfShape::waist_units(partition, half).len()).into_iter().max().unwrap_or(0)
}

/// The units of the halves in sets that have to stay together, by their numbers in `units`: images and parallel ones.
fn orbits(units: &Units, partition: &Partition) -> Vec<LineSet> {
    let strings: Vec<_> = partition.units.iter().map(|unit| unit.string).collect();
    let number = |at: usize| units.units().iter().position(|unit| *unit == partition.units[at]);
    let (mut orbits, mut seen) = (Vec::new(), LineSet::EMPTY);
    for at in partition.sizes.waist..strings.len() {
        if seen.has(at) || strings[at].ends == [None, None] {
            continue;
        }
        let mut orbit = LineSet::one(at);
        loop {
            let images = orbit.iter().flat_map(|unit| partition.symmetries.iter().map(move |map| map[unit]));
            let grown = images.fold(orbit, LineSet::with);
            let parallel = (0..strings.len()).filter(|&other| grown.iter().any(|unit| strings[unit] == strings[other]));
            let grown = parallel.fold(grown, LineSet::with);
            if grown == orbit {
                break;
            }
            orbit = grown;
        }
        seen |= orbit;
        orbits.push(orbit.iter().filter_map(number).collect());
    }
    orbits
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Layout, SpaceKind, Units};

    #[test]
    fn a_wider_waist_keeps_the_symmetries_and_stores_fewer_positions() {
        let within = |largest| {
            let units = Units::new("4x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
            Layout::within(units, largest, &Budget::unbounded()).unwrap()
        };
        let mut layouts = [u64::MAX, 50_000_000, 9_000_000].map(within).into_iter();
        let mut before = layouts.next().unwrap();
        for layout in layouts {
            let partition = layout.partition();
            assert!(partition.n_inner() > before.partition().n_inner());
            assert_eq!(partition.sizes.waist, 4 + partition.n_inner());
            assert_eq!(layout.symmetries().len(), before.symmetries().len());
            assert_eq!(layout.canonical_positions(), before.canonical_positions());
            assert!(layout.total_positions() < before.total_positions());
            assert!(layout.largest_slab() < before.largest_slab() && layout.halves_are_alike());
            before = layout;
        }
    }
}
