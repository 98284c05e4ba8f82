//! Where the moves at the waist of a slab apply: each to some columns of some rows, which depend on the classes of both halves.
//!
//! ```text
//!    of_cols   moves that fill chains of the lower half or of none     every row, the columns of some classes
//!    of_rows   moves that fill chains of the upper half                the rows of some classes, every column
//!    of_sets   moves that fill chains of both                          the rows of a set of classes, the columns of some classes
//! ```
//! So it is also known, before a slab is solved, which slabs these moves read, and which rows and columns of each.

use std::ops::Range;
use std::slice::from_ref;

use dab_space::{Half, PerHalf, SlabId, SlabKey};
use dab_store::{Wanted, part_decoded};
use rustc_hash::FxHashMap;

use super::move_tables::{MoveTables, classes, filled_in};
use super::strips::{Ranges, joined};
use super::waist::WaistMoves;
use super::waist_move::WaistMove;

/// Moves, each with the rows or the columns to which it applies.
type Moves = Vec<(WaistMove, Ranges)>;

/// The moves at the waist of a slab.
pub(super) struct WaistAreas {
    pub(super) rows: Range<usize>,
    pub(super) cols: Range<usize>,
    /// With their columns.
    pub(super) of_cols: Moves,
    /// With their rows.
    pub(super) of_rows: Moves,
    /// By set of classes of the upper half: the rows of the set, and its moves with their columns.
    pub(super) of_sets: Vec<(Ranges, Moves)>,
}

impl MoveTables<'_> {
    /// The stored slabs that the moves of a slab lead to, each once. Tables of moves may take `table_bytes`.
    pub(super) fn sources(&self, key: SlabKey, table_bytes: u64) -> Vec<SlabId> {
        let areas = WaistAreas::new(self, key, &self.at_waist(key.waist, table_bytes));
        self.with_those_inside(key, areas.sources(self, key, false))
    }

    /// For each stored slab that the moves of a slab read, the part of it that has to be decoded for them. No table stays for it.
    pub(super) fn parts(&self, key: SlabKey) -> Vec<(SlabId, f64)> {
        let (layout, is_mirrored) = (self.space.layout(), self.is_mirrored(key));
        let areas = WaistAreas::new(self, key, &self.at_waist(key.waist, 0));
        let mut parts: FxHashMap<SlabId, f64> = FxHashMap::default();
        let mut add = |least: SlabKey, wanted: &Wanted| {
            let part = parts.entry(layout.id(least)).or_default();
            *part = f64::min(*part + part_decoded(layout.rows(least), layout.cols(least), wanted), 1.0);
        };
        areas.wanted(self, key, is_mirrored).iter().for_each(|(&least, wanted)| add(least, wanted));
        // Of a slab that is its own mirror image, moves of one half are enough.
        for &half in if is_mirrored { &Half::BOTH[..1] } else { &Half::BOTH[..] } {
            let moves = self.inside(key, half);
            for &filled in &moves.fills {
                let target = filled_in(key, half, filled);
                add(layout.least(target).0, &self.wanted_inside(target, (half, moves, filled)));
            }
        }
        parts.into_iter().collect()
    }
}

impl WaistAreas {
    /// The moves of a slab, each once.
    pub(super) fn new(tables: &MoveTables<'_>, key: SlabKey, table: &WaistMoves) -> Self {
        let PerHalf([upper, lower]) = tables.space.lists(key);
        let (rows, cols) = (0..upper.configs.len(), 0..lower.configs.len());
        let mut places = vec![0..0; table.lower.len()];
        classes(lower).for_each(|(class, range)| places[class as usize] = range);
        let mut of_cols: FxHashMap<WaistMove, Ranges> = FxHashMap::default();
        for (class, range) in classes(lower) {
            table.lower[class as usize].iter().for_each(|&m| of_cols.entry(m).or_default().push(range.clone()));
        }
        of_cols.extend(table.only.iter().map(|&m| (m, vec![cols.clone()])));
        let mut of_rows: FxHashMap<WaistMove, Ranges> = FxHashMap::default();
        let mut rows_of_sets: Vec<Ranges> = vec![Vec::new(); table.couplings.n_sets()];
        for (class, rows) in classes(upper) {
            table.upper[class as usize].iter().for_each(|&m| of_rows.entry(m).or_default().push(rows.clone()));
            table.couplings.sets_of(class).for_each(|set| rows_of_sets[set].push(rows.clone()));
        }
        let of_set = |(set, rows): (usize, Ranges)| {
            let moves = if rows.is_empty() { &[] } else { table.both(tables.space, set) };
            let with_cols = moves.iter().filter_map(|(m, lower)| {
                let ranges = lower.iter().map(|&class| places[class as usize].clone());
                let ranges = joined(ranges.filter(|range| !range.is_empty()));
                (!ranges.is_empty()).then_some((*m, ranges))
            });
            (joined(rows), with_cols.collect())
        };
        let of_sets = rows_of_sets.into_iter().enumerate().map(of_set).collect();
        let [of_cols, of_rows] =
            [of_cols, of_rows].map(|moves| moves.into_iter().map(|(m, of)| (m, joined(of))).collect());
        Self { rows, cols, of_cols, of_rows, of_sets }
    }

