//! Rules of thumb against every stored position. The counts of 3x3 were also made by a script of its own, over exported positions.

use crate::common;

use common::{fails, json, says, solved};

#[test]
fn rules_of_thumb_on_3x3() {
    let dir = solved("3x3");
    says(dir.path(), &["solve", "3x3", "--penalty", "10", "--out", "nimstring"]);
    let survey = json(dir.path(), &["survey", "runs/3x3", "--nimstring", "nimstring", "--json"]);
    let counts = |i: usize| {
        let statement = &survey["statements"][i];
        (statement["tried"].as_u64().unwrap(), statement["right"].as_u64().unwrap())
    };
    assert_eq!(counts(0), (360, 348));
    let exceptions = &survey["statements"][0]["exceptions"];
    assert_eq!(exceptions.to_string(), r#"[{"kind":"with 1 long chain and 1 loop","positions":12}]"#);
    assert_eq!(counts(1), (246_702, 218_718));
    let share = |layer: u64| {
        let layers = survey["statements"][1]["layers"].as_array().unwrap();
        let of = layers.iter().find(|of| of["layer"] == layer).unwrap();
        (100.0 * of["right"].as_f64().unwrap() / of["tried"].as_f64().unwrap()).round()
    };
    assert_eq!((share(2), share(7)), (49.0, 97.0));
    let text = says(dir.path(), &["survey", "runs/3x3", "--plot", "3x3.svg"]);
    assert!(text.contains("\n  right in 348 of 360, 96.7 %\n") && !text.contains("nimstring"), "{text}");
    let plot = std::fs::read_to_string(dir.path().join("3x3.svg")).unwrap();
    assert_eq!(plot.matches(">percent</text>").count(), 2);
}

/// Each counterexample is one: the score that is told is that of the position.
#[test]
fn counterexamples_have_their_scores() {
    let dir = solved("3x3");
    let survey = json(dir.path(), &["survey", "runs/3x3", "--json"]);
    for statement in survey["statements"].as_array().unwrap() {
        let first = statement["first"].as_array().unwrap();
        assert_eq!(first.len(), 3, "{statement}");
        for text in first.iter().map(|text| text.as_str().unwrap()) {
            let (position, score) = text.split_once(", score ").unwrap();
            let answer = json(dir.path(), &["query", position, "--json"]);
            assert_eq!(answer["score"].to_string(), score, "{text}");
        }
    }
}

#[test]
fn other_runs_are_refused() {
    let dir = solved("2x2");
    says(dir.path(), &["solve", "2x2", "--penalty", "4", "--out", "four"]);
    fails(dir.path(), &["survey", "four"], 2, &["statements are about runs of the quiet space without penalty"]);
    let remedy = "'dab solve 2x2:0 --penalty 5 --out DIR' makes a run that does";
    fails(dir.path(), &["survey", "runs/2x2", "--nimstring", "four"], 2, &[remedy]);
}

/// The figures of RESULTS, and a plot of each statement.
#[track_caller]
fn check(board: &str, penalty: &str, expected: [(u64, u64); 3]) {
    let dir = solved(board);
    says(dir.path(), &["solve", board, "--penalty", penalty, "--out", "nimstring"]);
    let run = format!("runs/{board}");
    let text = says(dir.path(), &["survey", &run, "--nimstring", "nimstring", "--plot", "plot.svg", "--json"]);
    // Then comes a line about the picture.
    let survey: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let counts = survey["statements"].as_array().unwrap().iter();
    let counts: Vec<_> = counts.map(|of| (of["right"].as_u64().unwrap(), of["tried"].as_u64().unwrap())).collect();
    assert_eq!(counts, expected, "{board}");
    let plot = std::fs::read_to_string(dir.path().join("plot.svg")).unwrap();
    assert_eq!(plot.matches(">percent</text>").count(), 3, "{board}");
}

#[test]
fn rules_of_thumb_on_3x4() {
    check("3x4", "13", [(1_529, 1_696), (5_871_119, 8_013_353), (103, 145)]);
}

#[test]
#[ignore = "long: 257 million positions"]
fn rules_of_thumb_on_3x5() {
    check("3x5", "16", [(6_538, 6_868), (222_486_063, 256_767_048), (830, 1_142)]);
}

#[test]
#[ignore = "long: 1,101 million positions, 0.6 GB of files"]
fn rules_of_thumb_on_4x4() {
    check("4x4", "17", [(14_362, 15_774), (737_940_450, 1_101_464_179), (1_882, 2_677)]);
}
