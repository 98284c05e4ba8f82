//! The one error of this crate: its kind, the text, the place, the cause and a remedy.
//!
//! Errors of the crates below become one in `error_sources`. The text names no remedy that depends on how this crate is
//! used: a front end puts the [`Remedy`] in its own words.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use dab_space::json::serde::{Serialize, Serializer};

use crate::Remedy;
use crate::figures::plural;

/// An error of opening, asking or solving. `{}` tells what happened, `{:#}` the cause too.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    /// Nothing if the source says it all.
    what: String,
    place: Option<String>,
    source: Option<io::Error>,
    remedy: Option<Remedy>,
}

/// The kind of an error: who can do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A check found something wrong, or the program failed.
    Wrong,
    /// The question makes no sense.
    Input,
    /// A file or directory cannot be used, or does not have what was asked.
    File,
    /// A file is damaged, or of another version.
    Damaged,
    /// The memory, disk or time allowed does not suffice.
    Limit,
    /// An observer stopped the work.
    Interrupted,
}

impl Serialize for ErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{self:?}").to_lowercase())
    }
}

impl Error {
    /// An error without a remedy.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self(Box::new(Parts { kind, what: what.into(), place: None, source: None, remedy: None }))
    }

    /// Makes an error of one of the operating system; `what` could not be done.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let error = Self::new(ErrorKind::File, what);
        |source| Self(Box::new(Parts { source: Some(source), ..*error.0 }))
    }

    /// Makes an error of a file that cannot be read.
    pub(crate) fn cannot_read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.display().to_string();
        |source| Self::io(format!("cannot read {path}"))(source).at(path)
    }

    /// The same error with a remedy, in place of the one it had.
    pub fn with(self, remedy: impl Into<Option<Remedy>>) -> Self {
        Self(Box::new(Parts { remedy: remedy.into(), ..*self.0 }))
    }

    /// The same error with words before its text.
    pub fn context(mut self, before: impl Display) -> Self {
        let what = &self.0.what;
        self.0.what = if what.is_empty() { before.to_string() } else { format!("{before}: {what}") };
        self
    }

    /// The same error with the file, or the position, that it is about.
    pub(crate) fn at(self, place: impl Into<Option<String>>) -> Self {
        Self(Box::new(Parts { place: place.into(), ..*self.0 }))
    }

    pub(crate) fn input(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, what)
    }

    #[cfg(feature = "study")]
    pub(crate) fn no_game(position: &dab_board::Position) -> Self {
        let position = position.to_string();
        Self::input(format!("{position} is a position, no game")).with(Remedy::Query { position })
    }

    #[cfg(feature = "solve")]
    pub(crate) fn not_a_run(name: String) -> Self {
        Self::new(ErrorKind::File, format!("{name} is a book, no run")).at(name)
    }

    /// The error of threads that cannot be started.
    pub fn no_threads(n_threads: usize, why: &dyn Display) -> Self {
        let threads = plural(n_threads as u64, "thread");
        Self::new(ErrorKind::Limit, format!("cannot start {threads}: {why}")).with(Remedy::FewerThreads)
    }

    pub(crate) fn stopped(what: &str) -> Self {
        Self::new(ErrorKind::Interrupted, format!("stopped{what}"))
    }

    /// A plan that was stopped, or a solve whose scores are not kept.
    pub(crate) fn stopped_on_demand() -> Self {
        Self::stopped("; nothing is kept of a plan or a solve on demand")
    }

    /// A check that was stopped, which does not remember how far it came.
    #[cfg(feature = "solve")]
    pub(crate) fn stopped_check() -> Self {
        Self::stopped(" before everything was checked; nothing was wrong so far")
    }

    /// The error of a solve that was made for something else; `stopped` if it was stopped.
    #[cfg(feature = "solve")]
    pub(crate) fn or_stopped(self, stopped: fn() -> Self) -> Self {
        if self.kind() == ErrorKind::Interrupted { stopped() } else { self }
    }

    /// The kind of this error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file, the position or the place in a text that it is about, if there is one.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// What can be done about it, if that is known.
    pub fn remedy(&self) -> Option<&Remedy> {
        self.0.remedy.as_ref()
    }

    /// The kind of the error of the operating system, if one is the cause.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.0.source.as_ref().map(io::Error::kind)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { what, source, .. } = &*self.0;
        match source {
            Some(source) if what.is_empty() => write!(f, "{source}"),
            Some(source) if f.alternate() => write!(f, "{what}: {source}"),
            _ => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let Parts { what, source, .. } = &*self.0;
        source.as_ref().filter(|_| !what.is_empty()).map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn a_cause_is_told_once() {
        let refused = || io::Error::other("refused");
        let check = |error: &Error, plain: &str, whole: &str, source: Option<&str>| {
            assert_eq!((error.to_string().as_str(), format!("{error:#}").as_str()), (plain, whole));
            assert_eq!(error.source().map(ToString::to_string).as_deref(), source);
        };
        check(&refused().into(), "refused", "refused", None);
        check(&Error::io("cannot read x")(refused()), "cannot read x", "cannot read x: refused", Some("refused"));
        let error = Error::from(refused()).context("line 3");
        check(&error, "line 3", "line 3: refused", Some("refused"));
        check(&Error::input("no").context("line 3"), "line 3: no", "line 3: no", None);
    }
}
