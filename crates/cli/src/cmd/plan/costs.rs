//! Measured costs: a file of measurements, one JSON object a line, and the costs that fit them.

use std::fmt::{self, Write};
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::time::Duration;

use dab::measure::MeasuredFiles;
use dab::{Error, Planned};
use dab_solve::plan::costs::{Costs, Measurement};
use dab_store::{RECORDS_BYTES, read_whole};
use serde::Serialize;

use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::Bytes;
use crate::progress::{Heartbeat, Progress};

/// Costs, and how well they fit.
#[derive(Serialize)]
pub(super) struct Measured {
    costs: Costs,
    residuals: Vec<Residual>,
    /// The layers that were solved for their bytes, if there were enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<MeasuredFiles>,
}

/// A board that was measured.
#[derive(Serialize)]
struct Residual {
    position: String,
    threads: usize,
    slabs: usize,
    /// Nanoseconds of a position, as they were measured and as the costs foretell them.
    measured: f64,
    foretold: f64,
}

/// Measures for some time, if that is asked: half of it slabs, half of it the last layers. Plans with what was measured and with the
/// measurements of the file, and returns it.
pub(super) fn measured(
    planned: &mut Planned<'_>,
    dir: &Path,
    time: Option<Duration>,
    file: Option<&Path>,
    setting: &Setting,
) -> Result<Option<Measured>> {
    let mut all = file.map(read).transpose()?.unwrap_or_default();
    let mut written = None;
    if let Some(time) = time {
        let stop = Progress::new(0)?;
        let heartbeat = Heartbeat::new(|| "timing slabs".to_owned());
        let measured = planned.measure(dir, time / 2, &stop)?;
        drop(heartbeat);
        if measured.left_out > 0.0 {
            let part = 100.0 * measured.left_out;
            setting.output.note(format!(
                "{part:.0} % of the positions lie in slabs too large for --memory; their costs are inferred"
            ));
        }
        if measured.measurement.large.is_empty() {
            return Err(usage(format!("no slab was timed in {} s: use a longer --measure", time.as_secs())));
        }
        if let Some(file) = file {
            append(file, &measured.measurement).map_err(Error::io(format!("cannot write {}", file.display())))?;
        }
        all.push(measured.measurement);
        let heartbeat = Heartbeat::new(|| "solving the last layers".to_owned());
        written = planned.measure_files(dir, time / 2, &stop)?;
        drop(heartbeat);
    } else if let Some(file) = file.filter(|_| all.is_empty()) {
        let file = file.display();
        return Err(usage(format!(
            "{file} has no measurements: 'dab plan BOARD --measure 2 --costs {file}' makes one"
        )));
    }
    if all.is_empty() {
        return Ok(None);
    }
    let costs = Costs::fitted_to(&all);
    planned.plan.costs = costs;
    let residual = |of: &Measurement| Residual {
        position: of.position.clone(),
        threads: of.threads,
        slabs: of.large.len() + of.any.len(),
        measured: of.position(),
        foretold: of.foretold(&costs),
    };
    Ok(Some(Measured { costs, residuals: all.iter().map(residual).collect(), written }))
}

/// The measurements of a file; none if it is not there.
fn read(file: &Path) -> Result<Vec<Measurement>> {
    let bytes = match read_whole(file, RECORDS_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)),
    };
    let text = bytes.map_err(Error::io(format!("cannot read {}", file.display())))?;
    let parse = |(line, text): (usize, &str)| {
        let of_line = || format!("{}, line {}: not a measurement of 'dab plan --measure'", file.display(), line + 1);
        serde_json::from_str(text).ok().filter(Measurement::is_sound).ok_or_else(|| usage(of_line()))
    };
    text.lines().enumerate().map(parse).collect()
}

fn append(file: &Path, measurement: &Measurement) -> io::Result<()> {
    let mut line = serde_json::to_vec(measurement)?;
    line.push(b'\n');
    File::options().create(true).append(true).open(file)?.write_all(&line)
}

impl Measured {
    pub(super) fn text(&self, f: &mut String) -> fmt::Result {
        let Costs { position, waist_unit, slab, configuration, decode } = self.costs;
        write!(
            f,
            "\ncosts    {position:.2} ns a position and {waist_unit:.2} ns for each unit of the waist, 7 at most; {:.1} µs a slab, {:.2} µs \
             a configuration and unit of the waist, {decode:.2} ns to decode a score",
            slab / 1e3,
            configuration / 1e3
        )?;
        for Residual { position, threads, slabs, measured, foretold } in &self.residuals {
            let off = 100.0 * (foretold / measured - 1.0);
            write!(
                f,
                "\nmeasured {position}, {threads} threads, {slabs} slabs: {measured:.2} ns a position, {foretold:.2} foretold ({off:+.0} %)"
            )?;
        }
        if let Some(MeasuredFiles { from, part, foretold }) = self.written {
            let (part, foretold) = (100.0 * part, Bytes(foretold));
            write!(
                f,
                "\nsolved   the layers from {from} on, {part:.0} % of the positions; without their bytes: {foretold} in all"
            )?;
        }
        Ok(())
    }
}
