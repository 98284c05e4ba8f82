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
struct Picture {
    path: String,
    bytes: usize,
}

/// Whether a file is of a kind, by its name.
pub(super) fn is(path: &Path, kind: &str) -> bool {
    path.extension().is_some_and(|extension| extension == kind)
}

/// Writes an SVG, or the same as PNG, and prints its path.
pub(super) fn write(svg: &str, picture: &args::Picture, setting: &Setting) -> Result<()> {
    let path = &picture.out;
    let bytes = match path.extension().and_then(OsStr::to_str) {
        Some("svg") => svg.as_bytes().to_vec(),
        Some("png") => dab_draw::png(svg, picture.scale).map_err(wrong)?,
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
    let picture = Picture { path: path.display().to_string(), bytes: bytes.len() };
    setting.output.print_as(&picture, |picture, f| f.write_str(&picture.path))
}
