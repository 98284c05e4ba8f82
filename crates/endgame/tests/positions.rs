//! Positions: their text form, their counts, their parts put together, and whole families of them.

mod notation {
    use crate::Position;

    #[track_caller]
    fn check(text: &str, canonical: &str) {
        assert_eq!(text.parse::<Position>().unwrap().to_string(), canonical);
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        assert_eq!(text.parse::<Position>().unwrap_err().to_string(), message);
    }

    #[test]
    fn canonical_form() {
        check("3^2+4+6l+8l^3", "3^2+4+6l+8l^3");
        check("8l^3+6l+4+3^2", "3^2+4+6l+8l^3");
        check("3+3+10+4l^1+3", "3^3+10+4l");
        for text in ["3 4 6l", "3,4,6l", "3 + 4, 6l "] {
            check(text, "3+4+6l");
        }
        check("0", "0");
        check("007", "7");
        check("3^4294967295+4l^4294967295", "3^4294967295+4l^4294967295");
        check("9223372036854775807", "9223372036854775807");
    }

    #[test]
    fn components_that_do_not_exist() {
        check_error("2", "column 1: a chain has at least 3 boxes, not 2");
        check_error("3+0", "column 3: a chain has at least 3 boxes, not 0");
        check_error("3+2l", "column 3: a loop has at least 4 boxes, not 2");
        check_error("5l", "column 1: a loop has an even number of boxes, not 5");
        check_error("3^2+5l^2", "column 5: a loop has an even number of boxes, not 5");
    }

    #[test]
    fn counts() {
        check_error("3^", "column 3: expected a count, found the end");
        check_error("3^+4", "column 3: expected a count, found '+'");
        check_error("3^0", "column 3: a count is at least 1; leave the component out instead");
        check_error("4l^4294967296", "column 4: the count 4294967296 is above 4294967295");
        check_error("3^4294967295+4+3", "column 16: more than 4294967295 components 3");
    }

    #[test]
    fn sizes() {
        check_error("18446744073709551616", "column 1: the length 18446744073709551616 is above 18446744073709551615");
        check_error("18446744073709551615", "column 1: more than 9223372036854775807 boxes in all");
        check_error("4+9223372036854775807", "column 3: more than 9223372036854775807 boxes in all");
        check_error("4294967296^4294967295", "column 1: more than 9223372036854775807 boxes in all");
    }

    #[test]
    fn garbage() {
        check_error("", "column 1: expected the length of a component, found the end");
        check_error("3+", "column 3: expected the length of a component, found the end");
        check_error("+3", "column 1: expected the length of a component, found '+'");
        check_error("l", "column 1: expected the length of a component, found 'l'");
        check_error("-3", "column 1: expected the length of a component, found '-'");
        check_error("3 + + 4", "column 5: expected the length of a component, found '+'");
        check_error("6L", "column 2: expected `+`, found 'L'");
        check_error("3^2l", "column 4: expected `+`, found 'l'");
        check_error("3+é", "column 3: expected the length of a component, found 'é'");
        check_error("3^2^2", "column 4: expected `+`, found '^'");
    }
}

mod position {
    use crate::Component::{self, Chain, Loop};
    use crate::{Position, PositionError};

    fn position(multiset: &[(Component, u32)]) -> Position {
        Position::from_multiset(multiset.iter().copied()).unwrap()
    }

    #[test]
    fn parts_are_sorted_and_merged() {
        let g = position(&[(Loop(6), 1), (Chain(4), 2), (Chain(3), 1), (Loop(4), 0), (Chain(4), 1)]);
        assert_eq!(g.multiset(), [(Chain(3), 1), (Chain(4), 3), (Loop(6), 1)]);
        assert_eq!(g.size(), 21);
        assert_eq!(g.without(Chain(3)).without(Chain(4)), position(&[(Chain(4), 2), (Loop(6), 1)]));
    }

    #[test]
    fn extremes() {
        let g = position(&[(Chain(3), 2), (Chain(9), 1), (Loop(4), 1), (Loop(10), 5)]);
        assert_eq!(g.shortest_chain(), Some(Chain(3)));
        assert_eq!(g.longest_chain(), Some(Chain(9)));
        assert_eq!(g.shortest_loop(), Some(Loop(4)));
        assert_eq!(g.longest_loop(), Some(Loop(10)));
        let loops = position(&[(Loop(4), 1)]);
        assert_eq!((loops.shortest_chain(), loops.longest_chain()), (None, None));
        let chains = position(&[(Chain(4), 1)]);
        assert_eq!((chains.shortest_loop(), chains.longest_loop()), (None, None));
    }

    #[test]
    fn wrong_components_are_refused_and_change_nothing() {
        let mut g = position(&[(Chain(3), u32::MAX)]);
        let before = g.clone();
        for (component, count, error) in [
            (Chain(2), 1, PositionError::ShortChain(2)),
            (Chain(0), 0, PositionError::ShortChain(0)),
            (Loop(2), 1, PositionError::ShortLoop(2)),
            (Loop(5), 1, PositionError::OddLoop(5)),
            (Chain(3), 1, PositionError::TooMany(Chain(3))),
            (Chain(u64::MAX), 1, PositionError::TooLarge),
        ] {
            assert_eq!(g.add(component, count), Err(error));
        }
        assert_eq!(g, before);
    }
}

