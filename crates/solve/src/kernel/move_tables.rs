//! The moves of all positions of a space, and the slabs that they lead to: everything that does not depend on scores.

use std::ops::Range;
use std::sync::Arc;

use dab_space::half_table::List;
use dab_space::{Half, PerHalf, Rules, SlabId, SlabKey, Space};
use dab_store::Wanted;

use super::halves::{HalfMoves, ListMoves};
use super::maps::{Map, MapKey, Maps};
use super::steps::{Step, Steps};
use super::table_memory::TableMemory;
use super::waist::{WaistMoves, WaistTables};
use super::waist_move::WaistMove;

/// The moves of a space, by half and at the waist. They and the maps are tabulated when they are first needed.
pub(super) struct MoveTables<'a> {
    pub(super) space: &'a Space,
    inside: PerHalf<Arc<HalfMoves<'a>>>,
    maps: Maps<'a>,
    waists: WaistTables<'a>,
    memory: TableMemory,
}

impl<'a> MoveTables<'a> {
    /// Nothing is tabulated yet.
    pub(super) fn new(space: &'a Space, rules: Rules) -> Self {
        let [upper, lower] = Half::BOTH.map(|half| space.half(half));
        let moves_of = |half| Arc::new(HalfMoves::new(half, space.kind(), rules));
        let first = moves_of(upper);
        let second = if std::ptr::eq(upper, lower) { first.clone() } else { moves_of(lower) };
        let memory = TableMemory::default();
        let (maps, waists) = (Maps::new(space, memory.clone()), WaistTables::new(space, rules, memory.clone()));
        Self { space, inside: PerHalf([first, second]), maps, waists, memory }
    }

    /// Bytes of the tables and maps that were made when they were needed, as far as they are still in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.memory.bytes()
    }

    /// The moves at a waist configuration. If a table has to be made and all tables and maps then take more than `limit`
    /// bytes, those that nothing uses are dropped: maps first, which are made again soonest, then the tables that were made when half of
    /// the limit was taken. Slabs with the same waist are solved one after the other, so that each of these is made again about once a
    /// stack of layers; the others stay for all stacks.
    pub(super) fn at_waist(&self, waist: u32, limit: u64) -> Arc<WaistMoves> {
        self.waists.get(waist).unwrap_or_else(|| {
            let table = self.waists.make(waist, self.bytes() <= limit / 2);
            let in_turn: [&dyn Fn(); 3] =
                [&|| self.maps.drop_unused(), &|| self.waists.drop_passing(), &|| self.waists.drop_unused()];
            for drop_some in in_turn {
                if self.bytes() > limit {
                    drop_some();
                }
            }
            table
        })
    }

    /// The moves inside a half for its configurations in a slab.
    pub(super) fn inside(&self, key: SlabKey, half: Half) -> &ListMoves {
        let waist = &self.space.layout().waists()[key.waist as usize];
        self.inside[half].list(waist.boundary[half], key.filled[half])
    }

    /// Whether a slab is its own mirror image, place by place: then half of its moves are enough.
    pub(super) fn is_mirrored(&self, key: SlabKey) -> bool {
        let layout = self.space.layout();
        key.filled[Half::Upper] == key.filled[Half::Lower]
            && layout.images(key).any(|(image, symmetry)| {
                image == key
                    && layout.symmetries()[symmetry].swaps
                    && Half::BOTH
                        .into_iter()
                        .all(|half| self.map(key, half, WaistMove::NOWHERE, key, symmetry).is_identity())
            })
    }

    /// The stored slab that a move reads and the symmetry that leads to it, unless its mirror image does its work.
    pub(super) fn source_of(&self, key: SlabKey, is_mirrored: bool, m: &WaistMove) -> Option<(SlabKey, usize)> {
        let target = SlabKey { waist: m.waist, filled: PerHalf::from_fn(|half| key.filled[half] + m.filled[half]) };
        let layout = self.space.layout();
        let (least, symmetry) = layout.least(target);
        let is_left = is_mirrored && layout.symmetries()[symmetry].swaps;
        (!is_left).then_some((least, symmetry))
    }

    /// The stored slabs that the moves of each of some slabs of one waist lead to, each once; needs no tables.
    pub(super) fn sources_of_waist(&self, keys: &[SlabKey]) -> Vec<Vec<SlabId>> {
        let layout = self.space.layout();
        let Some(steps) = keys.first().map(|key| Steps::new(self.space, key.waist)) else { return Vec::new() };
        let of_slab = |&key: &SlabKey| {
            let target =
                |(waist, more): Step| SlabKey { waist, filled: PerHalf::from_fn(|half| key.filled[half] + more[half]) };
            let at_waist = steps.from(key.filled).map(|step| layout.least(target(step)).0);
            self.with_those_inside(key, at_waist.collect())
        };
        keys.iter().map(of_slab).collect()
    }

    /// Some slabs that a slab reads and those that moves inside its halves lead to, each once.
    pub(super) fn with_those_inside(&self, key: SlabKey, mut sources: Vec<SlabKey>) -> Vec<SlabId> {
        let layout = self.space.layout();
        for half in Half::BOTH {
            let fills = self.inside(key, half).fills.iter();
            sources.extend(fills.map(|&filled| layout.least(filled_in(key, half, filled)).0));
        }
        sources.sort_unstable();
        sources.dedup();
        sources.into_iter().map(|key| layout.id(key)).collect()
    }

    /// The rows and columns of the stored slab of `key` to which the moves inside a half lead that fill `filled` units, from the slab with so
    /// many units fewer.
    pub(super) fn wanted_inside(&self, key: SlabKey, (half, moves, filled): (Half, &ListMoves, u8)) -> Wanted {
        let layout = self.space.layout();
        let (least, symmetry) = layout.least(key);
        let mut flags = [layout.rows(least), layout.cols(least)].map(|n| vec![true; n as usize]);
        let of_half = &mut flags[usize::from(half.swapped_if(layout.symmetries()[symmetry].swaps) == Half::Lower)];
        of_half.fill(false);
        let map = (symmetry != 0).then(|| self.map(key, half, WaistMove::NOWHERE, least, symmetry));
        for place in moves.places(filled) {
            of_half[map.as_ref().map_or(place, |map| map.places[place] as usize)] = true;
        }
        let [rows, cols] = flags;
        Wanted::of(rows, cols)
    }

    /// The rows (upper half) or columns (lower half) of slab `key` mapped to those of the stored slab `least`, to which a
    /// move leads through a symmetry.
    pub(super) fn map(&self, key: SlabKey, half: Half, m: WaistMove, least: SlabKey, symmetry: usize) -> Arc<Map> {
        let layout = self.space.layout();
        let here = &layout.waists()[key.waist as usize];
        let there = &layout.waists()[least.waist as usize];
        let to = half.swapped_if(layout.symmetries()[symmetry].swaps);
        self.maps.map(MapKey {
            half,
            boundary: here.boundary[half],
            filled: key.filled[half],
            effect: m.effects[half],
            symmetry,
            target: there.boundary[to],
        })
    }
}

