//! The links of a summand: chains and lines between its joints and the ground.

/// The ground, as an end of a link.
pub(crate) const GROUND: u8 = u8::MAX;

/// A chain between joints and ground, or a line if it has no boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The joint at one end.
    pub(crate) a: u8,
    /// The joint at the other end: a higher one, the same one, or [`GROUND`].
    pub(crate) b: u8,
    /// Boxes inside.
    pub(crate) boxes: u8,
    /// A line of the board that belongs to it, the lowest one.
    pub(crate) line: u8,
    /// The number of the set of its lines.
    pub(crate) lines: u32,
}

impl Link {
    /// A link between two ends in any order.
    #[inline]
    pub(crate) fn between(a: u8, b: u8, boxes: u8, line: u8, lines: u32) -> Self {
        Self { a: a.min(b), b: a.max(b), boxes, line, lines }
    }

    /// Whether it joins two different joints.
    #[inline]
    pub(crate) fn is_inner(self) -> bool {
        self.b != GROUND && self.a != self.b
    }

    /// The end that is not `joint`, or `joint` itself if both ends are there.
    #[inline]
    pub(crate) fn other_end(self, joint: u8) -> u8 {
        if self.a == joint { self.b } else { self.a }
    }
}
