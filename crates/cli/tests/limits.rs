//! Memory and disk: what `plan` foretells, what `solve` keeps to, and layers that are not kept.

use crate::common;

use std::fs;

use common::{dab, fails, json, says, stderr};

/// Layers whose score files are in a directory.
fn layers(dir: &std::path::Path) -> Vec<usize> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let numbers = entries.filter_map(|name| name.strip_prefix("layer-")?.strip_suffix(".score")?.parse().ok());
    let mut layers: Vec<usize> = numbers.collect();
    layers.sort_unstable();
    layers
}

#[test]
fn only_the_layers_that_are_wanted_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    for space in ["quiet", "full"] {
        let solve = |out: &str, args: &[&str]| {
            json(dir.path(), &[&["solve", "2x3", "--space", space, "--json", "--out", out], args].concat())
        };
        let (whole, part) = (format!("whole-{space}"), format!("part-{space}"));
        let expected = solve(&whole, &[]);
        let found = solve(&part, &["--keep", "6"]);
        for field in ["score", "best", "positions", "digest"] {
            assert_eq!(found[field], expected[field], "{space} {field}");
        }
        assert_eq!(layers(&dir.path().join(&part)), (0..=6).collect::<Vec<usize>>());
        assert_eq!(layers(&dir.path().join(&whole)).len(), 18);
        let again = dab(dir.path(), &["solve", "2x3", "--space", space, "--keep", "6", "--out", &part]).success();
        assert!(stderr(&again).contains("is already solved"), "{}", stderr(&again));

        // A position that was kept is answered from the files, any other is solved again.
        let score = |from: &str, position: &str| json(dir.path(), &["query", position, "--from", from, "--json"]);
        for (position, source) in [("2x3:7", "run"), ("2x3:ff", "solved")] {
            let [kept, all] = [score(&part, position), score(&whole, position)];
            assert_eq!((kept["source"].as_str(), &kept["score"]), (Some(source), &all["score"]), "{position}");
        }
        assert!(says(dir.path(), &["verify", &part]).contains("level checksums: 7 of 18 layers checked, all correct"));
        fails(dir.path(), &["verify", &part, "--level", "full"], 3, &["kept only 7 of 18 layers", "without --keep"]);
        says(dir.path(), &["book", &part, "--layers", "6", "--out", &format!("{space}.book")]);
        fails(dir.path(), &["book", &part, "--layers", "7", "--out", "no.book"], 3, &["did not keep layer 7"]);
    }
    // The layers that the full space kept agree with the quiet space.
    let found = json(dir.path(), &["crosscheck", "runs", "part-full", "whole-quiet", "--json"]);
    assert_eq!((found["layers"].as_u64(), found["disagreements"].as_u64()), (Some(7), Some(0)));
    assert!(found["positions"].as_u64().unwrap() > 1000);
    says(dir.path(), &["solve", "2x3", "--penalty", "1", "--out", "dear"]);
    fails(dir.path(), &["crosscheck", "runs", "whole-full", "dear"], 2, &["penalty 0", "penalty 1", "same game"]);
    fails(dir.path(), &["crosscheck", "runs", "whole-full", "part-quiet"], 3, &["kept only 7 of 18 layers"]);
}

#[test]
fn the_score_alone_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["solve", "3x3", "--keep", "0", "--out", "text"]);
    assert!(text.starts_with("3x3:0, quiet space: score -3\n"), "{text}");
    assert!(text.contains("best first moves  not kept"), "{text}");
    // Once more, from the files.
    let found = json(dir.path(), &["solve", "3x3", "--keep", "0", "--out", "text", "--json"]);
    assert_eq!((&found["score"], &found["best"]), (&(-3).into(), &serde_json::Value::Null));
    assert_eq!(layers(&dir.path().join("text")), [0]);
    assert!(found["digest"].is_string());
}

