//! The examples, as programs. They are tests apart: a program that is being started holds the locks of the process that starts it
//! for a moment.

use std::process::Command;

#[test]
fn examples_run() {
    let example = |name: &str, args: &[&str]| {
        // Tests are in target/PROFILE/deps, examples beside it.
        let program = std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples").join(name);
        let done = Command::new(&program).args(args).output();
        let done = done.unwrap_or_else(|error| panic!("{}: {error}; 'cargo test' builds it", program.display()));
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(example("grade_moves", &[]).lines().count() == 25);
    assert!(example("export_csv", &[]).lines().count() == 434);
    let walk = example("walk_game", &["3x3:fff"]);
    assert!(walk.starts_with("3x3:fff: A to move, score -1, line 12 (loony, closes 0)\n"), "{walk}");
    assert_eq!(walk.lines().count(), 12);
}
