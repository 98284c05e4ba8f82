//! Rules of thumb, each held against every stored position of a run: how often it is right, where not, and the smallest exceptions.
//!
//! ```text
//!    slab ─► box closed? joint left? from the valences of row and column ─► statement ─► right, or a kind of exception
//! ```
//! `statements` has the rules, a row each. That of nimstring needs a second run, of the same start with a last-move penalty of more
//! boxes than there are: its scores tell the winner of nimstring.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use dab_board::{Graph, LineSet};
use dab_draw::Picture;
use dab_solve::Observer;
use dab_space::{SlabId, SlabKey, SpaceKind};
use rayon::prelude::*;
use serde::Serialize;

use crate::figures::Count;
use crate::limits::check_table;
use crate::{Error, Limits, Tablebase};

mod statements;

use statements::{Case, STATEMENTS, Statement};

/// Counterexamples that are kept of each statement.
const FIRST: usize = 3;

/// The statements with what was found.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// The run or book.
    path: String,
    /// Its start.
    start: String,
    /// Stored positions.
    positions: u64,
    statements: Vec<Surveyed>,
}

/// A statement with what was found.
#[derive(Clone, Debug, Serialize)]
struct Surveyed {
    name: &'static str,
    /// What it says.
    says: &'static str,
    /// Positions that it is about, and those of them for which it is right.
    tried: u64,
    right: u64,
    /// The same for each layer that has such positions.
    layers: Vec<SurveyedLayer>,
    /// Exceptions by kind, most frequent first.
    exceptions: Vec<Exceptions>,
    /// Exceptions with the fewest undrawn lines.
    first: Vec<String>,
}

/// The positions of a layer.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct SurveyedLayer {
    layer: usize,
    tried: u64,
    right: u64,
}

/// Exceptions of a kind.
#[derive(Clone, Debug, Serialize)]
struct Exceptions {
    kind: String,
    positions: u64,
}

impl Survey {
    /// Holds every statement against the stored positions of a quiet space without penalty. `nimstring` is a run of the same start with a
    /// penalty of more boxes than are open; without it nothing is said about nimstring.
    ///
    /// # Errors
    /// If a run is of another kind or game, files are damaged, or `observer` stops it.
    pub fn new(
        table: &Tablebase,
        nimstring: Option<&Tablebase>,
        limits: Limits,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        require_kind(table, nimstring)?;
        check_table(table, limits)?;
        let graph = table.board().graph();
        // Boxes that are open at the start.
        let open = (0..graph.joints().len()).filter(|&joint| graph.valence(joint, table.start().drawn()) > 0);
        let of_slab = OfSlab { table, nimstring, graph, open: open.collect() };
        let mut tallies = STATEMENTS.map(|_| Tally::default());
        for summary in table.files().layers() {
            observer.layer(summary.layer);
            let slabs = table.space().layout().layers()[summary.layer.0].par_iter().enumerate().with_max_len(1);
            let found = slabs.map(|(slab, &key)| {
                if observer.should_stop() {
                    return Err(Error::stopped_check());
                }
                observer.positions(table.space().layout().positions(key));
                of_slab.tally(SlabId::new(summary.layer, slab), key)
            });
            let found = found.try_reduce(|| STATEMENTS.map(|_| Tally::default()), |a, b| Ok(merged(a, b)))?;
            for (tally, mut found) in tallies.iter_mut().zip(found) {
                found.layers.retain(|layer| layer.tried > 0);
                tally.merge(found);
            }
        }
        let asked = |(statement, _): &(&Statement, Tally)| nimstring.is_some() || !statement.of_nimstring;
        let board = table.board().name();
        Ok(Self {
            path: table.files().name(),
            start: table.files().game().start.clone(),
            positions: table.files().layers().map(|layer| layer.positions).sum(),
            statements: STATEMENTS.iter().zip(tallies).filter(asked).map(|(s, t)| t.surveyed(s, board)).collect(),
        })
    }

    /// A plot for each statement: how often it is right in each layer.
    pub fn plot(&self) -> Picture {
        let share = |of: &SurveyedLayer| (of.layer, 100.0 * of.right as f64 / of.tried as f64);
        let curve = |of: &Surveyed| (of.name, of.layers.iter().map(share).collect());
        dab_draw::plot_shares(&self.start, &self.statements.iter().map(curve).collect::<Vec<_>>())
    }
}

