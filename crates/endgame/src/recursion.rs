//! The only oracle: values by recursion, with no theorem in it.
//!
//! ```text
//! v(0) = 0      v(G; C) = n − h + |v(G − C) − h|  (n boxes, handout h)      v(G) = min over C in G of v(G; C)
//! ```
//! [`FamilyValues`] remembers the value of every position of a whole [`Family`], in which G − C lies before G, so one pass
//! fills it.

use crate::{Component, Family, Position};

/// Values of every position of a [`Family`], one byte each.
#[derive(Clone, Debug)]
pub struct FamilyValues {
    /// The family the values belong to.
    pub family: Family,
    values: Vec<u8>,
}

impl FamilyValues {
    /// Computes the values of all positions of `family`, in rank order. Takes one byte a position.
    pub fn new(family: Family) -> FamilyValues {
        let mut values: Vec<u8> = Vec::with_capacity(family.n_positions() as usize);
        for rank in 0..family.n_positions() {
            let g = family.position(rank);
            let opened = |c: Component| c.opened(values[family.rank(&g.without(c)) as usize].into());
            let v = g.components().map(opened).min().unwrap_or(0);
            values.push(v as u8); // 0 ≤ v ≤ size ≤ u8::MAX
        }
        FamilyValues { family, values }
    }

    /// v of a position of the family.
    ///
    /// # Panics
    /// When the position is larger than the family allows.
    pub(crate) fn value(&self, g: &Position) -> i64 {
        self.values[self.family.rank(g) as usize].into()
    }
}
