//! The cut of a slab into tiles follows from its size alone.
//!
//! ```text
//! rows:     windows of at most 1024, in each of them bands of at most 32 rows, chosen by similarity
//! columns:  strips of at most 512 neighbours
//! block:    band * strips + strip
//! ```
//! Windows, and likewise strips, differ in size by one at most.

use super::tile::LANES;
use std::ops::Range;

use super::frequencies::Frequencies;
use crate::Wanted;

/// Most rows among which the rows of a band are chosen.
const WINDOW: usize = 1024;
/// Most columns of a strip.
pub(super) const STRIP: usize = 512;
/// Smaller slabs would leave lanes idle, or have little to refer to.
const LEAST_ROWS: usize = 16;
const LEAST_COLS: usize = 64;

/// The tiles of a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Whether scores have marks.
    pub(super) marks: bool,
}

/// Place of a position among the tiles.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Window of rows.
    pub(super) rows: Range<usize>,
    /// First band of the window.
    pub(super) first_band: usize,
    /// Number of the strip.
    pub(super) strip: usize,
    /// Columns of the strip.
    pub(super) cols: Range<usize>,
}

impl Tiling {
    /// The tiles of a slab, unless it is so small that plain blocks of `block_positions` positions suit it better.
    pub(super) fn of(rows: usize, cols: usize, block_positions: usize) -> Option<Self> {
        let is_large = rows >= LEAST_ROWS && cols >= LEAST_COLS && rows.checked_mul(cols)? >= block_positions;
        is_large.then_some(Self { rows, cols, marks: false })
    }

    /// The same tiles, of scores with marks or without.
    pub(super) fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// Length of the key: frequencies, then 2 bytes for each row and each column.
    pub(super) fn key_len(self) -> usize {
        Frequencies::byte_len(self.marks) + 2 * (self.rows + self.cols)
    }

    /// Number of tiles.
    pub(super) fn n_tiles(self) -> usize {
        self.n_bands() * self.n_strips()
    }

    /// Most bytes of a tile, whatever its scores.
    pub(super) fn most_bytes(self) -> u64 {
        // An escape takes a byte of its own and at most another one of the code, a mark at most one.
        ((2 + usize::from(self.marks)) * LANES * STRIP + 4 * LANES) as u64
    }

    pub(super) fn n_bands(self) -> usize {
        self.windows().map(|window| n_bands(&window)).sum()
    }

    pub(super) fn n_strips(self) -> usize {
        self.cols.div_ceil(STRIP)
    }

    /// The windows of rows.
    pub(super) fn windows(self) -> impl Iterator<Item = Range<usize>> {
        parts(self.rows, WINDOW)
    }

    /// The strips of columns.
    pub(super) fn strips(self) -> impl Iterator<Item = Range<usize>> {
        parts(self.cols, STRIP)
    }

    /// The part of the scores in tiles that hold wanted ones, if the rows of a band are neighbours. In truth they resemble each other, as
    /// neighbours do.
    pub(super) fn part(self, wanted: &Wanted) -> f64 {
        let bands = self.windows().flat_map(|window| {
            parts(window.len(), LANES).map(move |band| window.start + band.start..window.start + band.end)
        });
        let rows =
            bands.filter(|band| band.clone().any(|row| wanted.has_row(row))).map(|band| band.len()).sum::<usize>();
        let cols = self.strips().filter(|strip| wanted.has_cols(strip.clone())).map(|strip| strip.len()).sum::<usize>();
        (rows * cols) as f64 / (self.rows * self.cols) as f64
    }

    /// The tiles that the position at (`row`, `col`) may lie in.
    pub(super) fn tile(self, row: usize, col: usize) -> Tile {
        let mut first_band = 0;
        let rows = self.windows().find(|window| {
            let is_it = window.contains(&row);
            first_band += if is_it { 0 } else { n_bands(window) };
            is_it
        });
        let strip = self.strips().enumerate().find(|(_, strip)| strip.contains(&col));
        let (strip, cols) = strip.expect("the column lies in the slab");
        Tile { rows: rows.expect("the row lies in the slab"), first_band, strip, cols }
    }
}

impl Tile {
    /// Byte ranges of the parts of the key that decode the tile: the frequencies, the references of the rows of its window
    /// and those of the columns of its strip.
    pub(super) fn key_ranges(&self, tiling: Tiling) -> [Range<usize>; 3] {
        let rows_at = Frequencies::byte_len(tiling.marks);
        let cols_at = rows_at + 2 * tiling.rows;
        [
            0..rows_at,
            rows_at + 2 * self.rows.start..rows_at + 2 * self.rows.end,
            cols_at + 2 * self.cols.start..cols_at + 2 * self.cols.end,
        ]
    }
}

/// Number of bands of a window.
pub(super) fn n_bands(window: &Range<usize>) -> usize {
    window.len().div_ceil(LANES)
}

/// `len` places in as few parts as possible of at most `most`, sizes differing by one at most.
fn parts(len: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let n = len.div_ceil(most);
    (0..n).map(move |i| i * len / n..(i + 1) * len / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_strips_cover_the_slab() {
        for (rows, cols) in [(16, 64), (1024, 512), (1025, 513), (3814, 7148)] {
            let tiling = Tiling::of(rows, cols, 16).unwrap();
            let (mut row, mut col) = (0, 0);
            for window in tiling.windows() {
                assert!(window.start == row && (1..=WINDOW).contains(&window.len()));
                row = window.end;
            }
            for strip in tiling.strips() {
                assert!(strip.start == col && (1..=STRIP).contains(&strip.len()));
                col = strip.end;
            }
            assert_eq!((row, col), (rows, cols));
            let last = tiling.tile(row - 1, col - 1);
            assert_eq!((last.rows.end, last.cols.end, last.strip + 1), (row, col, tiling.n_strips()));
            assert_eq!(last.first_band + n_bands(&last.rows), tiling.n_bands());
        }
    }

    #[test]
    fn a_wanted_score_stands_for_its_tile() {
        let tiling = Tiling::of(1100, 1030, 16).unwrap();
        let one = |n: usize, which: usize| (0..n).map(|i| i == which).collect::<Vec<bool>>();
        assert_eq!(tiling.part(&Wanted::ALL), 1.0);
        assert_eq!(tiling.part(&Wanted::of(vec![false; 1100], vec![true; 1030])), 0.0);
        assert_eq!(tiling.part(&Wanted::of(vec![true; 1100], vec![false; 1030])), 0.0);
        for (row, col) in [(0, 0), (549, 342), (550, 343), (1099, 1029)] {
            // Windows of 550 rows have 18 bands, and 1030 columns 3 strips.
            let tiles = tiling.part(&Wanted::of(one(1100, row), one(1030, col))) * (2 * 18 * 3) as f64;
            assert!((0.95..1.05).contains(&tiles), "{tiles}");
            let strips = tiling.part(&Wanted::of(vec![true; 1100], one(1030, col))) * 3.0;
            assert!((0.99..1.01).contains(&strips), "{strips}");
        }
    }

    #[test]
    fn small_and_narrow_slabs_have_none() {
        for (rows, cols, block) in [(15, 5000, 16), (5000, 63, 16), (127, 128, 16384)] {
            assert_eq!(Tiling::of(rows, cols, block), None);
        }
        assert!(Tiling::of(128, 128, 16384).is_some());
    }
}
