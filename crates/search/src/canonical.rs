//! The key of a summand: equal for isomorphic summands, different for others.
//!
//! Joints get colours, numbers that look random, by refinement:
//! ```text
//!    colour of a joint          begins as the sum over its outer links
//!    one round                  colour = f(colour, sum over inner links of g(length of the link, colour at its other end))
//!    enough rounds              all colours are different, or a round makes no more of them
//!    key                        f(sum over joints of h(colour, sum over links of g)), in 128 bits
//! ```
//! Isomorphic summands get the same colours, hence the same key. Colours that are all different are names: then the key
//! lists every link by the names of its ends, and so determines the summand. If some joints share a colour, this still
//! holds
//! - for at most three joints, by counting,
//! - where the links between joints that share colours make a forest: equal stable colours of forests mean isomorphic
//!   forests, and colours tell the links to all other joints.
//!
//! In every other case the connected groups of such joints are looked at one by one. Each group adds a key of its own: the
//! least one that giving a name to one of the joints can reach, among all joints of one colour (the individualisation of
//! McKay). So nothing is left to chance but that two sums of 128 bits are equal.

use crate::hash::{Key, keys, mix, stir};
use crate::link::{GROUND, Link};

/// Most boxes of a link, and one.
const LENGTHS: usize = 128;
/// What a chain from the joint to the ground, or back to the joint, adds to the colour of the joint, by its boxes.
static LEG: [Key; LENGTHS] = keys(1);
static LOOP: [Key; LENGTHS] = keys(2);
/// What tells chains between two joints apart, by their boxes.
static CHAIN: [Key; LENGTHS] = keys(3);
/// What a joint with a name adds to its colour.
const NAME: u64 = mix(4);

/// Room for the colours of the joints of one summand. Joints have numbers below 256, so that no index needs a check.
pub(crate) struct Colours {
    colours: [u64; 256],
    /// The second half of what the outer links of a joint add up to.
    outer: [u64; 256],
    sums: [u64; 256],
    others: [u64; 256],
}

/// The half of a key that colours take.
#[inline]
fn half(key: Key) -> u64 {
    key.0 as u64
}

