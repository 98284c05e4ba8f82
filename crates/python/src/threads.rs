//! The threads of crate `dab`, which a forked process does not have.
//!
//! A fork copies only the thread that calls it. Work that is shared out in the new process would wait for ever for threads that are
//! there in the old one alone.

use std::process;
use std::sync::OnceLock;

use dab::store::Crew;
use pyo3::prelude::*;

use crate::error::Error;

/// The process that has started the threads.
static STARTED_BY: OnceLock<u32> = OnceLock::new();

/// Whether there are threads in this process: those that it has started, or will.
fn are_here() -> bool {
    *STARTED_BY.get_or_init(process::id) == process::id()
}

/// All threads; in a forked process the calling one.
pub(crate) fn crew() -> Crew {
    if are_here() { Crew::Together } else { Crew::Alone }
}

/// Checks that work which needs all threads can be done.
///
/// # Errors
/// `dab.Error` in a process that was forked after the threads were started.
pub(crate) fn require() -> PyResult<()> {
    match are_here() {
        true => Ok(()),
        false => Err(Error::new_err(
            "this process was forked from one that had solved or opened tables, and lacks its threads: it can ask those tables, \
             but neither open nor solve others; start it with method 'spawn' or 'forkserver' of multiprocessing, or fork earlier",
        )),
    }
}
