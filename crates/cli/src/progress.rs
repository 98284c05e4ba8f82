//! A progress bar on a terminal, nothing elsewhere; Ctrl-C asks the work to stop at the next good place.

use std::fmt::Write;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use dab_solve::Watch;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::output::{Count, message};

/// Exit code of a command that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Follows work on a known number of positions.
pub(crate) struct Progress {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// A bar of `positions`; from now on Ctrl-C sets the stop flag, and a second one ends the program.
    pub(crate) fn new(positions: u128) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                exit(INTERRUPTED.into());
            }
            message("stopping; press Ctrl-C again to stop at once");
        })
        .context("cannot handle Ctrl-C")?;
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}/s", Count(state.per_sec() as u128));
        };
        let style = ProgressStyle::with_template("{msg:<9} {wide_bar} {percent:>3}%  {rate}  {elapsed}, {eta} left")?;
        // Draws nothing unless standard error is a terminal.
        let bar = ProgressBar::new(positions.min(u64::MAX.into()) as u64).with_style(style.with_key("rate", rate));
        Ok(Self { bar, stop })
    }
}

impl Watch for Progress {
    fn layer(&self, layer: usize) {
        self.bar.set_message(format!("layer {layer}"));
    }

    fn positions(&self, n: u64) {
        self.bar.inc(n);
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What follows starts on a clean line.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
