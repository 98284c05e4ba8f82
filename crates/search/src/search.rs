//! Alpha-beta over sums of parts.

use dab_board::capture::Decline;
use dab_board::{Position, Score};

use crate::parts::{PartId, Parts};

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The score of the position.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Different parts met.
    pub parts: usize,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    low: i8,
    high: i8,
}

struct Search {
    parts: Parts,
    table: Vec<Entry>,
    nodes: u64,
    penalty: Score,
    scratch: Vec<PartId>,
    q: rustc_hash::FxHashMap<Vec<PartId>, i8>,
    qlim: i32,
    mode: u32, limit: u16,
    stat: [u64; 5], width: [u64; 20], size: [u64; 20],
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}

type Hash = [u64; 2];

fn hash_of(id: PartId) -> Hash {
    [mix(u64::from(id).wrapping_add(1).wrapping_mul(0x9e3779b97f4a7c15)), mix(u64::from(id).wrapping_mul(0xd1342543de82ef95).wrapping_add(0x1234567))]
}

fn add(a: Hash, b: Hash) -> Hash {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
}
fn sub(a: Hash, b: Hash) -> Hash {
    [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])]
}

#[derive(Clone, Copy)]
struct Child {
    part: PartId,
    m: u32,
    hash: Hash,
    boxes: i8,
    handout: i8,
    low: i8,
    high: i8,
    order: i32,
}

/// bounds of -(K-h+|x+h|) for x in [l,u], or -(K+x) with h = 0.
fn value_bounds(k: i8, h: i8, l: i8, u: i8) -> (i8, i8) {
    if h == 0 {
        return (-k - u, -k - l);
    }
    let (a, b) = ((l + h).abs(), (u + h).abs());
    let most = a.max(b);
    let least = if l <= -h && -h <= u { (l + h) & 1 } else { a.min(b) };
    (-(k - h + most), -(k - h + least))
}

impl Search {
    fn probe(&self, hash: Hash, total: i8) -> (i8, i8) {
        let e = &self.table[(hash[0] as usize) & (self.table.len() - 1)];
        if e.key == hash[1] { (e.low, e.high) } else { (-total - self.penalty, total + self.penalty) }
    }
    /// upper bound for the mover at R + pairs
    fn mirror(&mut self, r: &[PartId]) -> i8 {
        if r.is_empty() { return 0; }
        if let Some(&q) = self.q.get(r) { return q; }
        let mut best = -1i8;
        for (k, r1) in self.none_moves(r) {
            let mut y = -100i8;
            for (k2, r2) in self.none_moves(&r1) {
                let q = self.mirror(&r2);
                if q < 100 { y = y.max(-(k2 + q)); }
            }
            best = best.max(if y == -100 { 100 } else { -(k + y) });
            if best >= 100 { break; }
        }
        self.q.insert(r.to_vec(), best);
        best
    }
    fn none_moves(&mut self, r: &[PartId]) -> Vec<(i8, Vec<PartId>)> {
        let mut out = vec![];
        for i in 0..r.len() {
            if i > 0 && r[i] == r[i - 1] { continue; }
            self.parts.explore(r[i]);
            for m in self.parts.moves(r[i]) {
                if m.decline != Decline::None { continue; }
                let mut next: Vec<PartId> = r[..i].iter().chain(&r[i + 1..]).chain(&m.rest).copied().collect();
                next.sort_unstable();
                let mut i = 0;
                while i + 1 < next.len() { if next[i] == next[i + 1] { next.drain(i..i + 2); } else { i += 1; } }
                out.push((m.boxes as i8, next));
            }
        }
        out.sort(); out.dedup();
        out
    }
    fn store(&mut self, hash: Hash, low: i8, high: i8) {
        let mask = self.table.len() - 1;
        self.table[(hash[0] as usize) & mask] = Entry { key: hash[1], low, high };
    }

