//! `dab search`: scores and bounds, limits of time and memory, and searches against a run.

use crate::common;

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{dab, dab_fed, fails, json, says, solved, stderr, stdout};
use serde_json::Value;

/// Most threads that a test starts, so that its memory is the same on any machine.
const THREADS: [&str; 2] = ["--threads", "2"];

#[test]
fn a_score_is_found_with_bounds_that_meet() {
    let dir = tempfile::tempdir().unwrap();
    for threads in ["1", "2", "5"] {
        let found = json(dir.path(), &["search", "3x3", "--json", "--threads", threads]);
        let [score, low, high] = ["score", "low", "high"].map(|field| found[field].as_i64());
        assert_eq!([score, low, high], [Some(-3); 3], "{found}");
        assert!(found["nodes"].as_u64().unwrap() > 100 && found["bytes"].as_u64().unwrap() > 0, "{found}");
    }
    assert!(says(dir.path(), &["search", "2x2"]).starts_with("2x2:0: score 2\nsearched "));
    let text = says(dir.path(), &["search", "1x1:7", "--penalty", "2"]);
    assert!(text.starts_with("1x1:7, last-move penalty 2: score -1\n"), "{text}");
    // An isolated loop of four boxes can be opened at no cost.
    assert_eq!(json(dir.path(), &["search", "3x3:ddb21d", "--json"])["score"], 0);
}

#[test]
fn time_that_runs_out_leaves_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let text = says(dir.path(), &["search", "5x5", "--time", "0"]);
    assert!(text.starts_with("5x5:0: score at least -25 and at most 25\n"), "{text}");
    let found = json(dir.path(), &["search", "5x5", "--time", "1s", "--json"]);
    assert!(found["score"].is_null() && found["low"].as_i64() < found["high"].as_i64(), "{found}");
    assert!(found["seconds"].as_f64().unwrap() >= 1.0);
    fails(dir.path(), &["search", "2x2", "--time", "3d"], 2, &["'3d' is no time", "such as 10m"]);
}

#[test]
fn bounds_are_told_while_it_searches() {
    let dir = tempfile::tempdir().unwrap();
    let search = ["search", "5x5", "--time", "3s"];
    let said = stderr(&dab(dir.path(), &search));
    assert!(said.starts_with("5x5:0: score at least -25 and at most 25, "), "{said}");
    assert_eq!(stderr(&dab(dir.path(), &[&search[..3], &["3s", "--quiet"]].concat())), "");
}

#[test]
fn batches_go_on_after_a_bad_line() {
    let dir = tempfile::tempdir().unwrap();
    let batch = "# three boards\n2x2\n3x3:x\n5x5:0\n-2\n+-+-+\n1x1:7\n3x3\n";
    let search = ["search", "--batch", "-", "--time", "2s"];
    let done = dab_fed(dir.path(), &search, batch).code(1);
    let answers: Vec<Value> = stdout(&done).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let scores: Vec<Option<i64>> = answers.iter().map(|answer| answer["score"].as_i64()).collect();
    assert_eq!(scores, [Some(2), None, None, None, None, Some(1), Some(-3)]);
    assert_eq!([&answers[1]["line"], &answers[3]["line"]], [3, 5]);
    assert!(answers[2]["low"].as_i64() < answers[2]["high"].as_i64(), "{}", answers[2]);
    // The penalty of the command line is that of every line; a Wilson file has its own.
    std::fs::write(dir.path().join("batch.txt"), "1x1:7\n1x1:7\n").unwrap();
    let text = says(dir.path(), &["search", "--batch", "batch.txt", "--penalty", "2"]);
    assert_eq!(text.matches("\"penalty\":2,\"score\":-1").count(), 2, "{text}");
    let done = dab_fed(dir.path(), &["search", "--batch", "-", "--strict"], "2x2\n2x2:x\n3x3\n").code(2);
    assert_eq!(stdout(&done).lines().count(), 1);
    fails(dir.path(), &["search", "2x2", "--batch", "batch.txt"], 2, &["cannot be used with"]);
}

