//! Files of format version 1, whose large slabs are in runs and not in tiles, stay readable.

use std::path::Path;

use dab::{LineSet, Position, Tablebase};

#[test]
fn books_of_version_1_answer_as_ever() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/format-1/2x5.book");
    let book = Tablebase::open(&path).unwrap();
    let solved = dab::solve("2x5".parse().unwrap()).in_memory().unwrap();
    // At most six lines, of which four are neighbours: the book holds them whatever can be captured.
    let mut drawn: Vec<LineSet> = Vec::new();
    for a in 0..27 {
        for b in 0..27 {
            for c in 0..24 {
                drawn.push(LineSet(1 << a | 1 << b | 15 << c));
            }
        }
    }
    assert_eq!(book.probe_many(&drawn).unwrap(), solved.probe_many(&drawn).unwrap());
    for &drawn in drawn.iter().step_by(997) {
        let position = Position::new(book.board().clone(), drawn).unwrap();
        assert_eq!(book.probe(&position).unwrap(), solved.probe(&position).unwrap(), "{position}");
    }
}
