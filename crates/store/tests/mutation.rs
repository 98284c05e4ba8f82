//! Hostile files: bytes are changed and every checksum is made to match again, so that nothing but the readers' own
//! checks stands between a file and a panic. `PROPTEST_CASES` sets how often this is tried; `crates/fuzz` chooses the changes by
//! the code that they reach.

use super::common;

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use crate::{BookFile, RunDir, ScoreRead, Storage, StoreError, StoredLayer};
use common::fault::Faulty;
use common::{BOOK_TAIL, FREQUENCIES, FRONT, Record, Slabs, finished_run, game, layers, records, run_of_two_files};
use dab_space::{Layer, SlabId, SlabShape};
use proptest::prelude::*;

/// A finished run of three layers, a book of two of them, and the bytes of both; and a run whose layer 1 has two files.
struct Sample {
    layers: Vec<Slabs>,
    score_file: Vec<u8>,
    manifest: String,
    book: Vec<u8>,
    two: [Vec<u8>; 2],
    manifest_of_two: Vec<u8>,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run = finished_run(path, &game, &layers);
    BookFile::make(&run, Layer(1), &path.join("book")).unwrap();
    let two = path.join("two");
    drop(run_of_two_files(&two, &game, &layers));
    Sample {
        layers,
        score_file: fs::read(path.join("layer-01.score")).unwrap(),
        manifest: fs::read_to_string(path.join("manifest.json")).unwrap(),
        book: fs::read(path.join("book")).unwrap(),
        two: TWO.map(|name| fs::read(two.join(name)).unwrap()),
        manifest_of_two: fs::read(two.join("manifest.json")).unwrap(),
    }
});

const TWO: [&str; 2] = ["layer-01.score", "layer-01.1.score"];

/// Changes of some bytes: numbers that readers might compute with, or noise. Places count modulo the length of what is changed.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    /// Place, number, and bytes of it that are written.
    pub(crate) numbers: Vec<(usize, u64, usize)>,
    /// What is cut off afterwards.
    pub(crate) len: Option<usize>,
}

fn edits() -> impl Strategy<Value = Edits> {
    let number = prop_oneof![
        any::<u64>(),
        0..300u64,
        prop::sample::select(vec![u64::MAX, u64::MAX - 51, 1 << 63, 1 << 32, u32::MAX.into(), 1 << 31, (1 << 24) + 1])
    ];
    let width = prop::sample::select(vec![1, 4, 8]);
    let numbers = prop::collection::vec((any::<usize>(), number, width), 1..4);
    (numbers, prop::option::weighted(0.1, any::<usize>())).prop_map(|(numbers, len)| Edits { numbers, len })
}

impl Edits {
    fn apply(&self, bytes: &mut Vec<u8>) {
        for (at, number, width) in &self.numbers {
            let at = at % bytes.len();
            bytes[at..].iter_mut().zip(&number.to_le_bytes()[..*width]).for_each(|(byte, new)| *byte = *new);
        }
        if let Some(len) = self.len {
            bytes.truncate(len % bytes.len());
        }
    }
}

fn seal(bytes: &mut [u8], start: usize, crc_at: usize) {
    if let Some(sealed) = bytes.get(start..crc_at) {
        let crc = crc32fast::hash(sealed).to_le_bytes();
        bytes.get_mut(crc_at..crc_at + 4).into_iter().for_each(|stored| stored.copy_from_slice(&crc));
    }
}

fn number(bytes: &[u8], at: usize, width: usize) -> usize {
    let mut number = [0; 8];
    number[..width].copy_from_slice(&bytes[at..at + width]);
    u64::from_le_bytes(number) as usize
}

