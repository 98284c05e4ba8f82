//! Solving a board gives the digests that are published for it in `data/digests`.

use std::fs;
use std::path::Path;

use dab_board::Position;
use dab_solve::solve;
use dab_space::{Rules, Space};
use dab_store::{Digest, LayerSummary, MemoryStore};

/// A file written by `scripts/digests`.
struct Published {
    name: String,
    start: Position,
    space: String,
    penalty: i32,
    run: String,
    layers: Vec<String>,
}

impl Published {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let of = |key: &str| {
            let values = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            values.map(str::to_owned).collect::<Vec<_>>()
        };
        let one = |key: &str| of(key).pop().unwrap_or_else(|| panic!("{} has no {key}", path.display()));
        Self {
            name: path.display().to_string(),
            start: one("start").parse().unwrap(),
            space: one("space"),
            penalty: one("penalty").parse().unwrap(),
            run: one("digest"),
            layers: of("layer"),
        }
    }

    /// Solves the board again.
    fn check(&self) {
        let space = Space::new(self.start.clone(), self.space.parse().unwrap()).unwrap();
        let store = MemoryStore::new(space.n_layers());
        let solved = solve(&space, Rules::new(&space, self.penalty).unwrap(), &store, u64::MAX, &()).unwrap();
        let layers = solved.iter().map(|LayerSummary { layer, digest, .. }| format!("{layer} {digest}"));
        assert_eq!(layers.collect::<Vec<_>>(), self.layers, "{}", self.name);
        let run = Digest::of_run(solved.iter().map(|layer| layer.digest));
        assert_eq!(run.to_string(), self.run, "{}", self.name);
    }
}

/// Checks the boards with so many undrawn lines; returns how many there are.
fn check(wanted: impl Fn(usize, &str) -> bool) -> usize {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/digests");
    let files = fs::read_dir(directory).unwrap().map(|entry| Published::read(&entry.unwrap().path()));
    let wanted = files.filter(|file| wanted(file.start.undrawn().len(), &file.space));
    wanted.map(|file| file.check()).count()
}

/// Whether a board is solved in a moment.
fn is_small(undrawn: usize, space: &str) -> bool {
    undrawn <= if space == "quiet" { 27 } else { 22 }
}

#[test]
fn small_boards_have_the_published_digests() {
    assert!(check(is_small) >= 20);
}

#[test]
#[ignore = "long: minutes"]
fn larger_boards_have_the_published_digests() {
    assert!(check(|undrawn, space| !is_small(undrawn, space) && undrawn <= 38) >= 5);
}
