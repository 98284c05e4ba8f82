//! `Table`: the scores of every position that a start can lead to, and `open`.

use std::path::PathBuf;

use dab::details::ScoredPosition;
use dab::{LineIdx, Score, Source, TableError, Tablebase};
use dab_space::Layer;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;

use crate::error::of_dab;
use crate::json::to_python;
use crate::masks::{Masks, check_bits, flat, to_masks};
use crate::position::{Position, to_position};

/// An array of masks and one of scores.
type Scored<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i8>>);

/// The scores of every position that a start can lead to.
///
/// ``dab.open`` reads one from a run or a book, ``dab.solve`` makes one. A score is net boxes still to come for the
/// player to move, under best play; closed boxes do not count. A mask is a position of the table's board: bit i is
/// line i, and is set if it is drawn. Any position that arises from the start may be asked, also one in which boxes can
/// be captured.
///
/// Calls let other threads of Python run.
#[pyclass(frozen, module = "dab")]
pub(crate) struct Table(Source);

impl Table {
    pub(crate) fn new(table: Tablebase) -> Self {
        Self(Source::new(table))
    }

    pub(crate) fn tablebase(&self) -> &Tablebase {
        self.0.table()
    }
}

/// Opens a run directory or a book.
///
/// Raises ``dab.Error`` if there is no such thing, or if it is damaged or not finished.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let table = py.detach(|| {
        let table = Tablebase::open(path)?;
        table.require_finished()?;
        Ok::<_, TableError>(table)
    });
    Ok(Table::new(table.map_err(of_dab)?))
}

#[pymethods]
impl Table {
    /// The position from which all others arise.
    #[getter]
    fn start(&self) -> Position {
        Position(self.tablebase().start().clone())
    }

    /// Name of the board, such as ``"3x4"``.
    #[getter]
    fn board(&self) -> &str {
        self.tablebase().board().name()
    }

    /// Boxes charged to the player who draws the last line; 0 in the ordinary game.
    #[getter]
    fn penalty(&self) -> i8 {
        self.tablebase().penalty()
    }

    /// Number of layers. Layer k holds the stored positions in which k units are drawn: lines, or whole chains of the
    /// start.
    #[getter]
    fn n_layers(&self) -> usize {
        self.tablebase().files().n_layers()
    }

    /// The game, its layers and their sizes, as ``dab info --json`` prints them.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.tablebase().files().summary())
    }

    /// The scores of many positions.
    ///
    /// masks: array of integers, of any shape. Returns an int8 array of that shape: net boxes for the player to move.
    /// Many positions in one call take much less time each than few.
    fn scores<'py>(&self, py: Python<'py>, masks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        check_bits(self.tablebase().board())?;
        let masks = Masks::new(masks)?;
        let scores = py.detach(|| self.tablebase().probe_many(&masks.drawn)).map_err(of_dab)?;
        masks.shaped(py, scores.into_iter().map(i8::from).collect())
    }

    /// The best lines of many positions.
    ///
    /// masks: array of integers, of any shape. Returns a uint64 array of that shape: bit i is set if line i reaches the
    /// score of the position; 0 if every line is drawn.
    fn best<'py>(&self, py: Python<'py>, masks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        check_bits(self.tablebase().board())?;
        let masks = Masks::new(masks)?;
        let best = py.detach(|| self.tablebase().best_many(&masks.drawn)).map_err(of_dab)?;
        masks.shaped(py, to_masks(best))
    }

    /// The score of one position and of each of its lines, as ``dab query --json`` prints them.
    ///
    /// position: a Position, a text in any notation, or a mask.
    fn answer<'py>(&self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let position = to_position(position, Some(self.tablebase().board()))?;
        let answer = py.detach(|| {
            let Self(source) = self;
            Ok::<_, TableError>(ScoredPosition::new(&position, source.answer(&position, false)?, source.table()))
        });
        to_python(py, &answer.map_err(of_dab)?)
    }

    /// One line of best play from a position to the end of the game: the lowest best line each time.
    fn best_play(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<LineIdx>> {
        let position = to_position(position, Some(self.tablebase().board()))?;
        py.detach(|| self.tablebase().best_play(&position)).map_err(of_dab)
    }

    /// Draws n stored positions with equal odds, independently of each other, as a uint64 array of n masks.
    ///
    /// Stored are quiet positions (or all, if the space is full), one of those that symmetries map to each other.
    /// layer: number of the layer they come from; all layers if it is None. Equal seeds give equal positions.
    #[pyo3(signature = (n, layer=None, seed=0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        layer: Option<usize>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        check_bits(self.tablebase().board())?;
        let drawn = py.detach(|| self.tablebase().sample(n, layer.map(Layer), seed)).map_err(of_dab)?;
        Ok(flat(py, to_masks(drawn)))
    }

    /// Every stored position of a layer: a uint64 array of masks, and an int8 array of their scores.
    fn layer<'py>(&self, py: Python<'py>, layer: usize) -> PyResult<Scored<'py>> {
        check_bits(self.tablebase().board())?;
        let stored = py.detach(|| {
            let (mut drawn, mut scores) = (Vec::new(), Vec::new());
            for stored in self.tablebase().stored(Layer(layer))? {
                let (position, Score(score)) = stored?;
                drawn.push(position.drawn());
                scores.push(score);
            }
            Ok::<_, TableError>((to_masks(drawn), scores))
        });
        let (masks, scores) = stored.map_err(of_dab)?;
        Ok((flat(py, masks), flat(py, scores)))
    }

    fn __repr__(&self) -> String {
        let table = self.tablebase();
        let (start, space) = (table.start(), table.space().kind());
        format!("<dab.Table of {start}, {space} space, in {}>", table.files().name())
    }
}
