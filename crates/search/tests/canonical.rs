//! Equal keys mean isomorphic summands, and the other way round.

use std::collections::HashMap;

use dab_board::{Board, LineSet, Position, Score, Start};
use dab_solve::solve;
use dab_space::{Rules, Space, SpaceKind};
use dab_store::{MemoryStore, ScoreRead};

use crate::canonical::Colours;
use crate::chains::Chains;
use crate::hash::Key;
use crate::link::{GROUND, Link};
use crate::sum::Sum;
use crate::summands::Summands;

/// A fixed sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A summand by its links.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    links: Vec<Link>,
    n_joints: u8,
}

impl Shape {
    /// Ends of links: joints, or -1 for the ground; and boxes inside.
    fn new(links: &[(i16, i16, u8)]) -> Self {
        let end = |end: i16| u8::try_from(end).unwrap_or(GROUND);
        let links: Vec<Link> = links.iter().map(|&(a, b, boxes)| Link::between(end(a), end(b), boxes, 0, 0)).collect();
        let n_joints = links.iter().map(|link| 1 + if link.b == GROUND { link.a } else { link.b }).max().unwrap();
        Self { links, n_joints }
    }

    fn key(&self) -> Key {
        let (inner, outer): (Vec<Link>, Vec<Link>) = self.links.iter().partition(|link| link.is_inner());
        Colours::new().key(&inner, &outer, self.n_joints)
    }

    /// The same with its joints and links in another order.
    fn shuffled(&self, numbers: &mut Numbers) -> Self {
        let mut names: Vec<u8> = (0..self.n_joints).collect();
        let mut shuffle = |i: usize| numbers.below(i + 1);
        (1..names.len()).for_each(|i| names.swap(i, shuffle(i)));
        let name = |joint: u8| names.get(usize::from(joint)).copied().unwrap_or(GROUND);
        let mut links: Vec<Link> =
            self.links.iter().map(|link| Link::between(name(link.a), name(link.b), link.boxes, link.line, 0)).collect();
        (1..links.len()).for_each(|i| links.swap(i, shuffle(i)));
        Self { links, n_joints: self.n_joints }
    }

    /// For two ends, the boxes of the links between them, ascending.
    fn between(&self, a: u8, b: u8) -> Vec<u8> {
        let (a, b) = (a.min(b), a.max(b));
        let mut boxes: Vec<u8> =
            self.links.iter().filter(|link| (link.a, link.b) == (a, b)).map(|link| link.boxes).collect();
        boxes.sort_unstable();
        boxes
    }

    /// Whether it is isomorphic to another one: by trying to name joint after joint.
    fn is_isomorphic(&self, other: &Self) -> bool {
        fn go_on(one: &Shape, other: &Shape, names: &mut Vec<u8>) -> bool {
            let joint = names.len() as u8;
            if joint == one.n_joints {
                return true;
            }
            for name in 0..one.n_joints {
                let fits = !names.contains(&name)
                    && one.between(joint, joint) == other.between(name, name)
                    && one.between(joint, GROUND) == other.between(name, GROUND)
                    && (0..joint).all(|at| one.between(at, joint) == other.between(names[usize::from(at)], name));
                if fits {
                    names.push(name);
                    if go_on(one, other, names) {
                        return true;
                    }
                    names.pop();
                }
            }
            false
        }
        self.n_joints == other.n_joints && self.links.len() == other.links.len() && go_on(self, other, &mut Vec::new())
    }
}

/// Holds the keys of all stored positions of a start against isomorphism, in both directions, and against their scores.
fn check(start: &Position) {
    let space = Space::new(start.clone(), SpaceKind::Quiet).unwrap();
    let scores = MemoryStore::new(space.n_layers());
    solve(&space, Rules::new(&space, 0).unwrap(), &scores, u64::MAX, &()).unwrap();
    let graph = start.board().graph();
    let mut summands = Summands::new();
    let mut numbers = Numbers(7);
    let mut shapes: HashMap<u128, Shape> = HashMap::new();
    let mut known: HashMap<u128, (Chains, Vec<u128>, Score)> = HashMap::new();
    let mut n_positions = 0;
    for (layer, keys) in space.layout().layers().iter().enumerate() {
        for (slab, &key) in keys.iter().enumerate() {
            let shape = space.shape(key);
            let id = dab_space::SlabId::new(dab_space::Layer(layer), slab);
            let stored = scores.read_slab(id, shape).unwrap();
            for (at, &score) in stored.iter().enumerate() {
                let drawn = space.lines_of(space.mask_at(key, at / shape.cols(), at % shape.cols()));
                let bottom = summands.height();
                let chains = summands.push_all(graph, drawn);
                let all: Vec<_> = (0..summands.len()).map(|id| *summands.get(id)).collect();
                for summand in all.iter().filter(|summand| summand.n_joints > 0) {
                    let shape = Shape { links: summands.links(summand).to_vec(), n_joints: summand.n_joints };
                    assert_eq!(shape.shuffled(&mut numbers).key(), summand.key, "{shape:?}");
                    let other = shapes.entry(summand.key.0).or_insert_with(|| shape.clone());
                    assert!(other.is_isomorphic(&shape), "{other:?} and {shape:?}");
                }
                let sum = all.iter().fold(Sum::new(chains), |sum, summand| sum.with(summand));
                let mut keys: Vec<u128> = all.iter().map(|summand| summand.key.0).collect();
                keys.sort_unstable();
                let here = (chains, keys, Score(score));
                let other = known.entry(sum.key().0).or_insert_with(|| here.clone());
                assert_eq!(*other, here, "{drawn:?}");
                summands.lower(bottom);
                n_positions += 1;
            }
        }
    }
    assert!(known.len() < n_positions, "{} sums of {n_positions} positions", known.len());
}

