//! Moves of summands: a link is taken out, and joints left with two links vanish into chains.
//!
//! The shapes are those of [`dab_board::quiet`], here on links:
//! ```text
//!    joint ─○─○─ joint     its boxes fall; a joint left with two ends becomes a box inside a longer link
//!    joint ─○─○─┐          the same, but a joint with three ends falls too, and with it the stick, its third end
//!      └────────┘
//! ```
//! What is left are summands with joints, at most two, and isolated chains and rings.

use dab_board::capture::Decline;

use crate::link::{GROUND, Link};
use crate::summands::{Summand, Summands};

/// A set of joints of a summand.
type Joints = u128;

/// What the moves of a summand have to know of its joints.
#[derive(Clone, Copy)]
struct Joint {
    /// Joints linked to it.
    beside: Joints,
    /// Those among them with more than one link to it.
    doubly: Joints,
    /// Ends of links here.
    n_ends: u8,
    /// The first three links here.
    links: [u8; 3],
}

impl Joint {
    const NONE: Self = Self { beside: 0, doubly: 0, n_ends: 0, links: [u8::MAX; 3] };

    #[inline]
    fn add(&mut self, i: u8) {
        if let Some(link) = self.links.get_mut(usize::from(self.n_ends)) {
            *link = i;
        }
        self.n_ends += 1;
    }
}

/// What may be declined when a chain of `boxes` boxes is opened, if it is no loop that takes its stick along.
pub(crate) fn decline(boxes: u8) -> Decline {
    if boxes >= 3 { Decline::Two } else { Decline::None }
}

/// What may be declined when a ring of `boxes` boxes is opened.
pub(crate) fn decline_of_ring(boxes: u8) -> Decline {
    if boxes >= 4 { Decline::Four } else { Decline::None }
}

/// The joints of the summands of one position.
#[derive(Default)]
pub(crate) struct View {
    joints: Vec<Joint>,
    /// Where the joints of each summand begin.
    summands: Vec<usize>,
}

/// A move of a summand.
pub(crate) struct Cut {
    /// Boxes that the opponent may capture.
    pub(crate) boxes: u8,
    /// The part of them that he may decline.
    pub(crate) decline: Decline,
    /// Boxes of the isolated chains that are left; 0 if there are fewer.
    pub(crate) chains: [u8; 2],
}

impl View {
    /// Forgets all summands.
    pub(crate) fn clear(&mut self) {
        self.joints.clear();
        self.summands.clear();
    }

    /// Looks at the joints of another summand; returns its number here.
    pub(crate) fn push(&mut self, summands: &Summands, summand: &Summand) -> usize {
        let first = self.joints.len();
        self.summands.push(first);
        self.joints.resize(first + usize::from(summand.n_joints), Joint::NONE);
        let joints = &mut self.joints[first..];
        for (&link, i) in summands.links(summand).iter().zip(0..) {
            joints[usize::from(link.a)].add(i);
            if link.b == GROUND {
                continue;
            }
            joints[usize::from(link.b)].add(i);
            for (joint, other) in [(link.a, link.b), (link.b, link.a)] {
                let joint = &mut joints[usize::from(joint)];
                joint.doubly |= joint.beside & 1 << other;
                joint.beside |= 1 << other;
            }
        }
        self.summands.len() - 1
    }

    /// A joint of a summand.
    #[inline]
    fn joint(&self, summand: usize, joint: u8) -> Joint {
        self.joints[self.summands[summand] + usize::from(joint)]
    }

    /// Whether a link has the ends and the length of one among others of its summand.
    #[inline]
    pub(crate) fn is_like_another(&self, summand: usize, others: &[Link], link: Link) -> bool {
        let may_be = !link.is_inner() || self.joint(summand, link.a).doubly & 1 << link.b != 0;
        may_be && others.iter().any(|other| (other.a, other.b, other.boxes) == (link.a, link.b, link.boxes))
    }
}

/// The joints that stay connected with one end of a link when it is taken out.
enum Side {
    /// All of them.
    All,
    /// Only these.
    Some(Joints),
}

/// Room in which links are taken out.
pub(crate) struct Cutter {
    /// Links at joints that vanish, and those that they fuse into.
    loose: Vec<Link>,
    /// Links of the summand that are not in what is left.
    skipped: u128,
    /// Joints that vanished.
    gone: Joints,
    /// New numbers of joints.
    renamed: [u8; 256],
}

impl Cutter {
    pub(crate) fn new() -> Self {
        Self { loose: Vec::new(), skipped: 0, gone: 0, renamed: [GROUND; 256] }
    }

