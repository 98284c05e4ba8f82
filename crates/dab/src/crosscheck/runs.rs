//! Every score of a run or book against the answers of another one of the same game, such as that of its other space.

use std::fmt::{self, Display};

use dab_board::LineSet;
use dab_solve::{Observer, SlabKeeper};
use dab_space::{Layer, SlabId};
use dab_table::Book;
use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Counts, index_bytes};
use crate::figures::plural;
use crate::limits::{check_table, slab_budget};
use crate::{Error, Limits, Tablebase};

/// Positions that are looked up together.
const TOGETHER: usize = 1 << 18;
/// Bytes that each of them takes meanwhile: the position, its capture run, its place, two numbers.
const BYTES_ASKED: usize = 120;

/// The result of a comparison.
#[derive(Clone, Debug, Serialize)]
struct RunCheck {
    /// The run or book whose scores were all compared.
    one: String,
    /// The run or book that was asked.
    other: String,
    /// Layers compared.
    layers: usize,
    /// Positions compared.
    positions: u64,
    /// Positions whose scores differ.
    disagreements: u64,
    /// One of these with both scores, always the same one.
    first: Option<String>,
}

impl Counts for RunCheck {
    fn fault(&self) -> Option<String> {
        let n = plural(self.disagreements, "different score");
        self.first.as_ref().map(|first| format!("{n}, first {first}"))
    }
}

impl Display for RunCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one, other, layers, positions, disagreements, .. } = self;
        let (positions, layers) = (plural(*positions, "position"), plural(*layers as u64, "layer"));
        writeln!(f, "{one} and {other}: {positions} of {layers} compared")?;
        f.write_str(&plural(*disagreements, "disagreement"))
    }
}

/// Bytes for slabs of `other`, when each thread holds a slab of `one` and its questions to the other.
fn slab_bytes(one: &Tablebase, other: &Tablebase, limits: Limits) -> Result<u64, Error> {
    [one, other].into_iter().try_for_each(|table| check_table(table, limits))?;
    let of_thread = one.space().layout().largest_slab() + (TOGETHER * BYTES_ASKED) as u64;
    let taken = of_thread.saturating_mul(limits.threads as u64).saturating_add(index_bytes(one));
    Ok(slab_budget(other, limits).saturating_sub(taken))
}

impl Check {
    /// Holds every score that `one` has against the answer of `other`, within the memory of the limits.
    ///
    /// # Errors
    /// If they are not of the same game, layers of `other` are missing, files are damaged, or `observer` stops it.
    pub fn runs(one: &Tablebase, other: &Tablebase, limits: Limits, observer: &dyn Observer) -> Result<Check, Error> {
        let slab_bytes = slab_bytes(one, other, limits)?;
        other.require_all()?;
        let game = |table: &Tablebase| (table.files().game().start.clone(), table.files().game().penalty);
        if game(one) != game(other) {
            let name = |table: &Tablebase, verb: &str| {
                let (start, penalty) = game(table);
                format!("{} {verb}{start} with penalty {penalty}", table.files().name())
            };
            let (one, other) = (name(one, "is of "), name(other, "of "));
            return Err(Error::input(format!("{one}, but {other}: only scores of the same game can agree")));
        }
        let keeper = SlabKeeper::to_check(other.space(), other.files().scores(), slab_bytes);
        let book = other.book_through(keeper.cache());
        let mut tally = Tally::default();
        let layers: Vec<Layer> = one.files().layers().map(|layer| layer.layer).collect();
        for &layer in &layers {
            observer.layer(layer);
            let of_slab = |slab: usize| -> Result<Tally, Error> {
                if observer.should_stop() {
                    return Err(Error::stopped_check());
                }
                let compared = compare(one, layer, slab, &book)?;
                observer.positions(compared.positions);
                Ok(compared)
            };
            let slabs = (0..one.space().layout().layers()[layer.0].len()).into_par_iter().with_max_len(1);
            tally = tally.merge(slabs.map(of_slab).try_reduce(Tally::default, |a, b| Ok(a.merge(b)))?);
        }
        Check::new(&RunCheck {
            one: one.files().name(),
            other: other.files().name(),
            layers: layers.len(),
            positions: tally.positions,
            disagreements: tally.disagreements,
            first: tally.first,
        })
    }
}

/// Counts of some slabs, and the first difference.
#[derive(Default)]
struct Tally {
    positions: u64,
    disagreements: u64,
    first: Option<String>,
}

impl Tally {
    fn merge(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            disagreements: self.disagreements + other.disagreements,
            first: self.first.or(other.first),
        }
    }
}

/// Holds every score of a slab against the answer of the other table.
fn compare(one: &Tablebase, layer: Layer, slab: usize, other: &Book<'_>) -> Result<Tally, Error> {
    let space = one.space();
    let key = space.layout().layers()[layer.0][slab];
    let shape = space.shape(key);
    let values = one.files().scores().read_slab(SlabId::new(layer, slab), shape)?;
    let mut tally = Tally { positions: values.len() as u64, ..Tally::default() };
    let board = one.board().kind();
    for (chunk, values) in values.chunks(TOGETHER).enumerate() {
        let drawn = |at: usize| space.lines_of(space.mask_at(key, at / shape.cols(), at % shape.cols()));
        let drawn: Vec<LineSet> = (chunk * TOGETHER..).take(values.len()).map(drawn).collect();
        for ((&value, said), drawn) in values.iter().zip(other.probe_all(&drawn)?).zip(drawn) {
            let score = one.rules().score(value);
            if said != score {
                tally.disagreements += 1;
                tally.first.get_or_insert_with(|| format!("{board}:{:x}: {score} and {said}", drawn.0));
            }
        }
    }
    Ok(tally)
}
