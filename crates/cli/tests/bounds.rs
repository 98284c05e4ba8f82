//! Memory and time: no command takes more than it may, whatever it is asked or given.
#![cfg(target_os = "linux")]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{fails, says, solved};
use dab_board::{Board, Position};
use dab_space::cuts::straight_cuts;
use dab_space::partition::Partition;
use dab_space::{SpaceKind, Units};
use dab_store::Game;

const MIB: u64 = 1 << 20;

/// Bytes that the program takes beside what it may use: itself, its threads, memory that was given back.
const BESIDE: u64 = 32 * MIB;

/// Runs the program in `dir`; returns what it said, and the most bytes that it had.
fn watched(dir: &Path, args: &[&str]) -> (Output, u64) {
    let mut dab = Command::new(env!("CARGO_BIN_EXE_dab"));
    let dab = dab.current_dir(dir).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", dab.id());
    let waiting = std::thread::spawn(move || dab.wait_with_output().unwrap());
    let mut peak = 0;
    while !waiting.is_finished() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let now = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now.unwrap_or(0) << 10);
        sleep(Duration::from_millis(1));
    }
    (waiting.join().unwrap(), peak)
}

/// The program answers or refuses within the memory that it may use; what it says.
#[track_caller]
fn bounded(dir: &Path, args: &[&str], mebibytes: u64) -> (Option<i32>, String) {
    let memory = format!("{mebibytes}M");
    let (output, peak) = watched(dir, &[args, &["--memory", &memory]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(peak <= mebibytes * MIB + BESIDE, "{args:?}: {} MiB of {mebibytes}: {said}", peak / MIB);
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    (output.status.code(), said)
}

/// As [`bounded`], and it refuses with a message that has all these pieces.
#[track_caller]
fn refused(dir: &Path, args: &[&str], mebibytes: u64, code: i32, pieces: &[&str]) {
    let (got, said) = bounded(dir, args, mebibytes);
    assert_eq!(got, Some(code), "{args:?}: {said}");
    assert!(pieces.iter().all(|piece| said.contains(piece)), "{args:?}: {said}");
}

/// A graph of `n` coins with a string between any two.
fn complete_graph(n: usize) -> String {
    let coins = (0..n).map(|i| format!("coin c{i}\n"));
    let strings = (0..n).flat_map(|a| (a + 1..n).map(move |b| format!("string c{a} c{b}\n")));
    coins.chain(strings).collect()
}

#[test]
fn plans_take_no_more_memory_than_they_may() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("eleven.txt"), complete_graph(11)).unwrap();
    for board in [&["4x7:7f"][..], &["4x6"], &["5x6", "--start", "swedish"]] {
        let (code, said) = bounded(dir.path(), &[&["plan"], board].concat(), 64);
        assert!(code == Some(0) || code == Some(5) && said.contains("allow more with --memory"), "{board:?}: {said}");
    }
    let needs = ["graph:eleven.txt:0: its index alone needs at least", "67.1 MB are allowed", "--memory"];
    refused(dir.path(), &["plan", "graph:eleven.txt"], 64, 5, &needs);
    // Its time alone is too long: no plan is made.
    let takes =
        ["graph:eleven.txt:0: 32,446,427,369,694,348 positions", "take more than", "at most 10.0 min", "dab solve"];
    refused(dir.path(), &["query", "graph:eleven.txt"], 64, 5, &takes);
}

/// A book that says that it holds layer 0 of a board, every checksum right, and has no scores.
fn hollow_book(board: &str, layers: u32, slabs: u64) -> Vec<u8> {
    let start: Position = format!("{board}:0").parse().unwrap();
    let units = Units::new(start, SpaceKind::Quiet).unwrap();
    let cuts = straight_cuts(&units).into_iter().map(|cut| Partition::new(&units, cut));
    let partition = cuts.filter(|cut| cut.sizes.upper == cut.sizes.lower).min_by_key(|cut| cut.sizes.waist).unwrap();
    let game = Game {
        board: board.to_owned(),
        graph: None,
        start: format!("{board}:0"),
        space: "quiet".to_owned(),
        penalty: 0,
        marks: false,
        groups: partition.sizes,
        units: partition.units.iter().map(|unit| unit.lines.iter().collect()).collect(),
    };
    let game = serde_json::to_vec(&game).unwrap();
    let mut book = b"DAB-BOOK".to_vec();
    for number in [5, 1, layers, game.len() as u32] {
        book.extend(number.to_le_bytes());
    }
    book.extend(game);
    book.extend(crc32fast::hash(&book).to_le_bytes());
    let directory_at = book.len();
    for number in [slabs, 1, 0] {
        book.extend(number.to_le_bytes());
    }
    book.extend([0; 32]);
    book.extend((directory_at as u64 + 56 + 52).to_le_bytes());
    book.extend([0; 32]);
    book.extend(crc32fast::hash(&book[directory_at..]).to_le_bytes());
    book.extend(b"DABENDED");
    book
}

