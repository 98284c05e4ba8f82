//! Writes the stored positions of a solved board with their scores as CSV.
//!
//!     cargo run --release -p dab --example export_csv -- [PATH of a run or book] > positions.csv

use std::io::{self, BufWriter, Write};

use dab::Tablebase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = match std::env::args().nth(1) {
        Some(path) => Tablebase::open(path)?,
        None => dab::solve("2x2".parse()?).in_memory()?,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "position,drawn,score")?;
    for layer in table.files().layers() {
        let mut written = Ok(());
        table.for_each_stored(layer.layer, |position, score| {
            if written.is_ok() {
                written = writeln!(out, "{position},{},{score}", position.drawn().len());
            }
        })?;
        written?;
    }
    Ok(out.flush()?)
}