#[test]
fn memory_out_of_reach_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |memory: &str, code: i32, pieces: &[&str]| {
        fails(dir.path(), &[&["search", "2x2", "--memory", memory][..], &THREADS].concat(), code, pieces);
    };
    refused("130T", 2, &["142.9 TB", "are free; use a smaller --memory"]);
    refused("1M", 5, &["2 threads", "1048576 are allowed", "use --memory 17M or fewer --threads"]);
    says(dir.path(), &[&["search", "2x2", "--memory", "17M"][..], &THREADS].concat());
}

/// A search of 5x5 that is ended by `end` after some seconds; returns its exit code, what it said and its peak memory.
#[cfg(target_os = "linux")]
fn search_5x5(args: &[&str], seconds: u64, end: impl Fn(u32)) -> (Option<i32>, String, u64) {
    let mut search = Command::new(env!("CARGO_BIN_EXE_dab"));
    let search = search.args(["search", "5x5"]).args(args).args(THREADS).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut search = search.spawn().unwrap();
    sleep(Duration::from_secs(seconds));
    let status = fs::read_to_string(format!("/proc/{}/status", search.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim();
    let peak_kib = peak.strip_suffix("kB").unwrap().trim().parse().unwrap();
    end(search.id());
    let _ = search.try_wait();
    let done = search.wait_with_output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap(), peak_kib)
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_bounds() {
    let interrupt = |id: u32| {
        assert!(Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success());
    };
    let (code, said, _) = search_5x5(&[], 1, interrupt);
    assert_eq!(code, Some(130));
    assert!(said.starts_with("5x5:0: score at least -"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_bound_on_memory_holds() {
    let (code, said, peak_kib) = search_5x5(&["--memory", "64M", "--time", "5"], 4, |_| ());
    assert_eq!(code, Some(0), "{said}");
    assert!(peak_kib < 64 << 10, "{peak_kib} KiB");
}

/// The default memory fits into the address space, and more is refused.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_address_space_is_no_failure() {
    let search = |more: &str| {
        let dab = env!("CARGO_BIN_EXE_dab");
        let search = format!("ulimit -v 3000000 && exec {dab} search 5x5 --time 2 --threads 2 --json {more}");
        Command::new("sh").args(["-c", &search]).output().unwrap()
    };
    let done = search("");
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && said.contains("\"low\""), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let refused = search("--memory 4G");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("use a smaller --memory"));
}

#[test]
fn searches_agree_with_a_run() {
    let dir = solved("2x3");
    let check =
        |args: &[&str]| json(dir.path(), &[&["crosscheck", "search", "--from", "runs/2x3", "--json"], args].concat());
    let found = check(&[]);
    // Every position that the run has.
    assert_eq!((&found["positions"], &found["layers"], &found["disagreements"]), (&3917.into(), &18.into(), &0.into()));
    let found = check(&["--positions", "500", "--first-layer", "6"]);
    assert_eq!((&found["positions"], &found["layers"], &found["disagreements"]), (&500.into(), &12.into(), &0.into()));
    let text = says(dir.path(), &["crosscheck", "search", "--from", "runs/2x3", "--seed", "2", "--positions", "99"]);
    assert!(text.starts_with("runs/2x3: 99 positions of 18 layers searched, through "), "{text}");
    assert!(text.ends_with("\n0 disagreements\n"), "{text}");
    fails(dir.path(), &["crosscheck", "search", "--from", "runs/2x3", "--first-layer", "40"], 2, &["no layer 40"]);
    // A run with a penalty, and a book.
    says(dir.path(), &["solve", "2x2", "--penalty", "1", "--out", "dear"]);
    says(dir.path(), &["book", "dear", "--layers", "5", "--out", "dear.book"]);
    for from in ["dear", "dear.book"] {
        let done = dab(dir.path(), &["crosscheck", "search", "--from", from]).success();
        assert!(stdout(&done).contains("\n0 disagreements"), "{}", stdout(&done));
    }
}