#[test]
fn what_cannot_fit_is_refused_with_what_would() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], pieces: &[&str]| fails(dir.path(), args, 5, pieces);
    refused(&["solve", "3x3", "--memory", "10M"], &["more memory with", "10M are allowed", "use --memory "]);
    refused(&["solve", "3x4", "--disk", "1M"], &["more disk: 1M are allowed; use --disk "]);
    refused(&["solve", "3x4", "--space", "full", "--disk", "5M"], &["use --disk ", "or --keep "]);
    // That needs no plan.
    let more =
        "positions need more than 794.2 GB of disk, but 1.1 GB are allowed; choose a start with more lines drawn";
    refused(&["solve", "5x5:1", "--disk", "1G"], &["5x5:1 (quiet space): 406,629,863,851,189", more]);
    refused(&["solve", "4x6", "--disk", "1G"], &["at least 56,462,965,948,301 positions", "1.1 GB are allowed"]);
    // No disk is large enough for these.
    refused(
        &["solve", "4x6", "--space", "full", "--memory", "1T"],
        &["are free for runs/4x6-full; choose another place"],
    );
    assert!(!dir.path().join("runs").exists());
}

#[test]
fn the_budgets_that_a_refusal_names_are_enough() {
    let dir = tempfile::tempdir().unwrap();
    for (args, name) in [
        (["3x4", "--memory", "10M"], "--memory"),
        (["3x4", "--disk", "1M"], "--disk"),
        (["2x5", "--disk", "1K"], "--disk"),
        (["5x5:510264066c84442", "--disk", "1M"], "--disk"),
    ] {
        let refused = stderr(&dab(dir.path(), &[&["solve"], &args[..]].concat()).failure());
        let named = refused.split_once(&format!("use {name} ")).unwrap().1.split_once([',', ' ', '\n']).unwrap().0;
        says(
            dir.path(),
            &["solve", args[0], name, named, "--out", &format!("{}-{}", &name[2..], args[0].replace(':', "-"))],
        );
    }
}

#[test]
fn plans_foretell_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &["2x6"][..],
        &["3x4"],
        &["3x4", "--space", "full"],
        &["3x5", "--start", "icelandic"],
        &["5x5:510264066c84442"],
    ] {
        let bytes = |verb| json(dir.path(), &[&[verb, "--json"], args].concat())["bytes"].as_f64().unwrap();
        let (forecast, taken) = (bytes("plan"), bytes("solve"));
        assert!((forecast / taken - 1.0).abs() < 0.1, "{args:?}: {forecast} forecast, {taken} taken");
    }
}

/// The most bytes that the files of a run take while a command works on it, each rounded up to a block.
#[cfg(target_os = "linux")]
fn peak_disk(dir: &std::path::Path, run: &str, args: &[&str]) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let mut solve = std::process::Command::new(env!("CARGO_BIN_EXE_dab"));
    let solve = solve.args(args).current_dir(dir).stdout(std::process::Stdio::null()).spawn();
    let (mut solve, mut peak) = (solve.unwrap(), 0);
    while solve.try_wait().unwrap().is_none() {
        let files = fs::read_dir(dir.join(run)).into_iter().flatten();
        let taken = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.blocks() * 512));
        peak = peak.max(taken.sum());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(solve.wait().unwrap().success());
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn the_disk_allowed_is_enough_and_never_exceeded() {
    let dir = tempfile::tempdir().unwrap();
    // Memory decides in which order slabs are solved, and so which of them are on disk at a time.
    let args = |verb| [verb, "3x5", "--keep", "10", "--memory", "512M"];
    let solve = |disk| [&args("solve")[..], &["--disk", disk]].concat();
    let refused = stderr(&dab(dir.path(), &solve("1M")).failure());
    let named = refused.split_once("use --disk ").unwrap().1.split_once([',', ' ', '\n']).unwrap().0;
    let (disk, peak) = (named.strip_suffix('M').unwrap(), peak_disk(dir.path(), "runs/3x5", &solve(named)));
    let plan = json(dir.path(), &[&args("plan")[..], &["--json"]].concat());
    let (forecast, all) = (plan["peak_bytes"].as_u64().unwrap(), plan["bytes"].as_u64().unwrap());
    assert!(forecast < all / 10 * 7, "{forecast} of {all}");
    // Up to a block for each of some files, and the manifest.
    assert!(peak <= disk.parse::<u64>().unwrap() * (1 << 20) + 100 * 4096, "{peak} taken, {named} allowed");
    assert!((forecast as f64 / peak as f64 - 1.0).abs() < 0.2, "{forecast} forecast, {peak} taken");
}

