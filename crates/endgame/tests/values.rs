//! Values and openings: each theorem on its own, by hand and within its hypotheses.

mod explicit {
    use crate::Position;
    use crate::allcock::explicit_value;

    #[track_caller]
    fn check(text: &str, value: i64, case: &str) {
        let g: Position = text.parse().unwrap();
        let (v, c) = explicit_value(&g);
        assert_eq!((v, c.to_string().as_str()), (value, case), "{text}");
    }

    #[test]
    fn one_position_of_each_case() {
        check("0", 0, "empty position");
        check("3^2+4+6l", 2, "Allcock 4.1(4)");
        check("10l", 10, "Allcock 4.1(1)");
        check("3+5+4l", 0, "Allcock 4.1(2)");
        check("3^2+4l", 2, "Allcock 4.1(4)");
        check("3+4l^2", 3, "Allcock 4.1(3a)");
        check("4l^2", 0, "Allcock 4.1(2)");
        check("4l^3", 4, "Allcock 4.1(3a)");
        check("3+6l^2", 3, "Allcock 4.1(3b i)");
        check("4+6l^3", 2, "Allcock 4.1(3b ii)");
        check("4+6l^2", 4, "Allcock 4.1(3b iii)");
    }

    #[test]
    fn huge_counts_cost_nothing_and_do_not_overflow() {
        check("4l^4294967295", 4, "Allcock 4.1(3a)");
        check("4l^4294967294", 0, "Allcock 4.1(3a)");
        check("3^4294967295+4l^4294967295+6l^4294967295", 1, "Allcock 4.1(4)");
        check("9223372036854775807", i64::MAX, "Allcock 4.1(1)");
        check("8l+18+6l^9+3+4l^101", 1, "Allcock 4.1(3b i)");
    }
}

mod procedural {
    use crate::Position;
    use crate::Totals;
    use crate::allcock::{core, iterate_phi, iterate_sigma, procedural_value, process};
    use crate::controlled::controlled_value;

    #[test]
    fn iterates_in_constant_time() {
        for start in 0..60 {
            let (mut sigma, mut phi) = (start, start);
            for times in 0..60 {
                assert_eq!(iterate_sigma(start, times), sigma, "Σ^{times}({start})");
                assert_eq!(iterate_phi(start, times), phi, "Φ^{times}({start})");
                sigma = (sigma - 4).abs() + 2;
                phi = (phi - 4).abs();
            }
        }
        assert_eq!(iterate_sigma(i64::MAX, u64::MAX), 3);
        assert_eq!(iterate_phi(i64::MAX, u64::MAX), 3);
    }

    #[test]
    fn example_4_3() {
        let g: Position = "8l+18+6l^9+3+4l^101".parse().unwrap();
        assert_eq!(controlled_value(core(&g).unwrap()), 18);
        assert_eq!(iterate_sigma(18, 7), 4);
        assert_eq!(iterate_sigma(18, 9), 4);
        assert_eq!(procedural_value(&g), 1);
    }

    #[test]
    fn the_core_keeps_a_lone_three_chain() {
        let core_of = |text: &str| core(&text.parse::<Position>().unwrap());
        let totals = |text: &str| Some(text.parse::<Position>().unwrap().totals());
        assert_eq!(core_of("3+4l+6l+8l"), totals("3+8l"));
        assert_eq!(core_of("3+4+4l+6l+8l"), totals("4+8l"));
        assert_eq!(core_of("4l^2+6l"), totals("0"));
        assert_eq!(core_of("3^2"), None);
    }

    #[test]
    fn the_empty_position_needs_no_exception() {
        assert_eq!(process(Totals::default()), Some(0));
    }
}

mod midgame {
    use crate::Position;
    use crate::allcock::{goals, is_small_four, is_small_zero, is_zero_at_zero};

