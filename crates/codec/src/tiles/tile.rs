//! A tile while it is coded: the rows of a band, the columns of a strip, and the bytes that they become.
//!
//! ```text
//!  0           2        2 + 2n        2 + 2n + ceil(n / 2)
//!  | escapes  | states: low 16 bits | states: high 4 bits | escaped scores | code |
//!    u16        n u16                 n nibbles, two a byte  i8 each
//! ```
//! `n` is the number of rows of the band. Each row has a state of its own, within 2^12 and 2^20, and all take their
//! bytes from one code.
//!
//! ```text
//!  decode a symbol:   part = state % 256;  symbol = the one that holds this part of its context
//!                     state = parts * (state / 256) + part - start
//!                     if state < 2^12: state = 256 * state + next byte of the code
//! ```
//! Symbols come step by step, within a step by ascending lane; those of marks after those of all scores. After the last one every state
//! is 2^12.

use crate::Damage;

/// Rows of a band, lanes of a vector.
pub(super) const LANES: usize = 32;

/// Depth of the tree of a band at most.
pub(super) const MOST_DEPTH: usize = 15;
/// Bit of the reference of a row that is close to its reference row.
pub(super) const CLOSE_BIT: u16 = 1 << 15;
/// Least state, and the state of a row after its last symbol.
pub(super) const LEAST_STATE: u32 = 1 << 12;

/// For each depth a byte of ones for each of its lanes.
pub(super) type LaneBytes = [[i8; LANES]; MOST_DEPTH + 1];

/// Scores of a column in the lanes of a band.
pub(super) type Column = [i8; LANES];

/// The columns of a strip in its order: scores, and their marks if they have any.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) scores: &'a [Column],
    pub(super) marks: Option<&'a [Column]>,
}

/// A tile, and all that it is decoded by but the frequencies.
#[derive(Clone, Copy)]
pub(super) struct TileToDecode<'a> {
    pub(super) band: &'a Band,
    pub(super) strip: &'a Strip,
    pub(super) parts: Parts<'a>,
}

/// The rows of a band.
#[derive(Clone, Debug, Default)]
pub(super) struct Band {
    /// By lane, ascending.
    pub(super) rows: Vec<u32>,
    /// Reference lane; of the root itself.
    pub(super) reference: [u8; LANES],
    /// Length of the path to the root: columns that a lane lags behind it.
    pub(super) depth: [u8; LANES],
    /// Greatest depth.
    pub(super) most_depth: usize,
    /// Lanes that are close to their reference lanes.
    pub(super) close: u32,
    /// Parity of the row, 0 or 1.
    pub(super) parity: [i8; LANES],
}

impl Band {
    /// The bands of a window of rows, from `first` on, with these references and parities.
    ///
    /// # Errors
    /// The references make no trees, or bands of other sizes.
    pub(super) fn of_window(first: usize, references: &[u16], parities: &[u8]) -> Result<Vec<Self>, Damage> {
        let mut bands = vec![Self::default(); references.len().div_ceil(LANES)];
        for ((row, &reference), &parity) in (first..).zip(references).zip(parities) {
            let band = bands.get_mut(number_of(reference)).ok_or_else(|| no_tree("band of a row"))?;
            band.push(row, reference, parity)?;
        }
        bands.iter_mut().try_for_each(Self::measure)?;
        Ok(bands)
    }

    /// The band of one row of a window, counted from the first, and its number in the window.
    ///
    /// # Errors
    /// As [`Band::of_window`], as far as this band is concerned.
    pub(super) fn of_row(
        first: usize,
        references: &[u16],
        parities: &[u8],
        row: usize,
    ) -> Result<(usize, Self), Damage> {
        let number = number_of(references[row]);
        let mut band = Self::default();
        let rows = (first..).zip(references).zip(parities);
        for ((row, &reference), &parity) in rows.filter(|((_, reference), _)| number_of(**reference) == number) {
            band.push(row, reference, parity)?;
        }
        band.measure()?;
        Ok((number, band))
    }

    /// Adds the next row.
    fn push(&mut self, row: usize, reference: u16, parity: u8) -> Result<(), Damage> {
        let lane = self.rows.len();
        if lane == LANES {
            return Err(no_tree("rows of a band"));
        }
        self.rows.push(row as u32);
        self.reference[lane] = reference as u8 % LANES as u8;
        self.close |= u32::from(reference >> 15) << lane;
        self.parity[lane] = parity as i8;
        Ok(())
    }

