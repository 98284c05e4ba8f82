//! Summands: the connected pieces of quiet positions, as contracted graphs.
//!
//! A quiet position is a sum of summands. They share no line and no box; only the turn to move connects them. Isolated
//! chains are counted ([`crate::chains`]); any other summand is a ring, or joints with chains between them as links:
//! ```text
//!    links       … | inner links of a summand | its outer links | inner links of the next | …
//!    inner link    joint ─○─○─ joint                 outer link    joint ─○─○─ ground,  joint ─○─○─┐
//!                                                                                         └────────┘
//! ```
//! A joint is a box with at least three open lines, so a board of 128 lines has at most 85 joints. They have numbers of
//! their own in every summand, from 0 without gaps. The summands of a line of play lie on one stack, those of deeper positions above.

use std::ops::Range;

use dab_board::contract::Contraction;
use dab_board::{Graph, LineSet, connected};

use crate::canonical::Colours;
use crate::chains::Chains;
use crate::hash::Key;
use crate::link::{GROUND, Link};

/// A summand that is no isolated chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summand {
    /// The key of all summands isomorphic to it.
    pub(crate) key: Key,
    first: u32,
    /// Inner links, which come first.
    n_inner: u8,
    n_links: u8,
    /// 0 if it is a ring.
    pub(crate) n_joints: u8,
    /// Boxes in it, joints included.
    pub(crate) boxes: u8,
    /// A line of a ring.
    pub(crate) line: u8,
    /// Its lines; empty for a ring.
    pub(crate) lines: LineSet,
}

/// The summands of a line of play.
pub(crate) struct Summands {
    links: Vec<Link>,
    summands: Vec<Summand>,
    /// Sets of lines, by their numbers.
    lines: Vec<LineSet>,
    colours: Box<Colours>,
}

/// A height of the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Height {
    links: usize,
    summands: usize,
    lines: usize,
}

impl Summands {
    /// An empty stack.
    pub(crate) fn new() -> Self {
        Self { links: Vec::new(), summands: Vec::new(), lines: Vec::new(), colours: Colours::new() }
    }

    /// The height of the stack.
    pub(crate) fn height(&self) -> Height {
        Height { links: self.links.len(), summands: self.summands.len(), lines: self.lines.len() }
    }

    /// Takes all summands above a height from the stack.
    pub(crate) fn lower(&mut self, Height { links, summands, lines }: Height) {
        self.lines.truncate(lines);
        self.links.truncate(links);
        self.summands.truncate(summands);
    }

    /// Number of summands on the stack, the number that the next one gets.
    pub(crate) fn len(&self) -> u32 {
        self.summands.len() as u32
    }

    /// A summand by its number.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> &Summand {
        &self.summands[id as usize]
    }

    /// The links of a summand, inner ones first.
    #[inline]
    pub(crate) fn links(&self, summand: &Summand) -> &[Link] {
        &self.links[summand.first as usize..][..usize::from(summand.n_links)]
    }

    /// The lines of a link.
    #[inline]
    pub(crate) fn lines_of(&self, link: Link) -> LineSet {
        self.lines[link.lines as usize]
    }

    /// Pushes a set of lines; returns its number.
    pub(crate) fn push_lines(&mut self, lines: LineSet) -> u32 {
        self.lines.push(lines);
        (self.lines.len() - 1) as u32
    }

    /// Pushes the ring of `boxes` boxes.
    pub(crate) fn push_ring(&mut self, boxes: u8, line: u8) {
        let key = Key::from_number(u64::from_le_bytes([boxes, 0, 0, 0, 0x41, 0, 0, 0]));
        let first = self.links.len() as u32;
        self.summands.push(Summand {
            key,
            first,
            n_inner: 0,
            n_links: 0,
            n_joints: 0,
            boxes,
            line,
            lines: LineSet::EMPTY,
        });
    }

    /// Pushes the summand that links make with `n_joints` joints: those that `keep` makes of the links of another summand,
    /// and `others`.
    #[inline]
    pub(crate) fn push_rest(
        &mut self,
        from: &Summand,
        keep: impl Fn(u8, Link) -> Option<Link>,
        others: impl Iterator<Item = Link> + Clone,
        n_joints: u8,
    ) {
        let first = self.links.len();
        self.keep(from, 0..from.n_inner, &keep);
        self.links.extend(others.clone().filter(|link| link.is_inner()));
        let n_inner = self.links.len() - first;
        self.keep(from, from.n_inner..from.n_links, &keep);
        self.links.extend(others.filter(|link| !link.is_inner()));
        self.finish(first, n_inner, n_joints);
    }

    #[inline]
    fn keep(&mut self, from: &Summand, links: Range<u8>, keep: impl Fn(u8, Link) -> Option<Link>) {
        for i in links {
            let link = self.links[from.first as usize + usize::from(i)];
            self.links.extend(keep(i, link));
        }
    }

    /// Makes the links from `first` on a summand.
    fn finish(&mut self, first: usize, n_inner: usize, n_joints: u8) {
        let (inner, outer) = self.links[first..].split_at(n_inner);
        let key = self.colours.key(inner, outer, n_joints);
        let boxes = n_joints + self.links[first..].iter().map(|link| link.boxes).sum::<u8>();
        let lines = self.links[first..].iter().fold(LineSet::EMPTY, |lines, link| lines | self.lines_of(*link));
        let n_links = (self.links.len() - first) as u8;
        let (first, n_inner) = (first as u32, n_inner as u8);
        self.summands.push(Summand { key, first, n_inner, n_links, n_joints, boxes, line: 0, lines });
    }

    /// Pushes the summands of the quiet position of `graph` in which the lines `filled` are drawn; returns its isolated
    /// chains.
    pub(crate) fn push_all(&mut self, graph: &Graph, filled: LineSet) -> Chains {
        let units = Contraction::by_chains(graph, filled).units;
        let mut chains = Chains::default();
        for units in connected(&units, |unit| unit.string.ends) {
            let string = units[0].string;
            let line = |lines: LineSet| lines.lowest().unwrap_or(0) as u8;
            if string.ring {
                self.push_ring(string.boxes, line(units[0].lines));
                continue;
            }
            if string.ends == [None; 2] {
                chains = chains.with(string.boxes);
                continue;
            }
            let mut joints: Vec<usize> = units.iter().flat_map(|unit| unit.string.ends).flatten().collect();
            joints.sort_unstable();
            joints.dedup();
            let end = |end: Option<usize>| match end {
                Some(joint) => joints.partition_point(|&other| other < joint) as u8,
                None => GROUND,
            };
            let links = units.iter().map(|unit| {
                let [a, b] = unit.string.ends.map(end);
                Link::between(a, b, unit.string.boxes, line(unit.lines), self.push_lines(unit.lines))
            });
            let (inner, outer): (Vec<Link>, Vec<Link>) = links.partition(|link| link.is_inner());
            let first = self.links.len();
            self.links.extend_from_slice(&inner);
            self.links.extend_from_slice(&outer);
            self.finish(first, inner.len(), joints.len() as u8);
        }
        chains
    }
}
