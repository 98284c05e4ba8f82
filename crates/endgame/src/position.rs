//! A simple loony endgame: a multiset of long chains and even loops.
//!
//! Invariant: components are sorted, chains ascending then loops ascending, each listed once with a count of 1 or more; chains
//! have at least 3 boxes, loops at least 4 and an even number; [`Totals`] always agree with the list. Fed by `notation` and by
//! callers that decompose a board; read by every theorem.

use crate::{
    Component::{self, Chain, Loop},
    Totals,
};

/// A component or a count that a [`Position`] cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A chain of 1 or 2 boxes is no loony component.
    #[error("a chain has at least 3 boxes, not {0}")]
    ShortChain(u64),
    /// The shortest loop is a 2×2 block.
    #[error("a loop has at least 4 boxes, not {0}")]
    ShortLoop(u64),
    /// On a grid every loop is even, and the theorems fail for odd ones.
    #[error("a loop has an even number of boxes, not {0}")]
    OddLoop(u64),
    /// More than `u32::MAX` equal components.
    #[error("more than {max} components {0}", max = u32::MAX)]
    TooMany(Component),
    /// More boxes than a value can count.
    #[error("more than {max} boxes in all", max = i64::MAX)]
    TooLarge,
}

/// A multiset of long chains and even loops. The default is the empty position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    multiset: Vec<(Component, u32)>,
    totals: Totals,
}

impl Position {
    /// The position with `count` copies of each listed component; the list may repeat a component and have any order.
    ///
    /// # Errors
    /// When a component is too short or an odd loop, when its count would pass `u32::MAX`, or when the size would pass `i64::MAX`.
    pub fn from_multiset(multiset: impl IntoIterator<Item = (Component, u32)>) -> Result<Position, PositionError> {
        let mut position = Position::default();
        for (component, count) in multiset {
            position.add(component, count)?;
        }
        Ok(position)
    }

    /// Adds `count` copies of a component; none when `count` is 0.
    ///
    /// # Errors
    /// As [`Position::from_multiset`]. The position is then unchanged.
    pub(crate) fn add(&mut self, component: Component, count: u32) -> Result<(), PositionError> {
        match component {
            Loop(n @ 4..) if n % 2 == 1 => Err(PositionError::OddLoop(n)),
            _ => self.add_any(component, count),
        }
    }

    /// The same for an [`Endgame`](crate::Endgame), which may have odd loops.
    pub(crate) fn add_any(&mut self, component: Component, count: u32) -> Result<(), PositionError> {
        match component {
            Chain(n) if n < 3 => return Err(PositionError::ShortChain(n)),
            Loop(n) if n < 4 => return Err(PositionError::ShortLoop(n)),
            _ => {}
        }
        if count == 0 {
            return Ok(());
        }
        let place = self.place(component);
        let old = place.map_or(0, |i| self.multiset[i].1);
        let new = old.checked_add(count).ok_or(PositionError::TooMany(component))?;
        self.totals = self.totals.plus(component, count).ok_or(PositionError::TooLarge)?;
        match place {
            Ok(i) => self.multiset[i].1 = new,
            Err(i) => self.multiset.insert(i, (component, new)),
        }
        Ok(())
    }

    /// G − C: the position with one copy of `component` less.
    ///
    /// # Panics
    /// When the position does not have that component.
    pub(crate) fn without(&self, component: Component) -> Position {
        let i = self.place(component).expect("the position has that component");
        let mut rest = self.clone();
        rest.totals = rest.totals.minus(component);
        rest.multiset[i].1 -= 1;
        if rest.multiset[i].1 == 0 {
            rest.multiset.remove(i);
        }
        rest
    }

    fn place(&self, component: Component) -> Result<usize, usize> {
        self.multiset.binary_search_by_key(&component, |entry| entry.0)
    }

    /// Distinct components with their counts, chains ascending then loops ascending.
    pub fn multiset(&self) -> &[(Component, u32)] {
        &self.multiset
    }

    /// Distinct components, chains ascending then loops ascending.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = Component> + '_ {
        self.multiset.iter().map(|entry| entry.0)
    }

    /// Counts and sums over all components.
    pub(crate) fn totals(&self) -> Totals {
        self.totals
    }

    /// Number of boxes.
    pub fn size(&self) -> u64 {
        self.totals.size
    }

    /// True when nothing is left.
    pub fn is_empty(&self) -> bool {
        self.multiset.is_empty()
    }

    /// True when the position has that component.
    pub(crate) fn contains(&self, component: Component) -> bool {
        self.place(component).is_ok()
    }

    /// The shortest chain.
    pub(crate) fn shortest_chain(&self) -> Option<Component> {
        self.components().next().filter(|c| !c.is_loop())
    }

    /// The longest chain.
    pub(crate) fn longest_chain(&self) -> Option<Component> {
        self.components().rfind(|c| !c.is_loop())
    }

    /// The shortest loop.
    pub(crate) fn shortest_loop(&self) -> Option<Component> {
        self.components().find(|c| c.is_loop())
    }

    /// The longest loop.
    pub(crate) fn longest_loop(&self) -> Option<Component> {
        self.components().next_back().filter(|c| c.is_loop())
    }
}

impl From<&Position> for Totals {
    fn from(position: &Position) -> Totals {
        position.totals
    }
}
