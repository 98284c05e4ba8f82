//! Moves at the waist that a mirror image disturbs, followed for a strip of 64 rows or columns at a time.
//!
//! A move whose target is stored as a mirror image takes each column from a place of its own, or from a row. Within a row
//! that would be one score after the other. In a strip each of these is one vector:
//! ```text
//!    for each strip of 64 rows:
//!        for each move m that applies to some of them:
//!            tile = the rows map_m(row) of the slab that m leads to, turned
//!            for each column that m applies to:
//!                best[col] = max(best[col], op_m(tile[map_m(col)]))
//!        scores = max(scores, best turned back)
//! ```
//! Where the mirror image exchanges the halves, rows and columns change places: a strip is 64 columns, which are rows of the
//! stored slab, and `best` need not be turned back. A row of the strip to which a move does not apply has arbitrary scores in the
//! tile; its score after the move is limited to the lowest one. Most moves apply to less than half of the rows of a strip,
//! and 16 rows without any are not turned at all.

use std::ops::Range;
use std::sync::Arc;

use dab_space::Half;
use dab_store::Scores;
use rustc_hash::FxHashMap;

use super::bands::Crew;
use super::isa::{self, Isa};
use super::maps::Map;
use super::op::Op;
use super::tile::{self, BLOCK, LANES, Lane};
use super::waist_move::WaistMove;

/// Some such moves of a slab.
pub(super) struct StripMoves {
    /// The half whose configurations make a strip: the upper one for strips of rows.
    half: Half,
    moves: FxHashMap<WaistMove, StripMove>,
}

struct StripMove {
    target: Target,
    /// Places in strips, and the lanes in each of them.
    areas: Vec<(Ranges, Ranges)>,
}

/// A stored slab with its number of columns, the map from places in strips to its rows and that from lanes to its columns.
pub(super) type Target = ((Scores, usize), [Arc<Map>; 2]);

/// Some places, ascending.
pub(super) type Ranges = Vec<Range<usize>>;

/// A move where it applies: to the same lanes of all its places.
struct Area<'a> {
    op: Op,
    from: &'a [i8],
    from_cols: usize,
    places: Ranges,
    lanes: Ranges,
    row_map: &'a Map,
    col_map: &'a Map,
    /// The first column of each block of the target that the lanes come from.
    blocks: Vec<usize>,
}

impl StripMoves {
    /// No moves yet.
    pub(super) fn new(half: Half) -> Self {
        Self { half, moves: FxHashMap::default() }
    }

    /// Adds a move that applies nowhere yet.
    pub(super) fn add(&mut self, m: WaistMove, target: Target) {
        self.moves.insert(m, StripMove { target, areas: Vec::new() });
    }

    /// Has a move apply to some columns of some rows; returns whether it was added.
    pub(super) fn extend(&mut self, m: WaistMove, rows: &[Range<usize>], cols: &[Range<usize>]) -> bool {
        let Some(known) = self.moves.get_mut(&m) else { return false };
        let (rows, cols) = (rows.to_vec(), cols.to_vec());
        known.areas.push(if self.half == Half::Upper { (rows, cols) } else { (cols, rows) });
        true
    }

