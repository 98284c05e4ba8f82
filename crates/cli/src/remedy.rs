//! Remedies for errors of files and texts, in the words of the command line; the library only says what happened.

use dab_board::notation::NotationError;
use dab_store::{FileKind, StoreError};

/// The remedy for an error, if it comes from a file and its user can do something.
pub(crate) fn of_files(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| cause.downcast_ref()).and_then(of_store)
}

fn of_store(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::Io { .. } => "check free space, permissions and the disk, then run the same command again",
        StoreError::Damaged { kind: FileKind::ScoreFile, .. } => {
            "repair the run with 'dab verify DIR --repair', or delete the file and run the same solve again"
        }
        StoreError::Damaged { kind: FileKind::SlabFile, .. } => "delete the file and run the same solve again",
        StoreError::Damaged { kind: FileKind::Book, .. } => "make the book again from its run with 'dab book'",
        StoreError::Unrepairable { .. } => "solve the board again into another directory",
        StoreError::Version { .. } | StoreError::Shape { .. } => "use the version of dab that wrote it",
        StoreError::ForeignFile { .. } => "move it away and run the same command again",
        StoreError::MissingLayer { .. } => "repair the run with 'dab verify DIR --repair', or run the same solve again",
        StoreError::DiskSpent { .. } => "what is finished stays, go on with a larger --disk",
        StoreError::Discarded { .. } => "solve the board again into another directory without --keep",
        StoreError::Released { .. } => "ask once the run is finished, or solve the board again into another directory",
        StoreError::Unfinished { .. } => "finish the run with the same solve command",
        StoreError::NoSuchLayer { .. } | StoreError::NoSuchSlab { .. } => "check that board and run belong together",
        StoreError::Exists { .. } => "remove it or choose another name",
        StoreError::BeyondBook { .. } => "ask the run it was made from, or make a book with more layers",
        StoreError::Locked { .. } => "wait for it or choose another directory",
        StoreError::NotARun { .. } => "choose an empty or new directory, or one that holds a run",
        StoreError::OtherGame { .. } => "choose another directory, or solve what it holds",
        StoreError::Manifest { .. } => {
            "delete it and run the same solve again: the manifest is rebuilt from the score files"
        }
        StoreError::AlreadyFinished { .. } | StoreError::ReadOnly { .. } => return None,
    })
}

/// The option that helps if a text can be read in several ways, as the end of the error's text.
pub(crate) fn of_texts(error: &anyhow::Error) -> Option<String> {
    let error = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(dab::Error::Notation(error)) => Some(error),
        _ => cause.downcast_ref(),
    })?;
    Some(match error {
        NotationError::NeedsBoard { .. } => ", such as --board 3x3".to_owned(),
        NotationError::SeveralBoards { first, .. } => format!(", such as --board {first}"),
        NotationError::TwoNotations { first, .. } => format!(", such as --from {first}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use dab_book::BookError;

    use super::*;

    #[test]
    fn remedies_are_found_below_other_errors() {
        let locked = || StoreError::Locked { path: "runs/2x2".into() };
        let text = Some("wait for it or choose another directory");
        assert_eq!(of_files(&locked().into()), text);
        assert_eq!(of_files(&BookError::from(locked()).into()), text);
        assert_eq!(of_files(&dab::Error::from(dab_solve::SolveError::from(locked())).into()), text);
        assert_eq!(of_files(&anyhow::anyhow!("no")), None);
    }
}
