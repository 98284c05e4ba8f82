//! `dab verify`: are the files of a run intact, and do their scores follow the rules?

use std::fmt::{self, Write};
use std::path::Path;

use dab::verify;
use dab::{Error, Files, Tablebase};
use dab_store::StoreError;
use serde::Serialize;

use crate::args::Level;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::{message, plural};
use crate::progress::Progress;

#[derive(Serialize)]
struct Report {
    path: String,
    level: &'static str,
    layers: usize,
    finished: usize,
    /// Slabs that were released, so that they could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    released_slabs: Option<usize>,
    /// Positions whose scores were checked.
    positions: u64,
    digest: Option<String>,
    /// Files that were damaged and are repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired: Vec<String>,
}

pub(crate) fn run(path: &Path, level: Level, repair: bool, setting: &Setting) -> Result<()> {
    if repair && path.is_file() {
        return Err(usage(format!("{} is a book: make it again from its run with 'dab book'", path.display())));
    }
    let limits = setting.limits();
    let told = |fault: &str| message(format!("{fault}: repaired"));
    let repaired = if repair { verify::repair(path, limits, &told)? } else { Vec::new() };
    let files = if level == Level::Checksums { Files::open_to_verify(path)? } else { Files::open(path)? };
    let positions = if level == Level::Checksums {
        let positions = files.layers().map(|layer| u128::from(layer.positions)).sum();
        let checked = verify::checksums(&files, &Progress::new(positions)?)?;
        require_intact(path, checked.faults)?;
        checked.positions
    } else {
        let table = Tablebase::open_within(path, limits)?;
        let progress = Progress::new(table.space().layout().total_positions())?;
        verify::scores(&table, level == Level::Full, limits, &progress)?
    };
    let report = Report {
        path: path.display().to_string(),
        level: level.name(),
        layers: files.n_layers(),
        finished: files.layers().count(),
        released_slabs: Some(files.released_slabs()).filter(|&slabs| slabs > 0),
        positions,
        digest: files.digest().map(|digest| digest.to_string()),
        repaired,
    };
    setting.output.print_as(&report, text)
}

/// Names every fault; the error is the only one, or the first of several.
fn require_intact(path: &Path, faults: Vec<StoreError>) -> Result<()> {
    let (n_faults, mut faults) = (faults.len(), faults.into_iter().map(Error::from));
    let Some(first) = faults.next() else { return Ok(()) };
    if n_faults == 1 {
        return Err(first);
    }
    message(format!("{first:#}"));
    faults.for_each(|fault| message(format!("{fault:#}")));
    Err(first.context(format!("{}: {n_faults} faults, the first", path.display())))
}

fn text(report: &Report, f: &mut String) -> fmt::Result {
    let Report { path, level, layers, finished, released_slabs, .. } = report;
    write!(
        f,
        "{path}: level {level}: {finished} of {} checked, all correct, {}",
        plural(*layers as u64, "layer"),
        plural(report.positions, "score")
    )?;
    if let Some(slabs) = *released_slabs {
        write!(f, "; {} released", plural(slabs as u64, "slab"))?;
    }
    match &report.digest {
        Some(digest) => write!(f, ", digest {digest}"),
        None => write!(f, "; the run is not finished"),
    }
}
