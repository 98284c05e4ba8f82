//! `Table`: the scores of every position that a start can lead to, and `open`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;
use std::path::{PathBuf, absolute};
use std::sync::{Arc, PoisonError, RwLock};

use dab::export::{Format, Selection, export};
use dab::store::LayerSummary;
use dab::{Batch, BatchError, Error, Limits, LineIdx, Score, ScoredPosition, Source, TableError, Tablebase};
use dab_draw::Style;
use dab_space::Layer;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::of_dab;
use crate::json::to_python;
use crate::masks::{Masks, check_bits, flat, masks_and_lines, to_masks};
use crate::number::{Number, Size};
use crate::position::{Position, to_position};
use crate::threads;
use crate::watch::watched;

/// Scores that are looked up so soon that nobody wants to stop it.
const SOON: usize = 1 << 18;

/// An array of masks and one of scores.
type Scored<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i8>>);

/// The scores of every position that a start can lead to.
///
/// ``dab.open`` reads one from a run or a book, ``dab.solve`` makes one. A score is net boxes still to come for the
/// player to move, under best play; closed boxes do not count. A mask is a position of the table's board: bit i is
/// line i, and is set if it is drawn. Any position that arises from the start may be asked, also one in which boxes can
/// be captured.
///
/// Calls let other threads of Python run; Ctrl-C stops those with large arrays. ``with`` closes a table at its end. Tables in files
/// can be pickled: the other process opens the same path.
#[pyclass(frozen, module = "dab_solver")]
pub(crate) struct Table {
    /// None once it is closed.
    source: RwLock<Option<Arc<Source>>>,
    text: String,
    /// The arguments with which another process opens it, if it is in files.
    files: Option<(PathBuf, u64)>,
}

impl Table {
    /// A table, the path of its files if it has any, and the bytes for decoded slabs.
    pub(crate) fn new(table: Tablebase, path: Option<PathBuf>, cache: u64) -> Self {
        let text = format!("{}, {} space, in {}", table.start(), table.space().kind(), table.files().name());
        let source = if cache == 0 { Source::new(table) } else { Source::cached(table, cache) };
        // The other process may be in another directory.
        let files = path.map(|path| (absolute(&path).unwrap_or(path), cache));
        Self { source: RwLock::new(Some(source.into())), text, files }
    }

    /// The table as it is read.
    ///
    /// # Errors
    /// `ValueError` if it is closed.
    pub(crate) fn source(&self) -> PyResult<Arc<Source>> {
        let source = self.source.read().unwrap_or_else(PoisonError::into_inner).clone();
        source.ok_or_else(|| PyValueError::new_err(format!("{} is closed", self.__repr__())))
    }

    /// The answers of a batch that looks up so many scores for each mask.
    fn batch<T: Send>(
        &self,
        py: Python<'_>,
        masks: &Masks,
        n_scores: usize,
        answers: impl Fn(Batch<'_>) -> Result<Vec<T>, BatchError> + Send + Sync,
    ) -> PyResult<Vec<T>> {
        let (source, crew) = (self.source()?, threads::crew());
        let ask = |should_stop: &(dyn Fn() -> bool + Sync)| {
            let book = source.book();
            answers(book.batch(&masks.drawn).by(crew).until(should_stop))
        };
        let found = match masks.drawn.len().saturating_mul(n_scores) <= SOON {
            true => py.detach(|| ask(&|| false)),
            false => watched(py, 0, None, |watch| Ok(ask(&|| watch.is_stopped())))?,
        };
        found.map_err(|error| masks.refused(error))
    }
}

/// Opens a run directory or a book.
///
/// cache: bytes for parts of it that stay in memory, or a text such as ``"2G"``: calls with many positions take less time if it is
/// asked often. Without it each call reads what it needs.
///
/// Raises ``dab.Error`` if there is no such thing, or if it is damaged or not finished.
#[pyfunction]
#[pyo3(signature = (path, cache=None))]
pub(crate) fn open(py: Python<'_>, path: PathBuf, cache: Option<Size>) -> PyResult<Table> {
    threads::require()?;
    let table = py.detach(|| {
        let table = Tablebase::open(&path)?;
        table.require_finished()?;
        Ok::<_, TableError>(table)
    });
    Ok(Table::new(table.map_err(of_dab)?, Some(path), cache.map_or(0, |Size(bytes)| bytes)))
}

#[pymethods]
impl Table {
    /// The position from which all others arise.
    #[getter]
    fn start(&self) -> PyResult<Position> {
        Ok(Position(self.source()?.table().start().clone()))
    }

