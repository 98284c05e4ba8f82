//! `dab book`: the first layers of a run in one file.

use std::path::Path;

use dab_store::{BookFile, RunDir};

use crate::cmd::info::Info;
use crate::failure::Usage;
use crate::options::{Extent, Setting};
use crate::output::Bytes;
use dab::Files;

pub(crate) fn run(dir: &Path, extent: &Extent, out: &Path, setting: &Setting) -> anyhow::Result<()> {
    let run = RunDir::open(dir)?;
    let last = match *extent {
        Extent::Layers(last) => last,
        Extent::MaxSize(max_size) => last_that_fits(&run, max_size)?,
    };
    let book = BookFile::make(&run, last, out)?;
    setting.output.note(format!("{} holds layers 0 to {last} of {}", out.display(), dir.display()));
    setting.output.print(&Info(Files::Book(book.into()).summary()))
}

/// The last layer of the largest book of at most `max_size` bytes.
fn last_that_fits(run: &RunDir, max_size: u64) -> anyhow::Result<usize> {
    let least = BookFile::byte_len(run, 0)?;
    if least > max_size {
        let (path, max_size) = (run.path().display(), Bytes(max_size.into()));
        return Err(Usage(format!(
            "no book of {path} fits in {max_size}: layer 0 alone takes {least} bytes; use a larger --max-size"
        ))
        .into());
    }
    let mut last = 0;
    while last + 1 < run.n_layers() && BookFile::byte_len(run, last + 1)? <= max_size {
        last += 1;
    }
    Ok(last)
}
