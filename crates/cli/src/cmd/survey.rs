//! `dab survey`: rules of thumb against every stored position of a run.

use std::path::{Path, PathBuf};

use dab::{Survey, Tablebase};

use super::picture;
use crate::args::Picture;
use crate::failure::Result;
use crate::options::Setting;
use crate::progress::Progress;

pub(crate) fn run(path: &Path, nimstring: Option<&Path>, plot: Option<PathBuf>, setting: &Setting) -> Result<()> {
    let open = |path| Tablebase::open_within(path, setting.limits());
    let (table, nimstring) = (open(path)?, nimstring.map(open).transpose()?);
    let progress = Progress::new(table.files().layers().map(|layer| u128::from(layer.positions)).sum())?;
    let survey = Survey::new(&table, nimstring.as_ref(), setting.limits(), &progress)?;
    drop(progress);
    setting.output.print(&survey)?;
    plot.map_or(Ok(()), |out| picture::write(&survey.plot(), &Picture { out, scale: 1.0 }, setting))
}
