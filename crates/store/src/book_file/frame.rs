//! What surrounds the layers of a book: the header before them, directory and footer behind them.
//!
//! ```text
//! header:      0       8        12              16          20           24
//!              | magic | format | layers held | of layers | game length | game | crc32 |
//!
//! directory, for each layer:   0       8           16      24       56
//!                              | slabs | positions | bytes | digest |
//!
//! footer:      0             8            40      44
//!              | file length | run digest | crc32 | end magic |  52 bytes
//! ```
//!
//! The game is JSON, as in the manifest. Layers lie without gaps from the header to the directory. One checksum
//! covers the header up to it, the other the directory and the footer up to it.

use std::ops::Range;

use crate::bytes::{array_at, u32_at, u64_at};
use crate::manifest::MAX_LAYERS;
use crate::origin::Origin;
use crate::{Damage, Digest, FORMAT_VERSION, Game, LayerSummary, RunDir, ScoreRead, StoreError};

const MAGIC: [u8; 8] = *b"DAB-BOOK";
const FORMAT_AT: usize = MAGIC.len();
const HELD_AT: usize = FORMAT_AT + 4;
const LAYERS_AT: usize = HELD_AT + 4;
const GAME_LEN_AT: usize = LAYERS_AT + 4;
const GAME_AT: usize = GAME_LEN_AT + 4;

const POSITIONS_AT: usize = 8;
const BYTES_AT: usize = POSITIONS_AT + 8;
const DIGEST_AT: usize = BYTES_AT + 8;
const ENTRY_LEN: usize = DIGEST_AT + Digest::LEN;

const RUN_DIGEST_AT: usize = 8;
const CRC_AT: usize = RUN_DIGEST_AT + Digest::LEN;
const END_MAGIC_AT: usize = CRC_AT + 4;
const END_MAGIC: [u8; 8] = *b"DABENDED";
const FOOTER_LEN: usize = END_MAGIC_AT + END_MAGIC.len();

/// Everything in a book but its layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) game: Game,
    /// Layers of the run that the book was made from.
    pub(super) n_layers: usize,
    /// The layers held, from 0 on; at least one.
    pub(super) layers: Vec<LayerSummary>,
    /// Digest of the run.
    pub(super) digest: Digest,
    /// Where layer 0 begins.
    layers_at: usize,
}

impl Frame {
    /// The frame of a book of the layers 0 to `last` of a finished run.
    pub(super) fn of(run: &RunDir, last: usize) -> Result<Self, StoreError> {
        let (path, n_layers) = (run.path().to_path_buf(), run.n_layers());
        if last >= n_layers {
            return Err(StoreError::NoSuchLayer { path, layer: last, n_layers });
        }
        let (Some(layers), Some(digest)) = ((0..=last).map(|layer| run.finished(layer)).collect(), run.digest()) else {
            let layer = (0..n_layers).find(|&layer| !run.is_finished(layer)).unwrap_or(last);
            return Err(StoreError::Unfinished { path, layer });
        };
        let mut frame = Self { game: run.game().clone(), n_layers, layers, digest, layers_at: 0 };
        frame.layers_at = frame.header().len();
        Ok(frame)
    }