    fn parse(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn goals_of_small_leads() {
        let held = |text: &str, lead| -> Vec<&str> {
            goals(&parse(text), lead).into_iter().filter(|goal| goal.holds).map(|goal| goal.text).collect()
        };
        assert_eq!(held("3+5+4l", 1), ["c = 0 and a 4-loop, but not 3^2+4l"]);
        assert!(held("3^2+4l", 1).is_empty() && goals(&parse("3^2+4l"), 1).len() == 3);
        // Misprinted in the paper: size 11 is 3 modulo 4, and v = 3.
        assert!(held("3+4l^2", 2).is_empty());
        assert_eq!(held("3^2+4+6l", 3), ["a 3-chain"]);
        for (text, lead) in [("0", 1), ("4l", 1), ("3^3", 1), ("3^3", 3), ("3^3", 0), ("3^3", 4)] {
            assert!(goals(&parse(text), lead).is_empty(), "{text} {lead}");
        }
    }

    #[test]
    fn hypotheses() {
        assert_eq!(is_small_zero(&parse("0")), None);
        assert_eq!(is_small_zero(&parse("4l^2")), None);
        assert_eq!(is_small_zero(&parse("4+4l+6l^2+8l")), None);
        assert_eq!(is_zero_at_zero(&parse("0")), None);
        assert_eq!(is_zero_at_zero(&parse("4l")), None);
        assert_eq!(is_small_four(&parse("4l")), None);
        assert_eq!(is_small_four(&parse("4l^7")), None);
    }
}

mod opener {
    use crate::Position;
    use crate::allcock::opening;

    #[test]
    fn example_1_2() {
        let mut g: Position = "3^5+4l+8l".parse().unwrap();
        let mut line = Vec::new();
        while let Some(component) = opening(&g) {
            line.push(component.to_string());
            g = g.without(component);
        }
        assert_eq!(line, ["3", "3", "4l", "3", "3", "8l", "3"]);
    }
}

mod buzzard_ciere_value {
    use crate::Position;
    use crate::Totals;
    use crate::buzzard_ciere::*;

    fn totals(text: &str) -> Totals {
        text.parse::<Position>().unwrap().totals()
    }

    #[test]
    fn lemma_21_is_the_iteration() {
        for w in 0..40_i64 {
            let mut v = w;
            for f in 0..40_u64 {
                if w - 4 * f.cast_signed() <= 4 {
                    assert_eq!(add_four_loops(w, f), v, "w = {w}, f = {f}");
                }
                v = (4 - v).abs();
            }
        }
    }

    #[test]
    fn each_theorem_keeps_to_its_hypotheses() {
        type Theorem = fn(Totals) -> Option<i64>;
        let theorems: [Theorem; 6] = [
            value_of_chains,
            value_of_loops,
            value_without_three_chains,
            value_beside_three_chain,
            value_with_one_three_chain,
            value_with_three_chains,
        ];
        for (text, applies) in [
            ("0", [false, true, true, false, false, false]),
            ("4l^2", [false, true, true, false, false, false]),
            ("3", [true, false, false, false, false, false]),
            ("3+4", [true, false, false, false, true, false]),
            ("3^2", [true, false, false, false, false, true]),
            ("4+4l", [false, false, true, false, false, false]),
            ("3+4l", [false, false, false, true, false, false]),
            ("3+5+4l", [false, false, false, false, true, false]),
        ] {
            assert_eq!(theorems.map(|theorem| theorem(totals(text)).is_some()), applies, "{text}");
        }
    }

    #[test]
    fn examples_of_the_paper() {
        assert_eq!(value(totals("3+4+4l^100+6l^100")), 3);
        assert_eq!(value_without_three_chains(totals("4+6l^100")), Some(4));
        assert_eq!(value(totals("3+6l^3")), 1);
        assert_eq!(value_beside_three_chain(totals("3+4l")), Some(1));
        assert_eq!(value(totals("3^2+4l")), 2);
    }
}

mod buzzard_ciere_opening {
    use crate::Position;
    use crate::buzzard_ciere::*;

    #[test]
    fn each_theorem_keeps_to_its_hypotheses() {
        let theorems = [
            opening_one_kind,
            opening_without_three_chains,
            opening_beside_three_chain,
            opening_with_one_three_chain,
            opening_with_three_chains,
        ];
        for (text, applies) in [
            ("0", [false, false, false, false, false]),
            ("3", [true, false, false, false, false]),
            ("4l", [true, true, false, false, false]),
            ("4+4l", [false, true, false, false, false]),
            ("3+4l", [false, false, true, false, false]),
            ("3+4+4l", [false, false, false, true, false]),
            ("3^2+4l", [false, false, false, false, true]),
        ] {
            let g: Position = text.parse().unwrap();
            assert_eq!(theorems.map(|theorem| theorem(&g).is_some()), applies, "{text}");
        }
    }
}

mod openings {
    use crate::Position;
    use crate::openings::{opened, optimal_openings};

