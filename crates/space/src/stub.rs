//! What a half shows at the waist.
//!
//! ```text
//!    waist unit ──○──○── joint           a stub: the chain that a waist unit continues into
//!    waist unit ──○──○── waist unit      a stub that comes back
//! ```
//! A move that fills a waist unit fills its stub too. So what such a move does is known from the stubs of both
//! halves: configurations with the same [`Signature`] form a *class*, and the lists of a half are ordered by class.
//! The one case in which more than the stub itself matters is a joint with just three open lines: when two of them
//! are filled, the run goes on along the third.

use dab_board::BoxIdx;

use crate::half::HalfShape;
use crate::{SpaceKind, UnitMask};

/// What one open waist unit continues into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stub {
    /// Boxes with two open lines on it, inside this half.
    pub boxes: u8,
    /// Units of this half on it.
    pub units: UnitMask,
    /// The stub at which it comes back, if it does.
    pub back: Option<u8>,
    /// If it ends at a joint with three open lines at which a run could go on: what it would go on to.
    pub onward: Option<Onward>,
}

/// The other lines at a joint with three open lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onward {
    /// The lowest stub that ends at the joint, as a name of it.
    pub joint: u8,
    /// Boxes on the chain or loop, without the joint; 0 if all three lines are stubs.
    pub boxes: u8,
    /// Units on it.
    pub units: UnitMask,
}

/// What the class of a configuration depends on; shorter than the stubs because it names no units.
pub type Signature = Vec<u8>;

/// The signature of the stubs of a half.
pub fn signature(stubs: &[Option<Stub>]) -> Signature {
    let mut bytes = Vec::with_capacity(4 * stubs.len());
    for stub in stubs.iter().flatten() {
        bytes.extend([stub.boxes, stub.units.count_ones() as u8, stub.back.map_or(0, |stub| stub + 1)]);
        match stub.onward {
            None => bytes.push(0),
            Some(on) => bytes.extend([on.joint + 1, on.boxes, on.units.count_ones() as u8]),
        }
    }
    bytes
}

/// The stubs of a configuration, one for each waist unit at the half; `None` where the waist unit is filled.
pub fn stubs(shape: &HalfShape, kind: SpaceKind, stubs_filled: u64, filled: UnitMask) -> Vec<Option<Stub>> {
    let open = Open { shape, stubs_filled, filled };
    let ends: Vec<Option<(Stub, Option<BoxIdx>)>> =
        (0..shape.stubs.len()).map(|stub| (stubs_filled >> stub & 1 == 0).then(|| open.follow(kind, stub))).collect();
    let at = |joint: BoxIdx| {
        (0..ends.len()).filter(|&i| matches!(ends[i], Some((_, Some(j))) if j == joint)).collect::<Vec<usize>>()
    };
    let onward = |joint: BoxIdx| {
        if kind == SpaceKind::Full || open.valence(joint) != 3 {
            return None;
        }
        let arriving = at(joint);
        let used = arriving.iter().fold(0, |units, &i| units | ends[i].map_or(0, |(stub, _)| stub.units));
        let rest = open.units_at(joint) & !used;
        match (arriving.len(), rest.count_ones()) {
            (3, _) => Some((0, 0)),
            // A chain leads away, or (if it comes back to the joint) a loop hangs on the stub.
            (2, _) => open.chain(joint, rest).map(|(boxes, units, _)| (boxes, units)),
            _ => open
                .chain(joint, rest)
                .filter(|&(_, _, end)| end == Some(joint))
                .map(|(boxes, units, _)| (boxes, units)),
        }
        .map(|(boxes, units)| Onward { joint: arriving[0] as u8, boxes, units })
    };
    ends.iter().map(|end| end.map(|(stub, joint)| Stub { onward: joint.and_then(&onward), ..stub })).collect()
}

/// A half with some stubs and units filled.
struct Open<'a> {
    shape: &'a HalfShape,
    stubs_filled: u64,
    filled: UnitMask,
}

impl Open<'_> {
    fn units_at(&self, joint: BoxIdx) -> UnitMask {
        self.shape.graph.joints()[joint].strings.0 as UnitMask & !self.filled
    }

    fn stubs_at(&self, joint: BoxIdx) -> impl Iterator<Item = usize> {
        let open = move |&stub: &usize| self.stubs_filled >> stub & 1 == 0 && self.shape.stubs[stub] == joint;
        (0..self.shape.stubs.len()).filter(open)
    }

    fn valence(&self, joint: BoxIdx) -> usize {
        self.shape.graph.valence(joint, dab_board::LineSet(self.filled.into())) + self.stubs_at(joint).count()
    }

    /// The stub, and the joint at which it ends if there is one. In the full space the stub is just its first box:
    /// one box if drawing the waist unit closes it.
    fn follow(&self, kind: SpaceKind, stub: usize) -> (Stub, Option<BoxIdx>) {
        let mut found = Stub::default();
        let mut joint = self.shape.stubs[stub];
        if kind == SpaceKind::Full {
            found.boxes = u8::from(self.valence(joint) == 1);
            return (found, None);
        }
        while self.valence(joint) == 2 {
            found.boxes += 1;
            if let Some(back) = self.stubs_at(joint).find(|&other| other != stub) {
                found.back = Some(back as u8);
                return (found, None);
            }
            let next = (self.units_at(joint) & !found.units).trailing_zeros() as usize;
            let string = &self.shape.graph.strings()[next];
            found.units |= 1 << next;
            found.boxes += string.boxes;
            match string.other_end(Some(joint)) {
                Some(end) => joint = end,
                None => return (found, None),
            }
        }
        (found, Some(joint))
    }

    /// The chain that leads from `joint` along one of the units `rest`, and the joint where it ends: boxes, units.
    fn chain(&self, joint: BoxIdx, rest: UnitMask) -> Option<(u8, UnitMask, Option<BoxIdx>)> {
        let (mut boxes, mut units, mut end) = (0, 0, Some(joint));
        let mut next = (rest != 0).then(|| rest.trailing_zeros() as usize);
        while let Some(unit) = next {
            let string = &self.shape.graph.strings()[unit];
            units |= 1 << unit;
            boxes += string.boxes;
            end = string.other_end(end);
            next = match end {
                Some(at) if self.valence(at) == 2 => {
                    // A chain that ran into another stub would have been followed from there.
                    boxes += 1;
                    let onward = self.units_at(at) & !units;
                    (onward != 0).then(|| onward.trailing_zeros() as usize)
                }
                _ => None,
            };
        }
        (units != 0).then_some((boxes, units, end))
    }
}
