//! The options of every verb, checked as far as possible before anything runs.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::bail;
use dab::crosscheck::EndgameSet;
use dab::{Level, Limits};
use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, BoardError, Position};
use dab_solve::cost::cluster::Machines;
use dab_space::{Rules, SpaceKind};

use crate::args::{self, Args};
use crate::input::{self, Asked, Input};
use crate::output::Output;

/// The whole command.
pub(crate) struct Options {
    pub(crate) verb: Verb,
    pub(crate) setting: Setting,
}

/// The threads, the memory and the form of output that every verb may use.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) output: Output,
    pub(crate) threads: usize,
    /// Bytes of memory to use at most.
    pub(crate) memory: u64,
    /// Whether threads and memory were asked for.
    asked: (bool, bool),
}

impl Setting {
    /// The limits of solves on demand.
    pub(crate) fn limits(&self) -> Limits {
        Limits::new(self.threads, self.memory)
    }

    /// Takes a fair share of the machine, which `processes` processes with `processors` processors use together. A
    /// process that is bound to some of the processors has no more threads than these.
    pub(crate) fn share(&mut self, processes: usize, processors: Option<usize>) {
        let (threads, memory) = self.asked;
        if !threads {
            let fair = processors.map_or(self.threads, |all| all / processes);
            self.threads = self.threads.min(fair).max(1);
        }
        if !memory {
            self.memory /= processes as u64;
        }
    }
}

pub(crate) enum Verb {
    Solve(SolveOptions),
    /// The run whose slabs are to be listed.
    Slabs {
        dir: PathBuf,
        ready: bool,
    },
    SolveSlab {
        dir: PathBuf,
        layer: usize,
        slabs: Vec<usize>,
    },
    Plan(PlanOptions),
    Query(QueryOptions),
    Convert {
        input: Input,
        to: Notation,
    },
    Review {
        game: Transcript,
        from: Option<PathBuf>,
        /// Last-move penalty; that of the run if not given.
        penalty: Option<i32>,
    },
    Problems {
        /// Their file or directory; the problems inside the program if not given.
        path: Option<PathBuf>,
        /// Text that their names must contain.
        only: String,
    },
    Penalties {
        position: Position,
        /// The largest penalty.
        to: i32,
    },
    Nimstring(Vec<Position>),
    Search {
        position: Position,
        penalty: i8,
    },
    Verify {
        /// A run or a book.
        path: PathBuf,
        level: Level,
        /// Whether to recompute what is damaged.
        repair: bool,
    },
    Book {
        dir: PathBuf,
        extent: Extent,
        out: PathBuf,
    },
    Serve {
        /// Runs and books.
        from: Vec<PathBuf>,
        /// The port on 127.0.0.1.
        port: u16,
    },
    Draw {
        record: Transcript,
        /// Whether open lines have their scores.
        scores: bool,
        /// A run or a book with the scores.
        from: Option<PathBuf>,
        out: PathBuf,
    },
    Plot {
        /// A run or a book.
        from: PathBuf,
        out: PathBuf,
    },
    /// The run or book to describe.
    Info(PathBuf),
    Endgame(dab_endgame::Position),
    CrosscheckEndgames(Vec<EndgameSet>),
    CrosscheckBoard(PathBuf),
    CrosscheckRuns {
        /// Every position of this one is asked of the other.
        one: PathBuf,
        other: PathBuf,
    },
}

/// A run to be solved.
pub(crate) struct SolveOptions {
    pub(crate) run: RunOptions,
    /// Whether only to make the directory.
    pub(crate) prepare: bool,
    /// For how long another process may be silent.
    pub(crate) patience: Duration,
}

/// A run to be planned.
pub(crate) struct PlanOptions {
    pub(crate) run: RunOptions,
    /// The machines that share a directory, if there are several or they are to be simulated; their memory is that of the
    /// setting. The graph of slabs is replayed or not.
    pub(crate) cluster: Option<(Machines, bool)>,
}

impl TryFrom<args::Plan> for PlanOptions {
    type Error = anyhow::Error;

