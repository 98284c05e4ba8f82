//! Every position up to a size, in a fixed order: rank and unrank.
//!
//! A family is all multisets of components up to a size, or only the amalgamated ones (any number of 3, 4l and 6l; at most one
//! longer chain and one longer loop). Components are numbered in canonical order; a position is the ascending list of its
//! component numbers, and positions are ordered by how many copies of the first component they have, then of the second, and so
//! on. Hence G − C always comes before G, which is what the recursion needs to fill a table front to back.
//!
//! ```text
//! n(j, r) = number of positions made of components j, j+1, … with at most r boxes
//!         = n(j+1, r)  [none of component j]  +  n(next(j), r − size(j))  [one, and then what may follow]
//! ```
//! next(j) is j where copies may repeat, and the next kind of component where only one is allowed. The rank of a position is the
//! sum of the first terms over its components.

use crate::{
    Component::{self, Chain, Loop},
    Position,
};

/// All positions of a kind up to a number of boxes, ranked from 0, the empty one.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name: `all`, `odd loops` or `amalgamated`.
    pub name: &'static str,
    /// The most boxes of a position.
    pub max_size: u8,
    /// Whether loops may be odd.
    pub(crate) odd_loops: bool,
    kinds: Vec<Kind>,
    /// n(j, r) at `j * (max_size + 1) + r`; a last row for j past the end.
    counts: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    component: Component,
    next: usize,
}

impl Family {
    /// Every multiset of long chains and even loops with at most `max_size` boxes.
    pub fn all(max_size: u8) -> Family {
        Family::new("all", max_size, false, false)
    }

    /// The same with odd loops: every multiset of long chains and loops of 4 boxes or more.
    ///
    /// Its members are no [`Position`]s that a theorem is about; only the recursion and the controlled value make sense for them.
    pub fn with_odd_loops(max_size: u8) -> Family {
        Family::new("odd loops", max_size, false, true)
    }

    /// The positions with at most one chain of 4 or more, one loop of 8 or more, and `max_size` boxes.
    pub fn amalgamated(max_size: u8) -> Family {
        Family::new("amalgamated", max_size, true, false)
    }

    fn new(name: &'static str, max_size: u8, amalgamated: bool, odd_loops: bool) -> Family {
        let most = u64::from(max_size);
        let chains: Vec<Component> = (3..=most).map(Chain).collect();
        let n_chains = chains.len();
        let all = chains.into_iter().chain((4..=most).step_by(if odd_loops { 1 } else { 2 }).map(Loop));
        let n_kinds = all.clone().count();
        let next = |j, component| match component {
            Chain(4..) if amalgamated => n_chains,
            Loop(8..) if amalgamated => n_kinds,
            _ => j,
        };
        let kinds: Vec<Kind> =
            all.enumerate().map(|(j, component)| Kind { component, next: next(j, component) }).collect();

        let width = usize::from(max_size) + 1;
        let mut counts = vec![1_u64; width * (n_kinds + 1)];
        for (j, kind) in kinds.iter().enumerate().rev() {
            let n = kind.component.n_boxes() as usize;
            for r in 0..width {
                let some = if r >= n { counts[kind.next * width + r - n] } else { 0 };
                counts[j * width + r] = counts[(j + 1) * width + r] + some;
            }
        }
        Family { name, max_size, odd_loops, kinds, counts }
    }

    /// Number of positions, the empty one included.
    pub fn n_positions(&self) -> u64 {
        self.count(0, self.max_size.into())
    }

    /// The position of a rank.
    ///
    /// # Panics
    /// When `rank` is not below [`Family::n_positions`].
    pub fn position(&self, rank: u64) -> Position {
        assert!(rank < self.n_positions(), "rank {rank} of {} positions", self.n_positions());
        let mut multiset: Vec<(Component, u32)> = Vec::new();
        let (mut j, mut free, mut rank) = (0, u64::from(self.max_size), rank);
        while rank > 0 {
            let n_without = self.count(j + 1, free);
            if rank < n_without {
                j += 1;
                continue;
            }
            let Kind { component, next } = self.kinds[j];
            match multiset.last_mut() {
                Some(entry) if entry.0 == component => entry.1 += 1,
                _ => multiset.push((component, 1)),
            }
            rank -= n_without;
            free -= component.n_boxes();
            j = next;
        }
        let mut position = Position::default();
        for (component, count) in multiset {
            position.add_any(component, count).expect("a family has only valid positions");
        }
        position
    }

    /// The rank of a position of the family.
    ///
    /// # Panics
    /// When the position has more boxes than the family allows. A position that is not amalgamated has no rank in an amalgamated
    /// family; the result is then meaningless.
    pub(crate) fn rank(&self, g: &Position) -> u64 {
        let mut free = u64::from(self.max_size);
        let mut rank = 0;
        for &(component, count) in g.multiset() {
            let j = self.kind(component);
            for _ in 0..count {
                rank += self.count(j + 1, free);
                free -= component.n_boxes();
            }
        }
        rank
    }

    fn kind(&self, component: Component) -> usize {
        let n_chains = usize::from(self.max_size).saturating_sub(2);
        match component {
            Chain(n) => n as usize - 3,
            Loop(n) => n_chains + (n as usize - 4) / if self.odd_loops { 1 } else { 2 },
        }
    }

    fn count(&self, j: usize, free: u64) -> u64 {
        self.counts[j * (usize::from(self.max_size) + 1) + free as usize]
    }
}
