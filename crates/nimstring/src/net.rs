//! Nets: quiet positions without everything that does not change their nimbers.
//!
//! A net has coins (boxes with at least three open lines) and links (chains of 0, 1 or 2 boxes) between coins or to
//! the ground. Opening a link cannot be declined, so a move just takes a link away; the boxes of a link matter only
//! when links merge. A player who opens a chain of three boxes or more, or a loop, lets the opponent decline and loses.
//! So these are never opened, and two rules follow that make nets small:
//! ```text
//!    ○━━━○   ⇒   ○━⏚ ⏚━○        a long chain holds its two ends open, but does not join them
//!    ━○━     ⇒   ⏚              a coin that two long chains hold can never fall: it is ground
//! ```
//! A coin with two links left becomes a box of the merged link. Nothing of this depends on the kind of board.

use dab_board::contract::Contraction;
use dab_board::{Graph, LineSet};

/// The end of a link that is not at a coin.
pub(crate) const GROUND: u8 = 127;
/// Least boxes of a long chain; all long chains count alike.
pub(crate) const LONG: u8 = 3;
/// Least boxes of an isolated loop whose opening allows a decline.
const LONG_LOOP: u8 = 4;

/// A chain of fewer than [`LONG`] boxes, or one end of a long one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// Coins, or [`GROUND`], lower first. A long link ends at the ground.
    pub(crate) ends: [u8; 2],
    /// Boxes on it, at most [`LONG`].
    pub(crate) boxes: u8,
}

impl Link {
    pub(crate) fn new(a: u8, b: u8, boxes: u8) -> Self {
        Self { ends: if a <= b { [a, b] } else { [b, a] }, boxes: boxes.min(LONG) }
    }

    pub(crate) fn is_long(self) -> bool {
        self.boxes >= LONG
    }

    /// The end that is not `coin`; `coin` itself for a link that comes back.
    pub(crate) fn other_end(self, coin: u8) -> u8 {
        if self.ends[0] == coin { self.ends[1] } else { self.ends[0] }
    }
}

/// A net, and the nimber of the chains and loops that have been split off from it.
#[derive(Debug, Default)]
pub(crate) struct Net {
    pub(crate) links: Vec<Link>,
    /// Nim-sum of the isolated chains and loops that are no longer among the links.
    pub(crate) split_off: u8,
}

impl Net {
    /// The net of the quiet position `drawn`.
    pub(crate) fn new(graph: &Graph, drawn: LineSet) -> Self {
        let Contraction { units, joints } = Contraction::by_chains(graph, drawn);
        let mut net = Self::default();
        for unit in units {
            let coin = |end: Option<usize>| end.map_or(GROUND, |joint| joint as u8);
            match unit.string.ring {
                true => net.split_off ^= u8::from(unit.string.boxes < LONG_LOOP),
                false => net.add(coin(unit.string.ends[0]), coin(unit.string.ends[1]), unit.string.boxes),
            }
        }
        net.settle((0..joints.len() as u8).collect());
        net
    }

    /// The net after one of some settled links is opened, or `None` if the opponent can decline.
    pub(crate) fn opened(links: &[Link], link: usize) -> Option<Self> {
        let opened = links[link];
        let [a, b] = opened.ends;
        if opened.is_long() || (a == b && valence(links, a) == 3) {
            return None; // long, or a loop on a stick
        }
        let links = links.iter().enumerate().filter(|&(i, _)| i != link).map(|(_, &link)| link).collect();
        let mut net = Self { links, split_off: 0 };
        net.settle(vec![a, b]);
        Some(net)
    }

    /// Adds a chain between two ends.
    fn add(&mut self, a: u8, b: u8, boxes: u8) {
        if a == GROUND && b == GROUND {
            // The one move that cannot be declined, or none.
            self.split_off ^= u8::from(boxes < LONG);
        } else if boxes < LONG {
            self.links.push(Link::new(a, b, boxes));
        } else {
            let held = [a, b].into_iter().filter(|&end| end != GROUND);
            self.links.extend(held.map(|end| Link::new(end, GROUND, LONG)));
        }
    }

    /// Merges and cuts until every coin has at least three link ends, at most one of them long. Only the coins in
    /// `pending` may violate this before.
    fn settle(&mut self, mut pending: Vec<u8>) {
        while let Some(coin) = pending.pop() {
            if coin == GROUND {
                continue;
            }
            let here = |link: &Link| link.ends.contains(&coin);
            let n_long = self.links.iter().filter(|link| here(link) && link.is_long()).count();
            if n_long >= 2 {
                for link in self.links.extract_if(.., |link| here(link)).collect::<Vec<_>>() {
                    let grounded = link.ends.map(|end| if end == coin { GROUND } else { end });
                    self.add(grounded[0], grounded[1], link.boxes);
                }
            } else if valence(&self.links, coin) == 2 {
                let merged: Vec<Link> = self.links.extract_if(.., |link| here(link)).collect();
                match merged[..] {
                    [a, b] => {
                        let [from, to] = [a.other_end(coin), b.other_end(coin)];
                        self.add(from, to, a.boxes + b.boxes + 1);
                        // Either may be held by one more long chain now.
                        pending.extend([from, to]);
                    }
                    [ring] => self.split_off ^= u8::from(ring.boxes + 1 < LONG_LOOP),
                    _ => unreachable!("two link ends are one link or two"),
                }
            }
        }
    }
}

/// Link ends at a coin.
fn valence(links: &[Link], coin: u8) -> usize {
    links.iter().map(|link| link.ends.iter().filter(|&&end| end == coin).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::Position;

    /// The links of a position as `a-b:boxes`, and the nimber of the part that was split off.
    #[track_caller]
    fn check(position: &str, expect: &[(u8, u8, u8)], split_off: u8) {
        let position: Position = position.parse().unwrap();
        let net = Net::new(position.board().graph(), position.drawn());
        let links: Vec<_> = net.links.iter().map(|link| (link.ends[0], link.ends[1], link.boxes)).collect();
        assert_eq!((&links[..], net.split_off), (expect, split_off));
    }

    #[test]
    fn lines_are_links() {
        check("1x1:0", &[(0, GROUND, 0); 4], 0);
    }

    #[test]
    fn isolated_chains_and_loops_are_split_off() {
        check("1x1:3", &[], 1);
        check("1x2:f", &[], 1);
        check("1x3:3f", &[], 0);
        check("2x2:b73", &[], 0);
    }

    #[test]
    fn a_loop_holds_its_joint_twice() {
        // A loop of four and a line at one of its boxes, which is as good as between two sides of the board.
        check("2x2:b72", &[], 1);
    }

    #[test]
    fn opening_a_link_merges_the_others() {
        let links = [Link::new(0, GROUND, 0), Link::new(0, GROUND, 1), Link::new(0, GROUND, 0)];
        assert!((0..3).all(|i| Net::opened(&links, i).is_some_and(|net| net.links.is_empty() && net.split_off == 1)));
        let [long, short] = [LONG, 0].map(|boxes| Link::new(0, GROUND, boxes));
        let links = [short, short, long];
        assert_eq!(Net::opened(&links, 0).map(|net| net.split_off), Some(0));
        assert!(Net::opened(&links, 2).is_none());
    }
}
