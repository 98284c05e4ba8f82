//! The frame around the layers of a book: the header before them, directory and footer behind them.
//!
//! ```text
//! header:      0       8        12              16          20           24
//!              | magic | format | layers held | of layers | game length | game | crc32 |
//!
//! directory, for each layer:   0       8           16      24       56                  88 with marks
//!                              | slabs | positions | bytes | digest | digest of the marks |
//!
//! footer:      0             8            40                    40      44
//!              | file length | run digest | that of the marks | crc32 | end magic |  52 bytes, with marks 84
//! ```
//!
//! The game is JSON, as in the manifest. Magic, format, length of the game and the first checksum keep their places in all versions.
//! Layers lie without gaps from the header to the directory. One checksum
//! covers the header up to it, the other the directory and the footer up to it.

use std::ops::Range;

use dab_space::Layer;

use crate::bytes::{CRC_LEN, Fields, check_seal, sealed};
use crate::digest::Digests;
use crate::origin::Origin;
use crate::run::MAX_LAYERS;
use crate::section::Section;
use crate::whole::GAME_BYTES;
use crate::{Damage, FORMAT_VERSION, Game, LayerSummary, RunDir, ScoreRead, StoreError};

const MAGIC: [u8; 8] = *b"DAB-BOOK";
/// Offset of the game in the header.
const GAME_AT: usize = MAGIC.len() + 4 * 4;
const END_MAGIC: [u8; 8] = *b"DABENDED";

/// Bytes of a layer in the directory.
fn entry_len(game: &Game) -> usize {
    3 * 8 + Digests::byte_len(game.marks)
}

fn footer_len(game: &Game) -> usize {
    8 + Digests::byte_len(game.marks) + CRC_LEN + END_MAGIC.len()
}

/// Everything in a book but its layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) game: Game,
    /// Layers of the run that the book was made from.
    pub(super) n_layers: usize,
    /// The layers held, from 0 on; at least one.
    pub(super) layers: Vec<LayerSummary>,
    /// Digests of the run.
    pub(super) digests: Digests,
    /// Byte offset of layer 0.
    layers_at: u64,
}

impl Frame {
    /// The frame of a book of the layers 0 to `last` of a finished run.
    pub(super) fn of(run: &RunDir, last: Layer) -> Result<Self, StoreError> {
        let (path, n_layers) = (run.path().to_path_buf(), run.n_layers());
        if last.0 >= n_layers {
            return Err(StoreError::NoSuchLayer { path, layer: last, n_layers });
        }
        let (Some(layers), Some(digests)) =
            ((0..=last.0).map(|layer| run.finished(Layer(layer))).collect(), run.digests())
        else {
            let layer = (0..n_layers).map(Layer).find(|&layer| !run.is_finished(layer)).unwrap_or(last);
            return Err(StoreError::Unfinished { path, layer });
        };
        let mut frame = Self { game: run.game().clone(), n_layers, layers, digests, layers_at: 0 };
        frame.layers_at = frame.header().len() as u64;
        Ok(frame)
    }

    pub(super) fn header(&self) -> Vec<u8> {
        let game = serde_json::to_vec(&self.game).expect("strings and numbers always make JSON");
        let numbers = [FORMAT_VERSION, self.layers.len() as u32, self.n_layers as u32, game.len() as u32];
        sealed([&MAGIC[..], numbers.map(u32::to_le_bytes).as_flattened(), &game].concat())
    }

    /// Directory and footer.
    pub(super) fn tail(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(tail_len(&self.game, self.layers.len()));
        for layer in &self.layers {
            let numbers = [layer.slabs as u64, layer.positions, layer.bytes].map(u64::to_le_bytes);
            bytes.extend([numbers.as_flattened(), &layer.digests().to_bytes()].concat());
        }
        bytes.extend([&self.byte_len().to_le_bytes()[..], &self.digests.to_bytes()].concat());
        [&sealed(bytes)[..], &END_MAGIC].concat()
    }

    /// Length of the book.
    pub(super) fn byte_len(&self) -> u64 {
        self.range(Layer(self.layers.len() - 1)).end + tail_len(&self.game, self.layers.len()) as u64
    }

    /// Byte range of a layer.
    pub(super) fn range(&self, layer: Layer) -> Range<u64> {
        let before: u64 = self.layers[..layer.0].iter().map(|layer| layer.bytes).sum();
        let start = self.layers_at + before;
        start..start + self.layers[layer.0].bytes
    }

