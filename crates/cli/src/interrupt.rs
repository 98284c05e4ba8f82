//! Ctrl-C and SIGTERM: work is asked to stop at the next good place, where all that is finished stays.

use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Result, wrong};
use crate::output::message;

/// Exit code of a command that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether work was asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);

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
    };
    let listening = LISTENING.get_or_init(|| on_signals(stop).map_err(|error| error.to_string()));
    listening.clone().map_err(|error| wrong(format!("cannot handle Ctrl-C: {error}")))
}

#[cfg(unix)]
fn on_signals(stop: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || signals.forever().for_each(|_| stop()));
    Ok(())
}

#[cfg(windows)]
fn on_signals(stop: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(stop)
}
