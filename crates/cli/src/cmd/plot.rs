//! `dab plot`: the layers of a run as a picture.

use std::path::Path;

use dab_draw::LayerRow;
use dab_store::LayerSummary;
use rayon::prelude::*;

use super::picture;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::Count;
use dab::{Files, Tablebase};
use dab_space::{Layer, SlabId};

pub(crate) fn run(from: &Path, out: &Path, setting: &Setting) -> anyhow::Result<()> {
    let run = Tablebase::open(from)?;
    let times = match run.files() {
        Files::Run(files) => files.times(),
        _ => Default::default(),
    };
    let row = |summary: LayerSummary| {
        let LayerSummary { layer, positions, bytes, .. } = summary;
        let seconds = times.get(&layer).map(|time| time.as_secs_f64());
        anyhow::Ok(LayerRow { layer: layer.0, positions, bytes, scores: scores(&run, layer)?, seconds })
    };
    let rows = run.files().layers().map(row).collect::<anyhow::Result<Vec<LayerRow>>>()?;
    if rows.is_empty() {
        return Err(Usage(format!("{} has no layers yet: solve it first", from.display())).into());
    }
    let positions: u64 = rows.iter().map(|row| row.positions).sum();
    let (start, space) = (run.space().layout().units().start(), run.space().kind());
    let penalty = if run.penalty() == 0 { String::new() } else { format!(", penalty {}", run.penalty()) };
    let title = format!("{start}, {space} space{penalty}: {} positions stored", Count(positions.into()));
    picture::write(&dab_draw::plot(&title, &rows), out, setting)
}

/// Stored positions of a layer by score.
fn scores(run: &Tablebase, layer: Layer) -> anyhow::Result<Vec<(i8, u64)>> {
    let keys = &run.space().layout().layers()[layer.0];
    let count = |(slab, &key): (usize, _)| {
        let scores = run.files().scores().read_slab(SlabId::new(layer, slab), run.space().shape(key))?;
        let mut counts = [0u64; 256];
        scores.iter().for_each(|&score| counts[score as u8 as usize] += 1);
        anyhow::Ok(counts)
    };
    let add = |mut a: [u64; 256], b: [u64; 256]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        Ok(a)
    };
    let counts = keys.par_iter().enumerate().map(count).try_reduce(|| [0; 256], add)?;
    Ok((i8::MIN..=i8::MAX).map(|score| (score, counts[score as u8 as usize])).filter(|(_, n)| *n > 0).collect())
}
