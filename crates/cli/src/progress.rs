//! A progress bar on a terminal once work takes longer than a second, nothing elsewhere; Ctrl-C asks the work to stop at
//! the next good place.

use std::fmt::Write;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use dab_solve::Observer;
use dab_space::Layer;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::output::{Count, message};

/// Exit code of a command that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Work that is over before is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether Ctrl-C was pressed.
static STOP: AtomicBool = AtomicBool::new(false);

/// Follows work on a known number of positions.
pub(crate) struct Progress {
    positions: u64,
    done: AtomicU64,
    layer: AtomicUsize,
    begin: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Follows `positions`; from now on Ctrl-C stops this and all later work, and a second one ends the program.
    pub(crate) fn new(positions: u128) -> anyhow::Result<Self> {
        static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();
        let handler = || {
            if STOP.swap(true, Ordering::Relaxed) {
                exit(INTERRUPTED.into());
            }
            message("stopping; press Ctrl-C again to stop at once");
        };
        let set = HANDLER.get_or_init(|| ctrlc::set_handler(handler).map_err(|error| error.to_string()));
        set.clone().map_err(anyhow::Error::msg).context("cannot handle Ctrl-C")?;
        Ok(Self {
            positions: positions.min(u64::MAX.into()) as u64,
            done: AtomicU64::new(0),
            layer: AtomicUsize::new(0),
            begin: Instant::now(),
            bar: OnceLock::new(),
        })
    }

    /// The bar, which draws nothing unless standard error is a terminal.
    fn new_bar(&self) -> ProgressBar {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}/s", Count(state.per_sec() as u128));
        };
        let template = "{msg:<9} {wide_bar} {percent:>3}%  {rate}  {elapsed}, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(self.positions)
            .with_style(style.with_key("rate", rate))
            .with_elapsed(self.begin.elapsed())
            .with_position(self.done.load(Ordering::Relaxed))
            .with_message(layer(self.layer.load(Ordering::Relaxed)))
    }
}

fn layer(layer: usize) -> String {
    format!("layer {layer}")
}

impl Observer for Progress {
    fn layer(&self, Layer(number): Layer) {
        self.layer.store(number, Ordering::Relaxed);
        if let Some(bar) = self.bar.get() {
            bar.set_message(layer(number));
        }
    }

    fn positions(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
        match self.bar.get() {
            Some(bar) => bar.inc(n),
            None if self.begin.elapsed() >= PATIENCE => {
                self.bar.get_or_init(|| self.new_bar());
            }
            None => {}
        }
    }

    fn should_stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}

/// Clears the bar, so that later output starts on a clean line.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