    fn try_from(plan: args::Plan) -> anyhow::Result<Self> {
        let args::Plan { run, nodes, processes, cores, bandwidth, disk_bandwidth, simulate } = plan;
        let is_asked = nodes.is_some() || cores.is_some() || simulate;
        let nodes = nodes.map_or(1, NonZeroUsize::get);
        let cores = cores.or(available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        if bandwidth == 0 || disk_bandwidth == Some(0) {
            bail!("nothing can be read or written at 0 bytes a second: use a larger bandwidth");
        }
        let network = bandwidth as f64;
        let disk = disk_bandwidth.map_or(network * nodes as f64, |disk| disk as f64);
        let machines = Machines { nodes, processes: processes.get(), threads: cores, memory: 0, network, disk };
        let cluster = is_asked.then_some((machines, simulate));
        Ok(Self { run: run.try_into()?, cluster })
    }
}

/// A run that may not exist yet.
pub(crate) struct RunOptions {
    pub(crate) start: Position,
    pub(crate) kind: SpaceKind,
    pub(crate) penalty: i32,
    /// Last layer that is kept.
    pub(crate) keep: usize,
    /// Bytes of disk to use at most.
    pub(crate) disk: Option<u64>,
    pub(crate) dir: PathBuf,
}

impl RunOptions {
    /// The solve that they describe.
    pub(crate) fn solve(&self, setting: &Setting) -> dab::Solve<'static> {
        dab::solve(self.start.clone())
            .space(self.kind)
            .penalty(self.penalty)
            .memory(setting.memory)
            .disk(self.disk.unwrap_or(u64::MAX))
            .keep(self.keep)
            .threads(setting.threads)
    }
}

pub(crate) struct QueryOptions {
    pub(crate) positions: Vec<Asked>,
    /// The board of positions whose notation does not tell it.
    pub(crate) board: Option<Arc<Board>>,
    pub(crate) from: Option<PathBuf>,
    /// A file with positions; `-` is standard input.
    pub(crate) batch: Option<PathBuf>,
    /// Last-move penalty; that of the run if not given.
    pub(crate) penalty: Option<i32>,
    /// Whether scores are marked by who must make the next loony move.
    pub(crate) marks: bool,
}

/// The layers of a run that a book holds.
pub(crate) enum Extent {
    /// The layers from 0 to this one.
    Layers(usize),
    /// As many layers as fit in so many bytes.
    MaxSize(u64),
}

impl TryFrom<Args> for Options {
    type Error = anyhow::Error;

