//! The arguments of verbs that take many, or share some.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args as ClapArgs, Subcommand};
use dab_board::notation::{self, Notation};
use dab_board::{Board, Start};
use dab_space::SpaceKind;

use dab::export::Format;
use dab::figures::{parse_size, parse_time};

/// Reads a number of minutes.
fn minutes(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().map(|minutes: f64| 60.0 * minutes).filter(|seconds| (1.0..=1e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("'{text}' is no number of minutes, such as 2 or 0.5"))
}

/// Reads the number of a layer.
fn layer(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a layer: 0, 1, 2 and so on".to_owned())
}

/// Boards and starts of positions and games whose texts do not say them.
#[derive(ClapArgs)]
pub(crate) struct Told {
    /// The board, for notations that do not tell it
    #[arg(long, value_name = "BOARD", value_parser = crate::input::board)]
    board: Option<Arc<Board>>,
    /// Lines drawn before the first move: american (none), icelandic (left and bottom) or swedish (all sides)
    #[arg(long, default_value_t, hide_default_value = true)]
    start: Start,
}

impl Told {
    pub(crate) fn get(&self) -> notation::Context<'_> {
        notation::Context { board: self.board.as_ref(), start: self.start }
    }
}

/// Arguments of `solve`.
#[derive(ClapArgs)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) run: Run,
    /// Under mpirun, end with an error when a process is silent, or a slab is overdue, for this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=1_000_000), hide = cfg!(not(feature = "mpi")))]
    pub(crate) patience: u64,
}

/// Arguments of `plan`: a solve, and the machines for it.
#[derive(ClapArgs)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) run: Run,
    /// Machines that share a directory; --memory is that of one of them
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<NonZeroUsize>,
    /// Cores of a machine [default: those of this one]
    #[arg(long, value_name = "C")]
    pub(crate) cores: Option<NonZeroUsize>,
    /// Bytes a second between a machine and the directory
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) bandwidth: u64,
    /// Bytes a second of the disks of the directory in all [default: the sum of all links]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) disk_bandwidth: Option<u64>,
    /// Time slabs of the board on this machine and solve its last layers, half of the time each, and plan with their costs and
    /// bytes in place of the recorded ones
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    pub(crate) measure: Option<Duration>,
    /// Plan with the costs of all measurements in this file, to which --measure adds a line
    #[arg(long, value_name = "FILE")]
    pub(crate) costs: Option<PathBuf>,
}

/// A solve: its start, its space, its limits.
#[derive(ClapArgs)]
pub(crate) struct Run {
    /// The board, such as 3x4, closed:5 or graph:FILE, or a position to start from: BOARD:HEX, any other notation, @FILE
    /// or '-' for standard input
    #[arg(value_name = "BOARD")]
    pub(crate) input: String,
    #[command(flatten)]
    pub(crate) told: Told,
    /// Positions to store: quiet (nothing can be captured; all others follow) or full (all)
    #[arg(long, default_value_t)]
    pub(crate) space: SpaceKind,
    /// Boxes charged to the player who draws the last line [default: that of a Wilson file, else 0]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) penalty: Option<i32>,
    /// Solve loony marks with the scores, in the same files: 'dab query --marks' then reads them at once
    #[arg(long)]
    pub(crate) marks: bool,
    /// Keep only the layers 0 to K; of later ones, scores are deleted as soon as no unsolved position needs them
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = layer)]
    pub(crate) keep: Option<usize>,
    /// Solve the layers from the last one down to K only, and keep them: the run then answers for positions with K drawn units
    /// or more. The same command without it goes on
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = layer, conflicts_with = "keep")]
    pub(crate) down_to: Option<usize>,
    /// Disk to use at most, such as 16G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) disk: Option<u64>,
    /// Derive N scores of every slab again, by the rules, before the slab is written; for layers that will not be kept
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) check: usize,
    /// Directory of the run [default: runs/BOARD…]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("asked").required(true).multiple(true).args(["positions", "batch"])))]
pub(crate) struct Query {
    /// Positions, as BOARD:HEX, as diagrams or in any other notation; @FILE reads one, '-' standard input
    #[arg(value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: FromTables,
    /// Mark each score with the player who must make the next loony move
    #[arg(long)]
    pub(crate) marks: bool,
    /// Print best play, components and theory in JSON, too, as in text
    #[arg(long)]
    pub(crate) details: bool,
}

/// Questions to tables.
#[derive(ClapArgs)]
pub(crate) struct FromTables {
    #[command(flatten)]
    pub(crate) told: Told,
    /// A solved run or a book to answer from
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: Batch,
    /// Boxes charged to the player who draws the last line [default: 0, or that of the run]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) penalty: Option<i32>,
    /// Disk that temporary files of a solve on demand may take, such as 500M or 2T [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) disk: Option<u64>,
}

