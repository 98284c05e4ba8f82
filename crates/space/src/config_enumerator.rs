//! Lists the configurations of some strings: every canonical set of filled strings that leaves nothing to capture.
//!
//! Strings are decided in order, parallel ones together. The rest sees only the [`JointStates`] of the decided ones:
//! ```text
//!    decided strings ─► joint states ─► can the rest be decided?      worked out once for each state
//! ```
//! The search enters no branch without a configuration at its end, so listing takes time in proportion to the list,
//! however few of all sets belong to it.

use dab_board::graph::GraphString;
use rustc_hash::FxHashMap;

use crate::joint_states::JointStates;
use crate::{SpaceKind, UnitMask};

/// Enumerates the configurations of some strings; see the module text.
pub(crate) struct ConfigEnumerator<'a> {
    strings: &'a [GraphString],
    /// Parallel strings, by ascending lowest member: each group is decided at once.
    groups: Vec<Parallel>,
    kind: SpaceKind,
    /// Before any group is decided; `None` if a joint without any string can be captured.
    begin: Option<JointStates>,
    /// Whether the groups from the given one on can be decided in the given state.
    can_end: FxHashMap<(usize, JointStates), bool>,
}

struct Parallel {
    /// The members, ascending.
    members: Vec<usize>,
    /// Joints that have no later strings.
    finished: Vec<usize>,
}

impl<'a> ConfigEnumerator<'a> {
    /// The configurations of `strings`, with `fixed_open[j]` further lines open at joint `j`. At most 64 joints.
    pub(crate) fn new(strings: &'a [GraphString], fixed_open: &[u8], kind: SpaceKind) -> Self {
        let mut groups: Vec<Parallel> = Vec::new();
        for (i, string) in strings.iter().enumerate() {
            match groups.iter_mut().find(|group| strings[group.members[0]] == *string) {
                Some(group) => group.members.push(i),
                None => groups.push(Parallel { members: vec![i], finished: Vec::new() }),
            }
        }
        let mut without_strings = Vec::new();
        for joint in 0..fixed_open.len() {
            let touches = |group: &&mut Parallel| strings[group.members[0]].ends.contains(&Some(joint));
            match groups.iter_mut().rfind(touches) {
                Some(last) => last.finished.push(joint),
                None => without_strings.push(joint),
            }
        }
        let begin = JointStates::new(fixed_open).finished(&without_strings, kind);
        Self { strings, groups, kind, begin, can_end: FxHashMap::default() }
    }

    /// All configurations, ascending.
    pub(crate) fn list(mut self) -> Vec<UnitMask> {
        let mut found = Vec::new();
        if let Some(begin) = self.begin
            && self.can_end(0, begin)
        {
            self.decide(0, begin, 0, &mut found);
        }
        found.sort_unstable();
        found
    }

    /// Adds every configuration that agrees with `filled` on the groups before `at`.
    fn decide(&mut self, at: usize, state: JointStates, filled: UnitMask, found: &mut Vec<UnitMask>) {
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
                self.decide(at + 1, state, filled, found);
            }
        }
    }

    /// Whether the groups from `at` on can be decided in some way.
    fn can_end(&mut self, at: usize, state: JointStates) -> bool {
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

    /// The state after a group of which `n_filled` are filled, or `None` if a finished joint can be captured.
    fn after(&self, at: usize, n_filled: usize, state: JointStates) -> Option<JointStates> {
        let Parallel { members, finished } = &self.groups[at];
        state.opened(members.len() - n_filled, &self.strings[members[0]]).finished(finished, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{self, Weight};
    use crate::parallel_classes::ParallelClasses;
    use dab_board::{Graph, LineSet};

    /// Compares with a look at every set.
    #[track_caller]
    fn check(strings: &[GraphString], fixed_open: &[u8]) {
        let graph = Graph::new(fixed_open.len(), strings.to_vec());
        let classes = ParallelClasses::new(strings);
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            let is_fine = |&filled: &UnitMask| {
                let open = |joint: usize| graph.valence(joint, LineSet(filled.into())) + usize::from(fixed_open[joint]);
                let quiet = (0..fixed_open.len()).all(|joint| open(joint) != 1);
                classes.canonical(filled) == filled && (kind == SpaceKind::Full || quiet)
            };
            let expected: Vec<UnitMask> = (0..1 << strings.len()).filter(is_fine).collect();
            assert_eq!(ConfigEnumerator::new(strings, fixed_open, kind).list(), expected, "{kind}");
            let counted = count::configs(strings, fixed_open, kind, Weight::Canonical).iter().sum::<u128>();
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
