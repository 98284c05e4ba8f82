//! A space: the layout with its lists, so that every position has a place and every place a position.

use std::sync::Arc;

use dab_board::{LineSet, Position};

use crate::budget::{Budget, Spent};
use crate::half::{Half, PerHalf};
use crate::half_table::{BoundaryState, HalfTable, List};
use crate::layout::{Layout, SlabKey, Waist};
use crate::parallel_classes::ParallelClasses;
use crate::partition::Group;
use crate::symmetry::ByteMap;
use crate::{SlabId, SlabShape, SpaceError, SpaceKind, UnitMask, Units};

/// Bytes of a configuration in the lists: itself, its rank in a table of any kind, its parities; and a part of those that are being
/// sorted.
const CONFIGURATION_BYTES: u64 = 64;

/// The place of a position: a slab, and a row and a column of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The slab.
    pub id: SlabId,
    /// The row within the slab.
    pub row: usize,
    /// The column within the slab.
    pub col: usize,
}

/// The stored slab that holds the positions of a slab, and how they lie in it: the upper configuration alone decides
/// on the row and the lower one on the column, or the other way round.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// Its name.
    pub id: SlabId,
    /// Its key.
    pub key: SlabKey,
    /// Whether it lies transposed: upper configurations in columns.
    pub swaps: bool,
    halves: PerHalf<StoredHalf<'a>>,
}

/// The order of the configurations of a half in a stored slab.
#[derive(Clone, Copy, Debug)]
struct StoredHalf<'a> {
    /// To the half that holds them; `None` if nothing moves.
    map: Option<&'a ByteMap>,
    parallel_classes: &'a ParallelClasses,
    boundary: &'a BoundaryState,
}

impl Stored<'_> {
    /// The row or column of a configuration of a half, which need not be canonical.
    ///
    /// # Panics
    /// If the configuration is not admissible.
    #[inline]
    pub fn place(&self, half: Half, config: UnitMask) -> usize {
        let StoredHalf { map, parallel_classes, boundary } = self.halves[half];
        let image = map.map_or(config, |map| map.apply(config.to_le_bytes()));
        boundary.rank(parallel_classes.canonical(image))
    }
}

/// Positions of one start, with their places.
#[derive(Debug)]
pub struct Space {
    layout: Layout,
    halves: PerHalf<Arc<HalfTable>>,
    /// The symmetries as maps of the configurations of the upper and the lower half.
    half_maps: Vec<PerHalf<ByteMap>>,
    /// Each unit by its lowest line.
    unit_of_line: ByteMap,
    /// The lines of the units that have more than one.
    pseudo_lines: Vec<LineSet>,
}

impl Space {
    /// The space of all positions that `start` can lead to.
    ///
    /// # Errors
    /// If there are more units than can be indexed.
    pub fn new(start: Position, kind: SpaceKind) -> Result<Self, SpaceError> {
        Ok(Self::with_layout(Layout::new(Units::new(start, kind)?)?))
    }

    /// The space with a given layout, whose lists are known to be small enough.
    pub fn with_layout(layout: Layout) -> Self {
        Self::listed(layout, &Budget::unbounded()).expect("nothing bounds it")
    }

    /// The space with a given layout.
    ///
    /// # Errors
    /// If its lists take more than the budget.
    pub fn within(layout: Layout, budget: &Budget<'_>) -> Result<Self, SpaceError> {
        let start = layout.units().start().clone();
        SpaceError::or_defect(&start, || {
            budget
                .check(layout.n_configurations().saturating_mul(CONFIGURATION_BYTES))
                .and_then(|()| Self::listed(layout, budget))
                .map_err(|spent| spent.error(&start))
        })
    }

    fn listed(layout: Layout, budget: &Budget<'_>) -> Result<Self, Spent> {
        let kind = layout.units().kind();
        let table = |half: Half| {
            let half = &layout.halves()[half];
            Ok(Arc::new(HalfTable::new(half.shape.clone(), kind, &half.boundaries, budget)?))
        };
        let upper_table = table(Half::Upper)?;
        let lower_table = if layout.halves_are_alike() { upper_table.clone() } else { table(Half::Lower)? };
        let units = || layout.partition().units.iter().map(|unit| unit.lines);
        let unit_of = |line| units().position(|lines| lines.lowest() == Some(line)).map_or(0, |unit| 1 << unit);
        let n_lines = layout.units().start().board().n_lines();
        let first = |half: Half| layout.partition().shift(half.into());
        let half_maps = layout.symmetries().iter().map(|symmetry| {
            PerHalf::from_fn(|half| {
                let n = layout.partition().len(half.into());
                symmetry.part(first(half), n, first(half.swapped_if(symmetry.swaps)))
            })
        });
        Ok(Self {
            unit_of_line: ByteMap::new(n_lines, unit_of),
            pseudo_lines: units().filter(|lines| lines.len() > 1).collect(),
            half_maps: half_maps.collect(),
            halves: PerHalf([upper_table, lower_table]),
            layout,
        })
    }

    /// The slabs and their sizes.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Which positions are indexed.
    #[inline]
    pub fn kind(&self) -> SpaceKind {
        self.layout.units().kind()
    }

    /// Number of layers: one more than there are units.
    pub fn n_layers(&self) -> usize {
        self.layout.layers().len()
    }

    /// The lists of a half.
    pub fn half(&self, half: Half) -> &HalfTable {
        &self.halves[half]
    }

