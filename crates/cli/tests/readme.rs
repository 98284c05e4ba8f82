//! The README: the commands of its tour, run in order, print the text it shows; its library example is the tested
//! one; the records that it cites are tables.
//!
//! In what is expected `…` stands for the rest of a line and a line `...` for any number of lines.

mod common;

use std::fs;

use common::says;

/// The commands of the tour with what they print.
fn tour() -> Vec<(String, String)> {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let blocks = readme.split("```console\n$ dab ").skip(1);
    let command = |block: &str| {
        let (shown, _) = block.split_once("```").unwrap();
        let (command, expected) = shown.split_once('\n').unwrap();
        (command.to_owned(), expected.to_owned())
    };
    blocks.map(command).collect()
}

fn fits(expected: &[&str], found: &[&str]) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        (Some((expected, rest)), Some((line, others))) => {
            let same = match expected.split_once('…') {
                Some((begin, _)) => line.starts_with(begin),
                None => expected == line,
            };
            same && fits(rest, others)
        }
        _ => false,
    }
}

#[test]
fn the_tour_is_true() {
    let dir = tempfile::tempdir().unwrap();
    let tour = tour();
    assert_eq!(tour.len(), 5);
    for (command, expected) in tour {
        let found = says(dir.path(), &command.split(' ').collect::<Vec<_>>());
        let lines = (expected.lines().collect::<Vec<_>>(), found.lines().collect::<Vec<_>>());
        assert!(fits(&lines.0, &lines.1), "dab {command}\n{found}");
    }
}

#[test]
fn the_library_example_is_that_of_the_crate() {
    let read = |path: &str| fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let readme = read("README.md");
    let (shown, _) = readme.split_once("```rust\n").unwrap().1.split_once("```").unwrap();
    let library = read("crates/dab/src/lib.rs");
    let mut blocks = library.split("//! ```\n");
    let tested = blocks.nth(1).unwrap().lines().map(|line| line.strip_prefix("//!").unwrap().trim_start_matches(' '));
    let shown = shown.lines().map(str::trim_start);
    assert!(shown.eq(tested.filter(|line| !line.starts_with("# "))));
}

#[test]
fn records_are_tables() {
    let records = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/records")).unwrap();
    let tables =
        records.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|ext| ext == "tsv"));
    for path in tables {
        let table = fs::read_to_string(&path).unwrap();
        let n_fields = |row: &str| row.split('\t').count();
        let columns = n_fields(table.lines().next().unwrap());
        assert!(table.lines().all(|row| n_fields(row) == columns), "{}", path.display());
    }
}
