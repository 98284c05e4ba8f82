//! Dots and Boxes, solved exactly: open a table of scores, ask it, or compute one.
//!
//! ```
//! # fn main() -> Result<(), dab::Error> {
//! let start: dab::Position = "3x3".parse()?;
//! let table = dab::solve(start.clone()).in_memory()?; // or dab::Tablebase::open("runs/3x3")?
//! assert_eq!(table.probe(&start)?, dab::Score(-3)); // net boxes for the player to move
//!
//! let chains: dab::Position = "3x3:fff".parse()?;
//! for m in table.answer(&chains)?.moves {
//!     println!("{}: {} ({})", chains.board().line_name(m.line), m.score, m.kind.name());
//! }
//! println!("best play: {:?}", table.best_play(&chains)?);
//! # Ok(())
//! # }
//! ```
//!
//! [`solve()`] computes the scores of every position that a start can lead to, into memory or a run directory.
//! [`Tablebase`] answers from a run, from a book or from the result of a solve. [`OnDemandSolve`] solves a position that no
//! table holds, within limits. [`Library`] asks several tables at once, also the books that come with the program.
#![forbid(unsafe_code)]

pub mod batch;
pub mod census;
pub mod crosscheck;
pub mod details;
pub mod explorer;
pub mod export;
pub mod figures;
pub mod forecast;
pub mod measure;
pub mod nimstring;
pub mod opponent;
pub mod penalties;
pub mod pieces;
pub mod problems;
pub mod review;
mod temporary;
pub mod text;
pub mod theory;

mod book;
mod error;
mod error_kind;
mod files;
mod lacking;
mod library;
mod library_table;
mod limits;
mod machine;
mod memory;
mod on_demand;
mod run_name;
mod sample;
mod shipped;
mod solve;
mod tablebase;
mod verify;

pub use book::make_book;
pub use dab_board::{Board, LineIdx, LineSet, Position, Score};
pub use dab_book::{Answer, Book, Mark, MoveKind, MoveScore};
pub use dab_solve::{Observer, SlabCache};
pub use dab_space::{SpaceKind, set_clock};
pub use error::Error;
pub use error_kind::ErrorKind;
pub use files::{Files, Summary};
pub use lacking::{Lacking, LearnedScores};
pub use library::{Library, SolvedTables};
pub use library_table::LibraryTable;
pub use limits::Limits;
pub use memory::available_memory;
pub use on_demand::OnDemandSolve;
pub use run_name::run_name;
pub use shipped::{book_dirs, shipped_books};
pub use solve::{Indexed, LayerTimes, Planned, Solve, solve};
pub use tablebase::{Play, Source, Tablebase};
pub use verify::{Checked, Level, repair};