    /// Works out the depths.
    fn measure(&mut self) -> Result<(), Damage> {
        let n = self.n_rows();
        let is_tree = n > 0 && self.reference[..n].iter().all(|&lane| usize::from(lane) < n);
        let mut roots = 0;
        for lane in 0..if is_tree { n } else { 0 } {
            let step = |&lane: &usize| Some(usize::from(self.reference[lane])).filter(|&above| above != lane);
            let depth = std::iter::successors(Some(lane), step).take(n + 1).count() - 1;
            self.depth[lane] = depth as u8;
            self.most_depth = self.most_depth.max(depth);
            roots += u32::from(depth == 0);
        }
        if roots == 1 && self.most_depth <= MOST_DEPTH { Ok(()) } else { Err(no_tree("references of a band")) }
    }

    /// Number of rows.
    pub(super) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The lane without a reference.
    pub(super) fn root(&self) -> usize {
        self.depth.iter().position(|&depth| depth == 0).expect("a tree has a root")
    }

    /// The lanes of each depth, a byte of ones each.
    pub(super) fn lane_bytes_by_depth(&self) -> LaneBytes {
        let mut lanes = [[0; LANES]; MOST_DEPTH + 1];
        self.depth[..self.n_rows()].iter().zip(0..).for_each(|(&depth, lane)| lanes[usize::from(depth)][lane] = -1);
        lanes
    }

    /// The columns and lanes of a strip with `n_cols` columns in the order in which they are decoded.
    pub(super) fn order(&self, n_cols: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let lanes =
            move |step: usize| (0..self.n_rows()).map(move |lane| (step.checked_sub(self.depth[lane].into()), lane));
        let places = (0..n_cols + self.most_depth).flat_map(lanes);
        places.filter_map(move |(place, lane)| Some((place.filter(|&place| place < n_cols)?, lane)))
    }
}

/// The columns of a strip in the order in which they are coded: by depth, and then from left to right.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    /// First column of the strip.
    pub(super) first: usize,
    /// Columns, counted from the first.
    pub(super) cols: Vec<u16>,
    /// Place of the reference column in this order; of the root 0.
    pub(super) reference: Vec<u16>,
    /// Parity of each column, 0 or 1.
    pub(super) parity: Vec<i8>,
}

impl Strip {
    /// The strip that begins with column `first`, with these references and parities.
    ///
    /// # Errors
    /// The references make no tree.
    pub(super) fn new(first: usize, references: &[u16], parities: &[u8]) -> Result<Self, Damage> {
        let n = references.len();
        let depths = depths(references).ok_or_else(|| no_tree("references of a strip"))?;
        // Sorted by counting: first how many columns are less deep, then one place after the other.
        let mut next = vec![0u16; n + 1];
        depths.iter().for_each(|&depth| next[usize::from(depth) + 1] += 1);
        (0..n).for_each(|depth| next[depth + 1] += next[depth]);
        let (mut cols, mut places) = (vec![0u16; n], vec![0u16; n]);
        for (col, &depth) in depths.iter().enumerate() {
            let place = &mut next[usize::from(depth)];
            cols[usize::from(*place)] = col as u16;
            places[col] = *place;
            *place += 1;
        }
        let reference = cols.iter().map(|&col| places[usize::from(references[usize::from(col)])]).collect();
        let parity = cols.iter().map(|&col| parities[usize::from(col)] as i8).collect();
        Ok(Self { first, cols, reference, parity })
    }

    /// Number of columns.
    pub(super) fn n_cols(&self) -> usize {
        self.cols.len()
    }

    /// Parity of the column that a column refers to; of the root 0.
    pub(super) fn reference_parity(&self, place: usize) -> i8 {
        if place == 0 { 0 } else { self.parity[usize::from(self.reference[place])] }
    }
}

/// The band, counted in its window, of a row with this reference.
fn number_of(reference: u16) -> usize {
    usize::from(reference & !CLOSE_BIT) / LANES
}

/// Lengths of the paths to the root, if there is one root and every path leads there.
fn depths(references: &[u16]) -> Option<Vec<u16>> {
    const UNKNOWN: u16 = u16::MAX;
    let mut depths = vec![UNKNOWN; references.len()];
    let mut roots = 0;
    for item in 0..references.len() {
        // Up to an item of known depth, then the same way once more.
        let (mut at, mut length) = (item, 0);
        while *depths.get(at)? == UNKNOWN {
            let above = usize::from(references[at]);
            if above == at {
                roots += 1;
                depths[at] = 0;
            } else if length == references.len() {
                return None;
            } else {
                at = above;
                length += 1;
            }
        }
        let mut depth = depths[at] + length as u16;
        at = item;
        while depths[at] == UNKNOWN {
            depths[at] = depth;
            depth -= 1;
            at = usize::from(references[at]);
        }
    }
    (roots == 1).then_some(depths)
}

