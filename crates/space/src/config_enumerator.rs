//! Lists the configurations of some strings: every canonical set of filled strings that leaves nothing to capture.
//!
//! Strings are decided in order, parallel ones together. The rest sees only the [`JointStates`] of the decided ones:
//! ```text
//!    decided strings ─► joint states ─► can the rest be decided?      worked out once for each state
//! ```
//! The search enters no branch without a configuration at its end, so listing takes time in proportion to the list,
//! however few of all sets belong to it.

use rustc_hash::FxHashMap;

use crate::budget::{Budget, Spent};
use crate::joint_states::{JointStates, Steps};
use crate::{SpaceKind, UnitMask};

/// Configurations between two looks at the budget.
const OFTEN: usize = 1 << 14;

/// Enumerates the configurations of some strings; see the module text.
pub(crate) struct ConfigEnumerator {
    steps: Steps,
    /// Whether the steps from the given one on can be decided in the given state.
    can_end: FxHashMap<(usize, JointStates), bool>,
}

impl ConfigEnumerator {
    pub(crate) fn new(steps: Steps) -> Self {
        Self { steps, can_end: FxHashMap::default() }
    }

    /// All configurations, ascending. Their number is known before ([`count`](crate::count)), so the caller has made sure that
    /// there is memory for them.
    pub(crate) fn list(mut self, budget: &Budget<'_>) -> Result<Vec<UnitMask>, Spent> {
        let mut found = Vec::new();
        if let Some(begin) = self.steps.begin
            && self.can_end(0, begin)
        {
            self.decide(0, begin, 0, &mut found, budget)?;
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Adds every configuration that agrees with `filled` on the steps before `at`.
    fn decide(
        &mut self,
        at: usize,
        state: JointStates,
        filled: UnitMask,
        found: &mut Vec<UnitMask>,
        budget: &Budget<'_>,
    ) -> Result<(), Spent> {
        if at == self.steps.steps.len() {
            if found.len().is_multiple_of(OFTEN) {
                budget.check(0)?;
            }
            found.push(filled);
            return Ok(());
        }
        let mut filled = filled;
        for n_filled in 0..=self.steps.steps[at].members.len() {
            if n_filled > 0 {
                filled |= 1 << self.steps.steps[at].members[n_filled - 1];
            }
            if let Some(state) = self.steps.after(at, n_filled, state)
                && self.can_end(at + 1, state)
            {
                self.decide(at + 1, state, filled, found, budget)?;
            }
        }
        Ok(())
    }

    /// Whether the steps from `at` on can be decided in some way.
    fn can_end(&mut self, at: usize, state: JointStates) -> bool {
        // In the full space everything is admissible.
        if at == self.steps.steps.len() || self.steps.kind == SpaceKind::Full {
            return true;
        }
        if let Some(&known) = self.can_end.get(&(at, state)) {
            return known;
        }
        let n = self.steps.steps[at].members.len();
        let can = (0..=n)
            .any(|n_filled| self.steps.after(at, n_filled, state).is_some_and(|state| self.can_end(at + 1, state)));
        self.can_end.insert((at, state), can);
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{self, Weight};
    use crate::parallel_classes::ParallelClasses;
    use dab_board::graph::GraphString;
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
            let steps = || Steps::new(strings, fixed_open, kind);
            let budget = Budget::unbounded();
            assert_eq!(ConfigEnumerator::new(steps()).list(&budget).unwrap(), expected, "{kind}");
            let counted = count::configs(&steps(), Weight::Canonical, &budget).unwrap();
            assert_eq!(counted.iter().sum::<u128>(), expected.len() as u128);
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