    /// Max-assigns the scores of a slab with `cols` columns to the moves.
    pub(super) fn max_assign(mut self, (crew, isa): (&Crew<'_>, Isa), scores: &mut [i8], cols: usize) {
        if self.moves.is_empty() {
            return;
        }
        let rows = scores.len() / cols;
        let (n_places, n_lanes) = if self.half == Half::Upper { (rows, cols) } else { (cols, rows) };
        let areas: Vec<Area<'_>> = self.moves.iter_mut().flat_map(|(m, of)| of.areas(m.op)).collect();
        // The best of the moves in the strip that begins with place `first`; false where no move applies.
        let find = |tile: &mut Vec<Lane>, first: usize, best: &mut [Lane]| {
            let mut is_empty = true;
            for area in &areas {
                let Some(lines) = area.lines(first) else { continue };
                tile::load(&lines, area.from_cols, area.blocks.iter().copied(), tile);
                let limit = Lane(lines.map(|line| if line.is_some() { i8::MAX } else { i8::MIN }));
                if is_empty {
                    best.fill(Lane([i8::MIN; LANES]));
                    is_empty = false;
                }
                for range in &area.lanes {
                    let map = &area.col_map.places[range.clone()];
                    isa::max_assign_lanes(isa, area.op, &mut best[range.clone()], tile, map, &limit);
                }
            }
            !is_empty
        };
        let empty = || vec![Lane([0; LANES]); n_lanes];
        if self.half == Half::Upper {
            crew.for_each_band(
                scores,
                LANES * cols,
                || (Vec::new(), empty()),
                |(tile, best), strip, scores| {
                    if find(tile, strip * LANES, best) {
                        tile::max_assign_strip(best, scores, cols);
                    }
                },
            );
            return;
        }
        // A strip of columns goes through all rows, so some strips are worked out before their scores are assigned.
        let at_a_time = if crew.is_shared() { 4 * rayon::current_num_threads() } else { 1 };
        let n_strips = n_places.div_ceil(LANES);
        let mut found: Vec<(bool, Vec<Lane>)> = vec![(false, empty()); at_a_time.min(n_strips)];
        let height = crew.rows(cols);
        for begin in (0..n_strips).step_by(found.len()) {
            crew.for_each_band(&mut found, 1, Vec::new, |tile, i, found| {
                let first = (begin + i) * LANES;
                found[0].0 = first < n_places && find(tile, first, &mut found[0].1);
            });
            crew.for_each_band(
                scores,
                height * cols,
                || (),
                |(), band, scores| {
                    for ((_, best), strip) in found.iter().zip(begin..).filter(|((is_there, _), _)| *is_there) {
                        tile::max_assign_columns(&best[band * height..], scores, cols, strip * LANES);
                    }
                },
            );
        }
    }
}

impl StripMove {
    /// The areas of the move, as few as possible: lanes of the same places are one area, and so are places with the same
    /// lanes.
    fn areas(&mut self, op: Op) -> Vec<Area<'_>> {
        let by_places = merged(std::mem::take(&mut self.areas));
        let by_lanes = merged(by_places.into_iter().map(|(places, lanes)| (lanes, places)).collect());
        let ((from, from_cols), [row_map, col_map]) = &self.target;
        let area = |(lanes, places): (Ranges, Ranges)| {
            let mut is_used = vec![false; from_cols.div_ceil(BLOCK)];
            for range in &lanes {
                col_map.places[range.clone()].iter().for_each(|&col| is_used[col as usize / BLOCK] = true);
            }
            let blocks = (0..*from_cols).step_by(BLOCK).zip(&is_used).filter(|(_, is_used)| **is_used);
            let blocks = blocks.map(|(first, _)| first).collect();
            Area { op, from, from_cols: *from_cols, places, lanes, row_map, col_map, blocks }
        };
        by_lanes.into_iter().map(area).collect()
    }
}

/// Areas with the same first ranges made one.
fn merged(mut areas: Vec<(Ranges, Ranges)>) -> Vec<(Ranges, Ranges)> {
    let order =
        |(ranges, _): &(Ranges, Ranges)| ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>();
    areas.sort_by_cached_key(order);
    let alike = areas.chunk_by(|(a, _), (b, _)| a == b);
    alike.map(|alike| (alike[0].0.clone(), joined(alike.iter().flat_map(|(_, ranges)| ranges).cloned()))).collect()
}

/// The same places in as few ascending ranges as possible.
pub(super) fn joined(ranges: impl IntoIterator<Item = Range<usize>>) -> Ranges {
    let mut ranges: Ranges = ranges.into_iter().collect();
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|range, last| {
        let adjoins = last.end == range.start;
        if adjoins {
            last.end = range.end;
        }
        adjoins
    });
    ranges
}

