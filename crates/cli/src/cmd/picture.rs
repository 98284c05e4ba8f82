//! A picture in a file, of the kind that its name says.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;

use anyhow::Context;
use serde::Serialize;

use crate::args;
use crate::failure::Usage;
use crate::options::Setting;

/// The file that was written.
#[derive(Serialize)]
struct Picture {
    path: String,
    bytes: usize,
}

/// Writes an SVG, or the same as PNG, and prints its path.
pub(super) fn write(svg: &str, picture: &args::Picture, setting: &Setting) -> anyhow::Result<()> {
    let path = &picture.out;
    let bytes = match path.extension().and_then(OsStr::to_str) {
        Some("svg") => svg.as_bytes().to_vec(),
        Some("png") => dab_draw::png(svg, picture.scale)?,
        _ => {
            let error = "is neither .svg nor .png: the name of the file says what to write";
            return Err(Usage(format!("{} {error}", path.display())).into());
        }
    };
    fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    let picture = Picture { path: path.display().to_string(), bytes: bytes.len() };
    setting.output.print(&picture, |picture, f| f.write_str(&picture.path))
}
