//! The errors of this crate.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use dab_space::SpaceKind;
use thiserror::Error;

use crate::figures::{Bytes, Count, Time};

/// An error of opening, asking or solving. The texts name no remedy that depends on how this crate is used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file is damaged or of another kind, or its device failed.
    #[error("{0}")]
    Store(#[from] dab_store::StoreError),
    /// The scores could not answer.
    #[error("{0}")]
    Book(#[from] dab_book::BookError),
    /// A solve or a check failed or was cancelled.
    #[error("{0}")]
    Solve(#[from] dab_solve::SolveError),
    /// A board that is too large or of a kind that cannot be indexed.
    #[error(transparent)]
    Space(#[from] dab_space::SpaceError),
    /// A text is in no notation, or breaks its rules.
    #[error(transparent)]
    Notation(#[from] dab_board::notation::NotationError),
    /// A board or a position on it cannot be.
    #[error(transparent)]
    Board(#[from] dab_board::BoardError),
    /// A text charges another last-move penalty than was asked for.
    #[error(transparent)]
    Penalty(#[from] crate::text::PenaltyTold),
    /// A file with a graph cannot be read.
    #[error("cannot read the graph file {file}: {source}")]
    GraphFile {
        /// The file.
        file: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file that should describe a graph is not text.
    #[error("{file} is no graph file: it is not text")]
    NotText {
        /// The file.
        file: String,
    },
    /// A file that should describe a graph describes none.
    #[error("{file}: {source}")]
    Graph {
        /// The file.
        file: String,
        /// The error in it.
        source: dab_board::BoardError,
    },
    /// A run or a book that should be of a graph is of another board.
    #[error("{file} holds {start}, which is no graph")]
    NotAGraph {
        /// The run or book.
        file: String,
        /// Its start.
        start: String,
    },
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A problem that is written wrong.
    #[error("{name}, {error}")]
    Problem {
        /// The file.
        name: String,
        /// The error and its row.
        error: Box<crate::problems::ProblemError>,
    },
    /// A graph that no opened table is about.
    #[error("{name} is not served: graphs are those of the runs and books that are")]
    NotServed {
        /// The name of the graph.
        name: String,
    },
    /// A run or a book of a game that this version does not know.
    #[error("{name}: it describes no game that this program knows: {why}; use the version of dab that wrote it")]
    UnknownGame {
        /// The run or book.
        name: String,
        /// The difference.
        why: String,
    },
    /// A run or a book whose positions have another order.
    #[error(
        "{name}: its positions are not ordered as this program orders them; use the version of dab that wrote it, or \
         solve {start} again into another directory"
    )]
    OtherOrder {
        /// The run or book.
        name: String,
        /// The start of its game.
        start: String,
    },
    /// A run some of whose layers are not solved yet.
    #[error("{name}: only {solved} of {n_layers} layers are solved")]
    Unfinished {
        /// The run.
        name: String,
        /// Its solved layers.
        solved: usize,
        /// All of them.
        n_layers: usize,
    },
    /// A run that kept some of its layers only.
    #[error("{name} kept only {kept} of {n_layers} layers")]
    Discarded {
        /// The run.
        name: String,
        /// The layers that it kept.
        kept: usize,
        /// The layers of its game.
        n_layers: usize,
    },
    /// A book, where all layers are needed.
    #[error("{name} holds only {held} of {n_layers} layers; use the run it was made from")]
    PartOnly {
        /// The book.
        name: String,
        /// Its layers.
        held: usize,
        /// The layers of its game.
        n_layers: usize,
    },
    /// A run or book of another board than a game.
    #[error("the game is on board {board}, but {name} holds positions of {start}")]
    OtherBoard {
        /// The board of the game.
        board: String,
        /// The run or book.
        name: String,
        /// Its start.
        start: String,
    },
    /// Two runs or books whose scores cannot be compared.
    #[error("{one}, but {other}: only scores of the same game can agree")]
    OtherGame {
        /// One of them in words, with start and penalty.
        one: String,
        /// The other.
        other: String,
    },
    /// A run or book on which the theory of endgames says nothing.
    #[error(
        "{name} is a run of the {space} space with penalty {penalty}: the theory is checked on runs of the quiet space \
         without penalty"
    )]
    NoTheory {
        /// The run or book.
        name: String,
        /// Its space.
        space: SpaceKind,
        /// Its penalty.
        penalty: i32,
    },
    /// A book, or scores without files, where a run is needed.
    #[error("{name} is a book, no run")]
    NotARun {
        /// The book.
        name: String,
    },
    /// A layer or a slab that the run does not have, in words.
    #[error("{0}")]
    NoSuchSlab(String),
    /// A layer that reads one which is not solved.
    #[error("layer {layer} of {name} is not ready: it reads layer {above}, which is not solved")]
    NotReady {
        /// The run.
        name: String,
        /// The layer to be solved.
        layer: usize,
        /// The layer that is missing.
        above: usize,
    },
    /// A last-move penalty other than that of the scores.
    #[error("{name} was solved with last-move penalty {penalty}, not {asked}")]
    OtherPenalty {
        /// The run or book.
        name: String,
        /// Its penalty.
        penalty: i32,
        /// The penalty asked for.
        asked: i32,
    },
    /// An on-demand solve beyond its limits.
    #[error("{position}: {} positions with {}{limit}", Count(*positions), threads(*.n_threads))]
    TooMuch {
        /// The position to be solved.
        position: String,
        /// The positions that it can lead to.
        positions: u128,
        /// The threads that would solve it.
        n_threads: usize,
        /// The limit.
        limit: Box<Exceeded>,
    },
    /// A solve that cannot do with the memory that it may use.
    #[error(
        "{start} ({space} space): {} positions need at least {} of memory with {n_threads} threads, but {} are allowed \
         and {} are free",
        Count(*positions), Bytes((*needed).into()), Bytes((*allowed).into()), Bytes((*free).into())
    )]
    TooLittleMemory {
        /// The start.
        start: String,
        /// Its space.
        space: SpaceKind,
        /// Stored positions.
        positions: u128,
        /// Bytes needed.
        needed: u64,
        /// Threads.
        n_threads: usize,
        /// Bytes allowed.
        allowed: u64,
        /// Bytes free.
        free: u64,
    },
    /// A solve whose files have no room.
    #[error(
        "{start} ({space} space): {} positions need about {} of disk, but {} are {}",
        Count(*positions), Bytes(*needed), Bytes(*room),
        dir.as_ref().map_or_else(|| "allowed".to_owned(), |dir| format!("free for {}", dir.display()))
    )]
    TooLittleDisk {
        /// The start.
        start: Box<str>,
        /// Its space.
        space: SpaceKind,
        /// Stored positions.
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
    NoTemporaryFiles {
        /// The directory.
        dir: Box<Path>,
        /// Its error.
        source: io::Error,
    },
    /// The observer stopped a solve whose scores are not kept.
    #[error("stopped; nothing is kept of a solve on demand")]
    Interrupted,
    /// Threads that cannot be started.
    #[error("cannot start {n_threads} threads: {why}")]
    Threads {
        /// Their number.
        n_threads: usize,
        /// The error of the system.
        why: String,
    },
}

