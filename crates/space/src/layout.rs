//! The layout of a space: which slabs there are and how large, without listing any configuration.
//!
//! ```text
//!    slab key  = (waist configuration, filled upper units, filled lower units)
//!    layer k   = the slabs with k filled units in all, in ascending order of their keys
//! ```
//! Symmetries act on keys; one key of an orbit is stored. Everything that a plan needs is known here.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::corner::Corners;
use crate::count::{self, Weight};
use crate::fills::Fills;
use crate::half::HalfShape;
use crate::ordinals::Ordinals;
use crate::partition::{Group, Partition, cuts};
use crate::parts::with_shared_out;
use crate::symmetry::Symmetry;
use crate::{SpaceError, SpaceKind, UnitMask, Units};
use dab_board::BoardKind;

/// Widest waist that is listed.
pub const MAX_WAIST: usize = 20;
/// Cuts of an arranged graph that are laid out to be compared.
const MAX_LAID_OUT: usize = 16;
/// Positions above which a slab is too large to be handled as one piece.
const LARGE_SLAB: u64 = 64 << 20;
/// Work that a slab costs on top of its positions, in positions.
const SLAB_OVERHEAD: u128 = 4_000;
/// Work that a configuration of a half costs, in positions.
const CONFIG_OVERHEAD: u128 = 100;

/// Names a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlabKey {
    /// Ordinal of the waist configuration.
    pub waist: u32,
    /// Filled units of the upper half.
    pub upper: u8,
    /// Filled units of the lower half.
    pub lower: u8,
}

/// A configuration of the waist.
#[derive(Clone, Debug)]
pub struct Waist {
    /// Its filled units.
    pub filled: UnitMask,
    /// Ordinal of the filled stubs that the upper half sees, in [`HalfLayout::patterns`].
    pub upper: u32,
    /// Ordinal of the filled stubs that the lower half sees.
    pub lower: u32,
    /// Whether boxes of the waist itself that are open are odd in number.
    pub odd: bool,
    /// Ordinal of the image under each symmetry.
    images: Vec<u32>,
    /// The first symmetry that leads to the stored slab of a key with as many filled units above as below or more, and
    /// of one with fewer.
    to_least: [usize; 2],
}

/// How a half is attached to the waist, and how many configurations it has.
#[derive(Clone, Debug)]
pub struct HalfLayout {
    /// The half on its own.
    pub shape: HalfShape,
    /// The waist unit of each stub.
    pub waist_units: Vec<usize>,
    /// The sets of filled stubs that occur.
    pub patterns: Vec<u64>,
    /// For each pattern the number of configurations by filled units.
    pub counts: Vec<Vec<u64>>,
}

impl HalfLayout {
    fn new(partition: &Partition, half: Group, waist_units: Vec<usize>, waists: &[UnitMask], kind: SpaceKind) -> Self {
        let shape = HalfShape::new(partition, half, &waist_units);
        let patterns: BTreeSet<u64> = waists.iter().map(|&filled| stubs_filled(&waist_units, filled)).collect();
        let patterns: Vec<u64> = patterns.into_iter().collect();
        let counts = patterns.iter().map(|&filled| shape.counts(kind, filled)).collect();
        Self { shape, waist_units, patterns, counts }
    }

    fn pattern_of(&self, filled: UnitMask) -> u32 {
        let stubs = stubs_filled(&self.waist_units, filled);
        self.patterns.binary_search(&stubs).expect("every pattern of the waist is listed") as u32
    }
}

/// The filled stubs of a half, given the filled units of the waist.
fn stubs_filled(waist_units: &[usize], filled: UnitMask) -> u64 {
    waist_units.iter().enumerate().fold(0, |stubs, (stub, &unit)| stubs | (filled >> unit & 1) << stub)
}