/// The slab to which a move inside `half` leads that fills `filled` units.
pub(super) fn filled_in(mut key: SlabKey, half: Half, filled: u8) -> SlabKey {
    key.filled[half] += filled;
    key
}

/// The classes of a list with their places.
pub(super) fn classes(list: &List) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    let ends = list.classes.iter().skip(1).map(|&(_, first)| first as usize).chain([list.configs.len()]);
    list.classes.iter().zip(ends).map(|(&(class, first), end)| (class, first as usize..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::SpaceKind;

    #[test]
    fn dropped_tables_are_not_counted_and_maps_are() {
        let space = Space::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let of = |waists: &[u32], limit: u64| {
            let tables = MoveTables::new(&space, Rules::default());
            waists.iter().for_each(|&waist| drop(tables.at_waist(waist, limit)));
            tables.bytes()
        };
        let n_waists = space.layout().waists().len() as u32;
        let all: Vec<u32> = (0..n_waists).collect();
        assert_eq!(of(&all, u64::MAX), all.iter().map(|&waist| of(&[waist], 0)).sum::<u64>());
        assert_eq!(of(&all, 0), of(&[n_waists - 1], 0));

        let tables = MoveTables::new(&space, Rules::default());
        let key = space.layout().layers()[4][0];
        let map = tables.map(key, Half::Upper, WaistMove::NOWHERE, key, 0);
        assert!(tables.bytes() >= size_of_val(&map.places[..]) as u64);
        // A map in use stays in memory, and is counted.
        let before = tables.bytes();
        tables.maps.drop_unused();
        assert_eq!(tables.bytes(), before);
        drop(map);
        tables.maps.drop_unused();
        assert_eq!(tables.bytes(), 0);
    }
}