/// Makes every checksum of a score file of layer 1 match, as far as its records are where `intact` has them.
fn seal_score_file(bytes: &mut [u8], intact: &[u8]) {
    seal(bytes, 0, 48);
    let (records, directory_at) = records(intact);
    for Record { slab, start: at, .. } in records {
        let (rows, cols) = (number(intact, at + 8, 4), number(intact, at + 12, 4));
        let key_at = at + FRONT + rows.div_ceil(8) + cols.div_ceil(8);
        let is_tile = rows >= 16 && cols >= 64;
        let table_at = key_at + if is_tile { FREQUENCIES + 2 * (rows + cols) } else { 0 };
        let n_blocks = if is_tile { 1 } else { (rows * cols).div_ceil(16) };
        let body_at = table_at + 13 * n_blocks + 4;
        if let Some(front) = bytes.get(at..at + FRONT - 4) {
            let crc = crc32fast::hash(&[&1u32.to_le_bytes(), front].concat()).to_le_bytes();
            bytes.get_mut(at + FRONT - 4..at + FRONT).into_iter().for_each(|stored| stored.copy_from_slice(&crc));
        }
        for block in 0..n_blocks {
            let entry = table_at + 13 * block;
            if bytes.len() < body_at {
                break;
            }
            let start = if block == 0 { 0 } else { number(bytes, entry - 13, 8) };
            let ends = (body_at.checked_add(start), body_at.checked_add(number(bytes, entry, 8)));
            let (Some(start), Some(end)) = ends else { continue };
            let Some(body) = bytes.get(start..end) else { continue };
            let place = [&1u32.to_le_bytes()[..], &(slab as u64).to_le_bytes(), &(block as u64).to_le_bytes()].concat();
            let key = [0, FREQUENCIES, FREQUENCIES + 2 * rows, FREQUENCIES + 2 * (rows + cols)];
            let seal = |part: usize| crc32fast::hash(&bytes[key_at + key[part]..key_at + key[part + 1]]).to_le_bytes();
            let seals = if is_tile { (0..3).flat_map(seal).collect() } else { Vec::new() };
            let crc = crc32fast::hash(&[&place, &bytes[entry + 12..entry + 13], &seals, body].concat());
            bytes[entry + 8..entry + 12].copy_from_slice(&crc.to_le_bytes());
        }
        seal(bytes, at, body_at - 4);
    }
    seal(bytes, directory_at, intact.len() - 12);
}

/// Every 13th place of a slab: one score takes as long as a whole slab that is small.
fn places(shape: SlabShape<'_>) -> impl Iterator<Item = (usize, usize)> {
    let cols = shape.cols();
    (0..shape.rows() * cols).step_by(13).map(move |place| (place / cols, place % cols))
}

/// Reads whatever a file lets be read.
fn read_all(file: &StoredLayer, slabs: &Slabs) {
    let _ = file.verify();
    for (slab, shape) in slabs.shapes().into_iter().enumerate() {
        let Ok(record) = file.record(slab) else { continue };
        let _ = record.slab(shape);
        for (row, col) in places(shape) {
            let _ = record.score(shape, row, col);
        }
    }
}

/// Asserts that a layer reads as it was written.
#[track_caller]
fn check(run: &RunDir, slabs: &Slabs, layer: Layer) {
    for (slab, (shape, scores)) in slabs.shapes().into_iter().zip(&slabs.scores).enumerate() {
        let id = SlabId::new(layer.0, slab);
        assert_eq!(&run.read_slab(id, shape).unwrap(), scores);
        for (row, col) in places(shape) {
            assert_eq!(run.read_score(id, shape, row, col).unwrap(), scores[row * shape.cols() + col]);
        }
    }
}

/// The manifest without its spaces and line ends and with its checksum renewed.
fn seal_manifest(text: &str) -> String {
    let compact: String = text.lines().map(str::trim).collect::<String>().replace("\": ", "\":");
    let Some(at) = compact.rfind("\"checksum\":\"").map(|at| at + "\"checksum\":\"".len()) else { return compact };
    let end = compact[at..].find('"').map_or(compact.len(), |end| at + end);
    let unsealed = format!("{}{}", &compact[..at], &compact[end..]);
    format!("{}{}{}", &compact[..at], blake3::hash(unsealed.as_bytes()), &compact[end..])
}

fn write(directory: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = directory.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The disk without the time that syncing takes.
fn unsynced() -> Arc<dyn Storage> {
    Arc::new(Faulty::never())
}

/// A score file with these changes is refused or read, and a solve that finds it as a part goes on with what is intact.
pub(crate) fn score_file(edits: &Edits, is_sealed: bool) {
    let Sample { layers, score_file, .. } = &*SAMPLE;
    let mut bytes = score_file.clone();
    edits.apply(&mut bytes);
    if is_sealed {
        seal_score_file(&mut bytes, score_file);
    }
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "layer-01.score", &bytes);
    let run = game("2x2", 0).run_id();
    if let Ok(file) = StoredLayer::open(&path, Layer(1), run) {
        read_all(&file, &layers[1]);
    }
    // The same bytes as an interrupted file.
    let game = game("2x2", 0);
    let path = directory.path().join("run");
    let run = RunDir::create_or_resume_on(unsynced(), &path, &game, 1).unwrap().with_block_positions(16);
    write(run.path(), "layer-00.score.part", &bytes);
    match layers[1].write(&run, Layer(0)) {
        Err(StoreError::Version { .. }) if is_sealed => {}
        written => {
            written.unwrap();
            check(&run, &layers[1], Layer(0));
        }
    }
}

