//! The theory against every simple loony endgame of a solved quiet space.
//!
//! A position with a joint is no such endgame, and each group of units shows its own joints:
//! ```text
//!    slab (waist, ku, kd)    rows without a joint in the upper half  x  columns without one in the lower half
//! ```
//! Only these few pairs are taken apart into components. The value of an endgame must be minus its score, and its
//! optimal openings those of the theory.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hasher};

use dab_board::{LineSet, Position};
use dab_endgame::{allcock, openings::optimal_openings};
use dab_solve::{Observer, naive};
use dab_space::half_table::HalfTable;
use dab_space::partition::{Group, Partition};
use dab_space::{Half, Layer, PerHalf, SlabKey, Space, SpaceKind, UnitMask};
use dab_table::{Book, TableError};
use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Counts};
use crate::figures::{Count, plural};
use crate::limits::slab_budget;
use crate::text::list;
use crate::theory::Endgame;
use crate::{Error, Limits, Tablebase};

/// Endgames of which every opening is compared with plain recursion, at most.
const SAMPLE: usize = 1000;
/// Most undrawn lines of such an endgame.
const SAMPLE_LINES: usize = 16;

/// The result of a survey.
#[derive(Clone, Debug, Serialize)]
struct BoardCheck {
    /// The run or book.
    #[serde(skip)]
    name: String,
    /// The start of the table.
    board: String,
    /// Stored positions that are simple loony endgames.
    endgames: u64,
    /// Positions, each one line after such an endgame, that were compared with plain recursion.
    opened: u64,
    /// The endgames by their chains and loops, fewest boxes first.
    multisets: Vec<MultisetCount>,
    /// Positions on which table and theory, or table and recursion, disagree.
    disagreements: u64,
    /// One of these with what differs, always the same one.
    first: Option<String>,
}

impl Counts for BoardCheck {
    fn fault(&self) -> Option<String> {
        let n = plural(self.disagreements, "disagreement");
        self.first.as_ref().map(|first| format!("{n} between theory and {}, first {first}", self.name))
    }
}

impl Display for BoardCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, endgames, opened, multisets, disagreements, .. } = self;
        for MultisetCount { endgame, positions } in multisets {
            writeln!(f, "{:>14}  {endgame}", Count((*positions).into()))?;
        }
        let (endgames, opened) = (Count((*endgames).into()), Count((*opened).into()));
        let multisets = plural(multisets.len() as u64, "multiset");
        writeln!(f, "{board}: simple loony endgames among the stored positions: {endgames}, {multisets}")?;
        writeln!(f, "positions one line later, compared with plain recursion: {opened}")?;
        f.write_str(&plural(*disagreements, "disagreement"))
    }
}

/// A multiset of chains and loops with the number of its stored positions.
#[derive(Clone, Debug, Serialize)]
struct MultisetCount {
    /// The multiset, such as `3+4l`.
    endgame: String,
    /// Its stored positions.
    positions: u64,
}

impl Check {
    /// Checks every simple loony endgame of a solved quiet space without penalty, and after some of them every opening. Slabs
    /// are kept within the memory of the limits.
    ///
    /// # Errors
    /// If the table is of another kind or has not all layers, files are damaged, or `observer` stops it.
    pub fn board(table: &Tablebase, limits: Limits, observer: &dyn Observer) -> Result<Check, Error> {
        if table.space().kind() != SpaceKind::Quiet || table.penalty() != 0 {
            let (name, space, penalty) = (table.files().name(), table.space().kind(), table.penalty());
            return Err(Error::input(format!(
                "{name} is a run of the {space} space with penalty {penalty}: the theory is checked on runs of the quiet \
                 space without penalty"
            )));
        }
        table.require_all()?;
        let cache = table.cache(slab_budget(table, limits));
        let (space, book) = (table.space(), table.book_through(&cache));
        let joint_free = JointFree::new(space);
        let mut tally = Tally::default();
        for (layer, keys) in space.layout().layers().iter().enumerate() {
            let layer = Layer(layer);
            observer.layer(layer);
            let of_slab = |&key| {
                if observer.should_stop() {
                    return Err(Error::stopped_check());
                }
                observer.positions(space.layout().positions(key));
                Ok(joint_free.survey(space, &book, key)?)
            };
            let of_layer = keys.par_iter().with_max_len(1).map(of_slab);
            tally = tally.merge(of_layer.try_reduce(Tally::default, |a, b| Ok(a.merge(b)))?);
        }
        let tally = check_opened(&book, tally)?;
        let multiset = |((_, endgame), positions)| MultisetCount { endgame, positions };
        Check::new(&BoardCheck {
            name: table.files().name(),
            board: table.files().game().start.clone(),
            endgames: tally.endgames.values().sum(),
            opened: tally.opened,
            multisets: tally.endgames.into_iter().map(multiset).collect(),
            disagreements: tally.disagreements,
            first: tally.first.map(|(_, first)| first),
        })
    }
}

/// The findings in some slabs.
#[derive(Debug, Default)]
struct Tally {
    /// Stored positions that are endgames, by number of boxes and name of the endgame.
    endgames: BTreeMap<(u64, String), u64>,
    opened: u64,
    disagreements: u64,
    /// The disagreement with the least drawn lines, as a number.
    first: Option<(LineSet, String)>,
    /// Small endgames in the order of a hash: a sample that does not depend on the number of threads.
    sample: BTreeMap<(u64, LineSet), Position>,
}

impl Tally {
    fn merge(mut self, other: Self) -> Self {
        for (endgame, n) in other.endgames {
            *self.endgames.entry(endgame).or_default() += n;
        }
        self.opened += other.opened;
        self.disagreements += other.disagreements;
        self.first = self.first.into_iter().chain(other.first).min();
        self.sample.extend(other.sample);
        while self.sample.len() > SAMPLE {
            self.sample.pop_last();
        }
        self
    }

