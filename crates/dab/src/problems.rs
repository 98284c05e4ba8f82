//! Problems with known answers: read from text, solved and compared.
//!
//! ```text
//!    text ─ parse ─► Problem ─ check, which asks for an answer ─► Check: the findings, and those that are wrong
//! ```
//! [`known`] problems come with the library.

use std::path::Path;
use std::{fs, io};

use dab_store::{TEXT_BYTES, read_whole};

use crate::Error;

mod check;
mod file;

pub use check::Check;
pub use file::Problem;
use file::parse;

/// The texts of `problems`: names of files and their texts.
const KNOWN: [(&str, &str); 4] = [
    ("wilson.txt", include_str!("../problems/wilson.txt")),
    ("caribou.txt", include_str!("../problems/caribou.txt")),
    ("buzzard-ciere.txt", include_str!("../problems/buzzard-ciere.txt")),
    ("single-moves.txt", include_str!("../problems/single-moves.txt")),
];

/// The problems that come with the library.
///
/// # Errors
/// If one of them is written wrong.
pub fn known() -> Result<Vec<Problem>, Error> {
    let problems = KNOWN.iter().map(|(name, text)| parse_named(name, text));
    Ok(problems.collect::<Result<Vec<_>, Error>>()?.concat())
}

/// Puzzles that come with the library, made by `dab puzzles`.
///
/// # Errors
/// If one of them is written wrong.
pub(crate) fn puzzles() -> Result<Vec<Problem>, Error> {
    parse_named("puzzles.txt", include_str!("../puzzles/puzzles.txt"))
}

/// The problems of a file, or of all `.txt` files of a directory.
///
/// # Errors
/// If a file cannot be read, or a problem is written wrong.
pub fn read(path: &Path) -> Result<Vec<Problem>, Error> {
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(Error::cannot_read(path))?;
        paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<_, _>>().map_err(Error::cannot_read(path))?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
    }
    let problems = paths.iter().map(|path| {
        let bytes = read_whole(path, TEXT_BYTES).map_err(Error::cannot_read(path))?;
        let text = String::from_utf8(bytes).map_err(|error| Error::cannot_read(path)(io::Error::other(error)))?;
        parse_named(&path.display().to_string(), &text)
    });
    Ok(problems.collect::<Result<Vec<_>, Error>>()?.concat())
}

fn parse_named(name: &str, text: &str) -> Result<Vec<Problem>, Error> {
    parse(text).map_err(|error| Error::input(format!("{name}, {error}")).at(name.to_owned()))
}
