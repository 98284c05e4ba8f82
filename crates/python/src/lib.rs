//! The Python module `dab_solver._dab`, which package `dab_solver` (in `python/dab_solver`) shows to its users.
//!
//! ```text
//!    numpy array of masks ─► masks ─► table ─► crate dab ─► numpy array of scores
//!    text, mask, Position ─► position ─┘            └─► json ─► dict, as `dab … --json` prints it
//! ```
//! The module is thin: it turns values of Python into those of crate `dab` and back, lets other threads of Python run while
//! crate `dab` works, and hears Ctrl-C while it solves or looks up large arrays.
#![forbid(unsafe_code)]

mod ask;
mod endgame;
mod error;
mod json;
mod masks;
mod nimstring;
mod number;
mod position;
mod review;
mod solve;
mod table;
mod threads;
mod watch;

#[pyo3::pymodule]
mod _dab {
    #[pymodule_export]
    use crate::ask::ask;
    #[pymodule_export]
    use crate::endgame::{endgame, endgame_values, endgames};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::nimstring::nimstring;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::review::review;
    #[pymodule_export]
    use crate::solve::solve;
    #[pymodule_export]
    use crate::table::{Table, open};

    /// Where a line is drawn already, in the arrays of `Table.move_scores`.
    #[pymodule_export]
    const DRAWN: i8 = dab::Batch::DRAWN.0;

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