#[test]
fn books_are_not_believed_beyond_the_memory_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let book = dir.path().join("4x6.book");
    let n_units = Board::grid(4, 6).unwrap().n_lines() as u32;
    let verbs = [&["query", "4x6:0", "--from"][..], &["plot", "--out", "plot.svg"]];
    for verb in verbs {
        fs::write(&book, hollow_book("4x6", n_units + 1, 1)).unwrap();
        refused(
            dir.path(),
            &[verb, &["4x6.book"]].concat(),
            64,
            5,
            &["4x6:0: its index alone needs at least", "--memory"],
        );
        // What is wrong is found before anything large is made.
        fs::write(&book, hollow_book("4x6", n_units + 1, 2)).unwrap();
        refused(dir.path(), &[verb, &["4x6.book"]].concat(), 64, 4, &["4x6.book: its positions are not as many"]);
        fs::write(&book, hollow_book("4x6", n_units, 1)).unwrap();
        refused(dir.path(), &[verb, &["4x6.book"]].concat(), 64, 4, &["4x6.book: its positions are not ordered"]);
    }
}

#[test]
fn books_are_made_within_the_memory_allowed() {
    let dir = solved("3x5");
    let args = ["book", "runs/3x5", "--layers", "38", "--out", "b.book"];
    refused(dir.path(), &args, 1, 5, &["at least", "use --memory "]);
    assert_eq!(bounded(dir.path(), &args, 40).0, Some(0));
}

#[test]
fn batches_with_endless_lines_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = fs::File::create(dir.path().join("batch.txt")).unwrap();
    // A line of zeros.
    file.set_len(1 << 30).unwrap();
    refused(dir.path(), &["query", "--batch", "batch.txt"], 64, 3, &["line 1 of batch.txt", "more than 65536 bytes"]);
}

/// A sparse file of this length.
fn sparse(path: &Path, len: u64) {
    fs::File::create(path).unwrap().set_len(len).unwrap();
}

#[test]
fn files_that_are_read_whole_have_a_bound() {
    let dir = solved("2x2");
    let at = |name: &str| dir.path().join(name);
    let pipe = at("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in ["/dev/zero", "pipe"] {
        let (text, graph) = (format!("@{file}"), format!("graph:{file}"));
        for args in [
            &["query", &text][..],
            &["query", &graph],
            &["convert", &text, "--to", "bits"],
            &["review", &text],
            &["problems", file],
        ] {
            refused(dir.path(), args, 64, 3, &[&format!("cannot read {file}"), "it is no regular file"]);
        }
        refused(dir.path(), &["plan", "2x2", "--costs", file], 64, 3, &["it is no regular file"]);
    }
    let long = "it has more than 1048576 bytes";
    sparse(&at("long.txt"), 1 << 30);
    for args in [
        &["query", "@long.txt"][..],
        &["query", "graph:long.txt"],
        &["problems", "long.txt"],
        &["convert", "long.txt", "--to", "bits"],
    ] {
        refused(dir.path(), args, 64, 3, &["cannot read long.txt", long]);
    }
    refused(dir.path(), &["plan", "2x2", "--costs", "long.txt"], 64, 3, &["it has more than 16777216 bytes"]);
    let endless = format!("exec {} query - --memory 64M < /dev/zero", env!("CARGO_BIN_EXE_dab"));
    let endless = Command::new("sh").args(["-c", &endless]).output().unwrap();
    assert_eq!(endless.status.code(), Some(3));
    assert!(String::from_utf8(endless.stderr).unwrap().contains(&format!("cannot read standard input: {long}")));
}

