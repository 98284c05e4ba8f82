//! Values of every sub-multiset of one endgame, by recursion: the oracle for positions too large for a family.

use crate::{Component, Position};

/// Values of every sub-multiset of one position.
///
/// The entry of a sub-multiset is at Σ count·stride, the counts being the digits of a mixed-radix number.
#[derive(Clone, Debug)]
pub(crate) struct Subpositions {
    position: Position,
    strides: Vec<usize>,
    values: Vec<u32>,
}

/// An endgame that is too large for recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Subpositions {
    /// Computes the values of all sub-multisets of `g`.
    ///
    /// # Errors
    /// When there are more than `most` of them, or `g` has more than `u32::MAX` boxes.
    pub(crate) fn new(g: &Position, most: usize) -> Result<Subpositions, TooLarge> {
        let mut strides = Vec::with_capacity(g.multiset().len());
        let mut n_entries = 1_usize;
        for &(_, count) in g.multiset() {
            strides.push(n_entries);
            n_entries = n_entries.checked_mul(count as usize + 1).filter(|n| *n <= most).ok_or(TooLarge)?;
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

    /// v(G − C) for each distinct component C of the position, in its order.
    pub(crate) fn rests(&self) -> impl Iterator<Item = (Component, i64)> + '_ {
        let top = self.values.len() - 1;
        let multiset = self.position.multiset().iter().zip(&self.strides);
        multiset.map(move |((c, _), stride)| (*c, self.values[top - stride].into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, recursion::FamilyValues};

    fn table(text: &str) -> Subpositions {
        Subpositions::new(&text.parse().unwrap(), 1 << 20).unwrap()
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
            for rank in 0..values.family.n_positions() {
                let g = values.family.position(rank);
                assert_eq!(Subpositions::new(&g, 1 << 20).unwrap().value(), values.value(&g), "{g}");
            }
        }
    }

    #[test]
    fn limits() {
        let new = |text: &str| Subpositions::new(&text.parse().unwrap(), 1 << 20).map(|t| t.value());
        assert_eq!(new("3^1000000000"), Err(TooLarge));
        assert_eq!(new("4294967296"), Err(TooLarge));
        assert_eq!(new("4294967295"), Ok(4_294_967_295));
    }
}