    /// The lists that make the rows and columns of slabs with a given waist.
    #[inline]
    pub fn boundaries(&self, waist: &Waist) -> PerHalf<&BoundaryState> {
        PerHalf::from_fn(|half| &self.halves[half].boundaries[waist.boundary[half] as usize])
    }

    /// The rows and the columns of a slab.
    pub fn lists(&self, key: SlabKey) -> PerHalf<&List> {
        let boundaries = self.boundaries(&self.layout.waists()[key.waist as usize]);
        PerHalf::from_fn(|half| &boundaries[half].lists[usize::from(key.filled[half])])
    }

    /// Size and parity of a slab.
    pub fn shape(&self, key: SlabKey) -> SlabShape<'_> {
        let odd = self.layout.waists()[key.waist as usize].odd;
        let PerHalf([upper, lower]) = self.lists(key);
        SlabShape { row_parity: upper.parity(odd), col_parity: lower.parity(false) }
    }

    /// The filled units at a place of a slab.
    #[inline]
    pub fn mask_at(&self, key: SlabKey, row: usize, col: usize) -> UnitMask {
        let PerHalf([upper, lower]) = self.lists(key);
        let partition = self.layout.partition();
        self.layout.waists()[key.waist as usize].filled
            | shift_up(upper.configs[row], partition.shift(Group::Upper))
            | shift_up(lower.configs[col], partition.shift(Group::Lower))
    }

    /// The place where a set of filled units is stored: that of its image in the stored slab.
    ///
    /// # Panics
    /// If the set is not admissible.
    #[inline]
    pub fn place_of(&self, filled: UnitMask) -> Place {
        let (key, configs) = self.split(filled);
        let stored = self.stored(key);
        let PerHalf([upper, lower]) = PerHalf::from_fn(|half| stored.place(half, configs[half]));
        let (row, col) = if stored.swaps { (lower, upper) } else { (upper, lower) };
        Place { id: stored.id, row, col }
    }

    /// The upper and lower configurations of a position.
    #[inline]
    pub fn configs(&self, filled: UnitMask) -> PerHalf<UnitMask> {
        let sizes = self.layout.partition().sizes;
        let upper = low_bits(shift_down(filled, sizes.waist), sizes.upper);
        PerHalf([upper, shift_down(filled, sizes.waist + sizes.upper)])
    }

    /// The key of the slab of a position, and its upper and lower configurations.
    #[inline]
    pub fn split(&self, filled: UnitMask) -> (SlabKey, PerHalf<UnitMask>) {
        let configs = self.configs(filled);
        let waist = self.layout.parallel_classes().canonical(low_bits(filled, self.layout.partition().sizes.waist));
        let filled = configs.map(|config| config.count_ones() as u8);
        (SlabKey { waist: self.layout.waist_of(waist), filled }, configs)
    }

    /// The stored slab that holds the positions of slab `key`.
    ///
    /// # Panics
    /// If there is no such waist.
    #[inline]
    pub fn stored(&self, key: SlabKey) -> Stored<'_> {
        let (least, symmetry) = self.layout.least(key);
        let swaps = self.layout.symmetries()[symmetry].swaps;
        let waist = &self.layout.waists()[least.waist as usize];
        let boundaries = self.boundaries(waist);
        let half = |half: Half| {
            let to = half.swapped_if(swaps);
            StoredHalf {
                map: (symmetry != 0).then(|| &self.half_maps[symmetry][half]),
                parallel_classes: &self.halves[to].parallel_classes,
                boundary: boundaries[to],
            }
        };
        Stored { id: self.layout.id(least), key: least, swaps, halves: PerHalf::from_fn(half) }
    }

    /// The filled units of a set of drawn lines, or `None` if the space does not hold it: it has lines beyond the
    /// board, lines of the start are missing, or a chain is neither open nor filled. The result need not be
    /// admissible.
    #[inline]
    pub fn mask_of(&self, drawn: LineSet) -> Option<UnitMask> {
        let units = self.layout.units();
        let is_held = units.root().is_subset(drawn)
            && drawn.is_subset(units.start().board().all())
            && self.pseudo_lines.iter().all(|lines| lines.is_subset(drawn) || !lines.meets(drawn));
        is_held.then(|| self.unit_of_line.apply(drawn.0.to_le_bytes()))
    }

    /// The drawn lines of a set of filled units.
    pub fn lines_of(&self, filled: UnitMask) -> LineSet {
        let units = self.layout.partition().units.iter().enumerate();
        let lines = units.filter(|(unit, _)| filled >> unit & 1 == 1).map(|(_, unit)| unit.lines);
        lines.fold(self.layout.units().root(), |drawn, lines| drawn | lines)
    }
}

/// The lowest `n` bits.
#[inline]
fn low_bits(bits: UnitMask, n: usize) -> UnitMask {
    if n == 64 { bits } else { bits & ((1 << n) - 1) }
}

/// `bits << by`, also for a shift by all 64 bits.
#[inline]
fn shift_up(bits: UnitMask, by: usize) -> UnitMask {
    bits.checked_shl(by as u32).unwrap_or(0)
}

/// `bits >> by`, also for a shift by all 64 bits.
#[inline]
fn shift_down(bits: UnitMask, by: usize) -> UnitMask {
    bits.checked_shr(by as u32).unwrap_or(0)
}
