//! Solving, planning and verifying.

mod common;

use common::{dab, json, says, solved, stderr};

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