    fn try_from(args: Args) -> anyhow::Result<Self> {
        let verb = match args.verb {
            args::Verb::Solve(solve) => Verb::Solve(SolveOptions {
                run: solve.run.try_into()?,
                prepare: solve.prepare,
                patience: Duration::from_secs(solve.patience),
            }),
            args::Verb::Slabs { dir, ready } => Verb::Slabs { dir, ready },
            args::Verb::SolveSlab { dir, layer, slabs } => Verb::SolveSlab { dir, layer, slabs },
            args::Verb::Plan(plan) => Verb::Plan(plan.try_into()?),
            args::Verb::Query(query) => Verb::Query(query.try_into()?),
            args::Verb::Convert(args::Convert { input, from, to, board }) => {
                Verb::Convert { input: input::read(&input, from, board.as_ref())?, to }
            }
            args::Verb::Review { game, board, from, penalty } => {
                let game = input::read(&game, None, board.as_ref())?.record;
                Rules::of_start(game.start(), penalty.unwrap_or(0))?;
                Verb::Review { game, from, penalty }
            }
            args::Verb::Problems { path, only } => Verb::Problems { path, only: only.unwrap_or_default() },
            args::Verb::Penalties { position, board, to } => {
                let position = input::read(&position, None, board.as_ref())?.record.end().clone();
                let to = to.unwrap_or(position.open_boxes() as i32 + 1);
                Rules::of_start(&position, to)?;
                Verb::Penalties { position, to }
            }
            args::Verb::Nimstring { positions, board } => {
                let read = |text: &String| Ok(input::read(text, None, board.as_ref())?.record.end().clone());
                Verb::Nimstring(positions.iter().map(read).collect::<anyhow::Result<_>>()?)
            }
            args::Verb::Search { position, board, penalty } => {
                let asked = Asked::from(&input::read(&position, None, board.as_ref())?.record);
                let penalty = asked.penalty_or(penalty)?;
                Rules::of_start(&asked.position, penalty)?;
                Verb::Search { position: asked.position, penalty: penalty as i8 }
            }
            args::Verb::Verify { path, level, repair } => Verb::Verify { path, level, repair },
            args::Verb::Book(args::Book { dir, layers, max_size, out }) => {
                let extent = match (layers, max_size) {
                    (Some(layers), _) => Extent::Layers(layers),
                    (None, Some(max_size)) => Extent::MaxSize(max_size),
                    (None, None) => bail!("how much of the run? use --layers K or --max-size SIZE"),
                };
                Verb::Book { dir, extent, out }
            }
            args::Verb::Draw { position, board, scores, from, out } => {
                let record = input::read(&position, None, board.as_ref())?.record;
                Rules::of_start(record.end(), record.penalty().unwrap_or(0).into())?;
                Verb::Draw { record, scores: scores || from.is_some(), from, out }
            }
            args::Verb::Plot { path, out } => Verb::Plot { from: path, out },
            args::Verb::Serve { from, port } => Verb::Serve { from, port },
            args::Verb::Info { path } => Verb::Info(path),
            args::Verb::Endgame { position } => Verb::Endgame(position),
            args::Verb::Crosscheck(args::Crosscheck::Board { from }) => Verb::CrosscheckBoard(from),
            args::Verb::Crosscheck(args::Crosscheck::Runs { one, other }) => Verb::CrosscheckRuns { one, other },
            args::Verb::Crosscheck(args::Crosscheck::Endgames { max_size, amalgamated, all }) => {
                let both = !amalgamated && !all;
                let sets = [(all || both, false, 60), (amalgamated || both, true, 121)].into_iter();
                let wanted = sets.filter(|set| set.0);
                let sets = wanted
                    .map(|(_, amalgamated, default)| EndgameSet { amalgamated, max_size: max_size.unwrap_or(default) });
                Verb::CrosscheckEndgames(sets.collect())
            }
        };
        let threads = args.threads.or(available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let memory = args.memory.unwrap_or(dab::available_memory() / 2);
        let asked = (args.threads.is_some(), args.memory.is_some());
        Ok(Self { verb, setting: Setting { output: Output { json: args.json }, threads, memory, asked } })
    }
}

impl TryFrom<args::Query> for QueryOptions {
    type Error = anyhow::Error;

    fn try_from(args::Query { positions, board, from, batch, penalty, marks }: args::Query) -> anyhow::Result<Self> {
        let read = |text: &String| {
            let asked = Asked::from(&input::read(text, None, board.as_ref())?.record);
            Rules::of_start(&asked.position, asked.penalty_or(penalty)?)?;
            Ok(asked)
        };
        let positions = positions.iter().map(read).collect::<anyhow::Result<Vec<Asked>>>()?;
        Ok(Self { positions, board, from, batch, penalty, marks })
    }
}

impl TryFrom<args::Run> for RunOptions {
    type Error = anyhow::Error;

    fn try_from(
        args::Run { input, board, start, space: kind, penalty, keep, disk, out }: args::Run,
    ) -> anyhow::Result<Self> {
        let asked = Asked::from(&input::read(&input, None, board.as_ref())?.record);
        if let Some(start) = start
            && input::board(&input).is_err()
        {
            bail!("'{input}' already says what is drawn: leave out --start {start}, or name just the board");
        }
        let penalty = asked.penalty_or(penalty)?;
        let start = match start {
            Some(start) => {
                let board = asked.position.board();
                let (name, wanted) = (board.name().to_owned(), start.to_string());
                let drawn = board.start_lines(start).ok_or(BoardError::NoSuchStart { board: name, start: wanted })?;
                Position::new(board.clone(), drawn)?
            }
            None => asked.position,
        };
        Rules::of_start(&start, penalty)?;
        let dir = out.unwrap_or_else(|| PathBuf::from("runs").join(dab::run_name(&start, kind, penalty)));
        Ok(Self { start, kind, penalty, keep: keep.unwrap_or(usize::MAX), disk, dir })
    }
}
