//! The choice of the best cut, by the cost of its slabs.

use dab_board::BoardKind;
use dab_board::contract::Unit;
use rustc_hash::FxHashSet;

use super::Layout;
use super::cost::{Cost, SLAB_OVERHEAD};
use super::draft::{Draft, cost_of};
use super::waist::{MAX_WAIST, n_waists};
use super::wider::widened;
use crate::budget::{Budget, Spent};
use crate::cuts::cuts;
use crate::half::Half;
use crate::partition::{GroupSizes, Partition};
use crate::{SpaceError, Units};

/// Cuts of an arranged graph that are laid out to be compared.
const MAX_LAID_OUT: usize = 16;
/// Cuts with slabs that are too large whose waists are widened.
const WIDENED: usize = 2;

impl Layout {
    /// The layout of the best cut: few positions to store, few slabs, few configurations.
    ///
    /// # Errors
    /// If no cut has a waist of at most 20 units.
    pub fn new(units: Units) -> Result<Self, SpaceError> {
        Self::within(units, u64::MAX, &Budget::unbounded())
    }

    /// The layout of the best cut whose slabs have at most `largest` positions, for slabs are solved in memory. If every cut has larger
    /// slabs, the one with the smallest of these. Finding it takes no more than the budget.
    ///
    /// # Errors
    /// As [`Layout::new`], and if it takes more.
    pub fn within(units: Units, largest: u64, budget: &Budget<'_>) -> Result<Self, SpaceError> {
        SpaceError::or_defect(units.start(), || {
            let best = best(&units, largest, budget).map_err(|spent| spent.error(units.start()))?;
            best.ok_or_else(|| SpaceError::TooWide {
                position: units.start().to_string(),
                units: units.units().len(),
                max_waist: MAX_WAIST,
            })
        })
    }
}

/// The first of the cheapest layouts, in the order of the width of their waists; `None` if all are too wide.
fn best(units: &Units, largest: u64, budget: &Budget<'_>) -> Result<Option<Layout>, Spent> {
    let partitions = cuts(units).into_iter().map(|cut| Partition::new(units, cut));
    let mut narrow: Vec<Partition> = partitions.filter(|partition| partition.sizes.waist <= MAX_WAIST).collect();
    narrow.sort_by_key(|partition| partition.sizes.waist);
    if units.start().board().kind() == BoardKind::Graph {
        // An arranged graph has many cuts that are much alike: only the narrow and balanced ones are laid out.
        narrow.sort_by_key(|Partition { sizes, .. }| 10 * sizes.waist + 7 * sizes.upper.max(sizes.lower));
        narrow.truncate(MAX_LAID_OUT);
    }
    // Images of a cut cost the same, and the first one would be chosen.
    let mut seen = FxHashSet::default();
    narrow.retain(|partition| seen.insert(least_image(units, partition)));
    let (mut drafted, mut least) = (Vec::<(Cost, Partition)>::new(), u128::MAX);
    for partition in narrow {
        // Each waist has at least one slab, which it shares with its images at most.
        let n_waists = n_waists(&partition, units.kind(), budget)?;
        if SLAB_OVERHEAD * u128::from(n_waists) / partition.symmetries.len() as u128 >= least {
            continue;
        }
        if let Some(cost) = cost_of(units, &partition, budget)? {
            least = least.min(cost.sum(largest));
            drafted.push((cost, partition));
        }
    }
    drafted.sort_by_key(|(cost, _)| cost.sum(u64::MAX));
    let may_be_widened = |(cost, partition): &&(Cost, Partition)| {
        cost.largest > largest && cost.least_wider() < least && is_balanced(partition.sizes)
    };
    let mut wider = Vec::new();
    for (cost, partition) in drafted.iter().filter(may_be_widened).take(WIDENED) {
        // What a wider waist costs is known less well.
        let is_cheaper = |(cost, _): &(Cost, Partition)| cost.sum(largest) / 9 < least / 10;
        wider.extend(widened(units, (cost, partition), largest, budget)?.filter(is_cheaper));
    }
    let laid_out = |partition: Partition| {
        Layout::from_draft(units.clone(), Draft::new(units, partition, budget)?, budget).map(Some)
    };
    // The first of the cheapest ones.
    let by_cost = |(cost, _): &(Cost, Partition)| cost.sum(largest);
    let wider = wider.into_iter().min_by_key(by_cost).map(|(_, partition)| laid_out(partition));
    match (wider, drafted.into_iter().min_by_key(by_cost)) {
        // It takes more memory to list.
        (None | Some(Err(Spent::Bytes { .. })), Some((_, partition))) => laid_out(partition),
        (wider, _) => wider.unwrap_or(Ok(None)),
    }
}

