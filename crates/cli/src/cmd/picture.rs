//! A picture in a file, of the kind that its name says.

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use crate::failure::Usage;

/// The file that was written.
#[derive(Serialize)]
pub(super) struct Picture {
    path: String,
    bytes: usize,
}

impl Picture {
    /// Writes an SVG, or the same as PNG.
    pub(super) fn write(svg: &str, path: &Path) -> anyhow::Result<Self> {
        let bytes = match path.extension().and_then(OsStr::to_str) {
            Some("svg") => svg.as_bytes().to_vec(),
            Some("png") => dab_draw::png(svg)?,
            _ => return Err(unknown(path).into()),
        };
        fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.display().to_string(), bytes: bytes.len() })
    }
}

fn unknown(path: &Path) -> Usage {
    Usage(format!("{} is neither .svg nor .png: the name of the file says what to write", path.display()))
}

impl Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}