/// The slabs of a space.
#[derive(Clone, Debug)]
pub struct Layout {
    units: Units,
    partition: Partition,
    corners: Corners,
    symmetries: Vec<Symmetry>,
    waists: Vec<Waist>,
    /// Ordinal of each waist configuration.
    waist_of: Ordinals,
    /// The upper and the lower half.
    halves: [HalfLayout; 2],
    layers: Vec<Vec<SlabKey>>,
    /// Number of each slab within its layer, `u32::MAX` for those that are not stored.
    ordinals: Vec<u32>,
}

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

    /// The layout of a given partition.
    pub fn of(units: Units, partition: Partition) -> Self {
        let mut layout = Self::without_slabs(units, partition);
        layout.list_slabs();
        layout
    }

    /// The layout of a given partition but for the slabs, of which there may be very many.
    fn without_slabs(units: Units, partition: Partition) -> Self {
        let kind = units.kind();
        let symmetries: Vec<Symmetry> =
            partition.symmetries.iter().map(|map| Symmetry::new(map.clone(), swaps(&partition, map))).collect();
        let strings: Vec<_> = partition.units.iter().map(|unit| unit.string).collect();
        let corners = Corners::new(&strings);
        let masks = waist_masks(&partition, kind);
        let waist_of = Ordinals::new(&masks.iter().copied().zip(0..).collect::<Vec<_>>());
        let upper_units = HalfShape::waist_units(&partition, Group::Upper);
        let lower_units = match partition.mirror {
            // The stubs of the lower half in the order that makes it the image of the upper one.
            Some(mirror) => upper_units.iter().map(|&unit| partition.symmetries[mirror][unit]).collect(),
            None => HalfShape::waist_units(&partition, Group::Lower),
        };
        let halves = [
            HalfLayout::new(&partition, Group::Upper, upper_units, &masks, kind),
            HalfLayout::new(&partition, Group::Lower, lower_units, &masks, kind),
        ];
        let waists = masks
            .iter()
            .map(|&filled| Waist {
                filled,
                upper: halves[0].pattern_of(filled),
                lower: halves[1].pattern_of(filled),
                odd: open_boxes_of_waist(&partition, filled) % 2 == 1,
                images: symmetries.iter().map(|s| waist_of.of(corners.canonical(s.apply(filled)))).collect(),
                to_least: [0; 2],
            })
            .collect();
        Self {
            layers: vec![Vec::new(); partition.units.len() + 1],
            units,
            partition,
            corners,
            symmetries,
            waists,
            waist_of,
            halves,
            ordinals: Vec::new(),
        }
    }

    fn list_slabs(&mut self) {
        for waist in 0..self.waists.len() as u32 {
            // Which half has more filled units decides, not by how many.
            let least = |upper, lower| {
                let order = |(key, i): &(SlabKey, usize)| (key.waist, Reverse(key.upper), *i);
                let images = self.images(SlabKey { waist, upper, lower });
                images.min_by_key(order).expect("the identity is a symmetry").1
            };
            self.waists[waist as usize].to_least = [least(0, 0), least(0, 1)];
        }
        let sizes = self.partition.sizes;
        self.ordinals = vec![u32::MAX; self.waists.len() * (sizes.upper + 1) * (sizes.lower + 1)];
        for waist in 0..self.waists.len() as u32 {
            let filled = self.waists[waist as usize].filled.count_ones() as usize;
            for upper in 0..=self.partition.sizes.upper {
                for lower in 0..=self.partition.sizes.lower {
                    let key = SlabKey { waist, upper: upper as u8, lower: lower as u8 };
                    if self.positions(key) > 0 && self.least(key).0 == key {
                        let place = self.ordinal_place(key);
                        let layer = &mut self.layers[filled + upper + lower];
                        self.ordinals[place] = layer.len() as u32;
                        layer.push(key);
                    }
                }
            }
        }
    }

    /// The key of the orbit of `key` that is stored, and the first symmetry that leads to it: the least waist, and
    /// of the two halves the one with more filled units in the rows, so that rows are long. Long rows compress
    /// better and are faster to work on.
    #[inline]
    pub fn least(&self, key: SlabKey) -> (SlabKey, usize) {
        let waist = &self.waists[key.waist as usize];
        let i = waist.to_least[usize::from(key.upper < key.lower)];
        (self.image(key, i), i)
    }

    /// The image of `key` under a symmetry.
    #[inline]
    fn image(&self, key: SlabKey, symmetry: usize) -> SlabKey {
        let waist = self.waists[key.waist as usize].images[symmetry];
        match self.symmetries[symmetry].swaps {
            true => SlabKey { waist, upper: key.lower, lower: key.upper },
            false => SlabKey { waist, ..key },
        }
    }

    /// The image of `key` under every symmetry.
    #[inline]
    pub fn images(&self, key: SlabKey) -> impl Iterator<Item = (SlabKey, usize)> {
        (0..self.symmetries.len()).map(move |i| (self.image(key, i), i))
    }

    /// Number of a stored slab within its layer; no number at all for a slab that is not stored.
    #[inline]
    pub fn ordinal(&self, key: SlabKey) -> usize {
        self.ordinals[self.ordinal_place(key)] as usize
    }

    /// Place of a slab in the table of ordinals.
    #[inline]
    fn ordinal_place(&self, key: SlabKey) -> usize {
        let sizes = self.partition.sizes;
        (key.waist as usize * (sizes.upper + 1) + usize::from(key.upper)) * (sizes.lower + 1) + usize::from(key.lower)
    }

    /// The layer of a slab: its filled units.
    pub fn layer_of(&self, key: SlabKey) -> usize {
        let waist = self.waists[key.waist as usize].filled.count_ones();
        waist as usize + usize::from(key.upper) + usize::from(key.lower)
    }

    /// Rows of a slab: configurations of the upper half.
    pub fn rows(&self, key: SlabKey) -> u64 {
        self.halves[0].counts[self.waists[key.waist as usize].upper as usize][usize::from(key.upper)]
    }

    /// Columns of a slab: configurations of the lower half.
    pub fn cols(&self, key: SlabKey) -> u64 {
        self.halves[1].counts[self.waists[key.waist as usize].lower as usize][usize::from(key.lower)]
    }

    /// Positions of a slab.
    pub fn positions(&self, key: SlabKey) -> u64 {
        self.rows(key) * self.cols(key)
    }

    /// The stored slabs of each layer; layer `k` has `k` filled units.
    pub fn layers(&self) -> &[Vec<SlabKey>] {
        &self.layers
    }

    /// Stored positions of a layer.
    pub fn layer_positions(&self, layer: usize) -> u128 {
        self.layers[layer].iter().map(|&key| u128::from(self.positions(key))).sum()
    }

    /// Stored positions of all layers.
    pub fn total_positions(&self) -> u128 {
        (0..self.layers.len()).map(|layer| self.layer_positions(layer)).sum()
    }

    /// Positions by filled units, up to corner classes but not yet divided by symmetry.
    pub fn canonical_positions(&self) -> Vec<u128> {
        let mut total = vec![0; self.layers.len()];
        for waist in &self.waists {
            let counts = [&self.halves[0].counts[waist.upper as usize], &self.halves[1].counts[waist.lower as usize]];
            for (upper, &rows) in counts[0].iter().enumerate() {
                for (lower, &cols) in counts[1].iter().enumerate() {
                    total[waist.filled.count_ones() as usize + upper + lower] += u128::from(rows) * u128::from(cols);
                }
            }
        }
        total
    }

    /// Positions of the largest slab.
    pub fn largest_slab(&self) -> u64 {
        self.layers.iter().flatten().map(|&key| self.positions(key)).max().unwrap_or(0)
    }

    /// Number of stored slabs.
    pub fn n_slabs(&self) -> usize {
        self.layers.iter().map(Vec::len).sum()
    }

    /// What a cut costs, to compare cuts of one start.
    fn cost(&self) -> u128 {
        let too_large = u128::from(self.largest_slab().saturating_sub(LARGE_SLAB)) << 64;
        too_large + self.total_positions() + SLAB_OVERHEAD * self.n_slabs() as u128 + self.configs_cost()
    }

    /// What the cut costs at least, before the slabs are listed: each may stand for as many as there are symmetries.
    fn least_cost(&self) -> u128 {
        let (mut positions, mut slabs, mut largest) = (0, 0, 0);
        for waist in &self.waists {
            let counts = [&self.halves[0].counts[waist.upper as usize], &self.halves[1].counts[waist.lower as usize]];
            positions +=
                counts.map(|counts| counts.iter().map(|&n| u128::from(n)).sum::<u128>()).iter().product::<u128>();
            slabs += counts.map(|counts| counts.iter().filter(|&&n| n > 0).count() as u128).iter().product::<u128>();
            largest = largest.max(counts.map(|counts| counts.iter().copied().max().unwrap_or(0)).iter().product());
        }
        let too_large = u128::from(largest.saturating_sub(LARGE_SLAB)) << 64;
        too_large + (positions + SLAB_OVERHEAD * slabs) / self.symmetries.len() as u128 + self.configs_cost()
    }

    fn configs_cost(&self) -> u128 {
        let counts = self.halves.iter().flat_map(|half| half.counts.iter().flatten());
        CONFIG_OVERHEAD * counts.map(|&n| u128::from(n)).sum::<u128>()
    }

    /// The units of the start, in their own order.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// The units in group order.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The corner classes in group order.
    pub fn corners(&self) -> &Corners {
        &self.corners
    }

    /// The symmetries of the slabs; the identity comes first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The configurations of the waist, ascending.
    pub fn waists(&self) -> &[Waist] {
        &self.waists
    }

    /// Ordinal of a canonical, admissible waist configuration; no ordinal at all for another one.
    #[inline]
    pub fn waist_of(&self, filled: UnitMask) -> u32 {
        self.waist_of.find(filled).unwrap_or(u32::MAX)
    }

    /// The upper and the lower half.
    pub fn halves(&self) -> &[HalfLayout; 2] {
        &self.halves
    }
}