#[test]
fn the_last_layers_tell_the_bytes_of_starts_that_their_shape_misjudges() {
    let (dir, start) = (tempfile::tempdir().unwrap(), "4x5:14002106c1410");
    let plan = |more: &[&str]| json(dir.path(), &[&["plan", start, "--json"], more].concat());
    let (by_shape, measured) = (plan(&[]), plan(&["--measure", "0.05"]));
    let bytes = |plan: &serde_json::Value| plan["bytes"].as_f64().unwrap();
    assert_eq!(measured["written"]["foretold"], by_shape["bytes"]);
    assert!(measured["written"]["part"].as_f64() > Some(0.08), "{measured}");
    // By its shape this is refused; its last layers say that it fits.
    let [least, refused] = [&measured, &by_shape].map(|plan| plan["least_disk"].as_u64().unwrap());
    assert!(least < refused, "{least} measured, {refused} by shape");
    let disk = format!("{}K", ((least + refused) / 2) >> 10);
    let solved = json(dir.path(), &["solve", start, "--disk", &disk, "--json"]);
    let (foretold, taken) = (bytes(&measured), bytes(&solved));
    assert!((foretold / taken - 1.0).abs() < 0.1, "{foretold} foretold, {taken} taken");
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["runs"]);
    // Too little is refused after the last layers, too, and nothing is left.
    let run = dir.path().join("runs");
    fs::remove_dir_all(&run).unwrap();
    fails(dir.path(), &["solve", start, "--disk", "3M"], 5, &["use --disk"]);
    assert!(!run.exists());
}

/// The most memory that a command has used, in bytes, as the system says while it runs.
#[cfg(target_os = "linux")]
fn peak_memory(dir: &std::path::Path, args: &[&str]) -> u64 {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dab"))
        .args(args)
        .current_dir(dir)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let said = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(said.unwrap_or(0) << 10);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn plans_foretell_the_memory() {
    let dir = tempfile::tempdir().unwrap();
    let args = |verb| [verb, "3x5", "--threads", "2", "--memory", "4G"];
    let plan = json(dir.path(), &[&args("plan")[..], &["--json"]].concat());
    let (forecast, taken) = (plan["memory"].as_f64().unwrap(), peak_memory(dir.path(), &args("solve")) as f64);
    assert_eq!(plan["memory_is_guess"], false);
    assert!((forecast / taken - 1.0).abs() < 0.1, "{forecast} forecast, {taken} taken");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_within_its_bound() {
    // Scores of 372,868,311 bytes in all; without a bound a solve takes more than twice as much memory.
    check_memory(&["2x7"], 96);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: 5 * 10^8 positions, solved and verified"]
fn memory_stays_within_its_bound_on_3x5() {
    check_memory(&["3x5"], 192);
}

/// Solves and verifies a board within so many MiB.
#[cfg(target_os = "linux")]
fn check_memory(board: &[&str], memory: u64) {
    let (dir, bound) = (tempfile::tempdir().unwrap(), format!("{memory}M"));
    let solve = [&["solve", "--out", "run"], board].concat();
    for verb in [&solve[..], &["verify", "run", "--level", "sample"]] {
        let peak = peak_memory(dir.path(), &[verb, &["--threads", "2", "--memory", &bound]].concat());
        assert!(peak <= memory << 20, "{verb:?}: {peak} bytes");
    }
}
