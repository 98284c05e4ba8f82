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