/// Many questions.
#[derive(ClapArgs)]
pub(crate) struct Batch {
    /// Answer the lines of a file ('-' for standard input), an object of JSON each; blank lines and lines with '#' are
    /// skipped, a line that cannot be answered gives an error and its number
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// Stop at the first line of a batch that cannot be answered
    #[arg(long, requires = "batch")]
    pub(crate) strict: bool,
}

impl Batch {
    pub(crate) fn is_asked(&self) -> bool {
        self.batch.is_some()
    }
}

/// Arguments of `review`.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("asked").required(true).args(["game", "batch"])))]
pub(crate) struct Review {
    /// The game in any notation, @FILE, or '-' for standard input
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) tables: FromTables,
}

/// Arguments of `nimstring`.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("asked").required(true).multiple(true).args(["positions", "batch"])))]
pub(crate) struct Nimstring {
    /// Positions in any notation, @FILE, or '-' for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    #[command(flatten)]
    pub(crate) told: Told,
    #[command(flatten)]
    pub(crate) batch: Batch,
}

/// Arguments of `search`.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("asked").required(true).args(["position", "batch"])))]
pub(crate) struct Search {
    /// The board, or a position in any notation, @FILE, or '-' for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) told: Told,
    #[command(flatten)]
    pub(crate) batch: Batch,
    /// Boxes charged to the player who draws the last line
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) penalty: Option<i32>,
    /// Stop each search after so long, such as 90s, 10m or 2h, with the bounds proven until then
    #[arg(long, value_name = "LIMIT", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
}

/// Arguments of `endgame`.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("asked").required(true).multiple(true).args(["positions", "batch"])))]
pub(crate) struct Endgame {
    /// Endgames, such as 3^2+4+6l
    #[arg(value_name = "ENDGAME")]
    pub(crate) positions: Vec<dab_endgame::Endgame>,
    /// Boxes that the player who opens the endgame has more than the other: who wins and, up to 3, which shapes of the endgame would
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub(crate) lead: Option<u64>,
    #[command(flatten)]
    pub(crate) batch: Batch,
}

/// Arguments of `puzzles`.
#[derive(ClapArgs)]
pub(crate) struct Puzzles {
    /// Where games begin: a board or a position in any notation
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    #[command(flatten)]
    pub(crate) told: Told,
    /// Puzzles to make
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) n: u64,
    /// Only puzzles of this grade, 1 to 4
    #[arg(long, value_name = "GRADE", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) grade: Option<u8>,
    /// Undrawn lines of a puzzle at most
    #[arg(long, value_name = "LINES", default_value_t = 22, value_parser = clap::value_parser!(u64).range(6..=40))]
    pub(crate) left: u64,
    /// Another seed, other games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Arguments of `caribou`.
#[derive(ClapArgs)]
pub(crate) struct Caribou {
    /// Positions in any notation, @FILE, or '-' for standard input
    #[arg(value_name = "POSITION", required = true)]
    pub(crate) positions: Vec<String>,
    #[command(flatten)]
    pub(crate) told: Told,
    /// A solved run or a book that knows the scores
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Option<PathBuf>,
    /// Play N games from the position, the rules against best play, and count what they lose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: Option<u64>,
    /// Another seed, other games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(ClapArgs)]
pub(crate) struct Convert {
    /// The text, @FILE, or '-' for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: String,
    /// The notation of the text [default: recognised]
    #[arg(long, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The notation to write
    #[arg(long, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// Write the names of dots along the edges of a diagram
    #[arg(long)]
    pub(crate) coordinates: bool,
    /// Write the number of each open line on it in a diagram
    #[arg(long)]
    pub(crate) numbers: bool,
    #[command(flatten)]
    pub(crate) told: Told,
}

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("extent").required(true).args(["layers", "max_size"])))]
pub(crate) struct Book {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Hold the layers 0 to K: all positions with at most K units filled
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = layer)]
    pub(crate) layers: Option<usize>,
    /// Hold as many layers as fit, such as 100M
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// A picture to write.
#[derive(ClapArgs)]
pub(crate) struct Picture {
    /// The picture to write, .svg or .png; of 'dab draw' also .gif, which plays a game
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Pixels of a .png for each of the .svg
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = scale)]
    pub(crate) scale: f32,
}

fn scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale| (0.1..=20.0).contains(scale));
    scale.ok_or_else(|| "expected a number from 0.1 to 20".to_owned())
}

