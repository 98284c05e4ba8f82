//! Arrays of masks: bit `i` of a mask is line `i`, in the numbering of the board.
//!
//! numpy has no integers above 64 bits, so boards with more lines take single positions only.

use std::sync::Arc;

use dab::BatchError;
use dab_board::{Board, LineIdx, LineSet};
use numpy::{Element, IntoPyArray, PyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::error::of_dab;
use crate::number::Number;
use crate::position::Position;

/// Bits of a mask.
const BITS: usize = 64;

/// Masks in an array of any shape, or in a list.
pub(crate) struct Masks {
    shape: Vec<usize>,
    /// The drawn lines of each, row-major.
    pub(crate) drawn: Vec<LineSet>,
}

impl Masks {
    /// Reads an array of integers, or of positions, of a board.
    ///
    /// # Errors
    /// `TypeError` if they are something else; `ValueError` if one is below 0 or a position of another board, or if masks, or those
    /// of this type, have too few bits for the lines of the board.
    pub(crate) fn new(masks: &Bound<'_, PyAny>, board: &Arc<Board>) -> PyResult<Self> {
        check_bits(board)?;
        let py = masks.py();
        let array = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (masks,))?;
        let dtype = array.getattr(intern!(py, "dtype"))?;
        let shape: Vec<usize> = array.getattr(intern!(py, "shape"))?.extract()?;
        let is_empty = shape.contains(&0);
        let drawn = match dtype.getattr(intern!(py, "kind"))?.extract::<&str>()? {
            _ if is_empty => Vec::new(),
            "O" => positions(&array, &shape, board)?,
            "u" | "i" => {
                // Lists have no type of their own.
                let bits = 8 * dtype.getattr(intern!(py, "itemsize"))?.extract::<usize>()?;
                if masks.hasattr(intern!(py, "dtype"))? && bits < board.n_lines() {
                    let (name, n_lines) = (board.name(), board.n_lines());
                    return Err(PyValueError::new_err(format!(
                        "masks of board {name} have {n_lines} bits, one for each line, but {dtype} has {bits}: dab.from_bits \
                         reads rows of zeros and ones"
                    )));
                }
                let masks = naturals("masks", &array, &shape)?;
                masks.into_iter().map(|mask| LineSet(mask.into())).collect()
            }
            _ => return Err(PyTypeError::new_err(format!("masks are an array of integers, not of {dtype}"))),
        };
        Ok(Self { shape, drawn })
    }

    /// An array of the same shape with a value for each mask; or with a row of `len` values for each.
    pub(crate) fn shaped<'py, T: Element>(
        &self,
        py: Python<'py>,
        values: Vec<T>,
        len: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        let shape: Vec<usize> = self.shape.iter().copied().chain(len).collect();
        values.into_pyarray(py).reshape(shape)
    }

    /// The exception for a batch of these masks that has no answer.
    pub(crate) fn refused(&self, BatchError { index, error }: BatchError) -> PyErr {
        let error = dab::Error::from(error);
        of_dab(match index {
            Some(i) => error.context(place("masks", &self.shape, i)),
            None => error,
        })
    }
}

/// Masks and lines as arrays of one shape, to which numpy broadcasts them.
///
/// # Errors
/// As [`Masks::new`]; `TypeError` if lines are no integers; `ValueError` if one is below 0, or if the shapes do not fit.
pub(crate) fn masks_and_lines(
    masks: &Bound<'_, PyAny>,
    lines: &Bound<'_, PyAny>,
    board: &Arc<Board>,
) -> PyResult<(Masks, Vec<LineIdx>)> {
    let py = masks.py();
    // Before they are broadcast, so that the type of masks is looked at as it was given.
    let given = Masks::new(masks, board)?;
    let masks = given.shaped(py, to_masks(given.drawn.iter().copied()), None)?;
    let numpy = py.import(intern!(py, "numpy"))?;
    let both = numpy.call_method1(intern!(py, "broadcast_arrays"), (masks, lines))?;
    let (masks, lines) = (Masks::new(&both.get_item(0)?, board)?, both.get_item(1)?);
    let dtype = lines.getattr(intern!(py, "dtype"))?;
    let lines = match dtype.getattr(intern!(py, "kind"))?.extract::<&str>()? {
        _ if masks.drawn.is_empty() => Vec::new(),
        "u" | "i" => naturals("lines", &lines, &masks.shape)?,
        _ => return Err(PyTypeError::new_err(format!("lines are an array of integers, not of {dtype}"))),
    };
    Ok((masks, lines.into_iter().map(|line| line as LineIdx).collect()))
}

