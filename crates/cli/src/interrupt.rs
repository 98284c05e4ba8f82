//! Ctrl-C, SIGTERM and SIGHUP, for all verbs: work is asked to stop at the next good place, where all that is finished
//! stays and nothing temporary does.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{Result, wrong};
use crate::output::message;

/// Exit code of a command that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether work was asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// Called when work is asked to stop, for work that waits and cannot ask.
static WAKE: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// Whether to stop as soon as possible.
pub(crate) fn is_asked() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// From now on a signal asks all work to stop, and a second one ends the program.
pub(crate) fn listen() -> Result<()> {
    static LISTENING: OnceLock<Result<(), String>> = OnceLock::new();
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED.into());
        }
        message("stopping; press Ctrl-C again to stop at once");
        if let Some(wake) = &*WAKE.lock().unwrap_or_else(PoisonError::into_inner) {
            wake();
        }
    };
    let listening = LISTENING.get_or_init(|| on_signals(stop).map_err(|error| error.to_string()));
    listening.clone().map_err(|error| wrong(format!("cannot handle Ctrl-C: {error}")))
}

/// As [`listen`], for work that waits: `wake` ends that.
pub(crate) fn listen_waiting(wake: impl Fn() + Send + 'static) -> Result<()> {
    *WAKE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    listen()
}

#[cfg(unix)]
fn on_signals(stop: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    // `nohup` has it ignored, so that work goes on when the terminal is closed; a handler would undo that.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| stop()))?;
    Ok(())
}

/// From now on a file that grows beyond `ulimit -f` is an error of writing, and does not end the program.
#[cfg(unix)]
pub(crate) fn survive_file_limit() {
    // A handler that does little is as good as ignoring it. Without one, writing ends the program, as it always did.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Here nothing ends a program for that.
#[cfg(not(unix))]
pub(crate) fn survive_file_limit() {}

/// Whether the process was started with a signal ignored. Where the system does not say, it counts as ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(windows)]
fn on_signals(stop: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(stop)
}
