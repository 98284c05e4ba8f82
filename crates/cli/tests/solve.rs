//! Solving, planning and verifying.

use crate::common;

use common::{dab, fails, files, json, says, solved, stderr};
use serde_json::Value;
use std::path::Path;

#[test]
fn solves_in_both_spaces() {
    let dir = tempfile::tempdir().unwrap();
    for (args, name) in [(&["solve", "3x3"][..], "3x3"), (&["solve", "3x3", "--space", "full"], "3x3-full")] {
        let text = says(dir.path(), args);
        assert!(text.contains("score -3\n"), "{text}");
        assert!(text.contains("best first moves  a4-b4 b4-c4 c4-d4 a3-b3 "), "{text}");
        assert!(dir.path().join("runs").join(name).join("manifest.json").is_file());
    }
}

#[test]
fn a_finished_run_answers_again() {
    let dir = solved("2x3");
    let first = json(dir.path(), &["solve", "2x3", "--json"]);
    assert_eq!((first["score"].as_i64(), first["position"].as_str()), (Some(-2), Some("2x3:0")));
    let again = dab(dir.path(), &["solve", "2x3"]).success();
    assert_eq!(
        stderr(&again),
        "runs/2x3 is already solved\nruns/2x3: layers 0-17 are kept as listed; 'dab verify runs/2x3' checks their blocks\n"
    );
    let other = json(dir.path(), &["solve", "2x3", "--json", "--out", "other", "--threads", "1", "--memory", "110M"]);
    for field in ["score", "best", "positions", "bytes", "digest"] {
        assert_eq!(first[field], other[field], "{field}");
    }
}

#[test]
fn starts_penalties_and_masks_have_their_own_runs() {
    let dir = tempfile::tempdir().unwrap();
    let solve = |args: &[&str]| {
        let report = json(dir.path(), &[&["solve", "--json"], args].concat());
        (report["score"].as_i64().unwrap(), report["dir"].as_str().unwrap().to_owned())
    };
    assert_eq!(solve(&["2x2", "--start", "swedish"]), (-4, "runs/2x2-swedish".to_owned()));
    assert_eq!(solve(&["2x2:b73"]), (-4, "runs/2x2-swedish".to_owned()));
    assert_eq!(solve(&["1x1", "--penalty", "100"]), (99, "runs/1x1-p100".to_owned()));
    assert_eq!(solve(&["1x1:7", "--space", "full"]), (1, "runs/1x1-7-full".to_owned()));
    assert_eq!(solve(&["1x2:7f"]), (0, "runs/1x2-7f".to_owned()));
}

#[test]
fn plans_agree_with_solves() {
    let dir = solved("3x3");
    let plan = json(dir.path(), &["plan", "3x3", "--json"]);
    let report = json(dir.path(), &["solve", "3x3", "--json"]);
    assert_eq!((&plan["positions"], &plan["dir"]), (&report["positions"], &report["dir"]));
    assert_eq!(plan["layers"].as_array().unwrap().len(), 25);
    // Every word of a solve is one of its plan.
    let words =
        ["3x3", "--keep", "9", "--disk", "1G", "--memory", "256M", "--check", "20", "--json", "--out", "checked"];
    let plan = json(dir.path(), &[&["plan"], &words[..]].concat());
    let report = json(dir.path(), &[&["solve"], &words[..]].concat());
    assert_eq!((&plan["positions"], &plan["dir"]), (&report["positions"], &report["dir"]));
    assert!(report["checked"].as_u64().unwrap() > 0);
    assert!(says(dir.path(), &["plan", "4x5"]).contains("memory "));
}

#[test]
fn verifies_on_every_level() {
    let dir = solved("2x3");
    for level in ["checksums", "sample", "full"] {
        let report = json(dir.path(), &["verify", "runs/2x3", "--level", level, "--json"]);
        assert_eq!((report["level"].as_str(), &report["finished"]), (Some(level), &report["layers"]));
        assert!(report["positions"].as_u64() > Some(100));
    }
}

#[test]
fn help_shows_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let help = says(dir.path(), &["--help"]);
    assert!(help.contains("board → space → solve → store → book → dab → cli"), "{help}");
    for verb in ["solve", "plan", "query", "verify", "endgame"] {
        assert!(help.contains(&format!("\n  {verb} ")), "{help}");
        let example = format!("    dab {verb} ");
        assert!(says(dir.path(), &[verb, "--help"]).contains(&example), "{verb}");
    }
    for what in ["endgames", "board"] {
        assert!(says(dir.path(), &["crosscheck", what, "--help"]).contains("    dab crosscheck "), "{what}");
    }
}

/// A run that stops before its start is solved answers for the layers that it has; when it goes on, its files are those of a solve in
/// one go.
#[test]
fn a_solve_stops_at_a_layer_and_goes_on_later() {
    let (dir, whole) = (tempfile::tempdir().unwrap(), solved("3x3"));
    let stopped = json(dir.path(), &["solve", "3x3", "--down-to", "12", "--json"]);
    let plan = json(dir.path(), &["plan", "3x3", "--down-to", "12", "--json"]);
    assert_eq!(stopped["positions"], plan["positions"]);
    assert_eq!((&stopped["score"], &stopped["digest"]), (&Value::Null, &"".into()));
    assert_eq!(plan["layers"].as_array().unwrap().len(), 13);
    let run = dir.path().join("runs/3x3");
    let (before, after) = (files(&run), files(&whole.path().join("runs/3x3")));
    assert_eq!(before.keys().filter(|name| name.starts_with("layer-")).count(), 13);
    assert!(
        before
            .iter()
            .filter(|(name, _)| name.starts_with("layer-"))
            .all(|(name, bytes)| after[name].len() == bytes.len())
    );
    // Of 12 and of 11 drawn lines.
    let [is_there, is_not] = [0xfff, 0x7ff].map(|drawn| format!("3x3:{drawn:x}"));
    let ask = |dir: &Path, position: &str| says(dir, &["query", position, "--from", "runs/3x3", "--json"]);
    assert_eq!(ask(dir.path(), &is_there), ask(whole.path(), &is_there));
    fails(dir.path(), &["query", &is_not, "--from", "runs/3x3"], 3, &["layer 11 of runs/3x3 is not solved yet"]);
    // Nothing happens if these layers are there.
    assert!(says(dir.path(), &["solve", "3x3", "--down-to", "20"]).contains("the start is not solved yet"));
    assert_eq!(files(&run), before);
    says(dir.path(), &["solve", "3x3"]);
    // Slabs come in the order in which they were finished, but the manifest has the same digests.
    let now = files(&run);
    assert_eq!(now["manifest.json"], after["manifest.json"]);
    assert!(now.keys().eq(after.keys()));
    fails(dir.path(), &["solve", "3x3", "--down-to", "25"], 2, &["3x3:0 has 25 layers from 0 on and no layer 25"]);
    fails(dir.path(), &["solve", "3x3", "--down-to", "9", "--keep", "9"], 2, &["cannot be used with"]);
    let refused = stderr(&dab(dir.path(), &["solve", "3x4", "--down-to", "9", "--disk", "1M"]).failure());
    assert!(refused.contains("use --disk") && !refused.contains("--keep"), "{refused}");
}