/// Refuses tables that the statements are not about.
fn require_kind(table: &Tablebase, nimstring: Option<&Tablebase>) -> Result<(), Error> {
    let name = table.files().name();
    if table.space().kind() != SpaceKind::Quiet || table.penalty() != 0 {
        let (space, penalty) = (table.space().kind(), table.penalty());
        return Err(Error::input(format!(
            "{name} is a run of the {space} space with penalty {penalty}: statements are about runs of the quiet space without penalty"
        )));
    }
    let Some(other) = nimstring else { return Ok(()) };
    let (start, open) = (table.start(), table.start().open_boxes());
    let is_same = other.space().kind() == SpaceKind::Quiet
        && other.start() == start
        && other.space().layout().layers() == table.space().layout().layers();
    if !is_same || (other.penalty() as i32) <= open as i32 {
        return Err(Error::input(format!(
            "{} does not tell who wins nimstring from {start}: 'dab solve {start} --penalty {} --out DIR' makes a run that does",
            other.files().name(),
            open + 1
        )));
    }
    Ok(other.require_all()?)
}

/// What the slabs of a run are surveyed with.
struct OfSlab<'a> {
    table: &'a Tablebase,
    nimstring: Option<&'a Tablebase>,
    graph: &'a Graph,
    open: Vec<usize>,
}

impl OfSlab<'_> {
    fn tally(&self, id: SlabId, key: SlabKey) -> Result<[Tally; STATEMENTS.len()], Error> {
        let space = self.table.space();
        let shape = space.shape(key);
        let values = self.table.files().scores().read_slab(id, shape)?;
        let nimstring = self.nimstring.map(|other| {
            let values = other.files().scores().read_slab(id, other.space().shape(key));
            values.map(|values| (other.rules(), values))
        });
        let nimstring = nimstring.transpose()?;
        let wins_nimstring = |at: usize| nimstring.as_ref().map(|(rules, values)| rules.score(values[at]).0 > 0);
        let mut tallies = STATEMENTS.map(|_| Tally::default());
        for tally in &mut tallies {
            tally.layers.push(SurveyedLayer { layer: id.layer.0, ..SurveyedLayer::default() });
        }
        // A line is of a row, of a column or of the whole slab, so valences are sums.
        let valences = |row, col| -> Vec<i16> {
            let drawn = space.lines_of(space.mask_at(key, row, col));
            self.open.iter().map(|&joint| self.graph.valence(joint, drawn) as i16).collect()
        };
        let base = valences(0, 0);
        let cols: Vec<Vec<i16>> = (0..shape.cols())
            .map(|col| valences(0, col).iter().zip(&base).map(|(valence, base)| valence - base).collect())
            .collect();
        for row in 0..shape.rows() {
            let of_row = valences(row, 0);
            for (col, of_col) in cols.iter().enumerate() {
                let (mut is_closed, mut has_joint) = (false, false);
                for (row, col) in of_row.iter().zip(of_col) {
                    is_closed |= row + col == 0;
                    has_joint |= row + col > 2;
                }
                // No statement is about others.
                if has_joint && (is_closed || nimstring.is_none()) {
                    continue;
                }
                let at = row * shape.cols() + col;
                let score = self.table.rules().score(values[at]).0;
                let drawn = || space.lines_of(space.mask_at(key, row, col));
                let case = Case {
                    graph: self.graph,
                    drawn: &drawn,
                    score: score.into(),
                    wins_nimstring: wins_nimstring(at),
                    is_closed,
                    has_joint,
                };
                for (statement, tally) in STATEMENTS.iter().zip(&mut tallies) {
                    if let Some(verdict) = (statement.test)(&case) {
                        tally.add(verdict, &case);
                    }
                }
            }
        }
        Ok(tallies)
    }
}

/// The findings about a statement.
#[derive(Debug, Default)]
struct Tally {
    layers: Vec<SurveyedLayer>,
    exceptions: BTreeMap<[i64; 2], u64>,
    /// By undrawn lines, then by drawn ones, with the score.
    first: BTreeSet<(usize, LineSet, i64)>,
}

