//! The chains of a half that begin at its boundary: all that the waist sees of a configuration.
//!
//! ```text
//!    boundary unit ──○──○── joint            the boundary chain ends at a joint, or at the ground
//!    boundary unit ──○──○── boundary unit    the boundary chain comes back to the waist
//! ```
//! A move that fills a boundary unit fills its whole chain. The boundary chains of both halves therefore decide what a
//! move at the waist does: configurations with the same [`Signature`] form a *class*, and the lists of a half are
//! ordered by class. Only one case needs more than the chain itself. When two of the three open lines of a joint are
//! filled, the capture run goes on along the third: the [`Continuation`] of the chain.
//!
//! ```text
//!    boundary unit 0 ── a ──x── b ──y── c ──z── ground          An example: three joints, and the units x, y, z and w
//!    boundary unit 1 ───────────┤                               between them and the ground, without inner boxes.
//!                               └──w── ground
//!
//!    filled         chain of unit 0                    chain of unit 1                signature
//!    w, unit 1      a, b and c by x, y and z           none, it is filled             3 3 0 0
//!    unit 1         a by x, ends at b; y, z and w      none                           1 1 0 0
//!                   lead to the ground, no loop
//!    w              a by x, ends at b; goes on over    none, ends at b; goes on       1 1 0 1 1 2  0 0 0 1 1 2
//!                   c by y and z                       over c by y and z
//! ```

use dab_board::{BoxIdx, LineSet};

use crate::half_shape::HalfShape;
use crate::{SpaceKind, UnitMask};

/// The chain into which one open boundary unit continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundaryChain {
    /// Boxes with two open lines on it, inside this half.
    pub boxes: u8,
    /// Units of this half on it.
    pub units: UnitMask,
    /// The boundary unit at which it comes back, if it does.
    pub back: Option<u8>,
    /// The way on from the joint at which it ends, if that has three open lines and a capture run could go on there.
    pub continuation: Option<Continuation>,
}

/// The other lines at a joint with three open lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The lowest boundary unit whose chain ends at the joint, as a name of the joint.
    pub joint: u8,
    /// Boxes on the chain or loop, without the joint; 0 if all three lines are boundary chains.
    pub boxes: u8,
    /// Units on it.
    pub units: UnitMask,
}

/// Name of a class, from everything about the boundary chains except which units they consist of.
pub type Signature = Vec<u8>;

/// Writes the signature of the boundary chains of a half.
pub fn signature(chains: &[Option<BoundaryChain>], into: &mut Signature) {
    into.clear();
    for chain in chains.iter().flatten() {
        into.extend([chain.boxes, chain.units.count_ones() as u8, chain.back.map_or(0, |unit| unit + 1)]);
        match chain.continuation {
            None => into.push(0),
            Some(on) => into.extend([on.joint + 1, on.boxes, on.units.count_ones() as u8]),
        }
    }
}

/// Finds the boundary chains of one configuration after the other, under the same filled boundary units.
pub struct BoundaryChains<'a> {
    half: Open<'a>,
    kind: SpaceKind,
    /// The chain of each boundary unit, and the joint at which it ends if there is one.
    ends: Vec<Option<(BoundaryChain, Option<BoxIdx>)>>,
    found: Vec<Option<BoundaryChain>>,
}

impl<'a> BoundaryChains<'a> {
    /// Under the filled boundary units `boundary_filled`.
    pub(crate) fn new(shape: &'a HalfShape, kind: SpaceKind, boundary_filled: u64) -> Self {
        let half = Open { shape, boundary_filled, at_joints: shape.open_at_joints(boundary_filled), filled: 0 };
        Self { half, kind, ends: Vec::new(), found: Vec::new() }
    }

