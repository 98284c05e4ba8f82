//! The layout of a space: which slabs there are and how large, without listing any configuration.
//!
//! ```text
//!    slab key  = (waist configuration, filled upper units, filled lower units)
//!    layer k   = the slabs with k filled units in all, in ascending order of their keys
//! ```
//! Symmetries act on keys; one key of an orbit is stored. Everything that a plan needs is known here.

use std::cmp::Reverse;

use crate::budget::{Budget, Spent};
use crate::half::{Half, PerHalf};
use crate::ordinals::Ordinals;
use crate::parallel_classes::ParallelClasses;
use crate::partition::Partition;
use crate::symmetry::{Symmetry, symmetries};
use crate::{Layer, SlabId, SpaceError, UnitMask, Units};

use self::draft::Draft;
use self::waist::{MAX_WAIST, open_boxes_of_waist};

pub(crate) use self::waist::{HalfLayout, Waist};

mod best;
mod cost;
mod draft;
mod waist;
mod wider;

/// Waist configurations between two looks at the budget.
const OFTEN: usize = 1 << 8;

/// Names a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlabKey {
    /// Ordinal of the waist configuration.
    pub waist: u32,
    /// Filled units of the upper and of the lower half.
    pub filled: PerHalf<u8>,
}

impl SlabKey {
    /// The key of the slab of a waist configuration with the given numbers of filled upper and lower units.
    #[inline]
    pub fn new(waist: u32, upper: u8, lower: u8) -> Self {
        Self { waist, filled: PerHalf([upper, lower]) }
    }
}

/// The slabs of a space.
#[derive(Clone, Debug)]
pub struct Layout {
    units: Units,
    partition: Partition,
    parallel_classes: ParallelClasses,
    symmetries: Vec<Symmetry>,
    waists: Vec<Waist>,
    /// For each waist configuration the ordinal of its image under each symmetry.
    images: Vec<u32>,
    /// Ordinal of each waist configuration.
    waist_of: Ordinals,
    halves: PerHalf<HalfLayout>,
    layers: Vec<Vec<SlabKey>>,
    /// The first layer whose slabs are listed.
    first: Layer,
    /// Number of each slab within its layer, `u32::MAX` for those that are not stored.
    ordinals: Vec<u32>,
}

impl Layout {
    /// The layout of a given partition.
    ///
    /// # Errors
    /// If the waist has more than 20 units, a half has a list of more than 2^32 configurations, or the layout takes more
    /// than the budget.
    pub fn with_partition(units: Units, partition: Partition, budget: &Budget<'_>) -> Result<Self, SpaceError> {
        let waist = partition.sizes.waist;
        if waist > MAX_WAIST {
            let position = units.start().to_string();
            return Err(SpaceError::TooWideCut { position, waist, max_waist: MAX_WAIST });
        }
        SpaceError::or_defect(units.start(), || {
            let draft = Draft::new(&units, partition, budget).map_err(|spent| spent.error(units.start()))?;
            if let Some(configurations) = draft.too_long_list() {
                return Err(SpaceError::TooLongList { position: units.start().to_string(), configurations });
            }
            Self::from_draft(units.clone(), draft, budget).map_err(|spent| spent.error(units.start()))
        })
    }

    /// The layout of a draft. Its waist has at most [`MAX_WAIST`] units.
    fn from_draft(units: Units, draft: Draft, budget: &Budget<'_>) -> Result<Self, Spent> {
        let Draft { partition, masks, halves } = draft;
        let symmetries = symmetries(&partition);
        let strings: Vec<_> = partition.units.iter().map(|unit| unit.string).collect();
        let parallel_classes = ParallelClasses::new(&strings);
        let n_cells = masks.len() * (partition.sizes.upper + 1) * (partition.sizes.lower + 1);
        let of_waist = size_of::<Waist>() + size_of::<u32>() * symmetries.len() + Ordinals::MOST_BYTES;
        budget.check((masks.len() * of_waist + size_of::<u32>() * n_cells) as u64)?;
        let waist_of = Ordinals::new(&masks.iter().copied().zip(0..).collect::<Vec<_>>());
        let boundary = |filled: UnitMask| halves.each_ref().map(|half| half.boundary_of(filled));
        let mut layout = Self {
            waists: masks
                .iter()
                .map(|&filled| Waist {
                    filled,
                    boundary: boundary(filled),
                    odd: open_boxes_of_waist(&partition, filled) % 2 == 1,
                    to_least: [0; 2],
                })
                .collect(),
            images: Vec::with_capacity(masks.len() * symmetries.len()),
            layers: vec![Vec::new(); partition.units.len() + 1],
            first: Layer(0),
            ordinals: vec![u32::MAX; n_cells],
            units,
            partition,
            parallel_classes,
            symmetries,
            waist_of,
            halves,
        };
        for filled in masks {
            let image = |symmetry: &Symmetry| layout.parallel_classes.canonical(symmetry.apply(filled));
            layout.images.extend(layout.symmetries.iter().map(|symmetry| layout.waist_of.get(image(symmetry))));
        }
        layout.list_slabs(budget)?;
        Ok(layout)
    }

