//! Costs that are measured on this machine, and plans with them.

use crate::common;

use std::fs;

use common::{fails, json, says};

#[test]
fn plans_rest_on_what_was_measured() {
    let dir = tempfile::tempdir().unwrap();
    let measure =
        |board: &str| json(dir.path(), &["plan", board, "--measure", "0.02", "--costs", "costs.jsonl", "--json"]);
    let one = measure("2x4");
    let slabs = one["residuals"][0]["slabs"].as_u64().unwrap();
    assert!(slabs > 0 && one["costs"]["slab"].as_f64() > Some(0.0), "{one}");
    let two = measure("3x3");
    let boards: Vec<&str> =
        two["residuals"].as_array().unwrap().iter().map(|of| of["position"].as_str().unwrap()).collect();
    assert_eq!(boards, ["2x4:0", "3x3:0"]);
    // Nothing but the costs is left.
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["costs.jsonl"]);

    let other = json(dir.path(), &["plan", "3x4", "--costs", "costs.jsonl", "--json"]);
    assert_eq!((&other["costs"], &other["residuals"]), (&two["costs"], &two["residuals"]));
    let seconds = |plan: &serde_json::Value| plan["seconds"].as_f64().unwrap();
    assert_ne!(seconds(&other), seconds(&json(dir.path(), &["plan", "3x4", "--json"])));
    let many = ["plan", "3x4", "--nodes", "2", "--costs", "costs.jsonl"];
    assert!(says(dir.path(), &many).contains("measured 3x3:0"));
}

#[test]
fn files_that_hold_no_costs_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    fails(
        dir.path(),
        &["plan", "3x3", "--costs", "none"],
        2,
        &["none has no measurements", "--measure 2 --costs none"],
    );
    for text in ["{}", "nonsense", "\n"] {
        fs::write(dir.path().join("costs"), text).unwrap();
        fails(dir.path(), &["plan", "3x3", "--costs", "costs"], 2, &["costs, line 1: not a measurement"]);
    }
    fs::create_dir(dir.path().join("dir")).unwrap();
    fails(dir.path(), &["plan", "3x3", "--costs", "dir"], 3, &["cannot read dir"]);
    for minutes in ["0", "-1", "soon", "NaN", "1e9"] {
        fails(dir.path(), &["plan", "3x3", &format!("--measure={minutes}")], 2, &["is no number of minutes"]);
    }
}
