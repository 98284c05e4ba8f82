//! Errors of the crates below as errors of this one. Each match is exhaustive: a new variant has to be given its kind, its
//! place and its remedy here.

use std::io;

use dab_board::notation::NotationError;
use dab_board::{BoardError, IllegalMove};
use dab_space::SpaceError;
use dab_store::{FileKind, StoreError, is_out_of_files};
use dab_table::TableError;

use crate::ErrorKind::{Damaged, File, Input, Limit, Wrong};
use crate::{Error, Remedy};

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Self::io("")(source)
    }
}

impl From<BoardError> for Error {
    fn from(error: BoardError) -> Self {
        use BoardError as E;
        let place = match &error {
            E::BadGraph { line, .. } => Some(format!("line {line}")),
            E::BadHex { column, .. } => Some(format!("character {column}")),
            E::BadDiagram { row, column, .. } => Some(format!("row {row}, column {column}")),
            E::UnknownBoard { .. }
            | E::NoBoxes { .. }
            | E::EmptyRow { .. }
            | E::TooManyLines { .. }
            | E::GraphFile { .. }
            | E::NoSuchStart { .. }
            | E::UnknownStart { .. }
            | E::EmptyMask { .. }
            | E::MaskTooLong { .. }
            | E::LineBeyondBoard { .. } => None,
        };
        Self::input(error.to_string()).at(place)
    }
}

impl From<IllegalMove> for Error {
    fn from(error: IllegalMove) -> Self {
        Self::input(error.to_string())
    }
}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Self {
        use NotationError as E;
        let what = error.to_string();
        let (place, remedy) = match error {
            E::Board(error) => return error.into(),
            E::At { row, column, .. } => (Some(format!("row {row}, column {column}")), None),
            E::NeedsBoard { .. } => (None, Some(Remedy::NameBoard { such_as: "3x3".to_owned() })),
            E::SeveralBoards { first, .. } => (None, Some(Remedy::NameBoard { such_as: first })),
            E::NoRoomForStart { start } => (None, Some(Remedy::NoStart { start: start.to_string() })),
            E::TwoNotations { first, .. } => (None, Some(Remedy::NameNotation { such_as: first.to_string() })),
            E::NotAGrid { .. } | E::OtherBoard { .. } | E::UnknownNotation { .. } | E::CannotWrite { .. } => {
                (None, None)
            }
        };
        Self::input(what).at(place).with(remedy)
    }
}

impl From<SpaceError> for Error {
    fn from(error: SpaceError) -> Self {
        TableError::from(error).into()
    }
}

