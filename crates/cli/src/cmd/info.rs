//! `dab info`: the contents of a run or a book.

use std::path::Path;

use dab::Files;

use crate::failure::Result;
use crate::options::Setting;

pub(crate) fn run(path: &Path, setting: &Setting) -> Result<()> {
    setting.output.print(&Files::open(path)?.summary())
}
