//! Scores of a run or book against the search, which shares no code with solving but the rules of the game.

use std::fmt::{self, Display};
use std::sync::Arc;

use dab_board::{LineSet, Position};
use dab_search::{Search, Watch};
use dab_solve::Observer;
use dab_space::Layer;
use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Counts, index_bytes};
use crate::figures::plural;
use crate::limits::check_table;
use crate::{Error, Limits, Tablebase};

/// Positions that are looked up together.
const TOGETHER: usize = 1 << 14;

/// The positions to search.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many there are, shared out evenly among the layers. Of a layer that has fewer, all are searched.
    pub positions: u64,
    /// The first layer. The earlier a layer, the longer a search takes.
    pub first_layer: usize,
    /// Another number draws other positions.
    pub seed: u64,
}

/// The result of a comparison.
#[derive(Clone, Debug, Serialize)]
struct SearchCheck {
    /// The run or book.
    run: String,
    /// Layers compared.
    layers: usize,
    /// Positions searched.
    positions: u64,
    /// Positions whose moves the searches looked at.
    nodes: u64,
    /// Positions whose scores differ.
    disagreements: u64,
    /// One of these with both scores, always the same one.
    first: Option<String>,
}

impl Counts for SearchCheck {
    fn fault(&self) -> Option<String> {
        self.first.as_ref().map(|first| format!("{} scores differ, first {first}", self.disagreements))
    }
}

impl Display for SearchCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, layers, positions, nodes, disagreements, .. } = self;
        let [positions, nodes] = [positions, nodes].map(|&n| plural(n, "position"));
        writeln!(f, "{run}: {positions} of {} searched, through {nodes}", plural(*layers as u64, "layer"))?;
        f.write_str(&plural(*disagreements, "disagreement"))
    }
}

/// A watch that only ends searches.
struct Stop<'a>(&'a dyn Observer);

impl Watch for Stop<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

impl Check {
    /// Bytes of memory that a search of [`Check::search`] may take of those of the limits, beside the index of the run.
    ///
    /// # Errors
    /// If it does not suffice.
    pub fn search_memory(run: &Tablebase, limits: Limits) -> Result<u64, Error> {
        check_table(run, limits)?;
        Ok(limits.memory.saturating_sub(index_bytes(run)))
    }

    /// Searches random positions of a run or book and holds the scores against those of its files. The searches share
    /// `search`; as many run at a time as there are threads.
    ///
    /// # Errors
    /// If the run has none of the layers, files are damaged, or `observer` stops it.
    pub fn search(run: &Tablebase, sample: Sample, search: &Search, observer: &dyn Observer) -> Result<Check, Error> {
        let name = run.files().name();
        let mut layers: Vec<Layer> = run.files().layers().map(|layer| layer.layer).collect();
        layers.retain(|layer| layer.0 >= sample.first_layer);
        if layers.is_empty() {
            return Err(Error::input(format!("{name} has no layer {} or later", sample.first_layer)));
        }
        let mut check =
            SearchCheck { run: name, layers: layers.len(), positions: 0, nodes: 0, disagreements: 0, first: None };
        // Late layers come first: they are searched at once, and leave bounds for the earlier ones.
        for (&layer, n) in layers.iter().zip(shares(run, &layers, sample.positions)).rev() {
            observer.layer(layer);
            let drawn: Vec<LineSet> = match n < run.space().layout().layer_positions(layer.0) as u64 {
                true => run.sample(n as usize, Some(layer), sample.seed.wrapping_add(layer.0 as u64))?,
                false => run.stored(layer)?.map(|stored| Ok(stored?.0.drawn())).collect::<Result<_, Error>>()?,
            };
            for drawn in drawn.chunks(TOGETHER) {
                if !compare(run, drawn, (search, observer), &mut check)? {
                    // A difference is told, however far the check came.
                    return if check.disagreements > 0 { Check::new(&check) } else { Err(Error::stopped_check()) };
                }
            }
        }
        Check::new(&check)
    }
}

/// How many positions of each layer are searched.
fn shares(run: &Tablebase, layers: &[Layer], positions: u64) -> Vec<u64> {
    let stored = layers.iter().map(|layer| run.space().layout().layer_positions(layer.0) as u64);
    let mut order: Vec<(u64, usize)> = stored.zip(0..).collect();
    order.sort_unstable();
    let mut shares = vec![0; layers.len()];
    let mut left = positions;
    // The layers with fewest positions leave what they do not have to the others.
    for (i, &(n_stored, at)) in order.iter().enumerate() {
        shares[at] = left.div_ceil((order.len() - i) as u64).min(n_stored);
        left -= shares[at];
    }
    shares
}

/// Searches these positions. Returns whether all were searched.
fn compare(
    run: &Tablebase,
    drawn: &[LineSet],
    (search, observer): (&Search, &dyn Observer),
    check: &mut SearchCheck,
) -> Result<bool, Error> {
    let scores = run.book().probe_all(drawn)?;
    let of_position = |(&drawn, &said)| -> Result<Option<(u64, Option<String>)>, Error> {
        let position = Position::new(Arc::clone(run.board()), drawn)?;
        let found = search.find(&position, 1, &Stop(observer));
        let Some(score) = found.score() else { return Ok(None) };
        observer.positions(1);
        Ok(Some((found.nodes, (score != said).then(|| format!("{position}: {said} in the run, {score} by search")))))
    };
    let found: Vec<_> = drawn.par_iter().zip(&scores).map(of_position).collect::<Result<_, Error>>()?;
    let is_whole = found.iter().all(Option::is_some);
    for (nodes, difference) in found.into_iter().flatten() {
        check.positions += 1;
        check.nodes += nodes;
        check.disagreements += u64::from(difference.is_some());
        check.first = check.first.take().or(difference);
    }
    Ok(is_whole)
}