    /// The same layout without the slabs of the layers before `first`. No slab of a later layer reads them.
    #[must_use]
    pub fn down_to(mut self, first: Layer) -> Self {
        self.first = first;
        self.layers.iter_mut().take(first.0).for_each(|keys| *keys = Vec::new());
        self
    }

    fn list_slabs(&mut self, budget: &Budget<'_>) -> Result<(), Spent> {
        let budget = budget.holding(self.byte_len());
        for waist in 0..self.waists.len() as u32 {
            // The choice depends on the half with more filled units alone, not on the difference.
            let least = |upper, lower| {
                let order = |(key, i): &(SlabKey, usize)| (key.waist, Reverse(key.filled[Half::Upper]), *i);
                // The identity comes first.
                self.images(SlabKey::new(waist, upper, lower)).min_by_key(order).map_or(0, |(_, symmetry)| symmetry)
            };
            self.waists[waist as usize].to_least = [least(0, 0), least(0, 1)].map(|symmetry| symmetry as u8);
        }
        let mut n_slabs = 0;
        for waist in 0..self.waists.len() as u32 {
            if (waist as usize).is_multiple_of(OFTEN) {
                // A list that grows is copied: for a moment it is there twice.
                budget.check(2 * n_slabs * size_of::<SlabKey>() as u64)?;
            }
            let of_waist = &self.waists[waist as usize];
            if [0, 1].iter().all(|&side| self.image_of(waist, of_waist.to_least[side].into()) != waist) {
                continue;
            }
            let filled = of_waist.filled.count_ones() as usize;
            for upper in 0..=self.partition.sizes.upper {
                for lower in 0..=self.partition.sizes.lower {
                    let key = SlabKey::new(waist, upper as u8, lower as u8);
                    if self.positions(key) > 0 && self.least(key).0 == key {
                        let place = self.ordinal_place(key);
                        let layer = &mut self.layers[filled + upper + lower];
                        self.ordinals[place] = layer.len() as u32;
                        layer.push(key);
                        n_slabs += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Bytes that it takes, roughly.
    fn byte_len(&self) -> u64 {
        let numbers = self.images.len() + self.ordinals.len();
        let waists = self.waists.len() * (size_of::<Waist>() + Ordinals::MOST_BYTES);
        let lists = size_of::<u32>() * numbers + waists + size_of::<SlabKey>() * self.n_slabs();
        lists as u64 + self.halves.iter().map(HalfLayout::byte_len).sum::<u64>()
    }

    /// The key of the orbit of `key` that is stored, and the first symmetry that leads to it: the least waist, and
    /// of the two halves the one with more filled units in the rows, so that rows are long. Long rows compress
    /// better and are faster to work on.
    #[inline]
    pub fn least(&self, key: SlabKey) -> (SlabKey, usize) {
        let waist = &self.waists[key.waist as usize];
        let PerHalf([upper, lower]) = key.filled;
        let i = usize::from(waist.to_least[usize::from(upper < lower)]);
        (self.image(key, i), i)
    }

    /// The ordinal of the image of a waist configuration under a symmetry.
    #[inline]
    fn image_of(&self, waist: u32, symmetry: usize) -> u32 {
        self.images[waist as usize * self.symmetries.len() + symmetry]
    }

    /// The image of `key` under a symmetry.
    #[inline]
    fn image(&self, key: SlabKey, symmetry: usize) -> SlabKey {
        let waist = self.image_of(key.waist, symmetry);
        let PerHalf([upper, lower]) = key.filled;
        match self.symmetries[symmetry].swaps {
            true => SlabKey::new(waist, lower, upper),
            false => SlabKey { waist, ..key },
        }
    }

    /// The image of `key` under every symmetry.
    #[inline]
    pub fn images(&self, key: SlabKey) -> impl Iterator<Item = (SlabKey, usize)> {
        (0..self.symmetries.len()).map(move |i| (self.image(key, i), i))
    }

    /// The name of a stored slab. For a slab that is not stored, the number in it is that of no slab.
    #[inline]
    pub fn id(&self, key: SlabKey) -> SlabId {
        SlabId { layer: self.layer_of(key), slab: self.ordinals[self.ordinal_place(key)] as usize }
    }

    /// The key of a stored slab.
    ///
    /// # Panics
    /// If there is no such slab.
    #[inline]
    pub fn key(&self, id: SlabId) -> SlabKey {
        self.layers[id.layer.0][id.slab]
    }

    /// Place of a slab in the table of ordinals.
    #[inline]
    fn ordinal_place(&self, key: SlabKey) -> usize {
        let sizes = self.partition.sizes;
        let PerHalf([upper, lower]) = key.filled.map(usize::from);
        (key.waist as usize * (sizes.upper + 1) + upper) * (sizes.lower + 1) + lower
    }

    /// The layer of a slab.
    #[inline]
    pub fn layer_of(&self, key: SlabKey) -> Layer {
        let waist = self.waists[key.waist as usize].filled.count_ones();
        Layer(waist as usize + key.filled.iter().map(|&filled| usize::from(filled)).sum::<usize>())
    }

    /// Rows of a slab: configurations of the upper half.
    pub fn rows(&self, key: SlabKey) -> u64 {
        self.size(key, Half::Upper)
    }

    /// Columns of a slab: configurations of the lower half.
    pub fn cols(&self, key: SlabKey) -> u64 {
        self.size(key, Half::Lower)
    }

    fn size(&self, key: SlabKey, half: Half) -> u64 {
        let boundary = self.waists[key.waist as usize].boundary[half];
        self.halves[half].counts[boundary as usize][usize::from(key.filled[half])]
    }

    /// Positions of a slab.
    pub fn positions(&self, key: SlabKey) -> u64 {
        self.rows(key) * self.cols(key)
    }

    /// The layers whose slabs are listed, ascending: all of them, or those that [`Layout::down_to`] leaves.
    pub fn listed_layers(&self) -> impl DoubleEndedIterator<Item = Layer> + use<> {
        (self.first.0..self.layers.len()).map(Layer)
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

    /// Positions by filled units, up to the exchange of parallel units but not yet divided by symmetry.
    pub fn canonical_positions(&self) -> Vec<u128> {
        let mut total = vec![0; self.layers.len()];
        for waist in &self.waists {
            let PerHalf([rows, cols]) =
                PerHalf::from_fn(|half| &self.halves[half].counts[waist.boundary[half] as usize]);
            for (upper, &rows) in rows.iter().enumerate() {
                for (lower, &cols) in cols.iter().enumerate() {
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

    /// Whether both halves have the same lists.
    pub(crate) fn halves_are_alike(&self) -> bool {
        let PerHalf([upper, lower]) = &self.halves;
        upper.shape == lower.shape && upper.boundaries == lower.boundaries
    }

    /// The halves whose lists are held: halves that look alike share them.
    pub fn listed_halves(&self) -> &[HalfLayout] {
        if self.halves_are_alike() { &self.halves.0[..1] } else { &self.halves.0[..] }
    }

    /// Configurations that the lists of the halves hold.
    pub fn n_configurations(&self) -> u64 {
        let counts = self.listed_halves().iter().flat_map(|half| half.counts.iter().flatten());
        counts.fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// The units of the start, in their own order.
    #[inline]
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// The units in group order.
    #[inline]
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The classes of parallel units, in group order.
    #[inline]
    pub fn parallel_classes(&self) -> &ParallelClasses {
        &self.parallel_classes
    }

    /// The symmetries of the slabs; the identity comes first.
    #[inline]
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The configurations of the waist, ascending.
    #[inline]
    pub fn waists(&self) -> &[Waist] {
        &self.waists
    }

    /// Ordinal of a canonical, admissible waist configuration; no ordinal at all for another one.
    #[inline]
    pub fn waist_of(&self, filled: UnitMask) -> u32 {
        self.waist_of.find(filled).unwrap_or(u32::MAX)
    }

    /// The upper and the lower half.
    pub fn halves(&self) -> &PerHalf<HalfLayout> {
        &self.halves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpaceKind;
    use crate::count::{Weight, positions};
    use crate::partition::Group;
    use dab_board::{Board, Position, Start};

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
    fn a_waist_that_is_too_wide_is_refused_before_anything_is_listed() {
        let start = Position::start(Board::grid(4, 5).unwrap(), Start::American);
        let units = Units::new(start, SpaceKind::Quiet).unwrap();
        let all_in_waist = vec![Group::Waist; units.joints().len()];
        let partition = Partition::new(&units, all_in_waist);
        let message = Layout::with_partition(units, partition, &Budget::unbounded()).unwrap_err().to_string();
        assert_eq!(message, "4x5:0: the cut leaves a waist of 49 units, but at most 20 can be listed");
    }

    #[test]
    fn the_stored_slab_is_the_least_image() {
        for (rows, cols) in [(1, 5), (2, 3), (3, 4), (4, 4)] {
            for start in Start::ALL {
                let layout = layout(rows, cols, start, SpaceKind::Quiet);
                let sizes = layout.partition.sizes;
                for waist in 0..layout.waists.len() as u32 {
                    for (upper, lower) in (0..=sizes.upper).flat_map(|u| (0..=sizes.lower).map(move |l| (u, l))) {
                        let key = SlabKey::new(waist, upper as u8, lower as u8);
                        let order = |(key, i): &(SlabKey, usize)| (key.waist, Reverse(key.filled[Half::Upper]), *i);
                        assert_eq!(Some(layout.least(key)), layout.images(key).min_by_key(order), "{key:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn stored_positions_cover_every_orbit_once() {
        let layout = layout(4, 4, Start::American, SpaceKind::Quiet);
        let stored: u128 = layout.total_positions();
        let all: u128 = layout.canonical_positions().iter().sum();
        assert!(4 * stored >= all && 2 * stored < all, "{stored} of {all}");
    }
}
