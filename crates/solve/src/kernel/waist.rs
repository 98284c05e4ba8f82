//! Moves at the waist, tabulated by class.
//!
//! A move at the waist fills a waist unit, and may run on into one half or both. All that it depends on is the waist
//! configuration and the classes of both configurations: a class is the boundary chains that a half shows at the waist. So
//! each waist configuration has four tables, and a position finds its moves without any walk:
//! ```text
//!    only     fills no waist unit that ends in a half      the same for every row and column
//!    upper    fills such units of the upper half           by class of the row
//!    lower    fills such units of the lower half           by class of the column
//!    both     fills such units of both halves              by both classes, or what of them matters
//!
//!    to make a table:                        to apply it to a slab:
//!    for each class or pair of classes       for each class of rows (neighbours in the list)
//!        put an example of it on the board       moves = only + upper[class] + lower + both[sets of the class]
//!        for each move at the waist              for each row of the class, for each of these moves
//!            note what it fills and its op           max-assign the columns of its classes
//! ```
//! `both` is by far the largest. Classes that such moves cannot tell apart share them ([`coupling`](super::coupling)). A
//! move that is the same for many classes of the lower half is noted once, with a list of these classes.
//!
//! In the slab of 2x3 that [`rows`](super::rows) works out, line 5 is the only open waist unit, and it ends in both
//! halves. So all moves are in `both`. Each row and column has a class of its own, a joint or a chain of two boxes:
//! ```text
//!    upper class   lower class   filled beside line 5     worth                leads to
//!    joint         joint         nothing                  -x                   5 and 5 units of the halves
//!    joint         chain         2 units below            -2 - x               5 and 7, stored as its image 7 and 5
//!    chain         joint         2 units above            -2 - x               7 and 5
//!    chain         chain         2 above, 2 below         min(-4 - x, x)       7 and 7, where nothing is left
//! ```

use std::mem::size_of_val;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dab_space::half_table::Class;
use dab_space::{PerHalf, Rules, Space};
use rustc_hash::FxHashMap;

use super::coupling::Couplings;
use super::table_memory::{TableBytes, TableMemory};
use super::waist_move::WaistMove;
use super::walk::Walk;

/// A move that fills chains of both halves, with the classes of the lower half to which it applies.
type Coupled = (WaistMove, Vec<u32>);

/// The tables of waist configurations, made when they are first needed.
pub(crate) struct WaistTables<'a> {
    space: &'a Space,
    rules: Rules,
    made: Mutex<FxHashMap<u32, Made>>,
    memory: TableMemory,
}

/// A table in memory.
struct Made {
    moves: Arc<WaistMoves>,
    stays: bool,
}

impl Made {
    fn is_used(&self) -> bool {
        Arc::strong_count(&self.moves) > 1
    }
}

impl<'a> WaistTables<'a> {
    pub(super) fn new(space: &'a Space, rules: Rules, memory: TableMemory) -> Self {
        Self { space, rules, made: Mutex::default(), memory }
    }

    /// The table of a waist configuration, if it is in memory.
    pub(super) fn get(&self, waist: u32) -> Option<Arc<WaistMoves>> {
        self.made().get(&waist).map(|made| made.moves.clone())
    }

    /// Makes the table of a waist configuration, which stays when tables that pass are dropped if it `stays`.
    pub(super) fn make(&self, waist: u32, stays: bool) -> Arc<WaistMoves> {
        // Two threads may make the same table; it does not matter whose is kept.
        let moves = Arc::new(WaistMoves::new((self.space, self.rules), waist, &self.memory));
        self.made().entry(waist).or_insert(Made { moves, stays }).moves.clone()
    }

    /// Drops the tables that nothing uses now and that were not made to stay.
    pub(super) fn drop_passing(&self) {
        self.made().retain(|_, made| made.stays || made.is_used());
    }

    /// Drops the tables that nothing uses now.
    pub(super) fn drop_unused(&self) {
        self.made().retain(|_, made| made.is_used());
    }

