//! `dab export`: positions with scores and best moves.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use dab::export::{Selection, export};
use dab::{Error, Tablebase};
use dab_space::Layer;
use serde::Serialize;

use crate::args::Export;
use crate::failure::Result;
use crate::options::Setting;
use crate::output::plural;
use crate::progress::Progress;

/// The file that was written.
#[derive(Serialize)]
struct Written {
    path: String,
    positions: u64,
}

pub(crate) fn run(args: &Export, setting: &Setting) -> Result<()> {
    let table = Tablebase::open_within(&args.path, setting.limits())?;
    let selection = Selection { layer: args.layer.map(Layer), sample: args.sample, seed: args.seed };
    let all = table.files().layers().filter(|layer| args.layer.is_none_or(|wanted| layer.layer.0 == wanted));
    let all: u64 = all.map(|layer| layer.positions).sum();
    let progress = Progress::new(args.sample.map_or(all, |sample| sample.min(all)).into())?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).map_err(Error::io(format!("cannot write {}", path.display())))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let n = export(&table, selection, args.format, setting.limits(), &progress, &mut out)?;
    drop((progress, out));
    let Some(path) = &args.out else { return Ok(()) };
    let written = Written { path: path.display().to_string(), positions: n };
    setting
        .output
        .print_as(&written, |Written { path, positions }, f| write!(f, "{path}: {}", plural(*positions, "position")))
}
