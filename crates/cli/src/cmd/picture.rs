//! A picture in a file, of the kind that its name says.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use dab::Error;
use serde::Serialize;

use crate::args;
use crate::failure::{Result, usage, wrong};
use crate::options::Setting;

/// The file that was written.
#[derive(Serialize)]
struct Written {
    path: String,
    bytes: usize,
}

/// Whether a file is of a kind, by its name.
pub(super) fn is(path: &Path, kind: &str) -> bool {
    path.extension().is_some_and(|extension| extension == kind)
}

/// Writes a picture as its name says, and prints its path.
pub(super) fn write(
    picture: &dab_draw::Picture,
    args::Picture { out: path, scale }: &args::Picture,
    setting: &Setting,
) -> Result<()> {
    let bytes = match path.extension().and_then(OsStr::to_str) {
        Some("svg") => picture.svg().into_bytes(),
        Some("png") => picture.png(*scale).map_err(wrong)?,
        _ => {
            let error = "is neither .svg nor .png: the name of the file says what to write";
            return Err(usage(format!("{} {error}", path.display())));
        }
    };
    save(&bytes, path, setting)
}

/// Writes the bytes of a picture, and prints its path.
pub(super) fn save(bytes: &[u8], path: &Path, setting: &Setting) -> Result<()> {
    fs::write(path, bytes).map_err(Error::io(format!("cannot write {}", path.display())))?;
    let written = Written { path: path.display().to_string(), bytes: bytes.len() };
    setting.output.print_as(&written, |written, f| f.write_str(&written.path))
}