/// The integers of an array, row-major; none is below 0.
fn naturals(name: &str, array: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<u64>> {
    let dtype = array.getattr(intern!(array.py(), "dtype"))?;
    if dtype.getattr(intern!(array.py(), "kind"))?.extract::<&str>()? == "u" {
        return values(array, "uint64");
    }
    let natural = |(i, value): (usize, i64)| {
        let below = |_| PyValueError::new_err(format!("{}: {value} is not at least 0", place(name, shape, i)));
        u64::try_from(value).map_err(below)
    };
    values::<i64>(array, "int64")?.into_iter().enumerate().map(natural).collect()
}

/// The values of an array of numbers, row-major; `dtype` is the name of `T`.
fn values<T: Element + Copy>(array: &Bound<'_, PyAny>, dtype: &str) -> PyResult<Vec<T>> {
    let py = array.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    // A part of an array of records, or of a buffer, may lie at any byte.
    let array = numpy.call_method1(intern!(py, "require"), (array, dtype, ("C", "ALIGNED")))?;
    let array: PyReadonlyArrayDyn<'_, T> = array.extract()?;
    Ok(array.as_slice()?.to_vec())
}

/// The masks of an array of objects: positions, and integers.
fn positions(array: &Bound<'_, PyAny>, shape: &[usize], board: &Arc<Board>) -> PyResult<Vec<LineSet>> {
    let py = array.py();
    let drawn = |(i, object): (usize, PyResult<Bound<'_, PyAny>>)| {
        let object = object?;
        let wrong = |what: String| PyValueError::new_err(format!("{}: {what}", place("masks", shape, i)));
        if let Ok(position) = object.cast::<Position>() {
            let position = &position.get().0;
            return match position.board() == board {
                true => Ok(position.drawn()),
                false => Err(wrong(format!("position {position} is not on board {}", board.name()))),
            };
        }
        match object.extract::<Number<u128>>() {
            Ok(Number(mask)) => Ok(LineSet(mask)),
            Err(error) if error.is_instance_of::<PyValueError>(py) => Err(wrong(error.value(py).to_string())),
            Err(_) => {
                let kind = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("masks are an array of integers, not of {kind}")))
            }
        }
    };
    array.call_method0(intern!(py, "ravel"))?.try_iter()?.enumerate().map(drawn).collect()
}

/// The place of element `i` of an array, as in `masks[1, 0]`.
fn place(name: &str, shape: &[usize], i: usize) -> String {
    let mut rest = i;
    let mut index: Vec<String> = Vec::new();
    for &len in shape.iter().rev() {
        index.push((rest % len).to_string());
        rest /= len;
    }
    index.reverse();
    if index.is_empty() { name.to_owned() } else { format!("{name}[{}]", index.join(", ")) }
}

/// Sets of lines as an array of masks.
pub(crate) fn to_masks(sets: impl IntoIterator<Item = LineSet>) -> Vec<u64> {
    sets.into_iter().map(|set| set.0 as u64).collect()
}

/// Checks that masks can describe the positions of a board.
///
/// # Errors
/// `ValueError` if they have too few bits.
pub(crate) fn check_bits(board: &Board) -> PyResult<()> {
    let (name, n_lines) = (board.name(), board.n_lines());
    if n_lines <= BITS {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "board {name} has {n_lines} lines, but a mask in an array has {BITS} bits: ask about one position at a time"
    )))
}

/// An array of one dimension.
pub(crate) fn flat<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray<T, numpy::Ix1>> {
    values.into_pyarray(py)
}
