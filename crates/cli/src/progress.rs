//! Progress of work that takes longer than a second, on standard error: a bar on a terminal; elsewhere a line at each layer
//! and at least one a minute.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dab::figures::Pace;
use dab_solve::Observer;
use dab_space::Layer;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::failure::Result;
use crate::interrupt;
use crate::output::{Count, Time, message};

/// Work that is over before is not worth a word; lines are at least so far apart.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest time between two lines.
const SILENCE: Duration = Duration::from_secs(60);
/// The layer of work that has none.
const NO_LAYER: usize = usize::MAX;

/// Whether no progress is wanted.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on no progress is shown.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Follows work on a known number of positions, and stops it if the user asks for that.
pub(crate) struct Progress {
    state: Arc<State>,
    bar: OnceLock<ProgressBar>,
    is_terminal: bool,
    /// The time of the last line, since the beginning.
    said: Mutex<Duration>,
}

/// How far the work is.
struct State {
    /// Positions in all; 0 if that is not known.
    all: u64,
    done: AtomicU64,
    /// Those of them that an earlier command had done: they say nothing about the speed.
    found: AtomicU64,
    /// Scores that were decoded for want of memory.
    decoded: AtomicU64,
    layer: AtomicUsize,
    begin: Instant,
}

impl Progress {
    /// Follows `positions`; from now on Ctrl-C stops this and all later work, and a second one ends the program.
    pub(crate) fn new(positions: u128) -> Result<Self> {
        interrupt::listen()?;
        let state = State {
            all: positions.min(u64::MAX.into()) as u64,
            done: AtomicU64::new(0),
            found: AtomicU64::new(0),
            decoded: AtomicU64::new(0),
            layer: AtomicUsize::new(NO_LAYER),
            begin: Instant::now(),
        };
        let is_terminal = stderr().is_terminal();
        Ok(Self { state: state.into(), bar: OnceLock::new(), is_terminal, said: Mutex::new(Duration::ZERO) })
    }

    /// Scores that were decoded for each position that this command has solved.
    pub(crate) fn decodes(&self) -> f64 {
        let [done, found, decoded] =
            [&self.state.done, &self.state.found, &self.state.decoded].map(|n| n.load(Ordering::Relaxed));
        decoded as f64 / (done - found).max(1) as f64
    }

    /// Shows the progress, if it is time.
    fn show(&self, is_new_layer: bool) {
        let elapsed = self.state.begin.elapsed();
        if elapsed < PATIENCE || is_quiet() {
            return;
        }
        if self.is_terminal {
            let bar = self.bar.get_or_init(|| new_bar(&self.state));
            bar.set_position(self.state.done.load(Ordering::Relaxed));
            if is_new_layer {
                bar.set_message(self.state.layer());
            }
        } else if let Ok(mut said) = self.said.try_lock()
            && is_due(elapsed - *said, is_new_layer)
        {
            *said = elapsed;
            let layer = self.state.layer();
            let colon = if layer.is_empty() { "" } else { ": " };
            message(format!("{layer}{colon}{}", self.state.pace(elapsed)));
        }
    }
}

/// Whether a line is due so long after the last one.
fn is_due(silence: Duration, is_new_layer: bool) -> bool {
    silence >= SILENCE || (is_new_layer && silence >= PATIENCE)
}

impl State {
    fn layer(&self) -> String {
        match self.layer.load(Ordering::Relaxed) {
            NO_LAYER => String::new(),
            layer => format!("layer {layer}"),
        }
    }

    fn pace(&self, elapsed: Duration) -> Pace {
        let [done, found] = [&self.done, &self.found].map(|n| n.load(Ordering::Relaxed));
        Pace { all: self.all, done, found, elapsed }
    }
}

fn new_bar(state: &Arc<State>) -> ProgressBar {
    let (speed, rest) = (Arc::clone(state), Arc::clone(state));
    let rate = move |now: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}/s", Count(speed.pace(now.elapsed()).rate() as u128));
    };
    let left = move |now: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}", rest.pace(now.elapsed()).left());
    };
    let template = "{msg:<9} {wide_bar} {percent:>3}%  {rate}  {elapsed}, {left}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(state.all)
        .with_style(style.with_key("rate", rate).with_key("left", left))
        .with_elapsed(state.begin.elapsed())
        .with_message(state.layer())
}

impl Observer for Progress {
    fn layer(&self, Layer(number): Layer) {
        self.state.layer.store(number, Ordering::Relaxed);
        self.show(true);
    }

    fn positions(&self, n: u64) {
        self.state.done.fetch_add(n, Ordering::Relaxed);
        self.show(false);
    }

    fn found(&self, n: u64) {
        self.state.found.fetch_add(n, Ordering::Relaxed);
        self.positions(n);
    }

    fn decoded(&self, n: u64) {
        self.state.decoded.fetch_add(n, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        interrupt::is_asked()
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

/// Says now and then how far work of unknown length is.
pub(crate) struct Heartbeat {
    /// Dropped to end the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// `state` says in words how far the work is. Where no thread is to be had, nothing is said.
    pub(crate) fn new(state: impl Fn() -> String + Send + 'static) -> Self {
        let (end, ended) = mpsc::channel();
        let is_terminal = stderr().is_terminal();
        let (begin, every) = (Instant::now(), if is_terminal { PATIENCE / 4 } else { SILENCE });
        let work = move || {
            let mut spinner: Option<ProgressBar> = None;
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
                let said = format!("{}, {}", state(), Time(begin.elapsed()));
                if is_terminal {
                    let spinner = spinner.get_or_insert_with(ProgressBar::new_spinner);
                    spinner.set_message(said);
                    spinner.tick();
                } else {
                    message(said);
                }
                wait = every;
            }
            if let Some(spinner) = spinner {
                spinner.finish_and_clear();
            }
        };
        Self { end: Some(end), thread: (!is_quiet()).then(|| std::thread::Builder::new().spawn(work).ok()).flatten() }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.end = None;
        // A thread that panicked has nothing to clear.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_at_layers_and_every_minute() {
        let due = [(0, true), (1, false), (1, true), (59, false), (60, false)];
        let due = due.map(|(seconds, layer)| is_due(Duration::from_secs(seconds), layer));
        assert_eq!(due, [false, false, true, false, true]);
    }
}
