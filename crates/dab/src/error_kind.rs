//! Kinds of errors: who can do something about them.

#[cfg(feature = "solve")]
use dab_solve::SolveError;
use dab_store::StoreError;
use dab_table::TableError;
use serde::Serialize;

use crate::{Error, SpaceError};

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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

#[cfg(feature = "study")]
impl ErrorKind {
    /// The kind of an error of this workspace or of the operating system; `None` for any other one.
    pub fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        use crate::{BoardError, NotationError};
        if let Some(error) = error.downcast_ref::<Error>() {
            Some(error.kind())
        } else if let Some(error) = error.downcast_ref() {
            Some(of_store(error))
        } else if let Some(error) = error.downcast_ref() {
            Some(of_table(error))
        } else if let Some(error) = error.downcast_ref() {
            Some(of_space(error))
        } else if error.is::<BoardError>() || error.is::<NotationError>() {
            Some(Self::Input)
        } else if error.is::<crate::batch::Defect>() {
            Some(Self::Wrong)
        } else if let Some(error) = error.downcast_ref() {
            Some(of_solve(error))
        } else if error.is::<crate::nimstring::NimstringError>() || error.is::<crate::search::SearchError>() {
            Some(Self::Limit)
        } else {
            error.is::<std::io::Error>().then_some(Self::File)
        }
    }
}

impl Error {
    /// The kind of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Table(error) => of_table(error),
            #[cfg(feature = "solve")]
            Self::Solve(error) => of_solve(error),
            Self::Notation(_)
            | Self::Board(_)
            | Self::Penalty { .. }
            | Self::Graph(_)
            | Self::Problem(_)
            | Self::OtherBoard { .. }
            | Self::NoGame { .. }
            | Self::NoneArises { .. }
            | Self::EndsEarly { .. }
            | Self::FewerLines { .. }
            | Self::Incomparable(_)
            | Self::NoSuchSlab(_) => ErrorKind::Input,
            Self::Read { .. }
            | Self::Write { .. }
            | Self::Program(_)
            | Self::NotARun { .. }
            | Self::NotReady { .. }
            | Self::NoTemporaryFiles { .. } => ErrorKind::File,
            Self::TooMuch { .. }
            | Self::TooLargeSlab { .. }
            | Self::TooLittleMemory { .. }
            | Self::TooLittleDisk { .. }
            | Self::Threads { .. } => ErrorKind::Limit,
            Self::Interrupted
            | Self::CensusStopped
            | Self::CheckStopped
            | Self::SearchStopped
            | Self::ExportStopped => ErrorKind::Interrupted,
        }
    }
}

fn of_space(error: &SpaceError) -> ErrorKind {
    match error {
        SpaceError::Defect { .. } => ErrorKind::Wrong,
        _ => ErrorKind::Input,
    }
}

fn of_store(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::Damaged { .. }
        | StoreError::Unrepairable { .. }
        | StoreError::Version { .. }
        | StoreError::Shape { .. }
        | StoreError::ForeignFile { .. }
        | StoreError::MissingLayer { .. }
        | StoreError::Manifest { .. } => ErrorKind::Damaged,
        StoreError::DiskSpent { .. } => ErrorKind::Limit,
        StoreError::NoSuchLayer { .. } | StoreError::NoSuchSlab { .. } => ErrorKind::Input,
        StoreError::Io { .. }
        | StoreError::Discarded { .. }
        | StoreError::Released { .. }
        | StoreError::Unfinished { .. }
        | StoreError::AlreadyFinished { .. }
        | StoreError::Exists { .. }
        | StoreError::BeyondBook { .. }
        | StoreError::Locked { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::NotARun { .. }
        | StoreError::NotABook { .. }
        | StoreError::NoPlaceForRun { .. }
        | StoreError::OtherGame { .. } => ErrorKind::File,
    }
}

fn of_table(error: &TableError) -> ErrorKind {
    match error {
        TableError::Store(error) => of_store(error),
        TableError::TooLargeIndex { .. } | TableError::TooLongPlan { .. } => ErrorKind::Limit,
        TableError::Space(error) => of_space(error),
        TableError::Stopped => ErrorKind::Interrupted,
        TableError::Foreign(_) => ErrorKind::Damaged,
        TableError::Unfinished { .. }
        | TableError::Discarded { .. }
        | TableError::PartOnly { .. }
        | TableError::Read { .. } => ErrorKind::File,
        _ => ErrorKind::Input,
    }
}

#[cfg(feature = "solve")]
fn of_solve(error: &SolveError) -> ErrorKind {
    match error {
        SolveError::Stopped { .. } => ErrorKind::Interrupted,
        SolveError::Store(error) => of_store(error),
        SolveError::Wrong { .. } | SolveError::Defect { .. } => ErrorKind::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_below_others_keep_their_kind() {
        let locked = || StoreError::Locked { path: "runs/2x2".into() };
        let check = |error: &(dyn std::error::Error + 'static), kind| assert_eq!(ErrorKind::of(error), Some(kind));
        check(&locked(), ErrorKind::File);
        check(&TableError::from(locked()), ErrorKind::File);
        check(&Error::from(SolveError::from(locked())), ErrorKind::File);
        check(&Error::CheckStopped, ErrorKind::Interrupted);
        check(&"3y3".parse::<dab_board::Position>().unwrap_err(), ErrorKind::Input);
        assert_eq!(ErrorKind::of(&std::fmt::Error), None);
    }
}