#[test]
fn files_of_a_run_have_a_bound() {
    let dir = solved("2x2");
    let run = dir.path().join("runs/2x2");
    sparse(&run.join("seconds.tsv"), 1 << 30);
    assert_eq!(bounded(dir.path(), &["plot", "runs/2x2", "--out", "plot.svg"], 64).0, Some(0));
    let manifest = fs::read(run.join("manifest.json")).unwrap();
    sparse(&run.join("manifest.json"), 1 << 30);
    for args in [["info", "runs/2x2"], ["verify", "runs/2x2"], ["solve", "2x2"]] {
        refused(dir.path(), &args, 64, 3, &["runs/2x2/manifest.json: it has more than 67108864 bytes"]);
    }
    let pipe_as = |name: &str| {
        let _ = fs::remove_file(run.join(name));
        assert!(Command::new("mkfifo").arg(run.join(name)).status().unwrap().success());
    };
    pipe_as("manifest.json");
    refused(dir.path(), &["info", "runs/2x2"], 64, 3, &["manifest.json: it is no regular file"]);
    fs::remove_file(run.join("manifest.json")).unwrap();
    fs::write(run.join("manifest.json"), manifest).unwrap();
    pipe_as("layer-03.score");
    for args in [&["verify", "runs/2x2"][..], &["solve", "2x2"], &["query", "2x2:0", "--from", "runs/2x2"]] {
        let (code, said) = bounded(dir.path(), args, 64);
        assert!(
            matches!(code, Some(3 | 4)) && said.contains("layer-03.score: it is no regular file"),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_game_is_not_read_before_its_length_is_believed() {
    let dir = tempfile::tempdir().unwrap();
    let book = dir.path().join("b.book");
    let mut head = hollow_book("3x3", 25, 1)[..24].to_vec();
    head[20..].copy_from_slice(&(1u32 << 30).to_le_bytes());
    fs::write(&book, head).unwrap();
    fs::File::options().write(true).open(&book).unwrap().set_len((1 << 30) + 1000).unwrap();
    let pieces = ["b.book is damaged: length of the game: expected at most 8388608 bytes, got 1073741824"];
    for (args, code) in
        [(&["info", "b.book"][..], 4), (&["query", "3x3:0", "--from", "b.book"], 4), (&["query", "graph:b.book"], 2)]
    {
        refused(dir.path(), args, 64, code, &pieces);
    }
}

#[test]
fn an_address_space_is_memory() {
    let dir = solved("2x2");
    let limited = |kibibytes: u64, args: &str| {
        let command = format!("ulimit -v {kibibytes} && exec {} {args}", env!("CARGO_BIN_EXE_dab"));
        Command::new("sh").current_dir(dir.path()).args(["-c", &command]).output().unwrap()
    };
    let answered = limited(1_500_000, "query 2x2:0 --from runs/2x2 --threads 2");
    assert!(answered.status.success(), "{answered:?}");
    // Half of what is left is allowed, and that is too little for it.
    let refused = limited(1_500_000, "solve 4x5 --space full --threads 2");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(5), "{said}");
    let allowed = said.split_once("but ").and_then(|(_, rest)| rest.split_once(" MB are allowed")).unwrap().0;
    assert!(allowed.parse::<f64>().unwrap() < 768.0, "{said}");
}

/// Where the system gives no thread, there is an error, not a panic.
#[test]
fn no_thread_is_no_panic() {
    let dir = solved("2x2");
    for args in [
        &["query", "2x2:0"][..],
        &["query", "2x2:0", "--from", "runs/2x2"],
        &["solve", "2x3"],
        &["verify", "runs/2x2"],
        &["plan", "3x3", "--measure", "1"],
        &["serve", "--port", "0"],
    ] {
        // No address space has room for such a stack.
        let command = Command::new(env!("CARGO_BIN_EXE_dab"))
            .current_dir(dir.path())
            .env("RUST_MIN_STACK", (1u64 << 47).to_string())
            .args(args)
            .output()
            .unwrap();
        let said = String::from_utf8(command.stderr).unwrap();
        assert!(matches!(command.status.code(), Some(1..=5)) && !said.contains("panicked"), "{args:?}: {said}");
        assert!(said.contains("cannot start ") || said.contains("cannot handle Ctrl-C"), "{args:?}: {said}");
    }
}

/// The program with a limit of the shell.
fn limited(dir: &Path, limit: &str, args: &str) -> (Option<i32>, String) {
    let command = format!("ulimit {limit} && exec {} {args}", env!("CARGO_BIN_EXE_dab"));
    let done = Command::new("sh").current_dir(dir).args(["-c", &command]).output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn few_open_files_are_enough_to_check_a_run() {
    let dir = solved("3x4");
    // 32 layers.
    for files in ["-n 10", "-n 24"] {
        assert_eq!(limited(dir.path(), files, "verify runs/3x4 --threads 2 --quiet").0, Some(0), "{files}");
    }
    let (code, said) = limited(dir.path(), "-n 10", "solve 3x4 --threads 2 --quiet --out other");
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("too many files are open: allow more with 'ulimit -n'"), "{said}");
}

#[test]
fn a_limit_of_file_length_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    // In blocks of 512 bytes.
    let (code, said) = limited(dir.path(), "-f 16", "solve 3x4");
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("runs/3x4/layer-") && said.contains("allow more with 'ulimit -f'"), "{said}");
    // What is finished stays.
    assert_eq!(limited(dir.path(), "-f unlimited", "solve 3x4 --quiet").0, Some(0));
}

#[test]
fn nothing_is_lost_by_a_bound() {
    let dir = solved("2x3");
    assert!(
        says(dir.path(), &["query", "2x3:0", "--from", "runs/2x3", "--memory", "1M"]).starts_with("2x3:0: score -2")
    );
    fails(dir.path(), &["query", "7x7:0"], 2, &["at most 64 can be indexed"]);
}