    /// Reads the frame of a book.
    ///
    /// # Errors
    /// The file cannot be read, is not complete, of another version, or damaged outside its layers.
    pub(super) fn read(file: &Section, origin: &Origin) -> Result<Self, StoreError> {
        let in_file = origin.in_file();
        let short = |what, expected| Damage::check_len(what, expected, file.len()).map_err(origin.in_file());
        let head = file.first(GAME_AT).map_err(&in_file)?;
        // A damaged book still has most of its magic, as far as it reaches.
        let n_wrong = head.iter().zip(&MAGIC).filter(|(got, expected)| got != expected).count();
        if n_wrong > head.len().min(MAGIC.len()) / 2 {
            return Err(StoreError::NotABook { path: origin.path.clone() });
        }
        short("the header", (GAME_AT + CRC_LEN) as u64)?;
        let mut fields = Fields(&head);
        fields.magic("first bytes", &MAGIC).map_err(origin.in_file())?;
        let (format, held, n_layers, game_len) =
            (fields.u32(), fields.u32() as usize, fields.u32() as usize, fields.u32());
        if game_len > GAME_BYTES {
            let (expected, got) = (format!("at most {GAME_BYTES} bytes"), game_len.to_string());
            return Err(in_file(Damage::Field { what: "length of the game", expected, got }.into()));
        }
        let header_len = GAME_AT as u64 + u64::from(game_len) + CRC_LEN as u64;
        short("the header", header_len)?;
        let header = file.read(0..header_len).map_err(&in_file)?;
        check_seal("the header", &header).map_err(origin.in_file())?;
        origin.check_version(format)?;
        if !(1..=n_layers).contains(&held) || n_layers > MAX_LAYERS {
            let expected = format!("1 to {n_layers}, at most {MAX_LAYERS}");
            let damage = Damage::Field { what: "layers", expected, got: held.to_string() };
            return Err(in_file(damage.into()));
        }
        let game: Game = serde_json::from_slice(&header[GAME_AT..header.len() - CRC_LEN])
            .map_err(|error| in_file(Damage::Json(error.to_string()).into()))?;
        let (layers_at, tail_len) = (header_len, tail_len(&game, held) as u64);
        short("the file", layers_at + tail_len)?;
        let tail_at = file.len() - tail_len;
        let tail = file.read(tail_at..file.len()).map_err(&in_file)?;
        Self::parse_tail(&tail, tail_at, layers_at, game, n_layers).map_err(origin.in_file())
    }

    /// The frame of a book whose directory and footer are `tail`, at offset `tail_at` of the file.
    fn parse_tail(tail: &[u8], tail_at: u64, layers_at: u64, game: Game, n_layers: usize) -> Result<Self, Damage> {
        let (directory, footer) = tail.split_at(tail.len() - footer_len(&game));
        let (sealed, magic) = tail.split_at(tail.len() - END_MAGIC.len());
        Fields(magic).magic("last bytes", &END_MAGIC)?;
        check_seal("directory and footer", sealed)?;
        let mut footer = Fields(footer);
        Damage::check("file length", tail_at + tail.len() as u64, footer.u64())?;
        let digests = Digests::read(&mut footer, game.marks);
        let layers: Vec<LayerSummary> = directory
            .chunks_exact(entry_len(&game))
            .enumerate()
            .map(|(layer, entry)| {
                let mut fields = Fields(entry);
                let (slabs, positions, bytes) = (fields.u64() as usize, fields.u64(), fields.u64());
                let Digests { scores: digest, marks: marks_digest } = Digests::read(&mut fields, game.marks);
                LayerSummary { layer: Layer(layer), slabs, positions, bytes, digest, marks_digest }
            })
            .collect();
        let end = layers.iter().try_fold(layers_at, |end, layer| end.checked_add(layer.bytes));
        Damage::check("end of the layers", tail_at, end.unwrap_or(u64::MAX))?;
        if layers.len() == n_layers {
            let names = ["digest of the run", "digest of the marks of the run"];
            LayerSummary::digests_of_run(game.marks, layers.iter()).check(&digests, names)?;
        }
        Ok(Self { game, n_layers, layers, digests, layers_at })
    }
}

/// Length of directory and footer of a book of so many layers.
fn tail_len(game: &Game, held: usize) -> usize {
    held * entry_len(game) + footer_len(game)
}