/// The limit that an on-demand solve would exceed.
#[derive(Debug)]
pub enum Exceeded {
    /// It takes too long.
    Time {
        /// The number of solves.
        times: u32,
        /// The time that they take.
        time: Duration,
        /// The most time that they may take.
        most: Duration,
    },
    /// It needs more memory than is free.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// It needs memory that it may not use, or else more disk than is free.
    Disk {
        /// Bytes of memory to keep the scores there.
        memory: u64,
        /// Bytes of disk.
        disk: u128,
        /// Bytes free on disk.
        free: u128,
        /// The directory for temporary files.
        dir: Box<Path>,
    },
}

impl Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { times, time, most } => {
                let often = if *times == 1 { String::new() } else { format!(", solved {times} times,") };
                write!(f, "{often} take about {}, but a solve on demand may take at most {}", Time(*time), Time(*most))
            }
            Self::Memory { needed, free } => {
                write!(f, " need {} of memory, but {} are free", Bytes((*needed).into()), Bytes((*free).into()))
            }
            Self::Disk { memory, disk, free, dir } => write!(
                f,
                " need {} of memory or {} of disk, but only {} are free in {}",
                Bytes((*memory).into()),
                Bytes(*disk),
                Bytes(*free),
                dir.display()
            ),
        }
    }
}

fn threads(n: usize) -> String {
    if n == 1 { "1 thread".to_owned() } else { format!("{n} threads") }
}

impl Error {
    /// Whether the question is wrong or asks too much; else files are damaged, or the system failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Space(_)
            | Self::Board(_)
            | Self::Notation(_)
            | Self::GraphFile { .. }
            | Self::NotText { .. }
            | Self::Graph { .. }
            | Self::NotAGraph { .. }
            | Self::NotServed { .. }
            | Self::Problem { .. }
            | Self::NotARun { .. }
            | Self::NoSuchSlab(_)
            | Self::OtherPenalty { .. }
            | Self::OtherBoard { .. }
            | Self::OtherGame { .. }
            | Self::NoTheory { .. }
            | Self::TooMuch { .. }
            | Self::TooLittleMemory { .. }
            | Self::TooLittleDisk { .. } => true,
            Self::Book(error) => matches!(error, dab_book::BookError::NotHeld { .. }),
            _ => false,
        }
    }

    /// Whether an answer needs layers that a book leaves out, or that a run did not keep.
    pub fn is_beyond(&self) -> bool {
        use dab_store::StoreError::{BeyondBook, Discarded, Released};
        let Self::Book(dab_book::BookError::Store(error)) = self else { return false };
        matches!(error, BeyondBook { .. } | Discarded { .. } | Released { .. })
    }

    /// Whether the position does not arise from the start of the scores.
    pub fn is_not_held(&self) -> bool {
        matches!(self, Self::Book(dab_book::BookError::NotHeld { .. }))
    }

    /// Whether an observer stopped the work.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Interrupted | Self::Solve(dab_solve::SolveError::Stopped { .. }))
    }
}
