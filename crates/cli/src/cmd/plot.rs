//! `dab plot`: the layers of a run as a picture.

use std::path::Path;

use dab_draw::LayerRow;
use dab_store::LayerSummary;

use crate::args;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::Count;
use dab::{Files, Tablebase};

pub(crate) fn run(from: &Path, picture: &args::Picture, setting: &Setting) -> Result<()> {
    let run = Tablebase::open_within(from, setting.limits())?;
    let times = match run.files() {
        Files::Run(files) => files.times(),
        _ => Default::default(),
    };
    let row = |summary: LayerSummary| {
        let LayerSummary { layer, positions, bytes, .. } = summary;
        let seconds = times.get(&layer).map(|time| time.as_secs_f64());
        Ok(LayerRow { layer: layer.0, positions, bytes, scores: run.histogram(layer)?, seconds })
    };
    let rows = run.files().layers().map(row).collect::<Result<Vec<LayerRow>>>()?;
    if rows.is_empty() {
        return Err(usage(format!("{} has no layers yet: solve it first", from.display())));
    }
    let positions: u64 = rows.iter().map(|row| row.positions).sum();
    let (start, space) = (run.space().layout().units().start(), run.space().kind());
    let penalty = if run.penalty() == 0 { String::new() } else { format!(", penalty {}", run.penalty()) };
    let title = format!("{start}, {space} space{penalty}: {} positions stored", Count(positions.into()));
    super::picture::write(&dab_draw::plot(&title, &rows), picture, setting)
}
