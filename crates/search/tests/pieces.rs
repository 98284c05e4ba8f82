//! Bounds, chains, sums, keys, the table of bounds and the order of lines.

mod bounds {
    use crate::bounds::{Bounds, range_after};
    use dab_board::capture::Decline;

    const MOVES: [(Decline, u8); 6] = [
        (Decline::None, 0),
        (Decline::None, 2),
        (Decline::Two, 3),
        (Decline::Two, 4),
        (Decline::Four, 4),
        (Decline::Four, 6),
    ];

    /// The score of a move by the rule for runs.
    fn score(boxes: u8, decline: Decline, after: i8) -> i8 {
        -decline.score(boxes, dab_board::Score(after)).0
    }

    #[test]
    fn bounds_are_those_of_all_scores_between() {
        for (decline, boxes) in MOVES {
            for low in -9..9 {
                for high in (low..10).step_by(2) {
                    let scores = (low..=high).step_by(2).map(|after| score(boxes, decline, after));
                    let expected = Bounds { low: scores.clone().min().unwrap(), high: scores.max().unwrap() };
                    let found = Bounds { low, high }.before_move(boxes, decline);
                    assert_eq!(found, expected, "{boxes} {decline:?} {low} {high}");
                }
            }
        }
    }

    #[test]
    fn a_move_reaches_the_goal_within_the_range_only() {
        for (decline, boxes) in MOVES {
            for goal in -9..9 {
                let (from, to) = range_after(boxes, decline, goal);
                for after in -20..20 {
                    let reached = i32::from(score(boxes, decline, after)) >= goal;
                    assert_eq!((from..=to).contains(&i32::from(after)), reached, "{boxes} {decline:?} {goal} {after}");
                }
            }
        }
    }
}

mod chains {
    use crate::chains::Chains;
    use crate::hash::Key;
    use dab_board::capture::Decline;

    /// Chains in normal form, by their boxes.
    #[track_caller]
    fn check(chains: &[u8], expect: &[u8]) {
        let chains = chains.iter().fold(Chains::default(), |chains, &boxes| chains.with(boxes));
        let mut left = chains;
        let mut found = Vec::new();
        for kind in 0..Chains::KINDS {
            while let Some((boxes, decline, after)) = left.opened(kind) {
                assert_eq!(decline, if boxes >= 3 { Decline::Two } else { Decline::None });
                assert_eq!(left.boxes() - after.boxes(), boxes);
                found.push(boxes);
                left = after;
            }
        }
        assert_eq!((found, left), (expect.to_vec(), Chains::default()));
        assert_eq!(chains.boxes(), expect.iter().sum::<u8>());
        assert_eq!(chains.are_long(), expect.iter().all(|&boxes| boxes >= 3));
    }

    #[test]
    fn short_chains_go_in_pairs() {
        check(&[1, 2, 1, 2, 1], &[1]);
        check(&[2, 2], &[]);
    }

    #[test]
    fn three_chains_stay() {
        check(&[3, 3, 3], &[3, 3, 3]);
    }

    #[test]
    fn long_chains_make_one() {
        check(&[4, 6, 4, 3], &[3, 6]);
        check(&[4, 4, 1], &[1, 4]);
    }

    #[test]
    fn keys_tell_them_apart() {
        let mut keys: Vec<Key> = Vec::new();
        for chains in [&[][..], &[1], &[2], &[3], &[3, 3], &[4], &[5], &[1, 2], &[1, 3], &[4, 3]] {
            keys.push(chains.iter().fold(Chains::default(), |chains, &boxes| chains.with(boxes)).key());
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 10);
    }
}

mod sum {
    use crate::chains::Chains;
    use crate::sum::Sum;
    use crate::summands::Summands;

    /// The highest score that is possible for isolated chains and rings.
    #[track_caller]
    fn check(chains: &[u8], rings: &[u8], high: i8) {
        let mut summands = Summands::new();
        rings.iter().for_each(|&boxes| summands.push_ring(boxes, 0));
        let chains = chains.iter().fold(Chains::default(), |chains, &boxes| chains.with(boxes));
        let sum = (0..summands.len()).fold(Sum::new(chains), |sum, id| sum.with(summands.get(id)));
        assert_eq!(sum.bounds(0).high, high);
    }

    #[test]
    fn pairs_and_long_chains_reach_no_more_than_zero() {
        check(&[], &[], 0);
        check(&[3, 3], &[], 0);
        check(&[3], &[], -1);
        check(&[4, 6, 4, 3], &[4, 4], -1);
        check(&[4, 4, 1], &[], 5);
        check(&[3], &[4, 6, 6], 19);
    }

    #[test]
    fn sums_are_taken_apart() {
        let mut summands = Summands::new();
        [4, 4, 6].into_iter().for_each(|boxes| summands.push_ring(boxes, 0));
        let [one, same, other] = [0, 1, 2].map(|id| *summands.get(id));
        let sum = Sum::new(Chains::default().with(3)).with(&one).with(&other).with(&same);
        assert_eq!(sum.boxes, 17);
        assert_eq!(sum.without(&other).key(), Sum::new(sum.chains).with(&one).with(&one).key());
        assert_eq!(sum.with_chains(Chains::default()).boxes, 14);
        assert_ne!(sum.key(), sum.with_chains(Chains::default()).key());
    }
}