    #[track_caller]
    fn check(text: &str, openings: &str, expected_replies: &str) {
        let g: Position = text.parse().unwrap();
        let open: Vec<_> = optimal_openings(&g).iter().map(ToString::to_string).collect();
        assert_eq!(open.join(","), openings, "{text}");
        let all: Vec<_> = opened(&g).iter().map(|o| format!("{} {}", o.component, o.reply)).collect();
        assert_eq!(all.join(", "), expected_replies, "{text}");
    }

    #[test]
    fn by_hand() {
        check("0", "", "");
        check("7", "7", "7 give up");
        check("3+4l", "4l", "3 keep, 4l give up");
        check("3^2", "3", "3 keep");
        check("3^3", "3", "3 either");
        check("4+6l", "6l", "4 keep, 6l either");
        check("4^2+6l", "4,6l", "4 either, 6l either");
        check("6l+10l", "6l,10l", "6l keep, 10l keep");
    }
}

mod endgame {
    use crate::Endgame;
    use crate::controlled::controlled_value;
    use crate::openings::Opened;
    use crate::{Family, recursion::FamilyValues};

    fn endgame(text: &str) -> Endgame {
        text.parse().unwrap()
    }

    #[test]
    fn odd_loops() {
        // Remark 16, and Theorem 18, which would open the loop first.
        let g = endgame("7l^2+4");
        assert_eq!((g.to_string().as_str(), controlled_value(&g), g.solve().value), ("4+7l^2", 2, 4));
        let open = |text: &str| {
            let solved = endgame(text).solve();
            let best = solved.openings.iter().filter(|opened| opened.value == solved.value);
            best.map(|opened| opened.component.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(open("4+5l^2"), ["4"]);
        assert_eq!(open("7l"), ["7l"]);
        assert!(endgame("5l").as_simple().is_none() && endgame("6l").as_simple().is_some());
        assert_eq!("3l".parse::<Endgame>().unwrap_err().to_string(), "column 1: a loop has at least 4 boxes, not 3");
    }

    #[test]
    fn theorems_and_recursion_agree() {
        let values = FamilyValues::new(Family::all(24));
        for rank in 0..values.family.n_positions() {
            let g = values.family.position(rank);
            let solved = Endgame::from(g.clone()).solve();
            assert_eq!(solved.value, values.value(&g));
            for opened in solved.openings {
                assert_eq!(opened, Opened::new(opened.component, values.value(&g.without(opened.component))), "{g}");
            }
        }
    }
}

mod any_loops {
    use crate::Position;
    use crate::any_loops::value;
    use crate::tests::subpositions::Subpositions;

    /// The check of families reaches no counts like these.
    #[test]
    fn many_equal_components() {
        for rest in ["0", "3", "3^2", "4", "4^3", "5", "9l", "3+4", "3+4+9l", "4+30l", "3+8+10l", "40", "40l"] {
            for loops in ["4l", "5l", "6l", "7l", "4l+5l", "5l+6l", "6l+7l", "4l+7l", "5l+7l", "4l+5l+6l+7l"] {
                for n in [1, 2, 3, 20, 31, 40] {
                    let loops = loops.replace('l', &format!("l^{n}")).replace("4l^", "4l^1");
                    let text = format!("{rest}+{loops}");
                    let g: Position = crate::notation::parse(text.trim_start_matches("0+"), Position::add_any).unwrap();
                    let most = 1 << 22;
                    let Ok(table) = Subpositions::new(&g, most) else { continue };
                    assert_eq!(value(&g), table.value(), "{g}");
                }
            }
        }
    }

    #[test]
    fn any_number_takes_no_time() {
        let g = crate::notation::parse("4+4l^4000000001+5l^4000000000+7l^4294967295", Position::add_any).unwrap();
        assert!((0..=4).contains(&value(&g)));
    }
}
