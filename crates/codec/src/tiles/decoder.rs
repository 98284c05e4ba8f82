//! Decoding some tiles of a slab, one tile, or a single score.

use std::cell::RefCell;
use std::ops::Range;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use dab_isa::Isa;

use super::frequencies::Frequencies;
use super::key::{self, KeyPart};
use super::tile::{Band, Column, LANES, Parts, Strip, TileToDecode};
use super::tiling::{STRIP, Tile, Tiling, n_bands};
use super::vectors::{TileCoder, Work, coder};
use super::{scalar, transpose};
use crate::compression::CheckScores;
use crate::encoded::{Blocks, Encoded};
use crate::parity::{self, Parities};
use crate::{Crew, Damage, Decoded, Fault, ReadError, Shape, Wanted};

/// Mode byte of a tile.
pub(super) const MODE: u8 = 4;

/// Buffers of a thread.
#[derive(Default)]
struct Workspace {
    /// The columns of one or two tiles, from left to right.
    columns: [Vec<Column>; 2],
    work: Work,
    /// Tiles that are not in memory.
    room: Vec<u8>,
}

/// The bytes of the tiles of a slab.
pub(super) trait TileBytes: Sync {
    /// The bytes of each of some neighbouring tiles, its checksum verified; `room` takes those that are not in memory.
    ///
    /// # Errors
    /// They cannot be read.
    fn tiles<'b>(
        &'b self,
        blocks: Range<usize>,
        room: &'b mut Vec<u8>,
    ) -> Result<impl Fn(usize) -> Result<&'b [u8], Damage>, ReadError>;
}

impl TileBytes for Encoded<'_> {
    fn tiles<'b>(
        &'b self,
        blocks: Range<usize>,
        room: &'b mut Vec<u8>,
    ) -> Result<impl Fn(usize) -> Result<&'b [u8], Damage>, ReadError> {
        let blocks = self.blocks(blocks, room)?;
        Ok(move |block| tile_of(self, block, &blocks))
    }
}

/// The bytes of a tile.
pub(super) fn tile_of<'a>(from: &Encoded<'_>, block: usize, blocks: &Blocks<'a>) -> Result<&'a [u8], Damage> {
    let (mode, bytes) = from.block(block, blocks)?;
    check_mode(mode)?;
    Ok(bytes)
}

