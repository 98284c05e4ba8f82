//! Opens a run or a book and looks positions up. No solver is built with `--no-default-features`.
//!
//!     cargo run --release -p dab-solver --example probe_book --no-default-features -- data/books/4x4.book 4x4:0 4x4:1001
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{Position, Tablebase};

fn main() -> Result<(), dab::Error> {
    let mut words = std::env::args().skip(1);
    let table = Tablebase::open(words.next().unwrap_or_else(|| "data/books/4x4.book".to_owned()))?;
    println!("{} layers from {} on", table.files().layers().count(), table.start());
    for text in words {
        let position: Position = text.parse()?;
        println!("{position}: score {}", table.probe(&position)?);
    }
    Ok(())
}