fn no_tree(what: &'static str) -> Damage {
    Damage::Field { what, expected: "a tree".into(), got: "something else".into() }
}

/// The bytes of a tile, apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub(super) states: [u32; LANES],
    pub(super) escapes: &'a [u8],
    pub(super) code: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The bytes of a tile of `n_rows` rows.
    ///
    /// # Errors
    /// There are too few, or states out of bounds.
    pub(super) fn parse(n_rows: usize, bytes: &'a [u8]) -> Result<Self, Damage> {
        let states_at = 2;
        let high_at = states_at + 2 * n_rows;
        let escapes_at = high_at + n_rows.div_ceil(2);
        Damage::check_len("the tile", escapes_at as u64, bytes.len() as u64)?;
        let n_escapes = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        Damage::check_len("the escapes of the tile", n_escapes as u64, (bytes.len() - escapes_at) as u64)?;
        let mut states = [LEAST_STATE; LANES];
        for (lane, state) in states[..n_rows].iter_mut().enumerate() {
            let low = u16::from_le_bytes([bytes[states_at + 2 * lane], bytes[states_at + 2 * lane + 1]]);
            let high = bytes[high_at + lane / 2] >> (4 * (lane % 2)) & 15;
            *state = u32::from(low) | u32::from(high) << 16;
            Damage::check("least state of the tile", true, *state >= LEAST_STATE)?;
        }
        let (escapes, code) = bytes[escapes_at..].split_at(n_escapes);
        Ok(Self { states, escapes, code })
    }

    /// Appends the bytes.
    pub(super) fn append_to(&self, n_rows: usize, bytes: &mut Vec<u8>) {
        let states = &self.states[..n_rows];
        bytes.extend_from_slice(&(self.escapes.len() as u16).to_le_bytes());
        states.iter().for_each(|state| bytes.extend_from_slice(&(*state as u16).to_le_bytes()));
        bytes.extend(states.chunks(2).map(|pair| {
            let high = |state: &u32| (state >> 16) as u8;
            high(&pair[0]) | pair.get(1).map_or(0, high) << 4
        }));
        bytes.extend_from_slice(self.escapes);
        bytes.extend_from_slice(self.code);
    }
}

/// A tile whose bytes do not decode, though its checksum is right.
pub(super) fn not_decoded() -> Damage {
    Damage::Compression("the code of the tile does not end where it should".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_put_references_first() {
        let strip = Strip::new(7, &[2, 0, 2, 1], &[0, 1, 1, 0]).unwrap();
        assert_eq!((strip.cols, strip.reference), (vec![2, 0, 1, 3], vec![0, 0, 1, 2]));
        assert_eq!(strip.parity, [1, 0, 1, 0]);
        for references in [&[1, 0][..], &[0, 1], &[0, 9], &[0, 2, 3, 1], &[1, 2, 2, 700]] {
            assert!(Strip::new(0, references, &[0; 4]).is_err(), "{references:?}");
        }
    }

    #[test]
    fn bands_are_trees_of_few_rows() {
        let two_roots: Vec<u16> = (0..32).map(|row| row.min(1)).collect();
        assert!(Band::of_window(100, &two_roots, &[1; 32]).is_err());
        let all: Vec<u16> = (0..33).map(|row| if row == 5 { 1 << 5 } else { CLOSE_BIT * (row % 2) }).collect();
        let bands = Band::of_window(100, &all, &[1; 33]).unwrap();
        assert_eq!((bands[0].n_rows(), &bands[1].rows[..]), (32, &[105][..]));
        assert_eq!((bands[0].most_depth, bands[0].root()), (1, 0));
        assert_eq!(bands[0].lane_bytes_by_depth()[1], std::array::from_fn(|lane| -i8::from(lane > 0)));
        let full = vec![0; 33];
        assert!(Band::of_window(0, &full, &[0; 33]).is_err(), "33 rows in a band");
    }

    #[test]
    fn parts_are_found_again() {
        let mut states = [LEAST_STATE; LANES];
        states[..3].copy_from_slice(&[LEAST_STATE, 0xabcde, (1 << 20) - 1]);
        let parts = Parts { states, escapes: &[1, 2], code: &[3, 4, 5] };
        let mut bytes = Vec::new();
        parts.append_to(3, &mut bytes);
        let found = Parts::parse(3, &bytes).unwrap();
        assert_eq!((found.states, found.escapes, found.code), (parts.states, parts.escapes, parts.code));
        assert!((0..12).all(|len| Parts::parse(3, &bytes[..len]).is_err()));
        bytes[3] = 0;
        assert!(Parts::parse(3, &bytes).is_err());
    }
}
