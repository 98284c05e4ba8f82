//! Answers a position from the shipped books, and where these do not hold it by a solve within limits,
//! whose result is kept.
//!
//!     cargo run --release -p dab-solver --example tables_else_solve -- 4x4:0 3x3:fff
#![expect(clippy::print_stdout, reason = "an example prints")]

use dab::{Effort, Library, Limits, OnDemand, Position};

fn main() -> Result<(), dab::Error> {
    let limits = Limits::default();
    let tables = OnDemand { library: Library::shipped_books(limits)?, limits };
    for text in std::env::args().skip(1) {
        let position: Position = text.parse()?;
        let how = if tables.answer(&position, Effort::Tables)?.is_some() { "known" } else { "solved" };
        if let Some(answer) = tables.answer(&position, Effort::Any)? {
            let best: Vec<&str> = answer.best().map(|line| position.board().line_name(line)).collect();
            println!("{position}: score {}, best {}, {how}", answer.score, best.join(" "));
        }
    }
    Ok(())
}