/// Arguments of `draw`.
#[derive(ClapArgs)]
pub(crate) struct Draw {
    /// The position or game in any notation, @FILE, or '-' for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    #[command(flatten)]
    pub(crate) told: Told,
    /// Draw the position after the first N moves of a game
    #[arg(long, value_name = "N")]
    pub(crate) after: Option<usize>,
    /// Write the score of each open line on it
    #[arg(long)]
    pub(crate) scores: bool,
    /// Write the score of each open line with the player who must make the next loony move
    #[arg(long)]
    pub(crate) marks: bool,
    /// A solved run or a book to take scores from
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Option<PathBuf>,
    /// Write the names of dots along the edges
    #[arg(long)]
    pub(crate) coordinates: bool,
    /// Write the number of each open line on it
    #[arg(long, conflicts_with_all = ["scores", "marks", "from"])]
    pub(crate) numbers: bool,
    /// Say what the look of scored lines means
    #[arg(long)]
    pub(crate) legend: bool,
    /// Write a line of text below
    #[arg(long, value_name = "TEXT")]
    pub(crate) caption: Option<String>,
    /// Draw in greys, for print
    #[arg(long)]
    pub(crate) grey: bool,
    #[command(flatten)]
    pub(crate) picture: Picture,
}

/// Arguments of `export`.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("extent").required(true).multiple(true).args(["sample", "layer"])))]
pub(crate) struct Export {
    /// The directory of a run, or a book
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// Write N positions, drawn at random from all
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,
    /// Write the positions of layer K, or take the sample from it
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = layer)]
    pub(crate) layer: Option<usize>,
    /// Another seed, another sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The form: csv or npy
    #[arg(long, default_value = "csv")]
    pub(crate) format: Format,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum Crosscheck {
    /// Compare every theorem with recursion, on every endgame up to a size
    ///
    /// Examples:
    ///     dab crosscheck endgames
    ///     dab crosscheck endgames --all --max-boxes 40
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
By default both sets are checked: all endgames of at most 60 boxes, amalgamated ones of at most 121. With --odd-loops, which no theorem \
reaches, statements are checked that nobody has proven.")]
    Endgames {
        /// Most boxes of an endgame [default: 60 for all, 121 for amalgamated ones, 42 with odd loops]
        #[arg(long, value_name = "N")]
        max_boxes: Option<u8>,
        /// Only the amalgamated endgames: at most one chain above 3 and one loop above 6
        #[arg(long, conflicts_with = "all")]
        amalgamated: bool,
        /// Only the set of all endgames
        #[arg(long)]
        all: bool,
        /// The set of all endgames whose loops may be odd, and the statements about them
        #[arg(long, conflicts_with_all = ["all", "amalgamated"])]
        odd_loops: bool,
    },
    /// Compare the theory with every simple loony endgame of a solved board
    ///
    /// Examples:
    ///     dab crosscheck board --from runs/3x4
    ///     dab crosscheck board --from runs/3x4 --json
    #[command(verbatim_doc_comment)]
    Board {
        /// A solved run of the quiet space without penalty
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
    },
    /// Compare the values that a program of yours computes with the theory or with a solved board
    ///
    /// Examples:
    ///     dab crosscheck program --endgames -- ./formula
    ///     dab crosscheck program --from runs/3x3 -- python3 score.py --fast
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
The program reads endgames or positions from standard input, a line each, and writes the value of each on a line of \
standard output: of an endgame such as 3^2+4l that for the controller (dab endgame), of a position its score (dab query). \
It may be a million lines behind at most.")]
    #[command(group(ArgGroup::new("about").required(true).args(["endgames", "from"])))]
    Program {
        /// Ask about all endgames up to a size
        #[arg(long)]
        endgames: bool,
        /// Most boxes of an endgame
        #[arg(long, value_name = "N", default_value_t = 40, conflicts_with = "from")]
        max_boxes: u8,
        /// Ask about every stored position of a run or a book
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,
        /// The program and its arguments
        #[arg(value_name = "PROGRAM", last = true, required = true)]
        program: Vec<OsString>,
    },
    /// Compare random scores of a run or book with searches of their own
    ///
    /// Examples:
    ///     dab crosscheck search --from runs/3x4 --positions 100000
    ///     dab crosscheck search --from runs/4x4 --first-layer 12
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
The search shares no code with 'dab solve' but the rules of the game. Positions are drawn evenly from all layers. The
earlier a layer, the longer its searches take: on 4x4 the first layers take minutes a position.")]
    Search {
        /// A run or a book
        #[arg(long, value_name = "PATH")]
        from: PathBuf,
        /// Positions to search
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        positions: u64,
        /// The first layer whose positions are searched
        #[arg(long, value_name = "LAYER", default_value_t = 0)]
        first_layer: usize,
        /// Another number draws other positions
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Compare two solved runs or books of the same start, such as those of its two spaces
    ///
    /// Examples:
    ///     dab crosscheck runs runs/3x4-full runs/3x4
    ///     dab crosscheck runs runs/4x4 4x4.book
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Every position that the first one stores is looked up in the second one.")]
    Runs {
        /// A run or a book
        #[arg(value_name = "PATH")]
        one: PathBuf,
        /// A run, all layers of it
        #[arg(value_name = "OTHER")]
        other: PathBuf,
    },
}
