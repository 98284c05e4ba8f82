//! The examples, as programs. They are tests apart: a program that is being started holds the locks of the process that starts it
//! for a moment.

use std::process::{Command, Stdio};

#[test]
fn examples_run() {
    let example = |name: &str, args: &[&str]| {
        // Tests are in target/PROFILE/deps, examples beside it.
        let program = std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples").join(name);
        let done = Command::new(&program).args(args).stdin(Stdio::null()).output();
        let done = done.unwrap_or_else(|error| panic!("{}: {error}; 'cargo test' builds it", program.display()));
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/books/4x4.book");
    assert!(example("grade_moves", &[]).lines().count() == 25);
    assert_eq!(example("probe_book", &[book, "4x4:0"]), "7 layers from 4x4:0 on\n4x4:0: score 0\n");
    assert!(example("layer_csv", &[book, "1"]).starts_with("position,score\n4x4:"));
    assert_eq!(example("solve_cancel", &["2x3"]), "2x3:0: score -2\n");
    let answers = "1x2:0: score 0, best b1-b2, solved\n1x2:7e: score 1, best a2-b2, known\n";
    assert_eq!(example("tables_else_solve", &["1x2:0", "1x2:7e"]), answers);
    assert_eq!(example("compare_tables", &[]), "2x3:0: 0 of 10000 scores differ\n");
    let joined = example("joined_endgames", &[]);
    let found: Vec<_> = joined.lines().map(|line| line.rsplit_once("  ").unwrap().1.trim()).collect();
    assert_eq!(found[..2], ["252 by 0", "84 by 0"]);
    assert!(joined.contains(" 538 by 0, 110 by 1, 24 by 2\n"), "{joined}");
    assert_eq!(found[3..], ["120 by 0", "420 by 0"]);
    let mirrored = example("quasi_mirroring", &["12", "9"]);
    assert!(mirrored.starts_with("Proposition 1: 4526 lines, 0 wrong\n"), "{mirrored}");
    let floors: Vec<_> = mirrored.lines().skip(2).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    let (triangles, closed, open) =
        ("1 -3 5 1 1 1 1 1 1", "1 -2 3 0 none 0 none 0 none 0 none 0", "none 0 none 0 none 0");
    assert_eq!(floors.join(" "), [triangles, closed, open].join(" "));
    let walk = example("walk_game", &["3x3:fff"]);
    assert!(walk.starts_with("3x3:fff: A to move, score -1, line 12 (loony, closes 0)\n"), "{walk}");
    assert_eq!(walk.lines().count(), 12);
}

/// What a program needs most is short, and the façade is all that it takes.
#[test]
fn the_first_five_are_short() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in ["probe_book", "layer_csv", "solve_cancel", "tables_else_solve", "compare_tables"] {
        let text = std::fs::read_to_string(dir.join(name).with_extension("rs")).unwrap();
        assert!(text.lines().count() <= 25, "{name}");
        assert!(text.contains("dab::") && !text.contains("dab_"), "{name}");
    }
}
