//! Arrays of masks: bit `i` of a mask is line `i`, in the numbering of the board.
//!
//! numpy has no integers above 64 bits, so boards with more lines take single positions only.

use dab_board::{Board, LineSet};
use numpy::{Element, IntoPyArray, PyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Bits of a mask.
const BITS: usize = 64;

/// Masks in an array of any shape, or in a list.
pub(crate) struct Masks {
    shape: Vec<usize>,
    /// The drawn lines of each, row-major.
    pub(crate) drawn: Vec<LineSet>,
}

impl Masks {
    /// Reads an array of integers.
    ///
    /// # Errors
    /// `TypeError` if they are no integers; `ValueError` if one is below 0.
    pub(crate) fn new(masks: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = masks.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "asarray"), (masks,))?;
        let dtype = array.getattr(intern!(py, "dtype"))?;
        let is_empty = array.getattr(intern!(py, "size"))?.extract::<usize>()? == 0;
        match dtype.getattr(intern!(py, "kind"))?.extract::<&str>()? {
            _ if is_empty => {}
            "u" => {}
            "i" if array.call_method0(intern!(py, "min"))?.extract::<i64>()? >= 0 => {}
            "i" => return Err(PyValueError::new_err("a mask is at least 0")),
            _ => return Err(PyTypeError::new_err(format!("masks are an array of integers, not of {dtype}"))),
        }
        let options = PyDict::new(py);
        options.set_item("dtype", "uint64")?;
        options.set_item("order", "C")?;
        let array = numpy.call_method(intern!(py, "asarray"), (array,), Some(&options))?;
        let array: PyReadonlyArrayDyn<'_, u64> = array.extract()?;
        let drawn = array.as_slice()?.iter().map(|&mask| LineSet(mask.into())).collect();
        Ok(Self { shape: array.shape().to_vec(), drawn })
    }

    /// An array of the same shape, with a value for each mask.
    pub(crate) fn shaped<'py, T: Element>(
        &self,
        py: Python<'py>,
        values: Vec<T>,
    ) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        values.into_pyarray(py).reshape(self.shape.clone())
    }
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
