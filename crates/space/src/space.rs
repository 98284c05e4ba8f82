//! A space: the layout with its lists, so that every position has a place and every place a position.

use std::sync::Arc;

use dab_board::{LineSet, Position};

use crate::half::{HalfTable, List, Pattern};
use crate::layout::{Layout, SlabKey, Waist};
use crate::partition::Group;
use crate::symmetry::ByteMap;
use crate::{SlabShape, SpaceError, SpaceKind, UnitMask, Units};

/// Where a position is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Filled units.
    pub layer: usize,
    /// Number of the slab within the layer.
    pub slab: usize,
    /// Place of the upper configuration.
    pub row: usize,
    /// Place of the lower configuration.
    pub col: usize,
}

/// Positions of one start, with their places.
#[derive(Debug)]
pub struct Space {
    layout: Layout,
    halves: [Arc<HalfTable>; 2],
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
        Ok(Self::of(Layout::new(Units::new(start, kind)?)?))
    }

    /// The space with a given layout.
    pub fn of(layout: Layout) -> Self {
        let kind = layout.units().kind();
        let table = |half: usize| {
            let half = &layout.halves()[half];
            Arc::new(HalfTable::new(half.shape.clone(), kind, &half.patterns))
        };
        let [upper, lower] = layout.halves();
        let first = table(0);
        let second =
            if upper.shape == lower.shape && upper.patterns == lower.patterns { first.clone() } else { table(1) };
        let units = || layout.partition().units.iter().map(|unit| unit.lines);
        let unit_of = |line| units().position(|lines| lines.lowest() == Some(line)).map_or(0, |unit| 1 << unit);
        let n_lines = layout.units().start().board().n_lines();
        Self {
            unit_of_line: ByteMap::new(n_lines, unit_of),
            pseudo_lines: units().filter(|lines| lines.len() > 1).collect(),
            halves: [first, second],
            layout,
        }
    }

    /// The slabs and their sizes.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Which positions are indexed.
    pub fn kind(&self) -> SpaceKind {
        self.layout.units().kind()
    }

    /// Number of layers: one more than there are units.
    pub fn n_layers(&self) -> usize {
        self.layout.layers().len()
    }

    /// The lists of the upper (0) or lower (1) half.
    pub fn half(&self, half: usize) -> &HalfTable {
        &self.halves[half]
    }

    /// The lists that make the rows and columns of slabs with a given waist.
    pub fn patterns(&self, waist: &Waist) -> [&Pattern; 2] {
        [&self.halves[0].patterns[waist.upper as usize], &self.halves[1].patterns[waist.lower as usize]]
    }

    /// The rows and the columns of a slab.
    pub fn lists(&self, key: SlabKey) -> [&List; 2] {
        let [upper, lower] = self.patterns(&self.layout.waists()[key.waist as usize]);
        [&upper.lists[usize::from(key.upper)], &lower.lists[usize::from(key.lower)]]
    }

    /// Size and parity of a slab.
    pub fn shape(&self, key: SlabKey) -> SlabShape<'_> {
        let odd = self.layout.waists()[key.waist as usize].odd;
        let [upper, lower] = self.lists(key);
        SlabShape { row_parity: upper.parity(odd), col_parity: lower.parity(false) }
    }

    /// The filled units at a place of a slab.
    #[inline]
    pub fn mask_at(&self, key: SlabKey, row: usize, col: usize) -> UnitMask {
        let [upper, lower] = self.lists(key);
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
        let mut mask = self.layout.corners().canonical(filled);
        let (key, mut halves) = self.split(mask);
        let (least, symmetry) = self.layout.least(key);
        if symmetry != 0 {
            mask = self.layout.corners().canonical(self.layout.symmetries()[symmetry].apply(mask));
            halves = self.split(mask).1;
        }
        let [upper, lower] = halves;
        let patterns = self.patterns(&self.layout.waists()[least.waist as usize]);
        Place {
            layer: mask.count_ones() as usize,
            slab: self.layout.ordinal(least),
            row: patterns[0].rank(upper),
            col: patterns[1].rank(lower),
        }
    }

    /// The key of a canonical mask and its upper and lower configurations.
    #[inline]
    fn split(&self, mask: UnitMask) -> (SlabKey, [UnitMask; 2]) {
        let sizes = self.layout.partition().sizes;
        let low = |bits: UnitMask, n: usize| if n == 64 { bits } else { bits & ((1 << n) - 1) };
        let waist = low(mask, sizes.waist);
        let upper = low(shift_down(mask, sizes.waist), sizes.upper);
        let lower = shift_down(mask, sizes.waist + sizes.upper);
        let key = SlabKey {
            waist: self.layout.waist_of(waist),
            upper: upper.count_ones() as u8,
            lower: lower.count_ones() as u8,
        };
        (key, [upper, lower])
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

/// `bits << by`, also for a shift by all 64 bits.
fn shift_up(bits: UnitMask, by: usize) -> UnitMask {
    bits.checked_shl(by as u32).unwrap_or(0)
}

/// `bits >> by`, also for a shift by all 64 bits.
fn shift_down(bits: UnitMask, by: usize) -> UnitMask {
    bits.checked_shr(by as u32).unwrap_or(0)
}