    /// The chains of a configuration, one for each boundary unit; `None` where the boundary unit is filled.
    pub fn find(&mut self, filled: UnitMask) -> &[Option<BoundaryChain>] {
        let Self { half, kind, ends, found } = self;
        half.filled = filled;
        let n = half.shape.boundary_joints.len();
        ends.clear();
        ends.extend((0..n).map(|unit| half.is_open(unit).then(|| half.follow(*kind, unit))));
        found.clear();
        found.extend(ends.iter().map(|end| {
            end.map(|(chain, joint)| {
                let joint = joint.filter(|_| *kind == SpaceKind::Quiet);
                BoundaryChain { continuation: joint.and_then(|joint| half.continuation(joint, ends)), ..chain }
            })
        }));
        found
    }

    /// Boxes that are open in a configuration; a box also counts as open while a boundary unit at it is.
    pub(crate) fn open_boxes(&self, filled: UnitMask) -> usize {
        let Open { shape, at_joints, .. } = &self.half;
        let filled = LineSet(filled.into());
        let only_boundary = |&joint: &usize| at_joints[joint] > 0 && shape.graph.valence(joint, filled) == 0;
        shape.graph.open_boxes(filled) + (0..at_joints.len()).filter(only_boundary).count()
    }
}

/// A half with some boundary units and some of its own units filled.
struct Open<'a> {
    shape: &'a HalfShape,
    boundary_filled: u64,
    /// Open boundary units at each joint.
    at_joints: Vec<u8>,
    filled: UnitMask,
}

impl Open<'_> {
    fn is_open(&self, boundary_unit: usize) -> bool {
        self.boundary_filled >> boundary_unit & 1 == 0
    }

    fn units_at(&self, joint: BoxIdx) -> UnitMask {
        self.shape.graph.joints()[joint].strings.0 as UnitMask & !self.filled
    }

    fn valence(&self, joint: BoxIdx) -> usize {
        self.shape.graph.valence(joint, LineSet(self.filled.into())) + usize::from(self.at_joints[joint])
    }

    /// The way on for a run that has come to a joint along two of its lines; `ends` says which chains end where.
    fn continuation(&self, joint: BoxIdx, ends: &[Option<(BoundaryChain, Option<BoxIdx>)>]) -> Option<Continuation> {
        if self.valence(joint) != 3 {
            return None;
        }
        let mut arriving = (0_u8..).zip(ends).filter_map(|(i, end)| {
            let (chain, end) = end.as_ref()?;
            (*end == Some(joint)).then_some((i, chain.units))
        });
        let (first, units) = arriving.next()?;
        let (n, used) = arriving.fold((1, units), |(n, used), (_, units)| (n + 1, used | units));
        let rest = self.units_at(joint) & !used;
        let (boxes, units, end) = if n == 3 { (0, 0, None) } else { self.chain(joint, rest)? };
        // From two boundary chains a third chain leads away; from a single one the run can only enter a loop.
        (n > 1 || end == Some(joint)).then_some(Continuation { joint: first, boxes, units })
    }

    /// The chain of a boundary unit, and the joint at which it ends if there is one. In the full space the chain is
    /// just its first box: one box if drawing the waist unit closes it.
    fn follow(&self, kind: SpaceKind, boundary_unit: usize) -> (BoundaryChain, Option<BoxIdx>) {
        let mut found = BoundaryChain::default();
        let boundary_joints = &self.shape.boundary_joints;
        let mut joint = boundary_joints[boundary_unit];
        if kind == SpaceKind::Full {
            found.boxes = u8::from(self.valence(joint) == 1);
            return (found, None);
        }
        while self.valence(joint) == 2 {
            found.boxes += 1;
            let is_back =
                |&other: &usize| other != boundary_unit && self.is_open(other) && boundary_joints[other] == joint;
            if let Some(back) = (0..boundary_joints.len()).find(is_back) {
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

    /// Boxes and units of the chain that leads from `joint` along one of the units `rest`, and the joint where it ends.
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
                    // A chain that ran into a boundary unit would have been followed from there.
                    boxes += 1;
                    let beyond = self.units_at(at) & !units;
                    (beyond != 0).then(|| beyond.trailing_zeros() as usize)
                }
                _ => None,
            };
        }
        (units != 0).then_some((boxes, units, end))
    }
}
