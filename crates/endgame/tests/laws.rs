//! Every theorem on every position of whole families. `dab crosscheck endgames` runs the same at full size.

use crate::{
    Family, Position,
    allcock::{self, Case},
    buzzard_ciere,
    check::{self, Report},
    recursion::FamilyValues,
};

/// Runs every theorem on `family` in two threads; each must have been tried, and none may fail.
#[track_caller]
fn check(family: Family, n_positions: u64, is_amalgamated: bool) {
    let values = FamilyValues::new(family);
    let chunks: Vec<_> = check::chunks(&values.family, 10_000).collect();
    let half = |from: usize| {
        let mine = chunks.iter().skip(from).step_by(2).cloned();
        mine.map(|ranks| check::check(&values, ranks)).fold(Report::default(), Report::merge)
    };
    let report = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        half(0).merge(odd.join().unwrap())
    });
    assert_eq!(report.n_positions, n_positions);
    for (theorem, tally) in &report.tallies {
        assert_eq!(tally.failed, 0, "{theorem} fails at {}", tally.first_failure.as_ref().unwrap());
        // Amalgamated positions are those that Corollaries 5 and 8, Lemmas 6 and 9 leave alone.
        let merges = ["Corollary 5", "Lemma 6", "Corollary 8", "Lemma 9"];
        let is_merge = merges.iter().any(|name| theorem.ends_with(name));
        assert_eq!(tally.tried == 0, is_merge && is_amalgamated, "{theorem}");
    }
}

#[test]
fn every_theorem_on_all_positions_up_to_size_40() {
    check(Family::all(40), 57_781, false);
}

#[test]
fn every_theorem_on_amalgamated_positions_up_to_size_60() {
    check(Family::amalgamated(60), 46_499, true);
}

#[test]
fn every_theorem_on_all_positions_up_to_size_60() {
    check(Family::all(60), 2_309_440, false);
}

#[test]
fn every_theorem_on_amalgamated_positions_up_to_size_121() {
    check(Family::amalgamated(121), 1_496_317, true);
}

/// Counted by another program, too, which enumerates chains and loops one by one.
#[test]
fn statements_on_all_positions_with_odd_loops_up_to_size_30() {
    check(Family::with_odd_loops(30), 14_824, false);
}

#[test]
fn cases_of_allcock_4_1_on_amalgamated_positions_up_to_size_121() {
    let family = Family::amalgamated(121);
    let mut counts = [0; 5];
    for rank in 1..family.n_positions() {
        counts[match allcock::explicit_value(&family.position(rank)).1 {
            Case::Empty => unreachable!("only rank 0 is empty"),
            Case::Large => 0,
            Case::Zero => 1,
            Case::Distance => 2,
            Case::ManySixLoopsOdd | Case::ManySixLoopsTwo | Case::ManySixLoopsFour => 3,
            Case::Other => 4,
        }] += 1;
    }
    assert_eq!(counts, [861_861, 15_570, 57_130, 14_823, 546_932]);
}

/// Deep multiplicities, where the recursion over sizes does not reach: the three values agree.
#[test]
fn values_agree_for_many_equal_components() {
    for rest in ["0", "3", "3^2", "5", "8l", "3+5", "3+9+8l", "4+10l"] {
        for f in (0..400).step_by(7) {
            for s in (0..400).step_by(9) {
                let mut text = rest.to_owned();
                text += &if f > 0 { format!("+4l^{f}") } else { String::new() };
                text += &if s > 0 { format!("+6l^{s}") } else { String::new() };
                let g: Position = text.trim_start_matches("0+").parse().unwrap();
                let v = allcock::value(&g);
                assert_eq!(allcock::procedural_value(&g), v, "{g}");
                assert_eq!(buzzard_ciere::value(&g), v, "{g}");
            }
        }
    }
}