mod hash {
    use crate::hash::{Key, mix, stir};

    #[test]
    fn order_does_not_matter_but_number_does() {
        let [a, b] = [3, 4].map(Key::from_number);
        assert_eq!(a.and(b).and(a), b.and(a).and(a));
        assert_ne!(a.and(b), a.and(b).and(a));
        assert_eq!(a.and(b).without(a), b);
    }

    #[test]
    fn groups_matter_once_they_are_finished() {
        let [a, b, c] = [3, 4, 5].map(Key::from_number);
        assert_ne!(a.and(b).finished().and(c.finished()), a.finished().and(b.and(c).finished()));
    }

    #[test]
    fn permutations_lose_nothing() {
        for permutation in [mix, stir] {
            let mut all: Vec<u64> = (0..100_000).map(permutation).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 100_000);
        }
        let mut all: Vec<Key> = (0..100_000).map(|z| Key::from_number(z).finished()).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 100_000);
    }
}

mod table {
    use crate::bounds::Bounds;
    use crate::hash::Key;
    use crate::table::{LEAST, Table};

    fn bounds(i: u64) -> Bounds {
        Bounds { low: -((i % 100) as i8), high: (i % 120) as i8 }
    }

    fn keys(n: u64) -> impl Iterator<Item = (u64, Key)> {
        (0..n).map(|i| (i, Key::from_number(i)))
    }

    #[test]
    fn bounds_add_up() {
        let table = Table::new(LEAST).unwrap();
        for (i, key) in keys(1000) {
            assert_eq!(table.get(key), None);
            table.put(key, Bounds { low: -3, high: 9 }, 1, &mut 0);
            table.put(key, Bounds { low: -5, high: (i % 8) as i8 }, 7, &mut 0);
            assert_eq!(table.get(key), Some(Bounds { low: -3, high: (i % 8) as i8 }));
        }
    }

    #[test]
    fn forgets_little_while_it_grows() {
        let table = Table::new(1 << 25).unwrap();
        let mut n_new = 0;
        keys(300_000).for_each(|(i, key)| table.put(key, bounds(i), 1, &mut n_new));
        assert_eq!(table.bytes(), 1 << 24);
        let lost = keys(300_000).filter(|&(i, key)| table.get(key) != Some(bounds(i))).count();
        assert!(lost < 30_000, "{lost}");
    }

    #[test]
    fn keeps_within_its_limit_what_took_most_work() {
        let table = Table::new(1 << 20).unwrap();
        let work = |i: u64| if i.is_multiple_of(8) { 1 << 20 } else { 1 };
        let mut n_new = 0;
        keys(200_000).for_each(|(i, key)| table.put(key, bounds(i), work(i), &mut n_new));
        assert_eq!(table.bytes(), 1 << 20);
        let lost = keys(200_000).filter(|&(i, key)| i.is_multiple_of(8) && table.get(key) != Some(bounds(i))).count();
        assert!(lost < 2000, "{lost}");
    }

    #[test]
    fn threads_see_what_others_wrote_and_nothing_else() {
        let table = Table::new(1 << 22).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut n_new = 0;
                    for i in (0..100_000).map(|i| (i + thread * 25_000) % 100_000) {
                        table.put(Key::from_number(i), bounds(i), 1, &mut n_new);
                        let found = table.get(Key::from_number(i));
                        assert!(found.is_none_or(|found| found == bounds(i)), "{i}: {found:?}");
                    }
                });
            }
        });
    }

    #[test]
    fn too_little_memory_is_no_table() {
        assert!(Table::new(LEAST - 1).is_none());
        assert_eq!(Table::new(LEAST).unwrap().bytes(), LEAST);
    }
}

mod history {
    use dab_board::Board;
    use dab_board::graph::GraphString;

    use crate::history::History;
    use crate::weights::Weights;
    use dab_board::Graph;

    #[test]
    fn rates_follow_the_tries() {
        let graph = Graph::new(1, vec![GraphString::new(Some(0), None, 0); 7]);
        let weights = Weights::for_board(&graph);
        let mut history = History::new(&graph, weights);
        let rate = |history: &History, line| history.gain(line) - weights.middle;
        assert_eq!(rate(&history, 5), 512);
        (0..1_000_000).for_each(|_| history.count(5, false));
        assert!(rate(&history, 5) < 10);
        (0..1_000_000).for_each(|_| history.count(5, true));
        assert!(rate(&history, 5) > 1000);
        assert_eq!(rate(&history, 6), 512);
    }

    /// The gain of the line between two boxes over that of another line, by their places, where the middle gains `middle`.
    #[track_caller]
    fn check(board: &str, middle: i32, between: [usize; 2], other: [usize; 2], gain: i32) {
        let board = Board::parse(board).unwrap();
        let weights = Weights { middle, ..Weights::for_board(board.graph()) };
        let history = History::new(board.graph(), weights);
        let line = |ends: [usize; 2]| board.graph().strings().iter().position(|string| string.ends == ends.map(Some));
        let gain_of = |ends| history.gain(line(ends).unwrap() as u8);
        assert_eq!(gain_of(between) - gain_of(other), gain);
    }

    #[test]
    fn the_middle_gains_what_it_is_given() {
        check("3x3", 900, [1, 4], [0, 1], 450);
        check("open:5", -100, [1, 2], [0, 1], -50);
    }
}
