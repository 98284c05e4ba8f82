//! Opening, asking and dropping a book leaves nothing behind: no memory, no descriptor, no thread. The test measures its own
//! process, so it runs in one of its own.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{Effort, Library, Limits, OnDemand, Position};

/// Times that the book is opened.
const TIMES: usize = 100;
/// Bytes by which the memory may grow meanwhile: a third of an open book.
const MARGIN: u64 = 8 << 20;

/// Resident bytes, descriptors and threads of this process.
fn held() -> (u64, usize, usize) {
    let count = |dir: &str| fs::read_dir(dir).unwrap().count();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kibibytes: u64 = resident.trim().trim_end_matches(" kB").parse().unwrap();
    (kibibytes << 10, count("/proc/self/fd"), count("/proc/self/task"))
}

/// The same once the threads of dropped caches have ended, which takes them a moment.
fn settled(threads: usize) -> (u64, usize, usize) {
    (0..1000).take_while(|_| held().2 > threads).for_each(|_| std::thread::sleep(Duration::from_millis(10)));
    held()
}

#[test]
fn a_book_that_is_dropped_leaves_nothing() {
    const ALONE: &str = "DAB_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return open_ask_and_drop();
    }
    let mut program = Command::new(std::env::current_exe().unwrap());
    let name = "tests::flat::a_book_that_is_dropped_leaves_nothing";
    let alone = program.args(["--exact", name]).env(ALONE, "").output().unwrap();
    let text = String::from_utf8_lossy(&alone.stdout).into_owned() + &String::from_utf8_lossy(&alone.stderr);
    assert!(alone.status.success() && text.contains("1 passed"), "{text}");
}

fn open_ask_and_drop() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/books/4x5.book");
    let start: Position = "4x5".parse().unwrap();
    let ask = || {
        let limits = Limits::new(2, 64 << 20);
        let mut library = Library::new(limits);
        library.open(&path).unwrap();
        let answer = OnDemand { library, limits }.answer(&start, Effort::Tables).unwrap();
        assert_eq!(answer.unwrap().score.0, 0);
    };
    // The pool of threads starts, and the allocator keeps a little more each time, for dozens of times.
    (0..TIMES).for_each(|_| ask());
    let threads = rayon::current_num_threads() + 2;
    let (memory, descriptors, before) = settled(threads);
    (0..TIMES).for_each(|_| ask());
    let (grown, still, after) = settled(before);
    assert_eq!((still, after), (descriptors, before));
    assert!(grown <= memory + MARGIN, "{grown} bytes resident, {memory} before");
}
