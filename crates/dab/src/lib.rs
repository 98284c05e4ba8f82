//! Dots and Boxes, solved exactly: open a table of scores, ask it, or compute one.
//!
//! ```
//! # #[cfg(feature = "solve")]
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
//! # #[cfg(not(feature = "solve"))]
//! # fn main() {}
//! ```
//!
//! [`solve()`] computes the scores of every position that a start can lead to, into memory or a run directory.
//! [`Tablebase`] answers from a run, from a book or from the result of a solve, [`Library`] from several of them, also from the
//! books that come with the program, and [`OnDemand`] solves what no table holds, within limits.
//!
//! Below that are the rooms [`space`], the index of positions, and [`store`], files byte by byte, for who works on them.
//!
//! With `default-features = false` tables are read and no solver is built; `pure` keeps even the digests from asking for a C
//! compiler, and `map` maps files. Feature `solve` solves, `search` searches single
//! scores ([`mod@search`]), and `study`, the default, has everything: theory, reviews, problems, comparisons, exports and the
//! explorer.
#![cfg_attr(not(test), forbid(unsafe_code))]
#![cfg_attr(not(feature = "study"), allow(rustdoc::broken_intra_doc_links, reason = "they lead to features"))]

pub mod text;

mod error;
mod error_sources;
mod remedy;

#[cfg(feature = "solve")]
mod forecast;
#[cfg(feature = "solve")]
pub mod measure;
#[cfg(feature = "solve")]
pub mod verify;

#[cfg(feature = "solve")]
mod ask;
#[cfg(feature = "solve")]
mod lacking;
#[cfg(feature = "solve")]
mod limits;
#[cfg(feature = "solve")]
mod machine;
#[cfg(feature = "solve")]
mod make_book;
#[cfg(feature = "solve")]
mod on_demand;
#[cfg(feature = "solve")]
mod run_name;
#[cfg(feature = "solve")]
mod solve;
#[cfg(feature = "solve")]
mod temporary;

#[cfg(feature = "study")]
pub mod caribou;
#[cfg(feature = "study")]
mod census;
#[cfg(feature = "study")]
pub mod crosscheck;
#[cfg(feature = "study")]
mod details;
#[cfg(feature = "study")]
mod explorer;
#[cfg(feature = "study")]
pub mod export;
#[cfg(feature = "study")]
mod nimstring;
#[cfg(feature = "study")]
mod opponent;
#[cfg(feature = "study")]
mod penalties;
#[cfg(feature = "study")]
mod players;
#[cfg(feature = "study")]
pub mod problems;
#[cfg(feature = "study")]
mod puzzles;
#[cfg(feature = "study")]
mod random;
#[cfg(feature = "study")]
mod review;
#[cfg(feature = "study")]
mod survey;
#[cfg(feature = "study")]
pub mod theory;

pub use dab_board::notation::{self, Notation, Transcript};
pub use dab_board::{Board, BoardError, BoardKind, IllegalMove, LineIdx, LineSet, Position, Score};
#[cfg(feature = "study")]
pub use dab_draw::Picture;
#[cfg(feature = "study")]
pub use dab_endgame as endgame;
#[cfg(feature = "search")]
pub use dab_search as search;
#[cfg(feature = "solve")]
pub use dab_solve::{Observer, SolveError, plan};
pub use dab_space::{self as space, Layer, SpaceKind};
pub use dab_store::{self as store, Access};
pub use dab_table::{
    Answer, Batch, BatchError, Book, Files, IndexLimits, Library, LibraryTable, Mark, MoveKind, MoveScore, Play,
    Question, Source, Summary, TableError, Tablebase, available_memory, book_dirs, figures, shipped_books,
};

#[cfg(feature = "solve")]
pub use self::{
    ask::{Cost, Effort, OnDemand, Task},
    forecast::{ClusterForecast, Forecast},
    limits::Limits,
    make_book::make_book,
    on_demand::OnDemandSolve,
    solve::{Indexed, Planned, Solve, solve},
};
#[cfg(feature = "study")]
pub use self::{
    census::Census,
    details::ScoredPosition,
    explorer::Explorer,
    nimstring::{NimAnswer, NimTables},
    opponent::{Suggestion, suggest},
    penalties::Penalties,
    puzzles::{Puzzle, Puzzles},
    review::Review,
    survey::Survey,
};
pub use self::{
    error::{Error, ErrorKind},
    remedy::Remedy,
};

#[cfg(all(test, feature = "study"))]
#[path = "../tests/all.rs"]
mod tests;