fn swaps(partition: &Partition, map: &[usize]) -> bool {
    let first = partition.shift(Group::Upper);
    partition.sizes.upper > 0 && map[first] >= partition.shift(Group::Lower)
}

/// Number of waist configurations, without listing them.
fn n_waists(partition: &Partition, kind: SpaceKind) -> u128 {
    let strings: Vec<_> = partition.units[..partition.sizes.waist].iter().map(|unit| unit.string).collect();
    // Joints of the halves never are in the way.
    let of_waist = |&group: &Group| if group == Group::Waist { 0 } else { 2 };
    let open: Vec<u8> = partition.joints.iter().map(of_waist).collect();
    count::fills(&strings, &open, kind, Weight::Canonical).iter().sum()
}

/// Canonical waist configurations under which no box of the waist can be captured, ascending.
fn waist_masks(partition: &Partition, kind: SpaceKind) -> Vec<UnitMask> {
    let strings: Vec<_> = partition.units[..partition.sizes.waist].iter().map(|unit| unit.string).collect();
    // A joint of a half never is in the way.
    let of_waist = |&group: &Group| if group == Group::Waist { 0 } else { 2 };
    let open: Vec<u8> = partition.joints.iter().map(of_waist).collect();
    Fills::new(&strings, &open, kind).list()
}