impl Area<'_> {
    /// The rows of the target for the places from `first` on to which the move applies; `None` if it applies to none of the
    /// strip.
    fn lines(&self, first: usize) -> Option<[Option<&[i8]>; LANES]> {
        let begin = self.places.partition_point(|range| range.end <= first);
        let in_strip = self.places[begin..].iter().take_while(|range| range.start < first + LANES);
        let mut places = in_strip.flat_map(|range| range.start.max(first)..range.end.min(first + LANES)).peekable();
        places.peek()?;
        let mut lines = [None; LANES];
        for place in places {
            let row = self.row_map.places[place] as usize;
            lines[place - first] = Some(&self.from[row * self.from_cols..][..self.from_cols]);
        }
        Some(lines)
    }
}

#[cfg(test)]
mod tests {
    use dab_space::Layer;

    use super::*;
    use crate::kernel::mirror;
    use crate::kernel::source::Nothing;
    use crate::kernel::table_memory::TableMemory;
    use dab_store::Buffer;
    use std::slice;

    /// A map of `n` places to places below `to` that keeps no neighbours.
    fn map(n: usize, to: usize) -> Arc<Map> {
        Arc::new(Map::new((0..n).map(|i| ((i * 37 + 11) % to) as u32).collect(), &TableMemory::default()))
    }

    fn stored(scores: &[i8]) -> Scores {
        Buffer::from(scores.to_vec()).into()
    }

    #[test]
    fn every_score_is_that_of_the_definition() {
        let ops = [Op::Take(0), Op::Take(3), Op::Decline(4, 0), Op::Capture(2)];
        for (rows, cols, from_rows, from_cols) in [(1, 1, 1, 1), (7, 90, 40, 15), (64, 16, 64, 16), (150, 70, 130, 101)]
        {
            let from: Vec<i8> = (0..from_rows * from_cols).map(|i| (i * 7 % 23) as i8 - 11).collect();
            let mut turned = vec![0; from.len()];
            let crews = [false, true].map(|is_shared| Crew::new(&Nothing, Layer(0), is_shared));
            mirror::transpose(&crews[0], &from, from_cols, &mut turned);
            let (row_map, col_map) = (map(rows, from_rows), map(cols, from_cols));
            for crew in &crews {
                let (mut upper, mut lower) = (StripMoves::new(Half::Upper), StripMoves::new(Half::Lower));
                let mut expected = vec![-60; rows * cols];
                let scores = expected.clone();
                for (waist, &op) in ops.iter().enumerate() {
                    let m = WaistMove { waist: waist as u32, op, ..WaistMove::NOWHERE };
                    upper.add(m, ((stored(&from), from_cols), [row_map.clone(), col_map.clone()]));
                    lower.add(m, ((stored(&turned), from_rows), [col_map.clone(), row_map.clone()]));
                    // Three classes of rows; the first and the last one have the same columns, the one between has others.
                    let (a, b) = (rows / 3, rows - rows / 4);
                    let most = [0..cols / 2, cols / 2 + 1..cols].map(|range| range.start.min(range.end)..range.end);
                    let few = cols / 3..cols / 2;
                    for (rows, ranges) in [(0..a, &most[..]), (a..b, slice::from_ref(&few)), (b..rows, &most[..])] {
                        let rows_of = slice::from_ref(&rows);
                        assert!(upper.extend(m, rows_of, ranges) && lower.extend(m, rows_of, ranges));
                        for (row, col) in
                            rows.flat_map(|row| ranges.iter().cloned().flatten().map(move |col| (row, col)))
                        {
                            let at = row_map.places[row] as usize * from_cols + col_map.places[col] as usize;
                            op.max_assign(&mut expected[row * cols + col..][..1], &from[at..=at]);
                        }
                    }
                }
                for moves in [upper, lower] {
                    let (half, mut scores) = (moves.half, scores.clone());
                    moves.max_assign((crew, Isa::best()), &mut scores, cols);
                    assert_eq!(scores, expected, "{rows} x {cols}, strips of the {half:?} half");
                }
            }
        }
    }
}
