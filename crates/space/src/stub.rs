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

use dab_board::{BoxIdx, LineSet};

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

/// Writes the signature of the stubs of a half.
pub fn signature(stubs: &[Option<Stub>], into: &mut Signature) {
    into.clear();
    for stub in stubs.iter().flatten() {
        into.extend([stub.boxes, stub.units.count_ones() as u8, stub.back.map_or(0, |stub| stub + 1)]);
        match stub.onward {
            None => into.push(0),
            Some(on) => into.extend([on.joint + 1, on.boxes, on.units.count_ones() as u8]),
        }
    }
}

/// Finds the stubs of one configuration after the other, under the same filled waist units.
pub struct Stubs<'a> {
    half: Open<'a>,
    kind: SpaceKind,
    /// What each waist unit continues into, and the joint at which that ends if there is one.
    ends: Vec<Option<(Stub, Option<BoxIdx>)>>,
    found: Vec<Option<Stub>>,
}

impl<'a> Stubs<'a> {
    /// Under the filled waist units `stubs_filled`.
    pub fn new(shape: &'a HalfShape, kind: SpaceKind, stubs_filled: u64) -> Self {
        let half = Open { shape, stubs_filled, open_stubs: shape.open_stubs(stubs_filled), filled: 0 };
        Self { half, kind, ends: Vec::new(), found: Vec::new() }
    }

    /// The stubs of a configuration, one for each waist unit at the half; `None` where the waist unit is filled.
    pub fn of(&mut self, filled: UnitMask) -> &[Option<Stub>] {
        let Self { half, kind, ends, found } = self;
        half.filled = filled;
        let n = half.shape.stubs.len();
        ends.clear();
        ends.extend((0..n).map(|stub| half.is_open(stub).then(|| half.follow(*kind, stub))));
        found.clear();
        found.extend(ends.iter().map(|end| {
            end.map(|(stub, joint)| {
                let onward = joint.filter(|_| *kind == SpaceKind::Quiet).and_then(|joint| half.onward(joint, ends));
                Stub { onward, ..stub }
            })
        }));
        found
    }

    /// Boxes that are open in a configuration; a box also counts as open while a waist unit at it is.
    pub(crate) fn open_boxes(&self, filled: UnitMask) -> usize {
        let Open { shape, open_stubs, .. } = &self.half;
        let filled = LineSet(filled.into());
        let only_stubs = |&joint: &usize| open_stubs[joint] > 0 && shape.graph.valence(joint, filled) == 0;
        shape.graph.open_boxes(filled) + (0..open_stubs.len()).filter(only_stubs).count()
    }
}

/// A half with some stubs and units filled.
struct Open<'a> {
    shape: &'a HalfShape,
    stubs_filled: u64,
    /// Open waist units at each joint.
    open_stubs: Vec<u8>,
    filled: UnitMask,
}

impl Open<'_> {
    fn is_open(&self, stub: usize) -> bool {
        self.stubs_filled >> stub & 1 == 0
    }

    fn units_at(&self, joint: BoxIdx) -> UnitMask {
        self.shape.graph.joints()[joint].strings.0 as UnitMask & !self.filled
    }

    fn valence(&self, joint: BoxIdx) -> usize {
        self.shape.graph.valence(joint, LineSet(self.filled.into())) + usize::from(self.open_stubs[joint])
    }

    /// What a run that has come to a joint along two of its lines goes on to; `ends` says what arrives there.
    fn onward(&self, joint: BoxIdx, ends: &[Option<(Stub, Option<BoxIdx>)>]) -> Option<Onward> {
        if self.valence(joint) != 3 {
            return None;
        }
        let mut arriving = (0_u8..).zip(ends).filter_map(|(i, end)| {
            let (stub, end) = end.as_ref()?;
            (*end == Some(joint)).then_some((i, stub.units))
        });
        let (first, units) = arriving.next()?;
        let (n, used) = arriving.fold((1, units), |(n, used), (_, units)| (n + 1, used | units));
        let rest = self.units_at(joint) & !used;
        let (boxes, units, end) = if n == 3 { (0, 0, None) } else { self.chain(joint, rest)? };
        // From two stubs a chain leads away; on a single one nothing hangs but a loop.
        (n > 1 || end == Some(joint)).then_some(Onward { joint: first, boxes, units })
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
            let is_back = |&other: &usize| other != stub && self.is_open(other) && self.shape.stubs[other] == joint;
            if let Some(back) = (0..self.shape.stubs.len()).find(is_back) {
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
