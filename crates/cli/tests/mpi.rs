//! Real `mpirun`: the same scores as one process, whoever is killed in the middle.
#![cfg(all(feature = "mpi", unix))]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::says;
use serde_json::Value;
use tempfile::TempDir;

/// The game of a finished run, and the digests of it and of all its layers; not the files in which they lie.
fn digests(run: &Path) -> Value {
    let manifest: Value = serde_json::from_str(&fs::read_to_string(run.join("manifest.json")).unwrap()).unwrap();
    let layers: Vec<&Value> = manifest["finished"].as_array().unwrap().iter().map(|layer| &layer["digest"]).collect();
    assert_eq!(manifest["layers"], layers.len());
    serde_json::json!([manifest["game"], manifest["digest"], layers])
}

/// `dab solve BOARD --out RUN` by so many processes of one thread.
fn mpirun(n: usize, dir: &Path, board: &str, more: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", &n.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_dab")).args(["solve", board, "--threads", "1", "--out", "run"]).args(more);
    command.current_dir(dir).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The digests of all scores as one process writes them.
fn alone(board: &str) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let mut dab = Command::new(env!("CARGO_BIN_EXE_dab"));
    assert!(dab.args(["solve", board, "--out", "run"]).current_dir(dir.path()).output().unwrap().status.success());
    digests(&dir.path().join("run"))
}

/// The digests of 3x5, which several tests ask for.
static ALONE: LazyLock<Value> = LazyLock::new(|| alone("3x5"));

/// A solve succeeds and leaves a run with these digests, every byte of it intact.
#[track_caller]
fn succeeds(mut command: Command, dir: &Path, expected: &Value) {
    let output = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    assert_eq!(text.matches("digest ").count(), 1, "only the manager prints a result: {text}");
    assert_eq!(digests(&dir.join("run")), *expected);
    says(dir, &["verify", "run"]);
}

/// Process ids of mpirun's processes, by rank.
fn ranks(mpirun: &Child) -> BTreeMap<usize, u32> {
    let of_process = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let parent: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let mut variables = environment.split(|&byte| byte == 0);
        let rank = variables.find_map(|variable| variable.strip_prefix(b"OMPI_COMM_WORLD_RANK="))?;
        (parent == mpirun.id()).then_some((String::from_utf8_lossy(rank).parse().ok()?, pid))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| of_process(entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// Starts a solve, waits until a layer is finished, and sends a signal to a rank; returns how mpirun ended.
#[track_caller]
fn interrupted(mut command: Command, dir: &Path, layer: usize, rank: usize, signal: &str) -> (bool, String) {
    let solve = command.spawn().unwrap();
    let begin = Instant::now();
    while !dir.join(format!("run/layer-{layer:02}.score")).exists() {
        assert!(begin.elapsed() < Duration::from_secs(300), "layer {layer} never came");
        sleep(Duration::from_millis(1));
    }
    let pid = ranks(&solve)[&rank].to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    let output = solve.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn finished(dir: &TempDir) -> usize {
    let names = fs::read_dir(dir.path().join("run")).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".score")).count()
}

#[test]
fn the_same_scores_as_one_process() {
    for (board, expected) in [("3x4", &alone("3x4")), ("3x5", &*ALONE)] {
        for n in [2, 3] {
            let dir = tempfile::tempdir().unwrap();
            succeeds(mpirun(n, dir.path(), board, &[]), dir.path(), expected);
        }
    }
}

#[test]
fn kills_cost_no_more_than_slabs_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    // The last worker, the manager, and a worker again, each in a later layer of the same run.
    for (n, rank, layer) in [(3, 2, 21), (3, 0, 18), (2, 1, 15)] {
        let before = fs::metadata(dir.path().join("run/layer-21.score")).and_then(|file| file.modified()).ok();
        let (ended_well, _) = interrupted(mpirun(n, dir.path(), "3x5", &[]), dir.path(), layer, rank, "-KILL");
        assert!(!ended_well);
        let kept = fs::metadata(dir.path().join("run/layer-21.score")).unwrap().modified().unwrap();
        assert!(before.is_none_or(|before| before == kept), "a finished layer was written again");
    }
    succeeds(mpirun(2, dir.path(), "3x5", &[]), dir.path(), &ALONE);
}

#[test]
fn a_worker_that_hangs_ends_the_job_with_a_message() {
    let dir = tempfile::tempdir().unwrap();
    let solve = mpirun(2, dir.path(), "3x5", &["--patience", "3"]);
    let (ended_well, said) = interrupted(solve, dir.path(), 20, 1, "-STOP");
    assert!(!ended_well);
    assert!(said.contains("dab: rank 0: nothing was heard from rank 1 for "), "{said}");
    assert!(said.contains("run the same command again"), "{said}");
}

#[test]
fn damage_ends_the_job_with_a_message() {
    let dir = tempfile::tempdir().unwrap();
    interrupted(mpirun(2, dir.path(), "3x5", &[]), dir.path(), 18, 1, "-KILL");
    assert!(finished(&dir) >= 20);
    // Something that all of the next layer reads.
    let next = (0..).find(|layer| dir.path().join(format!("run/layer-{layer:02}.score")).exists()).unwrap();
    let of_next = |name: &str| name.starts_with(&format!("layer-{next:02}.")) && name.ends_with(".score");
    for entry in fs::read_dir(dir.path().join("run")).unwrap() {
        let path = entry.unwrap().path();
        if !of_next(path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        let mut bytes = fs::read(&path).unwrap();
        // The directory stays whole.
        let directory_at = u64::from_le_bytes(bytes[bytes.len() - 28..][..8].try_into().unwrap()) as usize;
        (1000..directory_at).step_by(1000).for_each(|at| bytes[at] ^= 1);
        fs::write(&path, bytes).unwrap();
    }
    let output = mpirun(3, dir.path(), "3x5", &[]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("dab: rank ") && said.contains("is damaged"), "{said}");
}

#[test]
fn what_cannot_begin_ends_the_job() {
    let dir = tempfile::tempdir().unwrap();
    let output = mpirun(2, dir.path(), "3x5", &["--memory", "10M"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("use --memory"), "{said}");
}
