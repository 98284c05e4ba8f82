//! A run or a book, opened: scores, answers and best play of its positions.
//!
//! ```text
//!    path ─► files ─► game ─► index of positions ─► scores ─► answers
//! ```

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dab_board::notation::compact;
use dab_board::{Board, BoardError, LineIdx, LineSet, Position, Score};
use dab_space::{Layer, Layout, Rules, SlabId, Space, Units};
use dab_store::{Crew, Game, IndexedScores, LayerSummary, ScoreRead, SlabCache};

use crate::{Answer, Book, Files, IndexLimits, TableError};

/// Slabs of a layer whose scores are counted by one thread at a time.
const COUNTED: usize = 16;
/// The name of a graph's start in its run.
const GRAPH: &str = "graph:";

/// The scores of every position that one start can lead to, or of the first layers of them.
pub struct Tablebase {
    files: Files,
    space: Space,
    rules: Rules,
}

impl Tablebase {
    /// Opens a run directory or a book for reading, within the default limits.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`].
    ///
    /// ```
    /// let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.start().to_string(), "4x4:0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::open_within(path, IndexLimits::default())
    }

    /// Opens a run directory or a book for reading. Its index takes no more than the limits.
    ///
    /// # Errors
    /// If there is no such thing, if its head is damaged, if another version wrote it, or if its index takes more.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Tablebase};
    /// let limits = IndexLimits { memory: 1 << 28, ..IndexLimits::default() };
    /// let table = Tablebase::open_within("../../data/books/4x4.book", limits)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_within(path: impl AsRef<Path>, limits: impl Into<IndexLimits>) -> Result<Self, TableError> {
        Self::from_files(Files::open(path)?, limits)
    }

    /// Builds the index of opened files. Nothing that they say of themselves is believed before it was compared with their game,
    /// and no index is made that is larger than the limits.
    ///
    /// # Errors
    /// If their game is unknown, if its positions have another order or number, or if the index takes more than the limits.
    ///
    /// ```
    /// # use dab_table::{Files, IndexLimits, Tablebase};
    /// let files = Files::open("../../data/books/4x4.book")?;
    /// println!("{}", files.summary());
    /// let table = Tablebase::from_files(files, IndexLimits::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_files(files: Files, limits: impl Into<IndexLimits>) -> Result<Self, TableError> {
        let (game, name) = (files.game(), files.name());
        let unknown = |why| unknown(&name, why);
        let kind = game.space.parse().map_err(unknown)?;
        let start = start_of(&files)?;
        let mut rules = Rules::for_start(&start, game.penalty.into()).map_err(|error| unknown(error.to_string()))?;
        if game.marks {
            rules = rules.with_marks(&start, kind).map_err(|error| unknown(error.to_string()))?;
        }
        let units = Units::new(start, kind).map_err(|error| unknown(error.to_string()))?;
        let foreign = |fault: &str| {
            TableError::Foreign(format!(
                "{name}: its positions are not {fault}; use the version of dab that wrote it, or solve {} again into another \
                 directory",
                game.start
            ))
        };
        let other_order = || foreign("ordered as this program orders them");
        let partition = game.partition(&units).ok_or_else(other_order)?;
        if units.units().len() + 1 != files.n_layers() {
            return Err(other_order());
        }
        let budget = limits.into().budget();
        let layout = Layout::with_partition(units, partition, &budget)?;
        let holds = |layer: LayerSummary| {
            let slabs = &layout.layers()[layer.layer.0];
            layer.slabs == slabs.len() && u128::from(layer.positions) == layout.layer_positions(layer.layer.0)
        };
        if !files.layers().all(holds) {
            return Err(foreign("as many as this program counts"));
        }
        let space = Space::within(layout, &budget)?;
        match Game::of(&space, rules) == *game {
            true => Ok(Self { files, space, rules }),
            false => Err(other_order()),
        }
    }

    /// The scores of all positions of `space`, which have just been solved into `files`.
    #[doc(hidden)]
    pub fn new(files: Files, space: Space, rules: Rules) -> Self {
        Self { files, space, rules }
    }

    /// The score of a position: net boxes still to come for the player to move.
    ///
    /// # Errors
    /// If the position does not arise from the start, or its score is not here or damaged.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(i8::from(table.probe(&"4x4:f".parse()?)?), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, position: &Position) -> Result<Score, TableError> {
        self.book().probe(position)
    }

    /// The scores of many positions of the table's own board, given by their drawn lines, in their order. A million of
    /// them are looked up together, slab by slab and by all threads, which takes much less time than one by one.
    /// [`Book::batch`] asks more of them.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// # use dab_board::LineSet;
    /// let scores = table.probe_many(&[LineSet(0x0), LineSet(0xf)])?;
    /// assert_eq!([scores[0].0, scores[1].0], [0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_many(&self, drawn: &[LineSet]) -> Result<Vec<Score>, TableError> {
        Ok(self.book().batch(drawn).scores()?)
    }

    /// The best lines of the same positions; none where every line is drawn.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// # use dab_board::LineSet;
    /// let best = table.best_many(&[LineSet(0xf)])?;
    /// assert_eq!(best[0].len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_many(&self, drawn: &[LineSet]) -> Result<Vec<LineSet>, TableError> {
        Ok(self.book().batch(drawn).best()?)
    }

    /// The score of a position and the score and kind of every legal move.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// let answer = table.answer(&"4x4:f".parse()?)?;
    /// assert_eq!(answer.best().count(), 8);
    /// for m in answer.moves {
    ///     println!("{}: {} ({})", table.board().line_name(m.line), m.score, m.kind);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, position: &Position) -> Result<Answer, TableError> {
        self.book().answer(position)
    }

    /// One line of best play to the end of the game: always the lowest best line.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// # use dab_table::TableError;
    /// // A book holds the first layers only.
    /// let error = table.best_play(table.start()).unwrap_err();
    /// assert!(error.is_beyond());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_play(&self, position: &Position) -> Result<Vec<LineIdx>, TableError> {
        self.book().best_play(position)
    }

    /// The stored positions of a layer, one of each class of symmetry, with their scores. A slab is read at a time.
    ///
    /// # Errors
    /// If the layer is not here. An item is an error if the files of its slab are damaged.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// # use dab_space::Layer;
    /// for stored in table.stored(Layer(1))? {
    ///     let (position, score) = stored?;
    ///     println!("{position}: {score}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stored(
        &self,
        layer: Layer,
    ) -> Result<impl Iterator<Item = Result<(Position, Score), TableError>> + '_, TableError> {
        let layer = self.require_layer(layer)?;
        let keys = self.space.layout().layers()[layer.0].iter().enumerate();
        let slabs = keys.map(move |(slab, &key)| {
            let shape = self.space.shape(key);
            let scores = self.files.scores().read_slab(SlabId::new(layer, slab), shape)?;
            Ok::<_, TableError>((0..scores.len()).map(move |at| {
                let mask = self.space.mask_at(key, at / shape.cols(), at % shape.cols());
                Ok((Position::new(Arc::clone(self.board()), self.space.lines_of(mask))?, self.rules.score(scores[at])))
            }))
        });
        Ok(slabs.flat_map(|slab| {
            let (positions, error) = match slab {
                Ok(positions) => (Some(positions), None),
                Err(error) => (None, Some(Err(error))),
            };
            positions.into_iter().flatten().chain(error)
        }))
    }

    /// Stored positions of a layer by score, ascending.
    ///
    /// # Errors
    /// If the layer is not here, or its files are damaged.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// # use dab_space::Layer;
    /// assert_eq!(table.histogram(Layer(0))?, [(0, 1)]); // one position, of score 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn histogram(&self, layer: Layer) -> Result<Vec<(i8, u64)>, TableError> {
        let layer = self.require_layer(layer)?;
        let keys = &self.space.layout().layers()[layer.0];
        let count = |slabs: Range<usize>| {
            let mut counts = [0u64; 256];
            for slab in slabs {
                let shape = self.space.shape(keys[slab]);
                let scores = self.files.scores().read_slab(SlabId::new(layer, slab), shape)?;
                scores.iter().for_each(|&value| counts[self.rules.score(value).0 as u8 as usize] += 1);
            }
            Ok::<_, TableError>(counts)
        };
        let parts = (0..keys.len()).step_by(COUNTED).map(|first| first..keys.len().min(first + COUNTED));
        let mut counts = [0; 256];
        for part in Crew::Together.map(parts.collect(), count) {
            counts.iter_mut().zip(part?).for_each(|(sum, n)| *sum += n);
        }
        Ok((i8::MIN..=i8::MAX).map(|score| (score, counts[score as u8 as usize])).filter(|(_, n)| *n > 0).collect())
    }

    /// The same answers, for many questions: the scores are read through `cache`.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// let cache = table.cache(16 << 20);
    /// let book = table.book_through(&cache);
    /// assert_eq!(book.probe(table.start())?.0, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn book_through<'a>(&'a self, cache: &'a dyn ScoreRead) -> Book<'a> {
        Book::new(&self.space, cache).under(self.rules)
    }

    /// The answers; every question reads the files.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.book().probe(table.start())?.0, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn book(&self) -> Book<'_> {
        self.book_through(self.files.scores())
    }

    /// A cache of at most about `bytes` bytes of decoded slabs, for [`Tablebase::book_through`].
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// let cache = table.cache(16 << 20);
    /// table.book_through(&cache).answer(table.start())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cache(&self, bytes: u64) -> SlabCache<'_> {
        SlabCache::to_query((&self.space, self.files.scores()), bytes)
    }

    /// The position from which all others arise.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.start().to_string(), "4x4:0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(&self) -> &Position {
        self.space.layout().units().start()
    }

    /// The board.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.board().n_lines(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board(&self) -> &Arc<Board> {
        self.start().board()
    }

    /// The penalty charged to the player who draws the last line, in boxes.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.penalty(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penalty(&self) -> i8 {
        self.rules.penalty
    }

    /// The rules of the scores.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.rules().penalty, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The index of the positions.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.space().layout().total_positions(), 2_260_859_918);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The scores.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert_eq!(table.files().layers().count(), 7); // of 41
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn files(&self) -> &Files {
        &self.files
    }
}

/// One line: index and scores would fill books.
impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({}, {} space, {})", self.start(), self.space.kind(), self.files.name())
    }
}

impl IndexedScores for Tablebase {
    fn space(&self) -> &Space {
        &self.space
    }

    fn scores(&self) -> &dyn ScoreRead {
        self.files.scores()
    }
}

/// The position from which all others of some files arise.
///
/// # Errors
/// If their game is unknown.
pub(crate) fn start_of(files: &Files) -> Result<Position, TableError> {
    let (game, name) = (files.game(), files.name());
    start(&game.start, game.graph.as_deref(), &name).map_err(|error| unknown(&name, error.to_string()))
}

fn unknown(name: &str, why: String) -> TableError {
    let what = "it describes no game that this program knows";
    TableError::Foreign(format!("{name}: {what}: {why}; use the version of dab that wrote it"))
}

/// The start of a game by its text; positions on a graph are named by `name`, the run or book that keeps the graph.
fn start(start: &str, graph: Option<&str>, name: &str) -> Result<Position, BoardError> {
    match graph {
        None => start.parse(),
        Some(text) => compact::position(Board::from_graph_file(name, text)?, start.strip_prefix(GRAPH), start),
    }
}
