//! Classes of parallel units: units that may be exchanged without changing the position.
//!
//! Units are parallel if they have the same ends and the same number of inner boxes, such as the two outer lines of a
//! corner box (Fraser, in Wilson's notes). Of a class only the *number* of filled units counts. The canonical form
//! fills the lowest first.

use std::collections::BTreeMap;

use dab_board::graph::GraphString;

use crate::UnitMask;

/// The classes of a list of units, as masks; classes of one unit are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelClasses {
    classes: Vec<UnitMask>,
    /// For each distance between neighbours of a class, the lower ones. Mostly that is 1: alike units are numbered
    /// one after the other.
    neighbours: Vec<(u32, UnitMask)>,
    /// Steps after which every class is in canonical form: one less than the largest class has units.
    steps: u32,
}

impl ParallelClasses {
    /// The classes of interchangeable units.
    pub(crate) fn new(strings: &[GraphString]) -> Self {
        let class = |i: usize| (0..strings.len()).filter(move |&j| strings[j] == strings[i]);
        let classes = (0..strings.len())
            .filter(|&i| class(i).next() == Some(i) && class(i).count() > 1)
            .map(|i| class(i).fold(0, |mask, j| mask | 1 << j))
            .collect();
        Self::from_classes(classes)
    }

    fn from_classes(classes: Vec<UnitMask>) -> Self {
        let mut neighbours = BTreeMap::new();
        for &class in &classes {
            let mut rest = class;
            while !rest.is_power_of_two() {
                let low = rest.trailing_zeros();
                rest &= rest - 1;
                *neighbours.entry(rest.trailing_zeros() - low).or_default() |= 1 << low;
            }
        }
        let steps = classes.iter().map(|class| class.count_ones() - 1).max().unwrap_or(0);
        Self { classes, neighbours: neighbours.into_iter().collect(), steps }
    }

    /// The classes, each a mask of at least two units.
    pub fn classes(&self) -> &[UnitMask] {
        &self.classes
    }

    /// The canonical form of a set of filled units: those of all classes move down step by step, until none can.
    #[inline]
    pub fn canonical(&self, mut filled: UnitMask) -> UnitMask {
        for _ in 0..self.steps {
            for &(distance, lower) in &self.neighbours {
                let moved = filled >> distance & !filled & lower;
                filled ^= moved | moved << distance;
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::Board;

    #[test]
    fn a_grid_has_a_class_in_each_corner() {
        let board = Board::grid(2, 3).unwrap();
        let corners = ParallelClasses::new(board.graph().strings());
        assert_eq!(corners.classes().len(), 4);
        assert!(corners.classes().iter().all(|class| class.count_ones() == 2));
    }

    #[test]
    fn a_narrow_board_has_a_class_in_every_box() {
        let board = Board::grid(1, 4).unwrap();
        let sizes: Vec<u32> =
            ParallelClasses::new(board.graph().strings()).classes().iter().map(|class| class.count_ones()).collect();
        assert_eq!(sizes, [3, 2, 2, 3]);
    }

    #[test]
    fn fills_the_lowest_first() {
        let corners = ParallelClasses::from_classes(vec![0b1011, 0b110000]);
        assert_eq!(corners.canonical(0b1000), 0b0001);
        assert_eq!(corners.canonical(0b101010), 0b010011);
    }

    #[test]
    fn large_classes_are_in_form_after_all_steps() {
        for class in [0x1ff, 0b1_1001_1010_0111, 0x1_5555] {
            let corners = ParallelClasses::from_classes(vec![class]);
            let units: Vec<usize> = (0..64).filter(|unit| class >> unit & 1 == 1).collect();
            let mask = |units: &[usize]| units.iter().fold(0, |mask: UnitMask, unit| mask | 1 << unit);
            for subset in 0..1 << units.len() {
                let chosen: Vec<usize> = (0..units.len()).filter(|i| subset >> i & 1 == 1).map(|i| units[i]).collect();
                assert_eq!(corners.canonical(mask(&chosen)), mask(&units[..chosen.len()]), "{chosen:?} of {class:b}");
            }
        }
    }
}