    /// Name of the board, such as ``"3x4"``.
    #[getter]
    fn board(&self) -> PyResult<String> {
        Ok(self.source()?.table().board().name().to_owned())
    }

    /// Boxes charged to the player who draws the last line; 0 in the ordinary game.
    #[getter]
    fn penalty(&self) -> PyResult<i8> {
        Ok(self.source()?.table().penalty())
    }

    /// Number of layers. Layer k holds the stored positions in which k units are drawn: lines, or whole chains of the
    /// start.
    #[getter]
    fn n_layers(&self) -> PyResult<usize> {
        Ok(self.source()?.table().files().n_layers())
    }

    /// The game, its layers and their sizes, as ``dab info --json`` prints them.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.source()?.table().files().summary())
    }

    /// The scores of many positions.
    ///
    /// masks: array of integers, of any shape, or a list of them or of Positions. Returns an int8 array of that shape: net boxes
    /// for the player to move. Many positions in one call take much less time each than few.
    fn scores<'py>(&self, py: Python<'py>, masks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let masks = Masks::new(masks, self.source()?.table().board())?;
        let scores = self.batch(py, &masks, 1, |batch| batch.scores())?;
        masks.shaped(py, scores.into_iter().map(i8::from).collect(), None)
    }

    /// The scores of every line of many positions.
    ///
    /// masks: as for ``scores``. Returns an int8 array of that shape and one more dimension, with an element for each line of the
    /// board: net boxes for the player who draws it, the boxes that it closes included; ``dab.DRAWN`` where it is drawn already.
    fn move_scores<'py>(&self, py: Python<'py>, masks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let board = Arc::clone(self.source()?.table().board());
        let masks = Masks::new(masks, &board)?;
        let scores = self.batch(py, &masks, board.n_lines(), |batch| batch.move_scores())?;
        masks.shaped(py, scores.into_iter().map(i8::from).collect(), Some(board.n_lines()))
    }

    /// The best lines of many positions.
    ///
    /// masks: as for ``scores``. Returns a uint64 array of that shape: bit i is set if line i reaches the score of the position;
    /// 0 if every line is drawn.
    fn best<'py>(&self, py: Python<'py>, masks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        let board = Arc::clone(self.source()?.table().board());
        let masks = Masks::new(masks, &board)?;
        let best = self.batch(py, &masks, board.n_lines(), |batch| batch.best())?;
        masks.shaped(py, to_masks(best), None)
    }

    /// The boxes that one line of each of many positions loses against a best one.
    ///
    /// masks: as for ``scores``. lines: array of lines, or one line; numpy broadcasts both to one shape. Returns an int16 array of that
    /// shape, at least 0.
    fn regret<'py>(
        &self,
        py: Python<'py>,
        masks: &Bound<'py, PyAny>,
        lines: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i16>>> {
        let (masks, lines) = masks_and_lines(masks, lines, self.source()?.table().board())?;
        let regrets = self.batch(py, &masks, 2, |batch| batch.regrets(&lines))?;
        masks.shaped(py, regrets, None)
    }

    /// The score of one position and of each of its lines, as ``dab query --json`` prints them.
    ///
    /// position: a Position, a text in any notation, or a mask.
    fn answer<'py>(&self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source()?;
        let position = to_position(position, Some(source.table().board()))?;
        let answer = py.detach(|| {
            Ok::<_, TableError>(ScoredPosition::new(&position, source.answer(&position, false)?, source.table()))
        });
        to_python(py, &answer.map_err(of_dab)?)
    }

    /// One line of best play from a position to the end of the game: the lowest best line each time.
    fn best_play(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<LineIdx>> {
        let source = self.source()?;
        let position = to_position(position, Some(source.table().board()))?;
        py.detach(|| source.book().best_play(&position)).map_err(of_dab)
    }

    /// Draws n stored positions with equal odds, independently of each other, as a uint64 array of n masks.
    ///
    /// Stored are quiet positions (or all, if the space is full), one of those that symmetries map to each other.
    /// layer: number of the layer they come from; all layers if it is None. Equal seeds give equal positions.
    #[pyo3(signature = (n, layer=None, seed=Number(0)), text_signature = "($self, n, layer=None, seed=0)")]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: Number<usize>,
        layer: Option<Number<usize>>,
        seed: Number<u64>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let source = self.source()?;
        let table = source.table();
        check_bits(table.board())?;
        let layer = layer.map(|Number(layer)| Layer(layer));
        let drawn = py.detach(|| table.sample(n.0, layer, seed.0)).map_err(of_dab)?;
        Ok(flat(py, to_masks(drawn)))
    }

    /// Every stored position of a layer: a uint64 array of masks, and an int8 array of their scores.
    fn layer<'py>(&self, py: Python<'py>, layer: Number<usize>) -> PyResult<Scored<'py>> {
        let source = self.source()?;
        check_bits(source.table().board())?;
        let stored = py.detach(|| {
            let (mut drawn, mut scores) = (Vec::new(), Vec::new());
            for stored in source.table().stored(Layer(layer.0))? {
                let (position, Score(score)) = stored?;
                drawn.push(position.drawn());
                scores.push(score);
            }
            Ok::<_, TableError>((to_masks(drawn), scores))
        });
        let (masks, scores) = stored.map_err(of_dab)?;
        Ok((flat(py, masks), flat(py, scores)))
    }

    /// Writes stored positions with their layers, scores and best lines into a file, as ``dab export`` does; returns how many.
    ///
    /// out: a file; rows of text if its name ends in ``.csv``, else a numpy array, which ``dab.load`` reads. layer: number of the layer
    /// they come from; all layers if it is None. sample: that many positions, all different, with equal odds; all of them if it is
    /// None. Ctrl-C stops it; the file then ends early.
    #[pyo3(signature = (out, *, layer=None, sample=None, seed=Number(0)), text_signature = "($self, out, *, layer=None, sample=None, seed=0)")]
    fn export(
        &self,
        py: Python<'_>,
        out: PathBuf,
        layer: Option<Number<usize>>,
        sample: Option<Number<u64>>,
        seed: Number<u64>,
    ) -> PyResult<u64> {
        threads::require()?;
        let source = self.source()?;
        let layer = layer.map(|Number(layer)| Layer(layer));
        let selection = Selection { layer, sample: sample.map(|Number(sample)| sample), seed: seed.0 };
        let format = if out.extension().is_some_and(|end| end == "csv") { Format::Csv } else { Format::Npy };
        watched(py, 0, None, |watch| {
            let file = File::create(&out).map_err(Error::io(format!("cannot write {}", out.display())))?;
            export(source.table(), selection, format, Limits::default(), watch, &mut BufWriter::new(file))
        })
    }

    /// A picture of a position with the score of each of its lines, as the text of an SVG.
    ///
    /// position: as for ``answer``. A notebook shows it by ``IPython.display.SVG(table.svg(position))``.
    fn svg(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<String> {
        let source = self.source()?;
        let position = to_position(position, Some(source.table().board()))?;
        let answer = py.detach(|| source.answer(&position, false)).map_err(of_dab)?;
        Ok(dab_draw::board(&position.into(), Some(&answer), &Style::default()).svg())
    }

    /// Closes the table: its files and memory are given back once the calls that are under way have ended. Later calls raise ValueError.
    fn close(&self) {
        *self.source.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _error: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf, u64))> {
        match &self.files {
            Some(files) => Ok((py.import("dab_solver")?.getattr("open")?, files.clone())),
            None => Err(PyTypeError::new_err(format!(
                "cannot pickle {}: another process could not open it; solve it into a directory",
                self.__repr__()
            ))),
        }
    }

    fn __repr__(&self) -> String {
        format!("<dab.Table of {}>", self.text)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let text = self.text.replace('&', "&amp;").replace('<', "&lt;");
        let mut html = format!("<table><caption>{text}</caption><tr><th>layer<th>slabs<th>positions<th>bytes");
        for LayerSummary { layer, slabs, positions, bytes, .. } in self.source()?.table().files().layers() {
            let _ = write!(html, "<tr><td>{layer}<td>{slabs}<td>{positions}<td>{bytes}");
        }
        Ok(html + "</table>")
    }
}
