//! `dab export`: positions with scores and best moves.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use anyhow::Context;
use dab::Tablebase;
use dab::export::{Selection, export};
use dab_space::Layer;

use crate::args::Export;
use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;

pub(crate) fn run(args: &Export, setting: &Setting) -> anyhow::Result<()> {
    let table = Tablebase::open(&args.path)?;
    let selection = Selection { layer: args.layer.map(Layer), sample: args.sample, seed: args.seed };
    let all = table.files().layers().filter(|layer| args.layer.is_none_or(|wanted| layer.layer.0 == wanted));
    let all: u64 = all.map(|layer| layer.positions).sum();
    let progress = Progress::new(args.sample.map_or(all, |sample| sample.min(all)).into())?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let n = export(&table, selection, args.format, setting.limits(), &progress, &mut out)?;
    drop(progress);
    setting.output.note(format!("{} positions of {}", Count(n.into()), args.path.display()));
    Ok(())
}
