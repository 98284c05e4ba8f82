//! Compares two tables of one board, such as those of its two spaces, on random positions that the first one stores.
//!
//!     cargo run --release -p dab-solver --example compare_tables -- [PATH PATH]
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{Solve, SpaceKind, Tablebase};

fn main() -> Result<(), dab::Error> {
    let mut paths = std::env::args().skip(1);
    let [one, other] = match (paths.next(), paths.next()) {
        (Some(one), Some(other)) => [Tablebase::open(one)?, Tablebase::open(other)?],
        _ => {
            let quiet = dab::solve("2x3".parse()?);
            [quiet.clone().in_memory()?, Solve { space: SpaceKind::Full, ..quiet }.in_memory()?]
        }
    };
    let drawn = one.sample(10_000, None, 1)?;
    let (ours, theirs) = (one.probe_many(&drawn)?, other.probe_many(&drawn)?);
    let n_different = ours.iter().zip(&theirs).filter(|(one, other)| one != other).count();
    println!("{}: {n_different} of {} scores differ", one.start(), drawn.len());
    Ok(())
}