    fn disagree(&mut self, drawn: LineSet, what: String) {
        self.disagreements += 1;
        self.first = self.first.take().into_iter().chain([(drawn, what)]).min();
    }

    fn add(&mut self, position: &Position, endgame: &Endgame) {
        let name = (endgame.multiset.size(), endgame.multiset.to_string());
        *self.endgames.entry(name).or_default() += 1;
        if (1..=SAMPLE_LINES).contains(&position.undrawn().len()) {
            let mut hasher = DefaultHasher::new();
            hasher.write_u128(position.drawn().0);
            self.sample.insert((hasher.finish(), position.drawn()), position.clone());
            if self.sample.len() > SAMPLE {
                self.sample.pop_last();
            }
        }
    }
}

/// The configurations without a joint: for both halves, each boundary state and each number of filled units their places in
/// the list.
struct JointFree {
    halves: PerHalf<Vec<Vec<Vec<usize>>>>,
    /// Whether a configuration of the waist has no joint in the boxes of the waist.
    waists: Vec<bool>,
}

impl JointFree {
    fn new(space: &Space) -> Self {
        let waists = space.layout().waists().iter();
        Self {
            halves: PerHalf::from_fn(|half| half_without_joints(space.half(half))),
            waists: waists.map(|waist| !waist_has_joint(space.layout().partition(), waist.filled)).collect(),
        }
    }

    /// Checks every simple loony endgame of a slab.
    fn survey(&self, space: &Space, book: &Book<'_>, key: SlabKey) -> Result<Tally, TableError> {
        let mut tally = Tally::default();
        let waist = &space.layout().waists()[key.waist as usize];
        if !self.waists[key.waist as usize] {
            return Ok(tally);
        }
        let board = space.layout().units().start().board();
        let list = |half: Half| &self.halves[half][waist.boundary[half] as usize][usize::from(key.filled[half])];
        let PerHalf([rows, cols]) = PerHalf::from_fn(list);
        for (&row, &col) in rows.iter().flat_map(|row| cols.iter().map(move |col| (row, col))) {
            let drawn = space.lines_of(space.mask_at(key, row, col));
            if let Some(endgame) = Endgame::find(board.graph(), drawn)
                && let Ok(position) = Position::new(board.clone(), drawn)
            {
                tally.add(&position, &endgame);
                if let Some(what) = disagreement(book, &position, &endgame)? {
                    tally.disagree(drawn, what);
                }
            }
        }
        Ok(tally)
    }
}

fn half_without_joints(half: &HalfTable) -> Vec<Vec<Vec<usize>>> {
    let graph = &half.shape.graph;
    let without = |boundary_filled: u64, configs: &[UnitMask]| {
        let mut open = vec![0; graph.joints().len()];
        for (i, &joint) in half.shape.boundary_joints.iter().enumerate() {
            open[joint] += usize::from(boundary_filled >> i & 1 == 0);
        }
        let has_joint = |config: UnitMask| {
            (0..open.len()).any(|joint| graph.valence(joint, LineSet(config.into())) + open[joint] >= 3)
        };
        (0..configs.len()).filter(|&at| !has_joint(configs[at])).collect()
    };
    let boundaries = half.boundaries.par_iter();
    boundaries.map(|p| p.lists.iter().map(|list| without(p.filled, &list.configs)).collect()).collect()
}

/// All units at a box of the waist belong to the waist.
fn waist_has_joint(partition: &Partition, filled: UnitMask) -> bool {
    let of_waist = |&joint: &usize| partition.joints[joint] == Group::Waist;
    let mut joints = (0..partition.joints.len()).filter(of_waist);
    joints.any(|joint| partition.graph.valence(joint, LineSet(filled.into())) >= 3)
}

/// The disagreement of table and theory on an endgame, if there is one.
fn disagreement(book: &Book<'_>, position: &Position, endgame: &Endgame) -> Result<Option<String>, TableError> {
    let answer = book.answer(position)?;
    let g = &endgame.multiset;
    let value = allcock::value(g);
    if i64::from(answer.score.0) != -value {
        let score = answer.score;
        return Ok(Some(format!("{position} ({g}): stored score {score}, theory says {}", -value)));
    }
    let table = endgame.opened_by(answer.best().collect());
    let theory = optimal_openings(g);
    if table != theory {
        let (table, theory) = (list(table, " or "), list(theory, " or "));
        return Ok(Some(format!("{position} ({g}): best openings are {table}, theory says {theory}")));
    }
    Ok(None)
}

/// Compares every position that is one line after a sampled endgame, and so becomes an endgame by its capture run,
/// with plain recursion.
fn check_opened(book: &Book<'_>, mut tally: Tally) -> Result<Tally, TableError> {
    let sample = std::mem::take(&mut tally.sample);
    let found = sample.par_iter().map(|(_, endgame)| check_openings(book, endgame));
    Ok(tally.merge(found.try_reduce(Tally::default, |a, b| Ok(a.merge(b)))?))
}

fn check_openings(book: &Book<'_>, endgame: &Position) -> Result<Tally, TableError> {
    let expected = naive::table(endgame, 0);
    let mut tally = Tally { opened: endgame.undrawn().len() as u64, ..Tally::default() };
    for (i, line) in endgame.undrawn().iter().enumerate() {
        let (opened, _) = endgame.draw(line);
        let (found, expected) = (book.probe(&opened)?, expected[1 << i]);
        if found != expected {
            tally.disagree(opened.drawn(), format!("{opened}: probed score {found}, recursion says {expected}"));
        }
    }
    Ok(tally)
}