/// Open boxes that no half counts: joints of the waist, and boxes inside waist units.
fn open_boxes_of_waist(partition: &Partition, filled: UnitMask) -> usize {
    let open = |joint: &usize| {
        partition.joints[*joint] == Group::Waist
            && partition.graph.joints()[*joint].strings.0 as UnitMask & !filled != 0
    };
    let joints = (0..partition.joints.len()).filter(open).count();
    let inner = (0..partition.sizes.waist).filter(|unit| filled >> unit & 1 == 0);
    joints + inner.map(|unit| usize::from(partition.units[unit].string.boxes)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::positions;
    use crate::partition::straight_cuts;
    use dab_board::{Board, LineSet, Position, Start};

    fn layout(rows: usize, cols: usize, start: Start, kind: SpaceKind) -> Layout {
        let start = Position::start(Board::grid(rows, cols).unwrap(), start);
        Layout::new(Units::new(start, kind).unwrap()).unwrap()
    }

    #[test]
    fn agrees_with_the_transfer_matrix_on_every_layer() {
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            for (rows, cols) in [(1, 1), (1, 7), (2, 2), (2, 3), (3, 3), (2, 5), (3, 4), (4, 4), (3, 5), (4, 5)] {
                for start in Start::ALL {
                    let layout = layout(rows, cols, start, kind);
                    assert_eq!(
                        layout.canonical_positions(),
                        positions(layout.units(), Weight::Canonical),
                        "{rows}x{cols} {start} {kind}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_stored_slab_is_the_least_image() {
        for (rows, cols) in [(1, 5), (2, 3), (3, 4), (4, 4)] {
            for start in Start::ALL {
                let layout = layout(rows, cols, start, SpaceKind::Quiet);
                let sizes = layout.partition.sizes;
                for waist in 0..layout.waists.len() as u32 {
                    for (upper, lower) in (0..=sizes.upper).flat_map(|u| (0..=sizes.lower).map(move |l| (u, l))) {
                        let key = SlabKey { waist, upper: upper as u8, lower: lower as u8 };
                        let order = |(key, i): &(SlabKey, usize)| (key.waist, Reverse(key.upper), *i);
                        assert_eq!(Some(layout.least(key)), layout.images(key).min_by_key(order), "{key:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_cut_of_four_by_four_is_along_its_lines() {
        let layout = layout(4, 4, Start::American, SpaceKind::Quiet);
        assert_eq!(layout.partition().sizes.waist, 4);
        assert_eq!(layout.symmetries().len(), 4);
        assert!(layout.largest_slab() < LARGE_SLAB);
    }

    #[test]
    fn no_cut_costs_less_than_is_said_before() {
        for start in ["3x3", "2x5:3", "3x4:412", "4x4:8421"] {
            let units = Units::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
            for cut in straight_cuts(&units) {
                let layout = Layout::of(units.clone(), Partition::new(&units, cut));
                assert!(layout.least_cost() <= layout.cost(), "{start}");
            }
        }
    }

    #[test]
    fn parts_that_do_not_touch_are_shared_out() {
        // A pinwheel: every straight cut runs through one of its parts.
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

    #[test]
    fn stored_positions_cover_every_orbit_once() {
        let layout = layout(4, 4, Start::American, SpaceKind::Quiet);
        let stored: u128 = layout.total_positions();
        let all: u128 = layout.canonical_positions().iter().sum();
        assert!(4 * stored >= all && 2 * stored < all, "{stored} of {all}");
    }
}
