//! The usual names of run directories.

use std::path::Path;

use dab_board::Start;
use dab_space::SpaceKind;

use crate::Solve;

impl Solve<'_> {
    /// The usual name of the run directory: `BOARD[-START|-HEX][-full][-pP][-marks]`, the same for the same game however it was
    /// written; colons of the board become dashes, and a graph goes by the name of its file.
    ///
    /// ```
    /// let solve = dab::Solve { penalty: 2, ..dab::solve("2x2:b".parse()?) };
    /// assert_eq!(solve.run_name(), "2x2-b-p2");
    /// # Ok::<(), dab::Error>(())
    /// ```
    pub fn run_name(&self) -> String {
        let board = self.start.board();
        let mut name = board.kind().to_string().replace(':', "-");
        if let Some(file) = board.name().strip_prefix("graph:") {
            name += &format!("-{}", Path::new(file).file_stem().unwrap_or_default().to_string_lossy());
        }
        match Start::ALL.into_iter().find(|&known| board.start_lines(known) == Some(self.start.drawn())) {
            Some(Start::American) => {}
            Some(known) => name += &format!("-{known}"),
            None => name += &format!("-{:x}", self.start.drawn().0),
        }
        if self.space == SpaceKind::Full {
            name += "-full";
        }
        if self.penalty != 0 {
            name += &format!("-p{}", self.penalty);
        }
        if self.marks {
            name += "-marks";
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_what_they_solve() {
        let solve = |text: &str| crate::solve(text.parse().unwrap());
        assert_eq!(solve("3x3").run_name(), "3x3");
        assert_eq!(Solve { space: SpaceKind::Full, ..solve("2x2:b73") }.run_name(), "2x2-swedish-full");
        assert_eq!(solve("closed:5:3").run_name(), "closed-5-3");
        assert_eq!(solve("triangles:open:4").run_name(), "triangles-open-4");
        assert_eq!(Solve { penalty: 2, marks: true, ..solve("2x2:b") }.run_name(), "2x2-b-p2-marks");
    }
}
