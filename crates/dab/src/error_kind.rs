//! Kinds of errors: who can do something about them.

use std::io;

use dab_board::BoardError;
use dab_board::notation::NotationError;
use dab_book::BookError;
use dab_nimstring::NimstringError;
use dab_search::SearchError;
use dab_solve::SolveError;
use dab_space::SpaceError;
use dab_store::StoreError;
use serde::Serialize;

use crate::Error;
use crate::batch::Defect;

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

impl ErrorKind {
    /// The kind of an error of this workspace or of the operating system; `None` for any other one.
    pub fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        if let Some(error) = error.downcast_ref::<Error>() {
            Some(error.kind())
        } else if let Some(error) = error.downcast_ref() {
            Some(of_store(error))
        } else if let Some(error) = error.downcast_ref() {
            Some(of_book(error))
        } else if let Some(error) = error.downcast_ref() {
            Some(of_solve(error))
        } else if let Some(error) = error.downcast_ref() {
            Some(of_space(error))
        } else if error.is::<BoardError>() || error.is::<NotationError>() {
            Some(Self::Input)
        } else if error.is::<Defect>() {
            Some(Self::Wrong)
        } else if error.is::<NimstringError>() || error.is::<SearchError>() {
            Some(Self::Limit)
        } else {
            error.is::<io::Error>().then_some(Self::File)
        }
    }
}

impl Error {
    /// The kind of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => of_store(error),
            Self::Book(error) => of_book(error),
            Self::Solve(error) => of_solve(error),
            Self::Space(error) => of_space(error),
            Self::Notation(_)
            | Self::Board(_)
            | Self::Penalty { .. }
            | Self::Graph(_)
            | Self::Problem(_)
            | Self::OtherBoard { .. }
            | Self::OtherPenalty { .. }
            | Self::NoGame { .. }
            | Self::NoneArises { .. }
            | Self::EndsEarly { .. }
            | Self::FewerLines { .. }
            | Self::Incomparable(_)
            | Self::NoSuchSlab(_) => ErrorKind::Input,
            Self::Read { .. }
            | Self::Write { .. }
            | Self::Program(_)
            | Self::Unfinished { .. }
            | Self::Discarded { .. }
            | Self::PartOnly { .. }
            | Self::NotARun { .. }
            | Self::NotReady { .. }
            | Self::NoTemporaryFiles { .. } => ErrorKind::File,
            Self::Foreign(_) => ErrorKind::Damaged,
            Self::TooMuch { .. }
            | Self::TooLargeIndex { .. }
            | Self::TooLongPlan { .. }
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

fn of_book(error: &BookError) -> ErrorKind {
    match error {
        BookError::NotHeld { .. } => ErrorKind::Input,
        BookError::Store(error) => of_store(error),
    }
}

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
        check(&BookError::from(locked()), ErrorKind::File);
        check(&Error::from(SolveError::from(locked())), ErrorKind::File);
        check(&Error::CheckStopped, ErrorKind::Interrupted);
        check(&"3y3".parse::<dab_board::Position>().unwrap_err(), ErrorKind::Input);
        assert_eq!(ErrorKind::of(&std::fmt::Error), None);
    }
}
