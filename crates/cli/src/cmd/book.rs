//! `dab book`: the first layers of a run in one file.

use dab::Files;
use dab_space::Layer;
use dab_store::{BookFile, RunDir};

use crate::args::Book;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::Bytes;

pub(crate) fn run(Book { dir, layers, max_size, out }: &Book, setting: &Setting) -> Result<()> {
    let run = RunDir::open(dir)?;
    let last = match (*layers, *max_size) {
        (Some(last), _) => Layer(last),
        (None, Some(max_size)) => last_that_fits(&run, max_size)?,
        (None, None) => {
            return Err(usage("how much of the run? use --layers K or --max-size SIZE"));
        }
    };
    let book = dab::make_book(&run, last, out, setting.limits())?;
    setting.output.note(format!("{} holds layers 0 to {last} of {}", out.display(), dir.display()));
    setting.output.print(&Files::Book(book.into()).summary())
}

/// The last layer of the largest book of at most `max_size` bytes.
fn last_that_fits(run: &RunDir, max_size: u64) -> Result<Layer> {
    let least = BookFile::byte_len(run, Layer(0))?;
    if least > max_size {
        let (path, max_size) = (run.path().display(), Bytes(max_size.into()));
        return Err(usage(format!(
            "no book of {path} fits in {max_size}: layer 0 alone takes {least} bytes; use a larger --max-size"
        )));
    }
    let mut last = 0;
    while last + 1 < run.n_layers() && BookFile::byte_len(run, Layer(last + 1))? <= max_size {
        last += 1;
    }
    Ok(Layer(last))
}
