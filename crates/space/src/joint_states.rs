//! The openness of joints while units are decided one after the other: the automaton behind counting and listing.
//!
//! ```text
//!    bits 2j, 2j+1     open lines at joint j so far: 0, 1, or 2 for more
//! ```
//! Undecided units see nothing else of the decided ones. When the last unit of a joint is decided, the joint is
//! *finished*; in the quiet space a finished joint with exactly one open line is refused, because its box could be
//! captured.

use dab_board::graph::GraphString;

use crate::SpaceKind;

/// Most joints that the states have room for.
const MAX_JOINTS: usize = 64;

/// Open lines at each joint, two bits each: 0, 1, or 2 for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct JointStates(u128);

impl JointStates {
    /// Before any unit is decided, `fixed_open[j]` lines being open at joint `j`.
    ///
    /// # Panics
    /// If there are more than 64 joints.
    fn new(fixed_open: &[u8]) -> Self {
        assert!(fixed_open.len() <= MAX_JOINTS, "{} joints", fixed_open.len());
        let states = fixed_open.iter().enumerate();
        Self(states.fold(0, |states, (joint, &open)| states | u128::from(open.min(2)) << (2 * joint)))
    }

    /// After `n` more strings with the ends of `string` were left open.
    fn opened(mut self, n: usize, string: &GraphString) -> Self {
        for joint in (0..n).flat_map(|_| string.ends).flatten() {
            let open = (self.0 >> (2 * joint) & 3).min(1) + 1;
            self.0 = self.0 & !(3 << (2 * joint)) | open << (2 * joint);
        }
        self
    }

    /// Without the finished joints; `None` if one of them could be captured in the quiet space.
    fn finished(mut self, joints: &[usize], kind: SpaceKind) -> Option<Self> {
        for joint in joints {
            if kind == SpaceKind::Quiet && self.0 >> (2 * joint) & 3 == 1 {
                return None;
            }
            self.0 &= !(3 << (2 * joint));
        }
        Some(self)
    }
}

/// The steps in which strings are decided, by ascending lowest member.
pub(crate) struct Steps {
    pub(crate) steps: Vec<Step>,
    /// Before any step; `None` if a joint without any string can be captured.
    pub(crate) begin: Option<JointStates>,
    /// Joints without any string.
    idle: Vec<usize>,
    pub(crate) kind: SpaceKind,
}

/// Parallel strings, which are decided at once.
pub(crate) struct Step {
    string: GraphString,
    /// The members, ascending.
    pub(crate) members: Vec<usize>,
    /// Joints that have no later strings.
    finished: Vec<usize>,
}

impl Steps {
    /// The steps of `strings`, with `fixed_open[j]` further lines open at joint `j`. At most 64 joints.
    pub(crate) fn new(strings: &[GraphString], fixed_open: &[u8], kind: SpaceKind) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        for (i, &string) in strings.iter().enumerate() {
            match steps.iter_mut().find(|step| step.string == string) {
                Some(step) => step.members.push(i),
                None => steps.push(Step { string, members: vec![i], finished: Vec::new() }),
            }
        }
        let mut idle = Vec::new();
        for joint in 0..fixed_open.len() {
            match steps.iter_mut().rfind(|step| step.string.ends.contains(&Some(joint))) {
                Some(last) => last.finished.push(joint),
                None => idle.push(joint),
            }
        }
        let begin = JointStates::new(fixed_open).finished(&idle, kind);
        Self { steps, begin, idle, kind }
    }

    /// Before any step, with other numbers of further lines open at the joints.
    pub(crate) fn begin_with(&self, fixed_open: &[u8]) -> Option<JointStates> {
        JointStates::new(fixed_open).finished(&self.idle, self.kind)
    }

    /// The state after step `at` has filled `n_filled` of its strings; `None` if a finished joint can be captured.
    pub(crate) fn after(&self, at: usize, n_filled: usize, state: JointStates) -> Option<JointStates> {
        let Step { string, members, finished } = &self.steps[at];
        state.opened(members.len() - n_filled, string).finished(finished, self.kind)
    }
}
