//! The fills of a list of strings, one by one: every canonical set of filled strings that leaves nothing to capture.
//!
//! Strings are decided in order, alike ones together. What is decided matters to the rest only by how many lines are
//! open at the joints that still have undecided strings: 0, 1 or more.
//! ```text
//!    decided strings ─► state ─► can the rest be decided?      worked out once for each state
//! ```
//! A branch that ends nowhere is never entered, so listing takes time in proportion to the list, however few of all
//! sets belong to it.

use dab_board::graph::GraphString;
use rustc_hash::FxHashMap;

use crate::{SpaceKind, UnitMask};

/// Open lines at each joint, two bits each: 0, 1, or 2 for more.
type State = u128;

/// Fills of some strings; see the module text.
pub(crate) struct Fills<'a> {
    strings: &'a [GraphString],
    /// Alike strings, by ascending lowest member: each group is decided at once.
    groups: Vec<Group>,
    kind: SpaceKind,
    begin: State,
    /// Whether joints without any string can be captured.
    is_stuck: bool,
    /// Whether the groups from the given one on can be decided in the given state.
    can_end: FxHashMap<(usize, State), bool>,
}

struct Group {
    /// The members, ascending.
    members: Vec<usize>,
    /// Joints that have no later strings.
    finished: Vec<usize>,
}

impl<'a> Fills<'a> {
    /// The fills of `strings`, `fixed_open[j]` further lines being open at joint `j`. At most 64 joints.
    pub(crate) fn new(strings: &'a [GraphString], fixed_open: &[u8], kind: SpaceKind) -> Self {
        assert!(fixed_open.len() <= 64, "{} joints", fixed_open.len());
        let mut groups: Vec<Group> = Vec::new();
        for (i, string) in strings.iter().enumerate() {
            match groups.iter_mut().find(|group| strings[group.members[0]] == *string) {
                Some(group) => group.members.push(i),
                None => groups.push(Group { members: vec![i], finished: Vec::new() }),
            }
        }
        let mut fills = Self { strings, groups, kind, begin: 0, is_stuck: false, can_end: FxHashMap::default() };
        for (joint, &open) in fixed_open.iter().enumerate() {
            fills.begin |= State::from(open.min(2)) << (2 * joint);
            let touches = |group: &Group| strings[group.members[0]].ends.contains(&Some(joint));
            match fills.groups.iter().rposition(touches) {
                Some(last) => fills.groups[last].finished.push(joint),
                None => fills.is_stuck |= kind == SpaceKind::Quiet && open == 1,
            }
        }
        fills
    }

    /// All fills, ascending.
    pub(crate) fn list(mut self) -> Vec<UnitMask> {
        let mut found = Vec::new();
        if !self.is_stuck && self.can_end(0, self.begin) {
            self.run(0, self.begin, 0, &mut found);
        }
        found.sort_unstable();
        found
    }

    fn run(&mut self, at: usize, state: State, filled: UnitMask, found: &mut Vec<UnitMask>) {
        if at == self.groups.len() {
            found.push(filled);
            return;
        }
        let mut filled = filled;
        for n_filled in 0..=self.groups[at].members.len() {
            if n_filled > 0 {
                filled |= 1 << self.groups[at].members[n_filled - 1];
            }
            if let Some(state) = self.after(at, n_filled, state)
                && self.can_end(at + 1, state)
            {
                self.run(at + 1, state, filled, found);
            }
        }
    }

    /// Whether the groups from `at` on can be decided in some way.
    fn can_end(&mut self, at: usize, state: State) -> bool {
        // In the full space everything is admissible.
        if at == self.groups.len() || self.kind == SpaceKind::Full {
            return true;
        }
        if let Some(&known) = self.can_end.get(&(at, state)) {
            return known;
        }
        let n = self.groups[at].members.len();
        let can =
            (0..=n).any(|n_filled| self.after(at, n_filled, state).is_some_and(|state| self.can_end(at + 1, state)));
        self.can_end.insert((at, state), can);
        can
    }

    /// The state after a group of which so many are filled, or `None` if a finished joint can be captured.
    fn after(&self, at: usize, n_filled: usize, state: State) -> Option<State> {
        let Group { members, finished } = &self.groups[at];
        let ends = self.strings[members[0]].ends;
        let mut state = state;
        for joint in (n_filled..members.len()).flat_map(|_| ends).flatten() {
            let open = (state >> (2 * joint) & 3).min(1) + 1;
            state = state & !(3 << (2 * joint)) | open << (2 * joint);
        }
        for &joint in finished {
            if self.kind == SpaceKind::Quiet && state >> (2 * joint) & 3 == 1 {
                return None;
            }
            state &= !(3 << (2 * joint));
        }
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corner::Corners;
    use crate::count::{Weight, fills};
    use dab_board::{Graph, LineSet};

    /// Compares with a look at every set.
    #[track_caller]
    fn check(strings: &[GraphString], fixed_open: &[u8]) {
        let graph = Graph::new(fixed_open.len(), strings.to_vec());
        let corners = Corners::new(strings);
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            let is_fine = |&filled: &UnitMask| {
                let open = |joint: usize| graph.valence(joint, LineSet(filled.into())) + usize::from(fixed_open[joint]);
                let quiet = (0..fixed_open.len()).all(|joint| open(joint) != 1);
                corners.canonical(filled) == filled && (kind == SpaceKind::Full || quiet)
            };
            let expected: Vec<UnitMask> = (0..1 << strings.len()).filter(is_fine).collect();
            assert_eq!(Fills::new(strings, fixed_open, kind).list(), expected, "{kind}");
            let counted = fills(strings, fixed_open, kind, Weight::Canonical).iter().sum::<u128>();
            // Counting wants interchangeable strings to be neighbours.
            if strings.is_sorted() {
                assert_eq!(counted, expected.len() as u128);
            }
        }
    }

    fn string(a: Option<usize>, b: Option<usize>) -> GraphString {
        GraphString::new(a, b, 0)
    }

    #[test]
    fn lists_what_scanning_finds() {
        let corner = [string(None, Some(0)), string(None, Some(0)), string(Some(0), Some(1)), string(Some(1), Some(2))];
        check(&corner, &[0, 0, 0]);
        check(&corner, &[0, 1, 2]);
        check(&corner, &[1, 1, 1]);
        // Alike strings need not be neighbours, and a loop counts twice.
        check(&[corner[0], corner[2], corner[1], string(Some(1), Some(1)), corner[2]], &[0, 1]);
        check(&[], &[0, 2]);
        check(&[], &[1]);
        check(&[GraphString::ring(4), GraphString::ring(4)], &[]);
        // A complete graph: many ways to begin end nowhere.
        let all: Vec<GraphString> = (0..5).flat_map(|a| (a + 1..5).map(move |b| string(Some(a), Some(b)))).collect();
        check(&all, &[0, 0, 0, 1, 0]);
    }
}
