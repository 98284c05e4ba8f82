//! Work that takes long: other threads of Python run meanwhile, Ctrl-C stops it, and a function hears of its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use dab::Observer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::of_dab;

/// Time between two looks at signals and progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Counts positions, and stops the work once it is asked to.
#[derive(Default)]
pub(crate) struct Watch {
    done: AtomicU64,
    stop: AtomicBool,
}

impl Watch {
    /// Whether the work is asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Observer for Watch {
    fn positions(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.is_stopped()
    }
}

/// Does work on `total` positions in another thread. `progress(done, total)` is called every tenth of a second, and once
/// more at the end; an exception of it stops the work, as Ctrl-C does.
///
/// # Errors
/// That of the work, `KeyboardInterrupt`, or the exception of `progress`.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    total: u128,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, dab::Error> + Send,
) -> PyResult<T> {
    let watch = &Watch::default();
    let report = move |py: Python<'_>| match progress {
        Some(progress) => progress.call1(py, (watch.done.load(Ordering::Relaxed), total)).map(drop),
        None => Ok(()),
    };
    let look = move || Python::attach(|py| py.check_signals().and_then(|()| report(py)));
    let (sender, receiver) = channel();
    let done = py.detach(move || {
        thread::scope(|scope| {
            scope.spawn(move || sender.send(work(watch)));
            let mut stopped = Ok(());
            loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(done) => return stopped.and_then(|()| done.map_err(of_dab)),
                    // The scope passes its panic on.
                    Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the work has failed")),
                    Err(RecvTimeoutError::Timeout) if stopped.is_ok() => {
                        stopped = look();
                        watch.stop.store(stopped.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })?;
    report(py)?;
    Ok(done)
}