impl Colours {
    /// Room for any summand.
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self { colours: [0; 256], outer: [0; 256], sums: [0; 256], others: [0; 256] })
    }

    /// The key of the summand with these links.
    pub(crate) fn key(&mut self, inner: &[Link], outer: &[Link], n_joints: u8) -> Key {
        let n = usize::from(n_joints);
        self.colours[..n].fill(0);
        self.outer[..n].fill(0);
        for link in outer {
            let lengths = if link.b == GROUND { &LEG } else { &LOOP };
            let key = lengths[usize::from(link.boxes) % LENGTHS];
            let joint = usize::from(link.a);
            self.colours[joint] = self.colours[joint].wrapping_add(half(key));
            self.outer[joint] = self.outer[joint].wrapping_add((key.0 >> 64) as u64);
        }
        if n > 3 && !self.settle(0..n_joints, inner) && inner.len() >= n {
            let joints: Vec<u8> = (0..n_joints).collect();
            return self.group_key(&joints, inner).finished();
        }
        self.sum_up(0..n_joints, inner).finished()
    }

    /// Rounds for some joints until one makes no more colours. Returns whether all their colours are different.
    #[inline]
    fn settle(&mut self, joints: impl ExactSizeIterator<Item = u8> + Clone, inner: &[Link]) -> bool {
        let mut n_before = 0;
        loop {
            self.refine(joints.clone(), inner);
            if self.are_scattered(joints.clone()) {
                return true;
            }
            let n_colours = self.n_colours(joints.clone());
            if n_colours == joints.len() || n_colours == n_before {
                return n_colours == joints.len();
            }
            n_before = n_colours;
        }
    }

    /// One round for some joints.
    #[inline]
    fn refine(&mut self, joints: impl Iterator<Item = u8> + Clone, inner: &[Link]) {
        joints.clone().for_each(|joint| self.sums[usize::from(joint)] = 0);
        for link in inner {
            let length = half(CHAIN[usize::from(link.boxes) % LENGTHS]);
            let (a, b) = (usize::from(link.a), usize::from(link.b));
            self.sums[a] = self.sums[a].wrapping_add(stir(self.colours[b] ^ length));
            self.sums[b] = self.sums[b].wrapping_add(stir(self.colours[a] ^ length));
        }
        for joint in joints.map(usize::from) {
            self.colours[joint] = stir(self.colours[joint].wrapping_mul(3).wrapping_add(self.sums[joint]));
        }
    }

    /// Whether some bits of the colours of some joints are all different, so that the colours are. They mostly are if the
    /// colours are, and this takes less time than comparing all pairs.
    #[inline]
    fn are_scattered(&self, mut joints: impl Iterator<Item = u8>) -> bool {
        let mut seen = [0_u64; 16];
        joints.all(|joint| {
            let bits = self.colours[usize::from(joint)] as usize;
            let (word, bit) = (&mut seen[bits >> 6 & 15], 1 << (bits & 63));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    /// Number of different colours of some joints.
    #[inline]
    fn n_colours(&self, joints: impl Iterator<Item = u8> + Clone) -> usize {
        let colours = joints.map(|joint| self.colours[usize::from(joint)]);
        let is_new =
            |&(i, colour): &(usize, u64)| colours.clone().take(i).fold(true, |new, other| new & (other != colour));
        colours.clone().enumerate().filter(is_new).count()
    }

    /// Some joints, each with its links.
    #[inline]
    fn sum_up(&mut self, joints: impl Iterator<Item = u8> + Clone, inner: &[Link]) -> Key {
        for joint in joints.clone().map(usize::from) {
            (self.sums[joint], self.others[joint]) = (0, 0);
        }
        for link in inner {
            let length = half(CHAIN[usize::from(link.boxes) % LENGTHS]);
            let (a, b) = (usize::from(link.a), usize::from(link.b));
            let [to_a, to_b] = [b, a].map(|end| stir(self.colours[end] ^ length));
            self.sums[a] = self.sums[a].wrapping_add(to_a);
            self.sums[b] = self.sums[b].wrapping_add(to_b);
            self.others[a] = self.others[a].wrapping_add(stir(to_a));
            self.others[b] = self.others[b].wrapping_add(stir(to_b));
        }
        joints.fold(Key::default(), |key, joint| key.and(self.joint_key(usize::from(joint))))
    }

    fn joint_key(&self, joint: usize) -> Key {
        let high = mix(self.colours[joint].wrapping_mul(3).wrapping_add(self.sums[joint]));
        let outer = self.outer[joint].wrapping_mul(5).wrapping_add(self.colours[joint]);
        Key::new(high, mix(outer.rotate_left(17).wrapping_add(self.others[joint])))
    }

    /// The key of joints that `links` connect, given colours that tell their other links.
    #[cold]
    fn group_key(&mut self, joints: &[u8], links: &[Link]) -> Key {
        self.settle(joints.iter().copied(), links);
        let mut key = self.sum_up(joints.iter().copied(), links);
        for (group, links) in self.cyclic_groups(joints, links) {
            if group.len() < joints.len() {
                key = key.and(self.group_key(&group, &links).finished());
                continue;
            }
            let before: Vec<u64> = group.iter().map(|&joint| self.colours[usize::from(joint)]).collect();
            let mut least = None;
            for joint in self.rarest_colour(&group) {
                self.colours[usize::from(joint)] ^= NAME;
                let named = self.group_key(&group, &links);
                least = Some(least.map_or(named, |least: Key| least.min(named)));
                group.iter().zip(&before).for_each(|(&joint, &colour)| self.colours[usize::from(joint)] = colour);
            }
            key = key.and(least.unwrap_or_default().finished());
        }
        key
    }

    /// The joints among these that share their colours, in groups that links connect, with those links; only groups with
    /// a cycle.
    fn cyclic_groups(&self, joints: &[u8], links: &[Link]) -> Vec<(Vec<u8>, Vec<Link>)> {
        let colour = |joint: u8| self.colours[usize::from(joint)];
        let shares = |joint: u8| joints.iter().filter(|&&other| colour(other) == colour(joint)).count() > 1;
        let mut groups: Vec<(Vec<u8>, Vec<Link>)> = Vec::new();
        for &joint in joints.iter().filter(|&&joint| shares(joint)) {
            groups.push((vec![joint], Vec::new()));
        }
        for &link in links {
            let place = |joint: u8| groups.iter().position(|(group, _)| group.contains(&joint));
            let (Some(a), Some(b)) = (place(link.a), place(link.b)) else { continue };
            let (a, b) = (a.min(b), a.max(b));
            if a < b {
                let (group, links) = groups.remove(b);
                groups[a].0.extend(group);
                groups[a].1.extend(links);
            }
            groups[a].1.push(link);
        }
        groups.retain(|(group, links)| links.len() >= group.len());
        groups
    }

    /// The joints of that colour which fewest, but more than one, of these joints have; the least such colour.
    fn rarest_colour(&self, joints: &[u8]) -> Vec<u8> {
        let colour = |joint: u8| self.colours[usize::from(joint)];
        let of_colour = |wanted: u64| joints.iter().copied().filter(move |&joint| colour(joint) == wanted);
        let n_alike = |&joint: &u8| of_colour(colour(joint)).count();
        let shared = joints.iter().copied().filter(|joint| n_alike(joint) > 1);
        let rarest = shared.min_by_key(|joint| (n_alike(joint), colour(*joint)));
        rarest.map_or_else(Vec::new, |joint| of_colour(colour(joint)).collect())
    }
}