mod totals {
    use crate::Component::{Chain, Loop};
    use crate::Totals;

    #[test]
    fn plus_and_minus_are_inverse() {
        let none = Totals::default();
        for component in [Chain(3), Chain(7), Loop(4), Loop(6), Loop(20)] {
            let some = none.plus(Chain(3), 2).unwrap().plus(Loop(4), 1).unwrap();
            let more = some.plus(component, 1).unwrap();
            assert_eq!(more.minus(component), some, "{component}");
            assert_eq!(more.size, some.size + component.n_boxes());
        }
    }

    #[test]
    fn the_size_stays_within_i64() {
        let most = i64::MAX.cast_unsigned();
        assert_eq!(Totals::default().plus(Chain(most), 1).unwrap().size, most);
        assert_eq!(Totals::default().plus(Chain(most), 2), None);
        assert_eq!(Totals::default().plus(Chain(most), 1).unwrap().plus(Chain(3), 1), None);
        assert_eq!(Totals::default().plus(Loop(u64::MAX - 1), u32::MAX), None);
        assert_eq!(Totals::default().plus(Loop(u64::MAX - 1), 1), None);
    }
}

mod component {
    use crate::Component::{Chain, Loop};

    #[test]
    fn an_opened_component_is_worth_the_better_reply() {
        for component in [Chain(3), Chain(10), Loop(4), Loop(12)] {
            let (n, h) = (component.n_boxes().cast_signed(), component.handout());
            for rest in 0..20 {
                let (keep, give_up) = (n - 2 * h + rest, n - rest);
                assert_eq!(component.opened(rest), keep.max(give_up), "{component} {rest}");
            }
        }
    }

    #[test]
    fn chains_sort_before_loops() {
        assert!(Chain(9) < Loop(4) && Chain(3) < Chain(4) && Loop(4) < Loop(6));
        assert_eq!(format!("{} {}", Chain(3), Loop(4)), "3 4l");
    }
}

mod amalgamation {
    use crate::Position;
    use crate::amalgamate::{amalgamate_chains, amalgamate_loops};

    #[track_caller]
    fn check(text: &str, chains: &str, loops: &str, both: &str) {
        let g: Position = text.parse().unwrap();
        assert_eq!(amalgamate_chains(&g).to_string(), chains);
        assert_eq!(amalgamate_loops(&g).to_string(), loops);
        assert_eq!(amalgamate_chains(&amalgamate_loops(&g)).to_string(), both);
    }

    #[test]
    fn by_hand() {
        check("0", "0", "0", "0");
        check("3^2+4l+6l^5", "3^2+4l+6l^5", "3^2+4l+6l^5", "3^2+4l+6l^5");
        check("5^2", "6", "5^2", "6");
        check("3+4^3+8l^2", "3+4+8l^2", "3+4^3+8l", "3+4+8l");
        check("4+7^2+6l+10l^3", "10+6l+10l^3", "4+7^2+6l+14l", "10+6l+14l");
        check("1000000^4000000", "3999984000004", "1000000^4000000", "3999984000004");
    }
}

mod family {
    use crate::Family;
    use crate::amalgamate::{amalgamate_chains, amalgamate_loops};

    #[test]
    fn published_counts() {
        assert_eq!(Family::all(40).n_positions(), 57_780 + 1);
        assert_eq!(Family::all(60).n_positions(), 2_309_440);
        assert_eq!(Family::all(90).n_positions(), 246_792_887);
        assert_eq!(Family::all(121).n_positions(), 15_813_404_153);
        assert_eq!(Family::amalgamated(120).n_positions(), 1_435_797);
        assert_eq!(Family::amalgamated(121).n_positions(), 1_496_317);
        assert_eq!(Family::amalgamated(160).n_positions(), 6_033_798);
    }

    #[test]
    fn counts_fit_for_every_size() {
        assert!(Family::all(u8::MAX).n_positions() < u64::MAX);
        assert!(Family::with_odd_loops(u8::MAX).n_positions() < u64::MAX);
        // The empty one, 3, 4, 5, 6, 7, 3 + 3, 3 + 4 and the loops 4 to 7 with 3 + 4l.
        assert_eq!(Family::with_odd_loops(7).n_positions(), 13);
    }

    #[test]
    fn ranks_are_a_bijection_and_follow_removal() {
        let odd = Family::with_odd_loops(27);
        for family in [Family::all(30), Family::amalgamated(45), odd, Family::all(3), Family::all(2)] {
            for rank in 0..family.n_positions() {
                let g = family.position(rank);
                assert!(g.size() <= family.max_size.into());
                assert_eq!(family.rank(&g), rank);
                for component in g.components() {
                    assert!(family.rank(&g.without(component)) < rank);
                }
            }
        }
    }

    #[test]
    fn amalgamated_positions_are_those_that_amalgamation_keeps() {
        let all = Family::all(36);
        let kept = (0..all.n_positions())
            .map(|rank| all.position(rank))
            .filter(|g| amalgamate_chains(&amalgamate_loops(g)) == *g);
        assert_eq!(kept.count() as u64, Family::amalgamated(36).n_positions());
    }
}
