//! The errors of this crate.

use std::io;
use std::path::{Path, PathBuf};

use dab_space::{Layer, SpaceError, SpaceKind};
use dab_store::StoreError;
use dab_table::TableError;
use thiserror::Error;

use crate::figures::{Bytes, Count, Size, plural};

/// An error of opening, asking or solving. The texts name no remedy that depends on how this crate is used.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the text of an error says what its fields are")]
pub enum Error {
    /// A table could not be opened, or could not answer.
    #[error(transparent)]
    Table(TableError),
    /// A solve or a check failed or was cancelled.
    #[cfg(feature = "solve")]
    #[error("{0}")]
    Solve(#[from] dab_solve::SolveError),
    /// A text is in no notation, or breaks its rules.
    #[error(transparent)]
    Notation(#[from] dab_board::notation::NotationError),
    /// A board or a position on it cannot be.
    #[error(transparent)]
    Board(#[from] dab_board::BoardError),
    /// A text charges another last-move penalty than was asked for, in boxes.
    #[error("a last-move penalty of {told} was asked for, but the text charges a penalty of {said}")]
    Penalty { said: i32, told: i32 },
    /// A file that holds no graph, or a graph that is not served; the text names it.
    #[error("{0}")]
    Graph(String),
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// Positions that cannot be written.
    #[error("cannot write positions: {source}")]
    Write { source: io::Error },
    /// The observer stopped the writing of positions.
    #[error("stopped; the file ends early")]
    ExportStopped,
    /// A program of the user's that does not do what it must; the text names it.
    #[error("{0}")]
    Program(String),
    /// A problem that is written wrong; the text names its file and its row.
    #[error("{0}")]
    Problem(String),
    /// A run or book of another board than a game.
    #[error("the game is on board {board}, but {name} holds positions of {start}")]
    OtherBoard { board: String, name: String, start: String },
    /// A position where a game is needed.
    #[error("{position} is a position, no game")]
    NoGame { position: String },
    /// A game none of whose positions arises from the start of a run or a book.
    #[error("no position of the game arises from {start}, the start of {name}")]
    NoneArises { board: String, name: String, start: String },
    /// A game that ends before it could be solved quickly.
    #[error("the game ends in {end} with {undrawn} undrawn lines, too many to be solved in passing")]
    EndsEarly { end: String, undrawn: usize },
    /// Runs or books whose scores cannot be compared, with each other or with the theory; the text names them.
    #[error("{0}")]
    Incomparable(String),
    /// A book, or scores without files, where a run is needed.
    #[error("{name} is a book, no run")]
    NotARun { name: String },
    /// A layer or a slab that the run does not have, in words.
    #[error("{0}")]
    NoSuchSlab(String),
    /// A layer that reads one which is not solved.
    #[error("layer {layer} of {name} is not ready: it reads layer {above}, which is not solved")]
    NotReady { name: String, layer: Layer, above: Layer },
    /// An on-demand solve beyond its limits.
    #[error("{position}: {} positions with {}{limit}", Count(*positions), threads(*.n_threads))]
    TooMuch {
        position: String,
        positions: u128,
        n_threads: usize,
        /// The limit in words, as in ` take about 2.0 h, but …`.
        limit: String,
    },
    /// A solve that cannot do with the memory that it may use.
    #[error(
        "{start} ({space} space): {} positions need at least {} of memory with {}, but {} are allowed \
         and {} are free",
        Count(*positions), Bytes((*needed).into()), threads(*.n_threads), Size(*allowed), Bytes((*free).into())
    )]
    TooLittleMemory {
        start: String,
        space: SpaceKind,
        positions: u128,
        /// Bytes needed.
        needed: u64,
        n_threads: usize,
        /// Bytes allowed.
        allowed: u64,
        /// Bytes free.
        free: u64,
    },
    /// A book of slabs that do not fit in memory.
    #[error(
        "{name}: its largest slab, of {} positions, needs at least {} of memory, but {} are allowed",
        Count((*positions).into()), Bytes((*needed).into()), Bytes((*allowed).into())
    )]
    TooLargeSlab {
        name: String,
        positions: u64,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A solve whose files have no room.
    #[error(
        "{start} ({space} space): {} positions need about {} of disk, but {} are {}",
        Count(*positions), Bytes(*needed),
        dir.as_ref().map_or_else(|| Size(*room as u64).to_string(), |_| Bytes(*room).to_string()),
        dir.as_ref().map_or_else(|| "allowed".to_owned(), |dir| format!("free for {}", dir.display()))
    )]
    TooLittleDisk {
        start: Box<str>,
        space: SpaceKind,
        positions: u128,
        /// Bytes needed.
        needed: u128,
        /// Bytes allowed or free.
        room: u128,
        /// The directory whose disk is too full; none if it is the bytes allowed that are too few.
        dir: Option<Box<Path>>,
        /// The last layer that could be kept, if that is fewer layers than asked for.
        last_that_fits: Option<usize>,
    },
    /// A directory for temporary files that does not work.
    #[error("cannot keep scores in {}, the directory for temporary files; set TMPDIR to another one", dir.display())]
    NoTemporaryFiles { dir: Box<Path>, source: io::Error },
    /// A census of more lines than can be drawn.
    #[error("{start} has {} left, not {asked}", plural(*undrawn as u64, "undrawn line"))]
    FewerLines { start: String, undrawn: usize, asked: usize },
    /// The observer stopped a census.
    #[error("stopped; nothing is kept of a census")]
    CensusStopped,
    /// The observer stopped a check, which does not remember how far it came.
    #[error("stopped before everything was checked; nothing was wrong so far")]
    CheckStopped,
    /// A search was stopped, which has told the bounds that it had proven.
    #[error("stopped; the bounds are proven, but nothing is kept of a search")]
    SearchStopped,
    /// The observer stopped a plan, or a solve whose scores are not kept.
    #[error("stopped; nothing is kept of a plan or a solve on demand")]
    Interrupted,
    /// Threads that cannot be started.
    #[error("cannot start {}: {why}", threads(*.n_threads))]
    Threads { n_threads: usize, why: String },
}

/// A plan that was stopped is the caller's wish, wherever the program was.
impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Stopped => Self::Interrupted,
            error => Self::Table(error),
        }
    }
}

impl From<SpaceError> for Error {
    fn from(error: SpaceError) -> Self {
        TableError::from(error).into()
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        TableError::from(error).into()
    }
}

fn threads(n: usize) -> String {
    plural(n as u64, "thread")
}

#[cfg(feature = "solve")]
impl Error {
    /// The error of a solve that was made to check something.
    pub(crate) fn of_check(error: dab_solve::SolveError) -> Self {
        match error {
            dab_solve::SolveError::Stopped { .. } => Self::CheckStopped,
            error => error.into(),
        }
    }
}