    /// Bounds of the score, good enough to tell whether it is <= alpha, >= beta or what it is.
    fn bounds(&mut self, sum: &[PartId], hash: Hash, total: i8, alpha: i8, beta: i8) -> (i8, i8) {
        if sum.is_empty() {
            return (-self.penalty, -self.penalty);
        }
        let (mut low, mut high) = self.probe(hash, total);
        if low >= beta || high <= alpha || low == high {
            return (low, high);
        }
        self.nodes += 1;
        let mut children: Vec<Child> = Vec::new();
        let mut all_nim = Some(0u8);
        for &p in sum { all_nim = all_nim.and_then(|x| self.parts.nim(p, self.limit).map(|g| g ^ x)); }
        let mut top = i8::MIN; // best upper bound of moves that are not looked at
        for (i, &part) in sum.iter().enumerate() {
            if i > 0 && sum[i - 1] == part {
                continue;
            }
            let without = sub(hash, hash_of(part));
            self.parts.explore(part);
            let n = self.parts.moves(part).len();
            for m in 0..n {
                let mut nim = 1i32;
                if self.limit > 0 {
                    let mv = &self.parts.moves(part)[m];
                    let rest = mv.rest.clone();
                    let mut x = Some(0u8);
                    let mut gone = false;
                    for &p in sum { if p == part && !gone { gone = true } else { x = x.and_then(|x| self.parts.nim(p, self.limit).map(|g| g ^ x)); } }
                    for p in rest { x = x.and_then(|x| self.parts.nim(p, self.limit).map(|g| g ^ x)); }
                    nim = match x { Some(0) => 2, None => 1, _ => 0 };
                    if self.parts.moves(part)[m].decline != Decline::None { nim = 0; }
                }
                let mv = self.parts.moves(part)[m].clone();
                let handout = match mv.decline { Decline::None => 0, d => d.boxes() as i8 };
                let boxes = mv.boxes as i8;
                let best = handout - boxes - ((total + self.penalty - boxes) & 1);
                if handout > 0 && best <= alpha.max(low) {
                    top = top.max(best);
                    continue;
                }
                let child_hash = mv.rest.iter().fold(without, |h, &p| add(h, hash_of(p)));
                let mut unpaired = 0i32;
                let mut odd = vec![];
                {
                    let all = &mut self.scratch;
                    all.clear();
                    let mut gone = false;
                    for &p in sum { if p == part && !gone { gone = true } else { all.push(p) } }
                    all.extend_from_slice(&mv.rest);
                    all.sort_unstable();
                    let mut i = 0;
                    while i < all.len() {
                        if i + 1 < all.len() && all[i] == all[i + 1] { i += 2; continue; }
                        unpaired += i32::from(self.parts.part(all[i]).boxes);
                        odd.push(all[i]);
                        i += 1;
                    }
                }
                let (l, mut u) = self.probe(child_hash, total - boxes);
                if unpaired <= self.qlim { u = u.min(self.mirror(&odd)); }
                let (vl, vh) = value_bounds(boxes, handout, l, u);
                low = low.max(vl);
                if vh <= alpha.max(low) {
                    top = top.max(vh);
                    if vh <= low || vh <= alpha { continue; }
                }
                let biggest = mv.rest.iter().map(|&p| i32::from(self.parts.part(p).boxes)).max().unwrap_or(0);
                let order = nim * 2000 + match self.mode { 0 => -(boxes as i32) * 100 - biggest + 8 * vl as i32,
                    1 => -(boxes as i32) * 100 - unpaired * 4 - biggest,
                    2 => - unpaired * 4 - biggest - boxes as i32 * 8,
                    3 => -(boxes as i32) * 100 - unpaired * 4 - biggest + 8 * vl as i32,
                    _ => -((sum.len() + mv.rest.len()) as i32)  };
                children.push(Child { part, m: m as u32, hash: child_hash, boxes, handout, low: vl, high: vh, order });
            }
        }
        if low >= beta {
            self.store(hash, low, high);
            return (low, high);
        }
        {
            let loony = !sum.iter().any(|&p| self.parts.moves(p).iter().any(|m| m.decline == Decline::None));
            let chains = sum.iter().all(|&p| self.parts.moves(p).iter().all(|m| m.rest.is_empty()));
            let safe = sum.iter().any(|&p| self.parts.moves(p).iter().any(|m| m.boxes == 0));
            let i = if chains && loony { 0 } else if chains { 1 } else if loony { 2 } else if !safe { 3 } else { 4 };
            self.stat[i] += 1;
            self.width[((beta - alpha) as usize).min(19)] += 1;
            self.size[total as usize / 4] += 1;
        }
        children.sort_unstable_by_key(|c| -c.order);
        let mut next: Vec<PartId> = Vec::with_capacity(sum.len() + 3);
        let mut reached = top;
        for (ci, c) in children.iter().enumerate() {
            let a = alpha.max(low - 1).max(alpha);
            let a = a.max(if low > alpha { low } else { alpha });
            // window of x
            let (xa, xb) = if c.handout == 0 {
                (-c.boxes - beta, -c.boxes - a)
            } else {
                (c.boxes - 2 * c.handout + a, -a - c.boxes)
            };
            if c.high <= a {
                reached = reached.max(c.high);
                continue;
            }
            next.clear();
            let mut gone = false;
            for &p in sum {
                if p == c.part && !gone { gone = true; } else { next.push(p); }
            }
            let mv = &self.parts.moves(c.part)[c.m as usize];
            next.extend_from_slice(&mv.rest);
            next.sort_unstable();
            let state = std::mem::take(&mut next);
            let (l, u) = self.bounds(&state, c.hash, total - c.boxes, xa, xb);
            next = state;
            let (vl, vh) = value_bounds(c.boxes, c.handout, l, u);
            low = low.max(vl);
            reached = reached.max(vh);
            if low >= beta {
                self.size[10 + ci.min(9)] += 1;
                self.store(hash, low, high);
                return (low, high);
            }
        }
        self.size[9] += 1;
        high = high.min(reached.max(low));
        self.store(hash, low, high);
        (low, high)
    }
}