    /// Pushes the summands that are left when a link of a summand is filled, which has the number `place` in
    /// `view`.
    pub(crate) fn cut(&mut self, summands: &mut Summands, (id, at): (u32, u8), (view, place): (&View, usize)) -> Cut {
        let summand = *summands.get(id);
        if summand.n_joints == 0 {
            return Cut { boxes: summand.boxes, decline: decline_of_ring(summand.boxes), chains: [0; 2] };
        }
        let joints = &view.joints[view.summands[place]..][..usize::from(summand.n_joints)];
        let n_ends = |joint: u8| joints[usize::from(joint)].n_ends;
        (self.gone, self.skipped) = (0, 1 << at);
        self.loose.clear();
        let link = summands.links(&summand)[usize::from(at)];
        let mut cut = Cut { boxes: link.boxes, decline: decline(link.boxes), chains: [0; 2] };
        let mut side = Side::All;
        if link.a == link.b {
            match n_ends(link.a) {
                3 => {
                    self.loosen(summands.links(&summand), joints[usize::from(link.a)]);
                    self.gone |= 1 << link.a;
                    let stick = self.take(link.a);
                    cut.boxes += 1 + stick.boxes;
                    cut.decline = Decline::Two;
                    let far = stick.other_end(link.a);
                    if far != GROUND && n_ends(far) == 3 {
                        self.loosen(summands.links(&summand), joints[usize::from(far)]);
                        self.fuse(far, &mut cut.chains, summands);
                    }
                }
                4 => {
                    let around = summands.links(&summand).iter().zip(0..);
                    for (&other, i) in around.filter(|(other, _)| other.a == link.a || other.b == link.a) {
                        self.loosen_one(other, i);
                    }
                    self.fuse(link.a, &mut cut.chains, summands);
                }
                _ => {}
            }
        } else {
            if link.b != GROUND {
                side = side_of(joints, link);
            }
            let ends = [link.a, link.b].into_iter().filter(|&joint| joint != GROUND && n_ends(joint) == 3);
            ends.clone().for_each(|joint| self.loosen(summands.links(&summand), joints[usize::from(joint)]));
            ends.for_each(|joint| self.fuse(joint, &mut cut.chains, summands));
        }
        match side {
            Side::All => self.push(summands, &summand, Joints::MAX),
            Side::Some(side) => {
                self.push(summands, &summand, side);
                self.push(summands, &summand, !side);
            }
        }
        cut
    }

    /// Takes the links of a joint with three ends out of their summand.
    fn loosen(&mut self, links: &[Link], joint: Joint) {
        for i in joint.links {
            // A loop comes twice.
            if let Some(&link) = links.get(usize::from(i)) {
                self.loosen_one(link, i);
            }
        }
    }

    fn loosen_one(&mut self, link: Link, i: u8) {
        if self.skipped & 1 << i == 0 {
            self.skipped |= 1 << i;
            self.loose.push(link);
        }
    }

    /// Takes a loose link that ends at a joint.
    fn take(&mut self, joint: u8) -> Link {
        let at = self.loose.iter().position(|link| link.a == joint || link.b == joint);
        self.loose.swap_remove(at.expect("a joint has links"))
    }

    /// Makes a joint with two ends, both of loose links, a box of a chain.
    fn fuse(&mut self, joint: u8, chains: &mut [u8; 2], summands: &mut Summands) {
        self.gone |= 1 << joint;
        let one = self.take(joint);
        if one.a == one.b {
            summands.push_ring(one.boxes + 1, one.line);
            return;
        }
        let other = self.take(joint);
        let boxes = one.boxes + other.boxes + 1;
        let (a, b) = (one.other_end(joint), other.other_end(joint));
        if (a, b) == (GROUND, GROUND) {
            // The first place that is free.
            chains[usize::from(chains[0] > 0)] = boxes;
        } else {
            let lines = summands.push_lines(summands.lines_of(one) | summands.lines_of(other));
            self.loose.push(Link::between(a, b, boxes, one.line.min(other.line), lines));
        }
    }

    /// Pushes the summand of the joints on one side, if there are any left.
    fn push(&mut self, summands: &mut Summands, from: &Summand, side: Joints) {
        let mut n = 0;
        for joint in 0..from.n_joints {
            if side & !self.gone & 1 << joint != 0 {
                self.renamed[usize::from(joint)] = n;
                n += 1;
            }
        }
        if n > 0 {
            let keep =
                |i: u8, link: Link| (self.skipped & 1 << i == 0 && side & 1 << link.a != 0).then(|| self.rename(link));
            let loose = self.loose.iter().filter(|link| side & 1 << link.a != 0).map(|&link| self.rename(link));
            summands.push_rest(from, keep, loose, n);
        }
    }

    fn rename(&self, link: Link) -> Link {
        Link { a: self.renamed[usize::from(link.a)], b: self.renamed[usize::from(link.b)], ..link }
    }
}

/// The joints connected with one end of an inner link when it is taken out.
fn side_of(joints: &[Joint], link: Link) -> Side {
    let (a, b): (Joints, Joints) = (1 << link.a, 1 << link.b);
    let Joint { beside, doubly, .. } = joints[usize::from(link.a)];
    if doubly & b != 0 {
        return Side::All;
    }
    let mut seen = a;
    let mut reached = a | beside & !b;
    loop {
        let next = reached & !seen;
        if next == 0 {
            return Side::Some(seen);
        }
        seen |= next & next.wrapping_neg();
        reached |= joints[next.trailing_zeros() as usize].beside;
        if reached & b != 0 {
            return Side::All;
        }
    }
}