impl Tally {
    fn add(&mut self, verdict: Result<(), [i64; 2]>, case: &Case<'_>) {
        let [layer] = &mut self.layers[..] else { unreachable!("a slab is of one layer") };
        layer.tried += 1;
        match verdict {
            Ok(()) => layer.right += 1,
            Err(kind) => {
                *self.exceptions.entry(kind).or_default() += 1;
                let drawn = (case.drawn)();
                self.keep((case.graph.all() - drawn).len(), drawn, case.score);
            }
        }
    }

    fn keep(&mut self, undrawn: usize, drawn: LineSet, score: i64) {
        self.first.insert((undrawn, drawn, score));
        if self.first.len() > FIRST {
            self.first.pop_last();
        }
    }

    /// Adds findings about another slab of the same layer, or about later layers.
    fn merge(&mut self, other: Self) {
        for layer in other.layers {
            match self.layers.last_mut().filter(|last| last.layer == layer.layer) {
                Some(last) => {
                    last.tried += layer.tried;
                    last.right += layer.right;
                }
                None => self.layers.push(layer),
            }
        }
        for (kind, positions) in other.exceptions {
            *self.exceptions.entry(kind).or_default() += positions;
        }
        other.first.into_iter().for_each(|(undrawn, drawn, score)| self.keep(undrawn, drawn, score));
    }

    fn surveyed(self, statement: &Statement, board: &str) -> Surveyed {
        let sum = |of: fn(&SurveyedLayer) -> u64| self.layers.iter().map(of).sum();
        let exceptions = self.exceptions.into_iter();
        let kind = |(kind, positions)| Exceptions { kind: (statement.kind)(kind), positions };
        let mut exceptions: Vec<Exceptions> = exceptions.map(kind).collect();
        exceptions.sort_by_key(|exceptions| std::cmp::Reverse(exceptions.positions));
        let first = self.first.iter().map(|(_, drawn, score)| format!("{board}:{:x}, score {score}", drawn.0));
        Surveyed {
            name: statement.name,
            says: statement.says,
            tried: sum(|layer| layer.tried),
            right: sum(|layer| layer.right),
            exceptions,
            first: first.collect(),
            layers: self.layers,
        }
    }
}

fn merged<const N: usize>(mut one: [Tally; N], other: [Tally; N]) -> [Tally; N] {
    one.iter_mut().zip(other).for_each(|(one, other)| one.merge(other));
    one
}

/// A share in percent.
fn percent(right: u64, tried: u64) -> String {
    if tried == 0 { String::new() } else { format!("{:.1} %", 100.0 * right as f64 / tried as f64) }
}

/// Each statement with its exceptions, then a row for each layer.
impl Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, start, positions, statements } = self;
        write!(f, "{start}, {path}: {} stored positions", Count((*positions).into()))?;
        for Surveyed { name, says, tried, right, exceptions, first, .. } in statements {
            let [of, is] = [*tried, *right].map(|n| Count(n.into()));
            write!(f, "\n\n{name}: {says}\n  right in {is} of {of}")?;
            if *tried > 0 {
                write!(f, ", {}", percent(*right, *tried))?;
            }
            for Exceptions { kind, positions } in exceptions {
                write!(f, "\n  {:>14}  {kind}", Count((*positions).into()))?;
            }
            for (i, first) in first.iter().enumerate() {
                write!(f, "\n  {}  {first}", if i == 0 { "such as" } else { "       " })?;
            }
        }
        write!(f, "\n\nlayer")?;
        statements.iter().try_for_each(|statement| write!(f, "  {:>15}", statement.name))?;
        let layers: BTreeSet<usize> =
            statements.iter().flat_map(|statement| &statement.layers).map(|layer| layer.layer).collect();
        for layer in layers {
            write!(f, "\n{layer:>5}")?;
            for statement in statements {
                let of = statement.layers.iter().find(|of| of.layer == layer).copied().unwrap_or_default();
                write!(f, "  {:>15}", percent(of.right, of.tried))?;
            }
        }
        Ok(())
    }
}
