//! Positions with their scores and best moves, written in bulk for programs that learn from them.
//!
//! ```text
//!    layers ─► chosen positions, by their number ─► score and best moves of each ─► rows of CSV or npy
//! ```
//! Only stored positions are written: one of each class of symmetry, and in the quiet space only quiet ones. `docs/GUIDE.md`
//! describes the columns.

use std::collections::HashSet;
use std::io::{self, Write};

use dab_board::{LineSet, Score};
use dab_solve::Observer;
use dab_space::{Layer, Mark, Rules, SlabId};
use dab_store::LayerSummary;
use rayon::prelude::*;

use crate::limits::slab_budget;
use crate::{Book, Error, Limits, Tablebase};

/// Positions whose best moves are looked up at a time.
const CHUNK: usize = 1 << 15;
/// Lines of a board whose masks NumPy has as integers; those of others are bytes.
const INTEGER_LINES: usize = 64;
/// Bytes of the preamble of an npy file before its text, and what all of it is a multiple of.
const NPY_MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
const NPY_ALIGNMENT: usize = 64;

/// A form of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text: a position, its layer, its score and the mask of its best moves, divided by commas.
    Csv,
    /// A one-dimensional structured array of NumPy.
    Npy,
}

dab_board::names!(Format from "format" { Csv = "csv", Npy = "npy" });

/// The positions to write.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Only those of this layer.
    pub layer: Option<Layer>,
    /// Number of positions drawn at random from all, each with the same chance; `None` for all.
    pub sample: Option<u64>,
    /// The seed of the sample.
    pub seed: u64,
}

/// Writes positions with scores and best moves; returns their number.
///
/// # Errors
/// If the layer is not there, files are damaged, `out` fails, or `observer` stops it.
pub fn export(
    table: &Tablebase,
    selection: Selection,
    format: Format,
    limits: Limits,
    observer: &dyn Observer,
    out: &mut impl Write,
) -> Result<u64, Error> {
    let layers = layers(table, selection.layer)?;
    let all: u64 = layers.iter().map(|layer| layer.positions).sum();
    let chosen = selection.sample.filter(|&n| n < all).map(|n| sample(all, n, selection.seed));
    let n_rows = chosen.as_ref().map_or(all, |chosen| chosen.len() as u64);
    let cache = table.cache(slab_budget(table, limits));
    let book = table.book_through(&cache);
    write_head(table, format, n_rows, out).map_err(Error::io("cannot write positions"))?;
    let mut chosen = chosen.map(|chosen| chosen.into_iter().peekable());
    let mut first = 0;
    for summary in &layers {
        observer.layer(summary.layer);
        for (slab, &key) in table.space().layout().layers()[summary.layer.0].iter().enumerate() {
            let shape = table.space().shape(key);
            let end = first + shape.positions() as u64;
            let places: Vec<usize> = match &mut chosen {
                None => (0..shape.positions()).collect(),
                Some(chosen) => {
                    std::iter::from_fn(|| chosen.next_if(|&n| n < end)).map(|n| (n - first) as usize).collect()
                }
            };
            first = end;
            if places.is_empty() {
                continue;
            }
            let values = table.files().scores().read_slab(SlabId::new(summary.layer, slab), shape)?;
            for places in places.chunks(CHUNK) {
                if observer.should_stop() {
                    return Err(Error::stopped("; the file ends early"));
                }
                let row = |&place: &usize| {
                    let mask = table.space().mask_at(key, place / shape.cols(), place % shape.cols());
                    Row::new((&book, table.rules()), summary.layer, table.space().lines_of(mask), values[place])
                };
                let rows: Vec<Row> = places.par_iter().map(row).collect::<Result<_, Error>>()?;
                rows.iter()
                    .try_for_each(|row| row.write(table, format, out))
                    .map_err(Error::io("cannot write positions"))?;
                observer.positions(rows.len() as u64);
            }
        }
    }
    out.flush().map_err(Error::io("cannot write positions"))?;
    Ok(n_rows)
}

/// The layers that positions are taken from.
fn layers(table: &Tablebase, wanted: Option<Layer>) -> Result<Vec<LayerSummary>, Error> {
    let layers: Vec<LayerSummary> = table.files().layers().collect();
    let Some(wanted) = wanted else { return Ok(layers) };
    match layers.iter().find(|layer| layer.layer == wanted) {
        Some(layer) => Ok(vec![*layer]),
        None => {
            let (name, n_layers) = (table.files().name(), table.files().n_layers());
            Err(Error::input(format!("{name} has no layer {wanted}; the game has the layers 0 to {}", n_layers - 1)))
        }
    }
}

/// `n` of the numbers below `all`, ascending, by Floyd's algorithm.
fn sample(all: u64, n: u64, seed: u64) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut chosen = HashSet::with_capacity(n as usize);
    for last in all - n..all {
        let one = random.u64(..=last);
        if !chosen.insert(one) {
            chosen.insert(last);
        }
    }
    let mut chosen: Vec<u64> = chosen.into_iter().collect();
    chosen.sort_unstable();
    chosen
}

/// One position.
struct Row {
    layer: Layer,
    drawn: LineSet,
    score: Score,
    /// If the table has marks.
    mark: Option<Mark>,
    best: LineSet,
}

impl Row {
    fn new((book, rules): (&Book<'_>, Rules), layer: Layer, drawn: LineSet, value: i8) -> Result<Self, Error> {
        let best = book.answer_drawn(drawn)?.best().collect();
        Ok(Self { layer, drawn, score: rules.score(value), mark: rules.mark(value), best })
    }

    fn write(&self, table: &Tablebase, format: Format, out: &mut impl Write) -> io::Result<()> {
        let Self { layer, drawn, score, mark, best } = self;
        match format {
            Format::Csv => {
                write!(out, "{}:{:x},{layer},{score},{:x}", table.board().name(), drawn.0, best.0)?;
                mark.map_or(Ok(()), |mark| write!(out, ",{mark}"))?;
                writeln!(out)
            }
            Format::Npy => {
                for mask in [drawn, best] {
                    out.write_all(&mask.0.to_le_bytes()[..mask_bytes(table)])?;
                }
                out.write_all(&[score.0 as u8, layer.0 as u8])?;
                mark.map_or(Ok(()), |mark| out.write_all(&[mark as u8]))
            }
        }
    }
}

/// Bytes of a mask in an array.
fn mask_bytes(table: &Tablebase) -> usize {
    if table.board().n_lines() <= INTEGER_LINES { 8 } else { 16 }
}

/// The rows above the first position.
fn write_head(table: &Tablebase, format: Format, n_rows: u64, out: &mut impl Write) -> io::Result<()> {
    if format == Format::Csv {
        let mark = if table.rules().marks { ",mark" } else { "" };
        return writeln!(out, "position,layer,score,best{mark}");
    }
    let mask = if mask_bytes(table) == 8 { "'<u8'" } else { "'|u1', (16,)" };
    let mark = if table.rules().marks { ", ('mark', '|u1')" } else { "" };
    let fields = format!("('drawn', {mask}), ('best', {mask}), ('score', '|i1'), ('layer', '|u1'){mark}");
    let mut text = format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': ({n_rows},), }}");
    // The text ends in a line break where the rows begin.
    let begin = NPY_MAGIC.len() + 2;
    let len = (begin + text.len() + 1).next_multiple_of(NPY_ALIGNMENT) - begin;
    text += &" ".repeat(len - text.len() - 1);
    out.write_all(NPY_MAGIC)?;
    out.write_all(&(len as u16).to_le_bytes())?;
    writeln!(out, "{text}")
}
