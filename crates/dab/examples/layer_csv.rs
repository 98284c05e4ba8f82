//! Writes every stored position of a layer with its score as CSV.
//!
//!     cargo run --release -p dab-solver --example layer_csv -- [PATH of a run or book] [LAYER] > layer.csv

use std::io::{self, BufWriter, Write};

use dab::{Layer, Tablebase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().unwrap_or_else(|| "data/books/4x4.book".to_owned());
    let layer = Layer(words.next().map_or(Ok(2), |layer| layer.parse())?);
    let table = Tablebase::open(path)?;
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "position,score")?;
    for stored in table.stored(layer)? {
        let (position, score) = stored?;
        writeln!(out, "{position},{score}")?;
    }
    Ok(out.flush()?)
}
