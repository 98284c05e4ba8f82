//! Values of every sub-multiset of one position, by recursion: an oracle for positions too large for a family.

use crate::recursion::FamilyValues;
use crate::{Component, Family, Position};

/// Values of every sub-multiset of one position.
///
/// The entry of a sub-multiset is at Σ count·stride, the counts being the digits of a mixed-radix number.
#[derive(Clone, Debug)]
pub(crate) struct Subpositions {
    position: Position,
    strides: Vec<usize>,
    values: Vec<u32>,
}

/// A position that is too large for recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Most entries of a [`Subpositions`] table, 512 MiB.
const MAX_ENTRIES: usize = 1 << 27;

impl Subpositions {
    /// Computes the values of all sub-multisets of `g`.
    ///
    /// # Errors
    /// When the table would pass [`MAX_ENTRIES`], or `g` has more than `u32::MAX` boxes.
    pub(crate) fn new(g: &Position) -> Result<Subpositions, TooLarge> {
        let mut strides = Vec::with_capacity(g.multiset().len());
        let mut n_entries = 1_usize;
        for &(_, count) in g.multiset() {
            strides.push(n_entries);
            n_entries = n_entries.checked_mul(count as usize + 1).filter(|n| *n <= MAX_ENTRIES).ok_or(TooLarge)?;
        }
        if u32::try_from(g.size()).is_err() {
            return Err(TooLarge);
        }
        let mut table = Subpositions { position: g.clone(), strides, values: vec![0; n_entries] };
        table.fill();
        Ok(table)
    }

    fn fill(&mut self) {
        let multiset = self.position.multiset();
        let mut counts = vec![0; multiset.len()];
        for at in 1..self.values.len() {
            // Count up by one, least significant digit first.
            for (count, entry) in counts.iter_mut().zip(multiset) {
                *count = if *count == entry.1 { 0 } else { *count + 1 };
                if *count > 0 {
                    break;
                }
            }
            let opened = |i: usize| multiset[i].0.opened(self.values[at - self.strides[i]].into());
            let v = (0..multiset.len()).filter(|i| counts[*i] > 0).map(opened).min();
            self.values[at] = v.unwrap_or(0) as u32; // 0 ≤ v ≤ size ≤ u32::MAX
        }
    }

    /// v of the whole position.
    pub(crate) fn value(&self) -> i64 {
        self.values[self.values.len() - 1].into()
    }

    /// For each distinct component C of the position, v(G; C); in the order of the position.
    pub(crate) fn opened_values(&self) -> impl Iterator<Item = (Component, i64)> + '_ {
        let top = self.values.len() - 1;
        let multiset = self.position.multiset().iter().zip(&self.strides);
        multiset.map(move |((c, _), stride)| (*c, c.opened(self.values[top - stride].into())))
    }

    /// All optimal openings, in the order of the position.
    pub(crate) fn optimal_openings(&self) -> Vec<Component> {
        let best = |opened: &(Component, i64)| opened.1 == self.value();
        self.opened_values().filter(best).map(|opened| opened.0).collect()
    }
}

fn table(text: &str) -> Subpositions {
    Subpositions::new(&text.parse().unwrap()).unwrap()
}

#[test]
fn by_hand() {
    for (text, value) in [("0", 0), ("3", 3), ("3^2", 2), ("3^3", 1), ("4l^2", 0), ("3+4l", 1), ("3+4l+8l^2", 1)] {
        assert_eq!(table(text).value(), value, "{text}");
    }
}

#[test]
fn both_tables_agree() {
    for family in [Family::all(24), Family::amalgamated(36)] {
        let values = FamilyValues::new(family);
        for rank in 0..values.family().n_positions() {
            let g = values.family().position(rank);
            assert_eq!(Subpositions::new(&g).unwrap().value(), values.value(&g), "{g}");
        }
    }
}

#[test]
fn optimal_openings() {
    let open = |text| table(text).optimal_openings().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(open("0").is_empty());
    assert_eq!(open("4^2+6l"), ["4", "6l"]);
    assert_eq!(open("3^3+4l"), ["3"]);
}

#[test]
fn limits() {
    let new = |text: &str| Subpositions::new(&text.parse().unwrap()).map(|t| t.value());
    assert_eq!(new("3^1000000000"), Err(TooLarge));
    assert_eq!(new("4294967296"), Err(TooLarge));
    assert_eq!(new("4294967295"), Ok(4_294_967_295));
}