/// The kind of an error of the index, and the position or start that it is about. A budget that is spent is an error of tables.
fn space_error(error: SpaceError) -> Error {
    use SpaceError as E;
    let (kind, place) = match &error {
        E::Defect { position, .. } => (Wrong, position),
        E::Spent { position, .. } => (Limit, position),
        E::Penalty { start, .. } | E::MarksOfFull { start } | E::Marks { start, .. } => (Input, start),
        E::TooManyUnits { position, .. }
        | E::TooManyJoints { position, .. }
        | E::TooWide { position, .. }
        | E::TooWideCut { position, .. }
        | E::TooLongList { position, .. } => (Input, position),
    };
    Error::new(kind, error.to_string()).at(place.clone())
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        use StoreError as E;
        let what = error.to_string();
        let (kind, path, remedy) = match error {
            E::Io { path, source, .. } => {
                let remedy = match source.kind() {
                    _ if is_out_of_files(&source) => Remedy::MoreFiles,
                    io::ErrorKind::FileTooLarge => Remedy::LongerFiles,
                    _ => Remedy::System,
                };
                return Self::io(what)(source).at(path.display().to_string()).with(remedy);
            }
            E::Damaged { kind, place, .. } => {
                let remedy = match kind {
                    FileKind::ScoreFile => Remedy::Repair { is_there: true },
                    FileKind::Book => Remedy::MakeBook,
                };
                (Damaged, place.into(), Some(remedy))
            }
            E::Unrepairable { path, .. } => (Damaged, path, Some(Remedy::SolveElsewhere { keep_all: false })),
            E::Version { path, .. } | E::Shape { path, .. } => (Damaged, path, Some(Remedy::SameVersion)),
            E::ForeignFile { path, .. } => (Damaged, path, Some(Remedy::MoveAway)),
            E::MissingLayer { path, .. } => (Damaged, path, Some(Remedy::Repair { is_there: false })),
            E::Manifest { path, .. } => (Damaged, path, Some(Remedy::DeleteManifest)),
            E::DiskSpent { path, .. } => (Limit, path, Some(Remedy::GoOnWithMoreDisk)),
            E::NoSuchLayer { path, .. } | E::NoSuchSlab { path, .. } => (Input, path, Some(Remedy::Belonging)),
            E::Discarded { path, .. } => (File, path, Some(Remedy::SolveElsewhere { keep_all: true })),
            E::Released { path, .. } => (File, path, Some(Remedy::AskFinished)),
            E::Unfinished { path, .. } => (File, path, Some(Remedy::Finish)),
            E::Exists { path } => (File, path, Some(Remedy::OtherName)),
            E::BeyondBook { path, .. } => (File, path, Some(Remedy::AskRun)),
            E::Locked { path } => (File, path, Some(Remedy::Wait)),
            E::NotARun { path, .. } => (File, path, Some(Remedy::NameRun)),
            E::NotABook { path } => (File, path, Some(Remedy::NameBook)),
            E::NoPlaceForRun { path, .. } => (File, path, Some(Remedy::EmptyDirectory)),
            E::OtherGame { path, .. } => (File, path, Some(Remedy::OtherDirectory)),
            E::AlreadyFinished { path, .. } | E::ReadOnly { path } => (File, path, None),
        };
        Self::new(kind, what).at(path.display().to_string()).with(remedy)
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        use TableError as E;
        let what = error.to_string();
        let (kind, place, remedy) = match error {
            E::Store(error) => return error.into(),
            E::Space(error) => return space_error(error),
            E::Board(error) => return error.into(),
            E::Read { path, source } => return Self::io(what)(source).at(path.display().to_string()),
            // Stopping was the caller's wish, wherever the program was.
            E::Stopped => return Self::stopped_on_demand(),
            E::TooLargeIndex { position, .. } => (Limit, Some(position), Some(Remedy::MoreDrawn { or_memory: true })),
            E::TooLongPlan { position, .. } => (Limit, Some(position), Some(Remedy::MoreDrawn { or_memory: false })),
            E::Foreign(_) => (Damaged, None, None),
            E::Unfinished { name, .. } => (File, Some(name), Some(Remedy::Finish)),
            E::Discarded { name, .. } => (File, Some(name), Some(Remedy::SolveWithAll)),
            E::PartOnly { name, .. } => (File, Some(name), None),
            E::NotHeld { position, .. } | E::NoSuchMove { position, .. } => (Input, Some(position), None),
            E::NoSuchLayer(_) => (Input, None, None),
            E::OtherPenalty { name, asked, .. } => (Input, Some(name), Some(Remedy::TablePenalty { asked })),
        };
        Self::new(kind, what).at(place).with(remedy)
    }
}

#[cfg(feature = "solve")]
impl From<dab_solve::SolveError> for Error {
    fn from(error: dab_solve::SolveError) -> Self {
        use dab_solve::SolveError as E;
        let what = error.to_string();
        let (kind, place, remedy) = match error {
            E::Store(error) => return error.into(),
            E::Stopped { .. } => (crate::ErrorKind::Interrupted, None, Some(Remedy::SameCommand)),
            E::Wrong { position, .. } => (Wrong, Some(position), None),
            E::Defect { start, .. } => (Wrong, Some(start), None),
        };
        Self::new(kind, what).at(place).with(remedy)
    }
}

#[cfg(feature = "search")]
impl From<dab_search::SearchError> for Error {
    fn from(error: dab_search::SearchError) -> Self {
        use dab_search::SearchError as E;
        let remedy = match error {
            E::TooLittleMemory { needed, .. } => Some(Remedy::MoreMemoryOrFewerThreads { bytes: needed }),
            E::NoMemory { .. } => None,
        };
        Self::new(Limit, error.to_string()).with(remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_below_others_keep_their_kind_and_remedy() {
        let locked = || StoreError::Locked { path: "runs/2x2".into() };
        for error in [Error::from(locked()), TableError::from(locked()).into()] {
            assert_eq!((error.kind(), error.remedy(), error.place()), (File, Some(&Remedy::Wait), Some("runs/2x2")));
        }
        #[cfg(feature = "solve")]
        assert_eq!(Error::from(dab_solve::SolveError::from(locked())).remedy(), Some(&Remedy::Wait));
        let error = Error::from("3y3".parse::<dab_board::Position>().unwrap_err());
        assert_eq!((error.kind(), error.remedy()), (Input, None));
    }
}