/// The same for a layer of two files, one of them changed; what is finished can be repaired.
pub(crate) fn layer_of_two_files(edits: &Edits, is_sealed: bool, which: usize) {
    let Sample { layers, two, manifest_of_two, .. } = &*SAMPLE;
    let mut now = two.clone();
    edits.apply(&mut now[which]);
    if is_sealed {
        seal_score_file(&mut now[which], &two[which]);
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let game = game("2x2", 0);
    // A solve goes on with what is intact; what it takes for finished can be repaired.
    for has_manifest in [true, false] {
        TWO.iter().zip(&now).for_each(|(name, bytes)| drop(write(path, name, bytes)));
        if has_manifest {
            write(path, "manifest.json", manifest_of_two);
        } else {
            let _ = fs::remove_file(path.join("manifest.json"));
        }
        if let Ok(stored) = RunDir::open(path).and_then(|run| run.stored_layer(Layer(1))) {
            read_all(&stored, &layers[1]);
            let _ = (0..5).flat_map(|slab| stored.faults(slab)).count();
        }
        let Ok(run) = RunDir::create_or_resume_on(unsynced(), path, &game, 3) else { continue };
        let run = run.with_block_positions(16);
        let recompute = |id: SlabId| Ok::<_, StoreError>(layers[1].scores[id.slab].clone());
        let repaired = run.repair(Layer(1), &layers[1].shapes(), recompute);
        if is_sealed {
            // Scores that checksums say are right.
            continue;
        }
        repaired.unwrap();
        if !run.is_finished(Layer(1)) {
            layers[1].write(&run, Layer(1)).unwrap();
        }
        check(&run, &layers[1], Layer(1));
    }
}

/// A book with these changes is refused or read.
pub(crate) fn book(edits: &Edits, is_sealed: bool) {
    let Sample { layers, book, .. } = &*SAMPLE;
    let mut bytes = book.clone();
    edits.apply(&mut bytes);
    if is_sealed {
        let game_len = number(book, 20, 4);
        seal(&mut bytes, 0, 24 + game_len);
        seal(&mut bytes, book.len() - BOOK_TAIL, book.len() - 12);
    }
    let directory = tempfile::tempdir().unwrap();
    if let Ok(book) = BookFile::open(&write(directory.path(), "book", &bytes)) {
        for (layer, slabs) in layers.iter().enumerate() {
            let _ = book.stored_layer(Layer(layer)).map(|file| read_all(&file, slabs));
            let _ = book.read_slab(SlabId::new(layer, 0), slabs.shapes()[0]);
        }
    }
}

/// A manifest with pieces of text put over it is refused, or the run is read; a solve does not take it for another's.
pub(crate) fn manifest(edits: &[(usize, String)], is_sealed: bool) {
    let Sample { layers, manifest, .. } = &*SAMPLE;
    let mut text = manifest.clone();
    for (at, new) in edits {
        let at = at % text.len();
        let end = text.len().min(at + new.len());
        text.replace_range(at..end, new);
    }
    if is_sealed {
        text = seal_manifest(&text);
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    write(path, "manifest.json", text.as_bytes());
    write(path, "layer-01.score", &SAMPLE.score_file);
    for run in [RunDir::open(path), RunDir::open_to_repair(path)].into_iter().flatten() {
        for (layer, slabs) in layers.iter().enumerate() {
            let _ = run.read_slab(SlabId::new(layer, 0), slabs.shapes()[0]);
        }
    }
    let _ = RunDir::create_or_resume_on(unsynced(), path, &game("2x2", 0), 3);
}

proptest! {
    #![proptest_config(common::seeds_beside())]

    #[test]
    fn mutated_score_files(edits in edits(), is_sealed: bool) {
        score_file(&edits, is_sealed);
    }

    #[test]
    fn mutated_layers_of_two_files(edits in edits(), is_sealed: bool, which in 0..2usize) {
        layer_of_two_files(&edits, is_sealed, which);
    }

    #[test]
    fn mutated_books(edits in edits(), is_sealed: bool) {
        book(&edits, is_sealed);
    }

    #[test]
    fn mutated_manifests(
        edits in prop::collection::vec((any::<usize>(), "[-0-9a-z\"{}\\[\\],.:]{0,9}"), 1..4),
        is_sealed: bool,
    ) {
        manifest(&edits, is_sealed);
    }
}

#[test]
fn sealing_what_is_intact_changes_nothing() {
    let Sample { score_file, manifest, .. } = &*SAMPLE;
    let mut sealed = score_file.clone();
    seal_score_file(&mut sealed, score_file);
    assert!(sealed == *score_file);
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "manifest.json", seal_manifest(manifest).as_bytes());
    assert!(RunDir::open_to_repair(directory.path()).is_ok());
}