    fn made(&self) -> MutexGuard<'_, FxHashMap<u32, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The moves at one waist configuration.
pub(crate) struct WaistMoves {
    waist: u32,
    rules: Rules,
    pub(crate) only: Vec<WaistMove>,
    /// By class of the upper half.
    pub(crate) upper: Vec<Vec<WaistMove>>,
    /// By class of the lower half.
    pub(crate) lower: Vec<Vec<WaistMove>>,
    pub(crate) couplings: Couplings,
    /// By set of classes of the upper half; made when first needed.
    both: Vec<OnceLock<Vec<Coupled>>>,
    bytes: TableBytes,
}

impl WaistMoves {
    fn new((space, rules): (&Space, Rules), waist: u32, memory: &TableMemory) -> Self {
        let classes @ PerHalf([uppers, lowers]) = classes_under(space, waist);
        let (walk, couplings) = (Walk::new((space, rules), waist), Couplings::new(space, waist, classes));
        let (upper, lower) = (&uppers[0], &lowers[0]);
        let moves = Self {
            waist,
            rules,
            only: walk.touching([false, false], [upper, lower]),
            upper: uppers.iter().map(|upper| walk.touching([true, false], [upper, lower])).collect(),
            lower: lowers.iter().map(|lower| walk.touching([false, true], [upper, lower])).collect(),
            both: (0..couplings.n_sets()).map(|_| OnceLock::new()).collect(),
            couplings,
            bytes: memory.count(size_of::<Self>()),
        };
        let lists = moves.upper.iter().chain(&moves.lower).chain([&moves.only]);
        let lists: usize = lists.map(|list| size_of_val(list) + size_of_val(&list[..])).sum();
        moves.bytes.grow(lists + size_of_val(&moves.both[..]) + moves.couplings.bytes());
        moves
    }

    /// The moves of a set of classes of the upper half ([`Couplings`]) that fill chains of both halves, each with the classes of the lower
    /// half to which it applies.
    pub(crate) fn both(&self, space: &Space, set: usize) -> &[Coupled] {
        self.both[set].get_or_init(|| {
            let (mut coupled, mut places) = (Vec::<Coupled>::new(), FxHashMap::default());
            let walk = Walk::new((space, self.rules), self.waist);
            let PerHalf([uppers, lowers]) = classes_under(space, self.waist);
            self.couplings.for_each_pair(set, |[upper, alike], through, lower| {
                for m in walk.coupling([&uppers[upper], &lowers[alike]], through) {
                    let place = *places.entry(m).or_insert(coupled.len());
                    if place == coupled.len() {
                        coupled.push((m, Vec::new()));
                    }
                    coupled[place].1.extend(lower);
                }
            });
            coupled.shrink_to_fit();
            coupled.iter_mut().for_each(|(_, classes)| classes.shrink_to_fit());
            let classes: usize = coupled.iter().map(|(_, classes)| size_of_val(&classes[..])).sum();
            self.bytes.grow(classes + size_of_val(&coupled[..]));
            coupled
        })
    }
}

/// The classes of the upper and the lower half under a waist configuration.
pub(super) fn classes_under(space: &Space, waist: u32) -> PerHalf<&[Class]> {
    space.boundaries(&space.layout().waists()[waist as usize]).map(|boundary| &boundary.classes[..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::SpaceKind;

    /// Every class of the upper half with every one of the lower half: the moves that its sets have, against a walk.
    #[test]
    fn classes_of_a_set_have_the_same_moves() {
        for (start, kind) in [
            ("3x3", SpaceKind::Quiet),
            ("2x5", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("3x4", SpaceKind::Quiet),
            ("3x5", SpaceKind::Quiet),
            ("triangles:open:6", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            for waist in 0..space.layout().waists().len() as u32 {
                let table = WaistMoves::new((&space, Rules::default()), waist, &TableMemory::default());
                let walk = Walk::new((&space, Rules::default()), waist);
                let PerHalf([uppers, lowers]) = classes_under(&space, waist);
                for (number, upper) in uppers.iter().enumerate() {
                    let mut found = vec![Vec::new(); lowers.len()];
                    for (m, classes) in table.couplings.sets_of(number as u32).flat_map(|set| table.both(&space, set)) {
                        classes.iter().for_each(|&class| found[class as usize].extend([*m]));
                    }
                    for (lower, mut found) in found.into_iter().enumerate() {
                        found.sort_unstable();
                        let expected = walk.touching([true, true], [upper, &lowers[lower]]);
                        assert_eq!(found, expected, "{start} {kind}: waist {waist}, classes {number} and {lower}");
                    }
                }
            }
        }
    }
}