/// The score of a position.
pub fn score(position: &Position, penalty: Score, log2_entries: u32) -> Found {
    let run = position.capture_run();
    let mut parts = Parts::default();
    let sum = parts.of(position.board().graph(), run.after);
    let mut search = Search { parts, table: vec![Entry::default(); 1 << log2_entries], nodes: 0, penalty, scratch: vec![], q: Default::default(), qlim: std::env::var("Q").map_or(0, |m| m.parse().unwrap()), limit: std::env::var("LIM").map_or(0, |m| m.parse().unwrap()), stat: [0; 5], width: [0; 20], size: [0; 20], mode: std::env::var("MODE").map_or(0, |m| m.parse().unwrap()) };
    let hash = sum.iter().fold([0, 0], |h, &p| add(h, hash_of(p)));
    let total: i8 = sum.iter().map(|&p| search.parts.part(p).boxes as i8).sum();
    let (mut low, mut high) = (-total - penalty, total + penalty);
    let mut guess: i8 = if (total + penalty) % 2 == 0 { 0 } else { 1 };
    while low < high {
        let n0 = search.nodes;
        let (l, u) = search.bounds(&sum, hash, total, guess - 1, guess);
        eprintln!("test >= {guess}: {l}..{u}, {} nodes", search.nodes - n0);
        low = low.max(l);
        high = high.min(u);
        guess = if low >= guess { low + 2 } else { high };
    }
    eprintln!("{:?} {:?} {:?}", search.stat, search.width, search.size);
    Found { score: run.score(low), nodes: search.nodes, parts: search.parts.len() }
}
/// bounds, nodes
pub fn test(position: &Position, penalty: Score, log2_entries: u32, beta: i8, max: u64) -> (i8, i8, u64) {
    let run = position.capture_run();
    assert_eq!(run.boxes, 0);
    let mut parts = Parts::default();
    let sum = parts.of(position.board().graph(), run.after);
    let mut search = Search { parts, table: vec![Entry::default(); 1 << log2_entries], nodes: 0, penalty, scratch: vec![], q: Default::default(), qlim: std::env::var("Q").map_or(0, |m| m.parse().unwrap()), limit: std::env::var("LIM").map_or(0, |m| m.parse().unwrap()), stat: [0; 5], width: [0; 20], size: [0; 20], mode: std::env::var("MODE").map_or(0, |m| m.parse().unwrap()) };
    let hash = sum.iter().fold([0, 0], |h, &p| add(h, hash_of(p)));
    let total: i8 = sum.iter().map(|&p| search.parts.part(p).boxes as i8).sum();
    let _ = max;
    let (l, u) = search.bounds(&sum, hash, total, beta - 1, beta);
    (l, u, search.nodes)
}
