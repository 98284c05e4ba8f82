//! The usual names of run directories.

use std::path::Path;

use dab_board::{Position, Start};
use dab_space::SpaceKind;

/// The usual name of a run directory: `BOARD[-START|-HEX][-full][-pP][-marks]`, the same for the same game however it was written; colons of the board become
/// dashes, and a graph goes by the name of its file.
pub fn run_name(start: &Position, kind: SpaceKind, penalty: i32, marks: bool) -> String {
    let board = start.board();
    let mut name = board.kind().to_string().replace(':', "-");
    if let Some(file) = board.name().strip_prefix("graph:") {
        name += &format!("-{}", Path::new(file).file_stem().unwrap_or_default().to_string_lossy());
    }
    match Start::ALL.into_iter().find(|&known| board.start_lines(known) == Some(start.drawn())) {
        Some(Start::American) => {}
        Some(known) => name += &format!("-{known}"),
        None => name += &format!("-{:x}", start.drawn().0),
    }
    if kind == SpaceKind::Full {
        name += "-full";
    }
    if penalty != 0 {
        name += &format!("-p{penalty}");
    }
    if marks {
        name += "-marks";
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_what_they_solve() {
        let name = |text: &str, kind, penalty| run_name(&text.parse().unwrap(), kind, penalty, false);
        assert_eq!(name("3x3", SpaceKind::Quiet, 0), "3x3");
        assert_eq!(name("2x2:b73", SpaceKind::Full, 0), "2x2-swedish-full");
        assert_eq!(name("closed:5:3", SpaceKind::Quiet, 0), "closed-5-3");
        assert_eq!(name("triangles:open:4", SpaceKind::Quiet, 0), "triangles-open-4");
        assert_eq!(name("2x2:b", SpaceKind::Quiet, 2), "2x2-b-p2");
        assert_eq!(run_name(&"2x2:b".parse().unwrap(), SpaceKind::Quiet, 2, true), "2x2-b-p2-marks");
    }
}