    pub(super) fn header(&self) -> Vec<u8> {
        let game = serde_json::to_vec(&self.game).expect("strings and numbers always make JSON");
        let mut bytes = MAGIC.to_vec();
        for number in [FORMAT_VERSION, self.layers.len() as u32, self.n_layers as u32, game.len() as u32] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&game);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Directory and footer.
    pub(super) fn tail(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.tail_len());
        for layer in &self.layers {
            for number in [layer.slabs as u64, layer.positions, layer.bytes] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(&layer.digest.0);
        }
        bytes.extend_from_slice(&self.byte_len().to_le_bytes());
        bytes.extend_from_slice(&self.digest.0);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend_from_slice(&END_MAGIC);
        bytes
    }

    fn tail_len(&self) -> usize {
        self.layers.len() * ENTRY_LEN + FOOTER_LEN
    }

    /// Length of the book.
    pub(super) fn byte_len(&self) -> u64 {
        self.range(self.layers.len() - 1).end as u64 + self.tail_len() as u64
    }

    /// Where a layer is.
    pub(super) fn range(&self, layer: usize) -> Range<usize> {
        let before: u64 = self.layers[..layer].iter().map(|layer| layer.bytes).sum();
        let start = self.layers_at + before as usize;
        start..start + self.layers[layer].bytes as usize
    }

    /// The frame of the book that these bytes are.
    pub(super) fn parse(file: &[u8], origin: &Origin) -> Result<Self, StoreError> {
        let damaged = origin.damaged();
        let short = |what, expected: usize| {
            let (expected, got) = (expected as u64, file.len() as u64);
            if got < expected { Err(damaged(Damage::Short { what, expected, got })) } else { Ok(()) }
        };
        short("the header", GAME_AT + 4)?;
        Damage::check_magic("first bytes", &MAGIC, &file[..FORMAT_AT]).map_err(&damaged)?;
        origin.check_version(u32_at(file, FORMAT_AT))?;
        let game_end = GAME_AT.saturating_add(u32_at(file, GAME_LEN_AT) as usize);
        short("the header", game_end.saturating_add(4))?;
        let crc = crc32fast::hash(&file[..game_end]);
        Damage::check_crc("the header", u32_at(file, game_end), crc).map_err(&damaged)?;
        let (held, n_layers) = (u32_at(file, HELD_AT) as usize, u32_at(file, LAYERS_AT) as usize);
        if !(1..=n_layers).contains(&held) || n_layers > MAX_LAYERS {
            let expected = format!("1 to {n_layers}, at most {MAX_LAYERS}");
            return Err(damaged(Damage::Field { what: "layers", expected, got: held.to_string() }));
        }
        short("the file", game_end + 4 + held * ENTRY_LEN + FOOTER_LEN)?;
        let json = |error: serde_json::Error| damaged(Damage::Json(error.to_string()));
        let game = serde_json::from_slice(&file[GAME_AT..game_end]).map_err(json)?;
        Self::parse_tail(file, game_end + 4, game, held, n_layers).map_err(&damaged)
    }

    /// Directory and footer of a file that is long enough for both.
    fn parse_tail(file: &[u8], layers_at: usize, game: Game, held: usize, n_layers: usize) -> Result<Self, Damage> {
        let (footer_at, file_len) = (file.len() - FOOTER_LEN, file.len() as u64);
        let directory_at = footer_at - held * ENTRY_LEN;
        let (directory, footer) = (&file[directory_at..footer_at], &file[footer_at..]);
        Damage::check_magic("last bytes", &END_MAGIC, &footer[END_MAGIC_AT..])?;
        let crc = crc32fast::hash(&file[directory_at..footer_at + CRC_AT]);
        Damage::check_crc("directory and footer", u32_at(footer, CRC_AT), crc)?;
        Damage::check("file length", file_len, u64_at(footer, 0))?;
        let layers: Vec<LayerSummary> = directory
            .chunks_exact(ENTRY_LEN)
            .enumerate()
            .map(|(layer, entry)| LayerSummary {
                layer,
                slabs: u64_at(entry, 0) as usize,
                positions: u64_at(entry, POSITIONS_AT),
                bytes: u64_at(entry, BYTES_AT),
                digest: Digest(array_at(entry, DIGEST_AT)),
            })
            .collect();
        let end = layers.iter().try_fold(layers_at as u64, |end, layer| end.checked_add(layer.bytes));
        Damage::check("end of the layers", directory_at as u64, end.unwrap_or(u64::MAX))?;
        let digest = Digest(array_at(footer, RUN_DIGEST_AT));
        if held == n_layers {
            let of_layers = Digest::of_run(layers.iter().map(|layer| layer.digest));
            Damage::check("digest of the run", of_layers, digest)?;
        }
        Ok(Self { game, n_layers, layers, digest, layers_at })
    }
}
