//! Shipped books: books that come with the program and are found without being named.
//!
//! ```text
//!    BIN/books               a program and its books, copied together       BIN: the directory of the program
//!    BIN/../share/dab/books  an installed program
//!    data/books              a copy of the sources, the current directory
//! ```

use std::env::current_exe;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::TableError;

/// The directories in which books are looked for, the first one first. They need not exist.
pub fn book_dirs() -> Vec<PathBuf> {
    let program = current_exe().ok();
    dirs(program.as_deref().and_then(Path::parent))
}

/// The directories for a program in the directory `bin`.
fn dirs(bin: Option<&Path>) -> Vec<PathBuf> {
    let beside = bin.map(|bin| bin.join("books"));
    let installed = bin.and_then(Path::parent).map(|prefix| prefix.join("share/dab/books"));
    beside.into_iter().chain(installed).chain(["data/books".into()]).collect()
}

/// Every shipped book: all files `*.book` of the directories, in order of names within each.
///
/// # Errors
/// If a directory cannot be listed.
pub fn shipped_books() -> Result<Vec<PathBuf>, TableError> {
    let books = book_dirs().iter().map(|dir| books_in(dir)).collect::<Result<Vec<_>, TableError>>()?;
    Ok(books.concat())
}

/// The books of a directory, by name; none if there is no such directory.
fn books_in(dir: &Path) -> Result<Vec<PathBuf>, TableError> {
    let failed = |source| TableError::Read { path: dir.into(), source };
    let entries = match fs::read_dir(dir) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut books = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "book") && path.is_file() {
            books.push(path);
        }
    }
    books.sort_unstable();
    Ok(books)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_are_beside_the_program_or_installed_or_in_the_sources() {
        let of = |bin: Option<&str>| dirs(bin.map(Path::new));
        let expected = ["/opt/dab/bin/books", "/opt/dab/share/dab/books", "data/books"];
        assert_eq!(of(Some("/opt/dab/bin")), expected.map(PathBuf::from));
        assert_eq!(of(Some("/")), ["/books", "data/books"].map(PathBuf::from));
        assert_eq!(of(None), [PathBuf::from("data/books")]);
    }

    #[test]
    fn books_are_files_of_that_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        assert!(books_in(&path("missing")).unwrap().is_empty());
        for name in ["b.book", "a.book", "README.md", "c.book.part"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("d.book")).unwrap();
        assert_eq!(books_in(dir.path()).unwrap(), [path("a.book"), path("b.book")]);
        assert!(books_in(&path("a.book")).unwrap().is_empty());
    }
}