/// `Ok` when a block has the mode of a tile.
pub(super) fn check_mode(mode: u8) -> Result<(), Damage> {
    Damage::check("mode of a tile", MODE, mode)
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// The frequencies of a slab, and what decodes by them.
struct Tables {
    frequencies: Frequencies,
    coder: Box<dyn TileCoder>,
}

impl Tables {
    fn parse(isa: Isa, bytes: &[u8]) -> Result<Self, Damage> {
        let frequencies = Frequencies::parse(bytes)?;
        Ok(Self { coder: coder(isa, &frequencies), frequencies })
    }
}

/// Place of a position: its block, and its lane and column there.
pub(super) struct Located {
    pub(super) block: usize,
    pub(super) lane: usize,
    pub(super) col: usize,
}

/// Decodes the tiles of a slab.
pub(super) struct Decoder {
    tiling: Tiling,
    tables: Tables,
    bands: Vec<Band>,
    strips: Vec<Strip>,
}

impl Decoder {
    /// A decoder of the slab with this key and these parities.
    ///
    /// # Errors
    /// The key is damaged.
    pub(super) fn new(tiling: Tiling, key: &[u8], parities: &Parities) -> Result<Self, Damage> {
        Self::with(Isa::best(), tiling, key, parities)
    }

    pub(super) fn with(isa: Isa, tiling: Tiling, key: &[u8], parities: &Parities) -> Result<Self, Damage> {
        let tables = Tables::parse(isa, &key[..Frequencies::byte_len(tiling.marks)])?;
        let (mut bands, mut strips) = (Vec::with_capacity(tiling.n_bands()), Vec::with_capacity(tiling.n_strips()));
        for rows in tiling.windows() {
            let part = KeyPart::of(key, &tiling.tile(rows.start, 0), tiling);
            bands.extend(Band::of_window(rows.start, &key::references(part.rows), &parities.rows[rows])?);
        }
        for cols in tiling.strips() {
            let part = KeyPart::of(key, &tiling.tile(0, cols.start), tiling);
            strips.push(Strip::new(cols.start, &key::references(part.cols), &parities.cols[cols])?);
        }
        Ok(Self { tiling, tables, bands, strips })
    }

    /// The tiles that hold wanted scores and are not decoded, a bit for each block.
    pub(super) fn missing(&self, wanted: &Wanted, decoded: &mut Decoded) -> BitVec {
        decoded.begin(self.tiling.rows, self.tiling.strips().map(|cols| cols.end));
        let strips: Vec<bool> = self.tiling.strips().map(|cols| wanted.has_cols(cols)).collect();
        let of_band = |band: &Band| {
            let (row, is_wanted) = (band.rows[0], band.rows.iter().any(|&row| wanted.has_row(row as usize)));
            let of_strip =
                |(strip, &is_there): (usize, &bool)| is_wanted && is_there && !decoded.has(row as usize, strip);
            strips.iter().enumerate().map(of_strip).collect::<Vec<bool>>()
        };
        self.bands.iter().flat_map(of_band).collect()
    }

    /// Notes that these blocks are decoded.
    pub(super) fn note(&self, blocks: &BitSlice, decoded: &mut Decoded) {
        for block in blocks.iter_ones() {
            let (band, strip) = (&self.bands[block / self.strips.len()], block % self.strips.len());
            band.rows.iter().for_each(|&row| decoded.add(row as usize, strip));
        }
    }

    /// Decodes some tiles, a bit for each, into the scores of the slab, and hands these to `check`. Each thread reads the tiles of two bands
    /// at a time, so that bands of which nothing is wanted are not read.
    ///
    /// # Errors
    /// A tile that cannot be read or is damaged, or the error of a check.
    pub(super) fn some(
        &self,
        crew: Crew,
        from: &impl TileBytes,
        blocks: &BitSlice,
        scores: &mut [i8],
        check: CheckScores<'_>,
    ) -> Result<(), Fault> {
        let mut rows: Vec<Option<&mut [i8]>> = scores.chunks_exact_mut(self.tiling.cols).map(Some).collect();
        let of_band =
            |band: &Band| -> Vec<&mut [i8]> { band.rows.iter().filter_map(|&row| rows[row as usize].take()).collect() };
        let mut of_bands: Vec<Vec<&mut [i8]>> = self.bands.iter().map(of_band).collect();
        let pairs = blocks.chunks(2 * self.strips.len()).zip(of_bands.chunks_mut(2)).enumerate();
        let pairs: Vec<_> = pairs.filter(|(_, (blocks, _))| blocks.any()).collect();
        let decode = |(pair, (blocks, rows))| self.bands(2 * pair, from, blocks, rows, check);
        crew.map(pairs, decode).into_iter().collect()
    }

    /// Decodes some blocks of one or two bands from band `first` on, an even one, into their rows.
    fn bands(
        &self,
        first: usize,
        from: &impl TileBytes,
        blocks: &BitSlice,
        rows: &mut [Vec<&mut [i8]>],
        check: CheckScores<'_>,
    ) -> Result<(), Fault> {
        WORKSPACE.with_borrow_mut(|workspace| {
            let n_strips = self.strips.len();
            let Some((begin, last)) = blocks.first_one().zip(blocks.last_one()) else { return Ok(()) };
            let begin = first * n_strips + begin;
            // The workspace takes columns meanwhile.
            let mut room = std::mem::take(&mut workspace.room);
            let tile = from.tiles(begin..first * n_strips + last + 1, &mut room).map_err(Fault::in_block(begin))?;
            let parsed = |block: usize| self.parsed(block, tile(block)).map_err(Fault::in_block(block));
            // Two tiles at a time, of one band or of both.
            let mut missing = blocks.iter_ones().map(|block| first * n_strips + block);
            while let Some(block) = missing.next() {
                let tile = parsed(block)?;
                let second = missing.next().map(|block| Ok::<_, Fault>((block, parsed(block)?))).transpose()?;
                self.tiles((block, tile), second, workspace)?;
                let blocks = [Some(block), second.map(|(block, _)| block)].into_iter().flatten();
                for (block, columns) in blocks.zip(&workspace.columns) {
                    let (band, Strip { first: col, cols, .. }) =
                        (block / n_strips - first, &self.strips[block % n_strips]);
                    let n_cols = cols.len();
                    let mut rows: Vec<&mut [i8]> =
                        rows[band].iter_mut().map(|row| &mut row[*col..][..n_cols]).collect();
                    transpose::rows_of(&columns[..n_cols], &mut rows);
                    rows.iter().try_for_each(|row| check(row))?;
                }
            }
            drop(tile);
            workspace.room = room;
            Ok(())
        })
    }

    /// A tile with these bytes.
    fn parsed<'a>(&'a self, block: usize, bytes: Result<&'a [u8], Damage>) -> Result<TileToDecode<'a>, Damage> {
        let (band, strip) = (&self.bands[block / self.strips.len()], &self.strips[block % self.strips.len()]);
        Ok(TileToDecode { band, strip, parts: Parts::parse(band.n_rows(), bytes?)? })
    }

    /// Decodes one block or two into the columns of the workspace; an error names the damaged block.
    fn tiles(
        &self,
        first: (usize, TileToDecode<'_>),
        second: Option<(usize, TileToDecode<'_>)>,
        workspace: &mut Workspace,
    ) -> Result<(), Fault> {
        let (Workspace { columns, work, .. }, Tables { coder, frequencies }) = (workspace, &self.tables);
        columns.iter_mut().for_each(|columns| columns.resize(STRIP, [0; LANES]));
        if coder.decode((first.1, second.map(|(_, tile)| tile)), work, columns) {
            return Ok(());
        }
        // The definition tells which one is damaged.
        for ((block, tile), columns) in [Some(first), second].into_iter().flatten().zip(columns) {
            scalar::decode_into(tile, frequencies, columns).map_err(Fault::in_block(block))?;
        }
        Ok(())
    }

    /// Places of some positions of the slab.
    pub(super) fn locate(&self, positions: &[usize]) -> Vec<Located> {
        let mut lanes = vec![(0, 0); self.tiling.rows];
        for (number, band) in self.bands.iter().enumerate() {
            band.rows.iter().enumerate().for_each(|(lane, &row)| lanes[row as usize] = (number, lane));
        }
        let locate = |&position: &usize| {
            let (row, col) = (position / self.tiling.cols, position % self.tiling.cols);
            let strip = self.strips.partition_point(|strip| strip.first <= col) - 1;
            let (band, lane) = lanes[row];
            Located { block: band * self.strips.len() + strip, lane, col: col - self.strips[strip].first }
        };
        positions.iter().map(locate).collect()
    }

    /// Decodes one tile and hands out its columns, from left to right.
    ///
    /// # Errors
    /// The tile is damaged.
    pub(super) fn tile<T>(
        &self,
        block: usize,
        bytes: Result<&[u8], Damage>,
        read: impl FnOnce(&[Column]) -> T,
    ) -> Result<T, Fault> {
        WORKSPACE.with_borrow_mut(|workspace| {
            let parsed = self.parsed(block, bytes).map_err(Fault::in_block(block))?;
            self.tiles((block, parsed), None, workspace)?;
            Ok(read(&workspace.columns[0]))
        })
    }
}

/// Decodes single scores of one tile, from the parts of the key that it is decoded by.
pub(super) struct TileDecoder {
    tables: Tables,
    band: Band,
    strip: Strip,
    /// The block of the tile.
    pub(super) block: usize,
    lane: usize,
    place: usize,
}

impl TileDecoder {
    /// A decoder of the score at (`row`, `col`) of a slab.
    ///
    /// # Errors
    /// The key is damaged.
    pub(super) fn new(
        tiling: Tiling,
        tile: &Tile,
        key: &KeyPart<'_>,
        shape: Shape<'_>,
        place: (usize, usize),
    ) -> Result<Self, Damage> {
        Self::with(Isa::best(), tiling, tile, key, shape, place)
    }

    pub(super) fn with(
        isa: Isa,
        tiling: Tiling,
        tile: &Tile,
        key: &KeyPart<'_>,
        shape: Shape<'_>,
        (row, col): (usize, usize),
    ) -> Result<Self, Damage> {
        let tables = Tables::parse(isa, key.frequencies)?;
        let references = key::references(key.rows);
        let parities = parity::bytes(&shape.rows[tile.rows.clone()], shape.is_odd);
        let (number, band) = Band::of_row(tile.rows.start, &references, &parities, row - tile.rows.start)?;
        Damage::check("band of a row", true, number < n_bands(&tile.rows))?;
        let parities = parity::bytes(&shape.cols[tile.cols.clone()], false);
        let strip = Strip::new(tile.cols.start, &key::references(key.cols), &parities)?;
        let lane = band.rows.iter().position(|&lane| lane as usize == row).expect("it is the band of this row");
        let place = strip.cols.iter().position(|&place| strip.first + usize::from(place) == col);
        let place = place.expect("it is the strip of this column");
        let block = (tile.first_band + number) * tiling.n_strips() + tile.strip;
        Ok(Self { tables, band, strip, block, lane, place })
    }

    /// The score, from the bytes of its tile.
    ///
    /// # Errors
    /// The tile is damaged.
    pub(super) fn score(&self, bytes: &[u8]) -> Result<i8, Damage> {
        let Self { tables, band, strip, lane, place, .. } = self;
        let tile = TileToDecode { band, strip, parts: Parts::parse(band.n_rows(), bytes)? };
        let score = |work: &mut Workspace| tables.coder.decode_one(tile, &mut work.work, *place, *lane);
        match WORKSPACE.with_borrow_mut(score) {
            Some(score) => Ok(score),
            None => Ok(scalar::decode(tile, &tables.frequencies)?[*place][*lane]),
        }
    }
}