    /// Every move, with the rows and the columns to which it applies.
    fn all(&self) -> impl Iterator<Item = (&WaistMove, &[Range<usize>], &[Range<usize>])> {
        let of_cols = self.of_cols.iter().map(|(m, cols)| (m, from_ref(&self.rows), &cols[..]));
        let of_rows = self.of_rows.iter().map(|(m, rows)| (m, &rows[..], from_ref(&self.cols)));
        let of_sets = self.of_sets.iter().flat_map(|(rows, of)| of.iter().map(|(m, cols)| (m, &rows[..], &cols[..])));
        of_cols.chain(of_rows).chain(of_sets)
    }

    /// The stored slabs that the moves read, ascending; of a slab that is its own mirror image only those that its moves read themselves.
    pub(super) fn sources(&self, tables: &MoveTables<'_>, key: SlabKey, is_mirrored: bool) -> Vec<SlabKey> {
        let source = |(m, ..): (&WaistMove, _, _)| tables.source_of(key, is_mirrored, m).map(|(least, _)| least);
        let mut sources: Vec<SlabKey> = self.all().filter_map(source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// For each of these slabs the rows and the columns that the moves read, of all of them together.
    pub(super) fn wanted(
        &self,
        tables: &MoveTables<'_>,
        key: SlabKey,
        is_mirrored: bool,
    ) -> FxHashMap<SlabKey, Wanted> {
        let layout = tables.space.layout();
        let mut flags: FxHashMap<SlabKey, [Vec<bool>; 2]> = FxHashMap::default();
        for (m, rows, cols) in self.all() {
            let Some((least, symmetry)) = tables.source_of(key, is_mirrored, m) else { continue };
            let none = || [layout.rows(least), layout.cols(least)].map(|n| vec![false; n as usize]);
            let flags = flags.entry(least).or_insert_with(none);
            for (half, ranges) in Half::BOTH.into_iter().zip([rows, cols]) {
                let places = &tables.map(key, half, *m, least, symmetry).places;
                let to = half.swapped_if(layout.symmetries()[symmetry].swaps);
                let flags = &mut flags[usize::from(to == Half::Lower)];
                ranges.iter().flat_map(|range| &places[range.clone()]).for_each(|&place| flags[place as usize] = true);
            }
        }
        flags.into_iter().map(|(least, [rows, cols])| (least, Wanted::of(rows, cols))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::{Rules, Space, SpaceKind};

    /// Every slab that is read has a part, and no other slab has.
    #[test]
    fn parts_are_of_what_is_read() {
        for (start, kind) in [
            ("3x3", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("2x5", SpaceKind::Quiet),
            ("3x4:102a", SpaceKind::Quiet),
            ("5x5:510264066c84442", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let (layout, tables) = (space.layout(), MoveTables::new(&space, Rules::default()));
            let mut n_less = 0;
            for &key in layout.layers().iter().flatten() {
                let parts = tables.parts(key);
                let mut read: Vec<SlabId> = parts.iter().map(|&(read, _)| read).collect();
                read.sort_unstable();
                let mut sources = tables.sources(key, u64::MAX);
                sources.sort_unstable();
                assert_eq!(read, sources, "{start} {kind}: {key:?}");
                assert!(parts.iter().all(|&(_, part)| part > 0.0 && part <= 1.0));
                n_less += parts.iter().filter(|&&(_, part)| part < 1.0).count();
            }
            assert!(start != "2x5" || n_less > 0);
        }
    }
}
