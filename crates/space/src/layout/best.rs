//! The choice of the best cut, by the cost of its slabs.

use dab_board::BoardKind;

use super::Layout;
use super::waist::n_waists;
use crate::partition::{Partition, cuts};
use crate::shared_out::with_shared_out;
use crate::{SpaceError, Units};

/// Widest waist that is listed.
pub const MAX_WAIST: usize = 20;
/// Cuts of an arranged graph that are laid out to be compared.
const MAX_LAID_OUT: usize = 16;
/// Slabs of at most the first size are handled as one piece on any board, of at most the second where they are one
/// of very many: a narrow waist is worth larger slabs, as long as all threads have some.
const LARGE_SLAB: [u64; 2] = [64 << 20, 256 << 20];
/// Slabs of that size on average would be very many.
const VERY_MANY: u128 = 100;
/// Work that a slab costs on top of its positions, in positions.
const SLAB_OVERHEAD: u128 = 4_000;
/// Work that a configuration of a half costs, in positions.
const CONFIG_OVERHEAD: u128 = 100;

impl Layout {
    /// The layout of the best cut: few positions to store, no slab too large, few slabs.
    ///
    /// # Errors
    /// If no cut has a waist of at most [`MAX_WAIST`] units.
    pub fn new(units: Units) -> Result<Self, SpaceError> {
        let cuts = with_shared_out(&units, cuts(&units)).into_iter();
        let partitions = cuts.map(|cut| Partition::new(&units, cut));
        let mut narrow: Vec<Partition> = partitions.filter(|partition| partition.sizes.waist <= MAX_WAIST).collect();
        narrow.sort_by_key(|partition| partition.sizes.waist);
        if units.start().board().kind() == BoardKind::Graph {
            // An arranged graph has many cuts that are much alike: only the narrow and balanced ones are laid out.
            narrow.sort_by_key(|Partition { sizes, .. }| 10 * sizes.waist + 7 * sizes.upper.max(sizes.lower));
            narrow.truncate(MAX_LAID_OUT);
        }
        let mut best: Option<(u128, Self)> = None;
        for partition in narrow {
            // Each waist has at least one slab, which it shares with its images at most.
            let least = SLAB_OVERHEAD * n_waists(&partition, units.kind()) / partition.symmetries.len() as u128;
            if best.as_ref().is_some_and(|(cost, _)| least >= *cost) {
                continue;
            }
            let mut layout = Self::without_slabs(units.clone(), partition);
            if best.as_ref().is_none_or(|(cost, _)| layout.least_cost() < *cost) {
                layout.list_slabs();
                let cost = layout.cost();
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, layout));
                }
            }
        }
        best.map(|(_, layout)| layout).ok_or_else(|| SpaceError::TooWide {
            position: units.start().to_string(),
            units: units.units().len(),
            max_waist: MAX_WAIST,
        })
    }

    /// The cost of a cut in positions, to compare cuts of one start.
    fn cost(&self) -> u128 {
        let positions = self.total_positions();
        too_large(self.largest_slab(), positions)
            + positions
            + SLAB_OVERHEAD * self.n_slabs() as u128
            + self.configs_cost()
    }

    /// A lower bound of the cost before the slabs are listed: a slab has at most as many images as there are symmetries.
    fn least_cost(&self) -> u128 {
        let (mut positions, mut slabs, mut largest) = (0, 0, 0);
        for waist in &self.waists {
            let counts = self.counts(waist).0;
            positions +=
                counts.map(|counts| counts.iter().map(|&n| u128::from(n)).sum::<u128>()).iter().product::<u128>();
            slabs += counts.map(|counts| counts.iter().filter(|&&n| n > 0).count() as u128).iter().product::<u128>();
            largest = largest.max(counts.map(|counts| counts.iter().copied().max().unwrap_or(0)).iter().product());
        }
        let images = self.symmetries.len() as u128;
        too_large(largest, positions) + (positions + SLAB_OVERHEAD * slabs) / images + self.configs_cost()
    }

    fn configs_cost(&self) -> u128 {
        let counts = self.halves.iter().flat_map(|half| half.counts.iter().flatten());
        CONFIG_OVERHEAD * counts.map(|&n| u128::from(n)).sum::<u128>()
    }
}

/// The cost of a slab that is too large, given the positions of all slabs. It outweighs any other cost and grows with
/// the slab.
fn too_large(largest: u64, positions: u128) -> u128 {
    let bound = (positions / VERY_MANY).clamp(LARGE_SLAB[0].into(), LARGE_SLAB[1].into());
    u128::from(largest).saturating_sub(bound) << 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpaceKind;
    use crate::count::{Weight, positions};
    use crate::partition::straight_cuts;
    use dab_board::{Board, LineSet, Position, Start};

    #[test]
    fn the_best_cut_of_four_by_four_is_along_its_lines() {
        let layout = Layout::new(Units::new("4x4".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        assert_eq!(layout.partition().sizes.waist, 4);
        assert_eq!(layout.symmetries().len(), 4);
        assert!(layout.largest_slab() < LARGE_SLAB[0]);
    }

    #[test]
    fn a_slab_may_be_larger_where_it_is_one_of_many() {
        let slab = 100 << 20;
        assert_eq!(too_large(slab, 20_000_000_000), 0);
        assert!(too_large(slab, 2_000_000_000) > 20_000_000_000);
        assert!(too_large(300 << 20, 1 << 50) < too_large(301 << 20, 1 << 50));
    }

    #[test]
    fn no_cut_costs_less_than_is_said_before() {
        for start in ["3x3", "2x5:3", "3x4:412", "4x4:8421"] {
            let units = Units::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
            for cut in straight_cuts(&units) {
                let Ok(layout) = Layout::of(units.clone(), Partition::new(&units, cut)) else { continue };
                assert!(layout.least_cost() <= layout.cost(), "{start}");
            }
        }
    }

    #[test]
    fn components_that_do_not_touch_are_shared_out() {
        // A pinwheel: every straight cut runs through one of its components.
        let blocks = ["AAABB", "AAABB", "DD BB", "DDCCC", "DDCCC"].concat();
        let board = Board::grid(5, 5).unwrap();
        let lies_between = |&line: &usize| match board.graph().strings()[line].ends {
            [Some(a), Some(b)] => blocks.as_bytes()[a] != blocks.as_bytes()[b],
            _ => false,
        };
        let between: LineSet = board.all().iter().filter(lies_between).collect();
        let drawn = between | board.start_lines(Start::Icelandic).unwrap();
        let units = Units::new(Position::new(board.clone(), drawn).unwrap(), SpaceKind::Quiet).unwrap();
        let sizes = |partition: &Partition| (partition.sizes.waist, partition.sizes.upper, partition.sizes.lower);
        let mut straight = straight_cuts(&units).into_iter().map(|cut| Partition::new(&units, cut));
        assert!(straight.all(|partition| sizes(&partition) != (0, 14, 15)));
        let layout = Layout::new(units.clone()).unwrap();
        assert_eq!(sizes(layout.partition()), (0, 14, 15));
        assert_eq!(layout.canonical_positions(), positions(&units, Weight::Canonical));
    }
}