/// Whether neither half has more than two thirds of the units.
fn is_balanced(GroupSizes { waist, upper, lower }: GroupSizes) -> bool {
    3 * upper.max(lower) <= 2 * (waist + upper + lower)
}

/// The units of the halves of a cut, the halves exchanged or not, under the symmetry of the start that makes them least: the same for
/// all images of a cut.
fn least_image(units: &Units, partition: &Partition) -> [u64; 2] {
    let number = |unit: &Unit| units.units().iter().position(|other| other == unit);
    let numbers: Vec<usize> = partition.units.iter().filter_map(number).collect();
    let image = |map: &Vec<usize>| {
        let [upper, lower] = Half::BOTH.map(|half| {
            let first = partition.shift(half.into());
            numbers[first..][..partition.len(half.into())].iter().fold(0, |set, &unit| set | 1 << map[unit])
        });
        [upper.min(lower), upper.max(lower)]
    };
    units.symmetries().iter().map(image).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::super::draft::configurations;
    use super::*;
    use crate::SpaceKind;
    use crate::count::{Weight, positions};
    use crate::cuts::straight_cuts;
    use dab_board::{Board, LineSet, Position, Start};

    /// The cost of a layout by its list of slabs.
    fn cost(layout: &Layout) -> Cost {
        Cost {
            largest: layout.largest_slab(),
            positions: layout.total_positions(),
            fewest: layout.canonical_positions().iter().sum::<u128>() / layout.symmetries.len() as u128,
            slabs: layout.n_slabs() as u128,
            configurations: configurations(&layout.halves),
            inner: layout.partition.n_inner(),
        }
    }

    #[test]
    fn the_best_cut_of_four_by_four_is_along_its_lines() {
        let layout = Layout::new(Units::new("4x4".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        assert_eq!(layout.partition().sizes.waist, 4);
        assert_eq!(layout.symmetries().len(), 4);
    }

    #[test]
    fn slabs_fit_in_memory_where_a_cut_allows_it() {
        let units = || Units::new("2x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let within = |largest| Layout::within(units(), largest, &Budget::unbounded()).unwrap();
        let layouts = cuts(&units()).into_iter().map(|cut| Partition::new(&units(), cut));
        let layouts = layouts.filter(|partition| partition.sizes.waist <= MAX_WAIST);
        let layouts: Vec<Layout> =
            layouts.map(|cut| Layout::with_partition(units(), cut, &Budget::unbounded()).unwrap()).collect();
        let any = within(u64::MAX).largest_slab();
        for largest in [any, any - 1, any / 2, any / 10] {
            let least = layouts.iter().filter(|layout| layout.largest_slab() <= largest);
            let least = least.map(|layout| cost(layout).sum(u64::MAX)).min().unwrap();
            let layout = within(largest);
            // A cut with a wider waist may be cheaper than all that are listed.
            let is_wider = layout.partition().n_inner() > 0;
            let cost = cost(&layout).sum(u64::MAX);
            assert!(layout.largest_slab() <= largest && (cost == least || is_wider && cost < least), "{largest}");
        }
        let smallest = layouts.iter().map(Layout::largest_slab).min().unwrap();
        assert!(within(0).largest_slab() <= smallest);
    }

    #[test]
    fn every_cut_costs_what_is_said_before() {
        let budget = Budget::unbounded();
        for start in ["3x3", "2x5:3", "3x4:412", "4x4:8421"] {
            let units = Units::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
            let partitions = straight_cuts(&units).into_iter().map(|cut| Partition::new(&units, cut));
            for partition in partitions.filter(|partition| partition.sizes.waist <= MAX_WAIST) {
                let drafted = Draft::new(&units, partition.clone(), &budget).unwrap().cost();
                let layout = Layout::with_partition(units.clone(), partition, &budget).unwrap();
                assert_eq!(drafted, cost(&layout), "{start}");
            }
        }
    }

    #[test]
    fn the_best_cut_is_the_cheapest_of_all() {
        let budget = Budget::unbounded();
        for start in ["2x3", "3x3", "2x5:3", "3x4:412", "4x4:8421", "3x5"] {
            let units = Units::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
            let mut partitions: Vec<Partition> =
                cuts(&units).into_iter().map(|cut| Partition::new(&units, cut)).collect();
            partitions.retain(|partition| partition.sizes.waist <= 14);
            partitions.sort_by_key(|partition| partition.sizes.waist);
            let layouts =
                partitions.into_iter().map(|cut| Layout::with_partition(units.clone(), cut, &budget).unwrap());
            let cheapest = layouts.min_by_key(|layout| cost(layout).sum(u64::MAX)).unwrap();
            let best = Layout::new(units).unwrap();
            assert_eq!(best.partition().joints, cheapest.partition().joints, "{start}");
        }
    }

    #[test]
    fn a_budget_ends_planning_and_never_changes_the_plan() {
        let units = |start: &str| Units::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let hour = Duration::from_secs(3600);
        let within = |bytes| Layout::within(units("4x4"), u64::MAX, &Budget::new(bytes, hour));
        let planned = within(64 << 20).unwrap();
        assert_eq!(planned.layers(), Layout::new(units("4x4")).unwrap().layers());
        let SpaceError::Spent { spent: Spent::Bytes { needed, allowed: 20_000 }, position } =
            within(20_000).unwrap_err()
        else {
            panic!("expected a refusal for want of bytes")
        };
        assert!(needed > 20_000 && position == "4x4:0", "{needed} {position}");
        // A complete graph of twelve coins: half of the sweep over it has 3^6 states for each number of filled units.
        let text = complete_graph(12);
        let board = Board::from_graph_file("twelve", &text).unwrap();
        let units = Units::new(Position::new(board, LineSet::EMPTY).unwrap(), SpaceKind::Quiet).unwrap_err();
        assert!(units.to_string().contains("66 units"), "{units}");
        let board = Board::from_graph_file("eleven", &complete_graph(11)).unwrap();
        let units = Units::new(Position::new(board, LineSet::EMPTY).unwrap(), SpaceKind::Quiet).unwrap();
        let stopped = |budget: &Budget<'_>| Layout::within(units.clone(), u64::MAX, budget).unwrap_err().to_string();
        assert!(stopped(&Budget::new(1 << 20, hour)).contains("1048576 are allowed"));
        assert!(stopped(&Budget::new(u64::MAX, Duration::ZERO)).contains("longer than the 0 seconds"));
        let looks = AtomicUsize::new(0);
        let is_cancelled = || looks.fetch_add(1, Ordering::Relaxed) >= 100;
        assert!(stopped(&Budget::unbounded().until(&is_cancelled)).contains("cancelled"));
    }

    /// A graph of `n` coins with a string between any two.
    fn complete_graph(n: usize) -> String {
        let coins = (0..n).map(|i| format!("coin c{i}\n"));
        let strings = (0..n).flat_map(|a| (a + 1..n).map(move |b| format!("string c{a} c{b}\n")));
        coins.chain(strings).collect()
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