#[test]
fn keys_of_all_positions_of_small_boards() {
    for board in ["2x2", "2x3", "2x4", "3x3", "closed:12", "triangles:closed:7", "triangles:open:5"] {
        check(&board.parse().unwrap());
    }
    check(&Position::start(Board::grid(4, 4).unwrap(), Start::Swedish));
}

#[test]
#[ignore = "long: 17 million positions, minutes"]
fn keys_of_all_positions_of_larger_boards() {
    for board in ["2x5", "3x4"] {
        check(&board.parse().unwrap());
    }
}

#[test]
fn a_board_and_its_images_have_one_key() {
    let board = Board::grid(4, 4).unwrap();
    let mut numbers = Numbers(3);
    for _ in 0..2000 {
        let of = 1 + numbers.below(8);
        let drawn: LineSet = (0..40).filter(|_| numbers.below(of) == 0).collect();
        let drawn = Position::new(board.clone(), drawn).unwrap().capture_run().after;
        let mut keys = board.symmetries().iter().map(|map| {
            let mut summands = Summands::new();
            let image: LineSet = drawn.iter().map(|line| map[line]).collect();
            let chains = summands.push_all(board.graph(), image);
            (0..summands.len()).fold(Sum::new(chains), |sum, id| sum.with(summands.get(id))).key()
        });
        let first = keys.next().unwrap();
        assert!(keys.all(|key| key == first), "{drawn:?}");
    }
}

/// Shapes that refinement alone cannot tell apart.
#[test]
fn twins_are_told_apart() {
    let ring = |from: i16, n: i16| (0..n).map(move |i| (from + i, from + (i + 1) % n, 0));
    let legs = |n: i16| (0..n).map(|i| (i, -1, 0));
    let shape = |links: &mut dyn Iterator<Item = (i16, i16, u8)>| Shape::new(&links.collect::<Vec<_>>());
    // Six joints, each with three others: a prism, and three utilities.
    let prism = shape(&mut ring(0, 3).chain(ring(3, 3)).chain((0..3).map(|i| (i, i + 3, 0))));
    let utilities = shape(&mut (0..9).map(|i| (i / 3, 3 + i % 3, 0)));
    // Four joints, each with links of three lengths, two of which run side by side.
    let doubled = |side: [u8; 2], across: u8| {
        let pairs = [(0, 1), (2, 3)].into_iter().flat_map(|(a, b)| side.map(|boxes| (a, b, boxes)));
        shape(&mut pairs.chain([(1, 2, across), (3, 0, across)]))
    };
    // One ring of eight, or two rings of four, whose joints are linked to the same two hubs in turn.
    let hubs = |rings: &mut dyn Iterator<Item = (i16, i16, u8)>| {
        shape(&mut rings.chain((0..8).flat_map(|i| [(i, 8, 1), (i, 9, 2)])))
    };
    let mut numbers = Numbers(9);
    for (one, other) in [
        (prism, utilities),
        (doubled([0, 1], 2), doubled([1, 2], 0)),
        (doubled([0, 1], 2), doubled([0, 2], 1)),
        (hubs(&mut ring(0, 8)), hubs(&mut ring(0, 4).chain(ring(4, 4)))),
        (
            shape(&mut ring(0, 6).chain(legs(6)).chain([(0, 3, 0)])),
            shape(&mut ring(0, 6).chain(legs(6)).chain([(0, 2, 0)])),
        ),
    ] {
        assert!(!one.is_isomorphic(&other));
        assert_ne!(one.key(), other.key(), "{one:?} and {other:?}");
        for shape in [one, other] {
            (0..20).for_each(|_| assert_eq!(shape.shuffled(&mut numbers).key(), shape.key()));
        }
    }
}

/// Many joints that can be exchanged must not be tried in every order.
#[test]
fn many_twins_take_no_time() {
    let mut numbers = Numbers(13);
    // Forty joints linked to the same three; twenty triangles around one joint; a ring of forty joints with legs.
    let bipartite: Vec<_> = (0..120).map(|i| (i % 3, 3 + i / 3, 0)).collect();
    let triangles: Vec<_> = (0..20)
        .flat_map(|i| (0..3).flat_map(move |j| [(3 * i + j, 3 * i + (j + 1) % 3, 0), (3 * i + j, 60, 1)]))
        .collect();
    let ring: Vec<_> = (0..40).flat_map(|i| [(i, (i + 1) % 40, 0), (i, -1, 2)]).collect();
    for links in [bipartite, triangles, ring] {
        let shape = Shape::new(&links);
        assert_eq!(shape.shuffled(&mut numbers).key(), shape.key());
    }
}
