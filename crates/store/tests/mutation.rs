//! Hostile files: bytes are changed and every checksum is made to match again, so that nothing but the readers' own
//! checks stands between a file and a panic. `PROPTEST_CASES` sets how often this is tried.

mod common;

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use common::fault::Faulty;
use common::{Slabs, finished_run, game, layers};
use dab_space::{Layer, SlabId};
use dab_store::{BookFile, LayerFile, RunDir, ScoreRead, Storage};
use proptest::prelude::*;
use proptest::sample::Index;

/// A finished run of three layers, a book of two of them, and the bytes of both; and layer 1 in two slab files.
struct Sample {
    layers: Vec<Slabs>,
    score_file: Vec<u8>,
    manifest: String,
    book: Vec<u8>,
    list: Vec<u8>,
    slab_files: [Vec<u8>; 2],
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let game = game("2x2", 0);
    let layers = layers(&game);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run = finished_run(path, &game, &layers);
    BookFile::make(&run, Layer(1), &path.join("book")).unwrap();
    let by_many = path.join("by_many");
    let run = RunDir::create_or_resume(&by_many, &game, 3).unwrap().with_block_positions(16);
    layers[1].write_slab_files(&run, Layer(1), &[0, 1], &[0, 1]).unwrap();
    layers[1].list(&run, Layer(1), &[0, 1]).unwrap();
    Sample {
        layers,
        score_file: fs::read(path.join("layer-01.score")).unwrap(),
        manifest: fs::read_to_string(path.join("manifest.json")).unwrap(),
        book: fs::read(path.join("book")).unwrap(),
        list: fs::read(by_many.join("layer-01.score")).unwrap(),
        slab_files: SLAB_FILES.map(|name| fs::read(by_many.join(name)).unwrap()),
    }
});

const SLAB_FILES: [&str; 2] = ["layer-01.slabs/000000.slab", "layer-01.slabs/000001.slab"];

/// Changes of some bytes: numbers that readers might compute with, or noise.
#[derive(Clone, Debug)]
struct Edits {
    numbers: Vec<(Index, u64, u8)>,
    len: Option<Index>,
}

fn edits() -> impl Strategy<Value = Edits> {
    let number = prop_oneof![
        any::<u64>(),
        0..300u64,
        prop::sample::select(vec![u64::MAX, u64::MAX - 51, 1 << 63, 1 << 32, u32::MAX.into(), 1 << 31, (1 << 24) + 1])
    ];
    let width = prop::sample::select(vec![1, 4, 8]);
    let numbers = prop::collection::vec((any::<Index>(), number, width), 1..4);
    (numbers, prop::option::weighted(0.1, any::<Index>())).prop_map(|(numbers, len)| Edits { numbers, len })
}

impl Edits {
    fn apply(&self, bytes: &mut Vec<u8>) {
        for (at, number, width) in &self.numbers {
            let at = at.index(bytes.len());
            bytes[at..]
                .iter_mut()
                .zip(&number.to_le_bytes()[..usize::from(*width)])
                .for_each(|(byte, new)| *byte = *new);
        }
        if let Some(len) = &self.len {
            bytes.truncate(len.index(bytes.len()));
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

/// Makes every checksum of the score file of layer 1 match, as far as its records are where `intact` has them.
fn seal_score_file(bytes: &mut [u8], intact: &[u8]) {
    seal(bytes, 0, 48);
    let n_slabs = number(intact, 16, 8);
    let directory_at = intact.len() - 60 - 48 * n_slabs;
    for (place, slab) in (0..n_slabs).rev().enumerate() {
        let at = number(intact, directory_at + 48 * place, 8);
        let (rows, cols) = (number(intact, at + 12, 4), number(intact, at + 16, 4));
        let key_at = at + 52 + rows.div_ceil(8) + cols.div_ceil(8);
        let is_tile = rows >= 16 && cols >= 64;
        let table_at = key_at + if is_tile { 848 + 2 * (rows + cols) } else { 0 };
        let n_blocks = if is_tile { 1 } else { (rows * cols).div_ceil(16) };
        let body_at = table_at + 13 * n_blocks + 4;
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
            let key = [0, 848, 848 + 2 * rows, 848 + 2 * (rows + cols)];
            let seal = |part: usize| crc32fast::hash(&bytes[key_at + key[part]..key_at + key[part + 1]]).to_le_bytes();
            let seals = if is_tile { (0..3).flat_map(seal).collect() } else { Vec::new() };
            let crc = crc32fast::hash(&[&place, &bytes[entry + 12..entry + 13], &seals, body].concat());
            bytes[entry + 8..entry + 12].copy_from_slice(&crc.to_le_bytes());
        }
        seal(bytes, at, body_at - 4);
    }
    seal_layer_digest(bytes, directory_at, n_slabs);
    seal(bytes, directory_at, intact.len() - 12);
}

/// Makes every checksum of the list of the slab files of layer 1 match.
fn seal_list(bytes: &mut [u8], intact: &[u8]) {
    let directory_at = intact.len() - 60 - 48 * 3;
    seal(bytes, 0, 48);
    seal(bytes, 52, directory_at - 4);
    seal_layer_digest(bytes, directory_at, 3);
    seal(bytes, directory_at, intact.len() - 12);
}

/// Makes the layer digest match what the directory lists.
fn seal_layer_digest(bytes: &mut [u8], directory_at: usize, n_slabs: usize) {
    let footer_at = directory_at + 48 * n_slabs;
    if bytes.len() < footer_at + 48 {
        return;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[12..16]);
    hasher.update(&(n_slabs as u64).to_le_bytes());
    for place in (0..n_slabs).rev() {
        hasher.update(&bytes[directory_at + 48 * place + 8..directory_at + 48 * place + 48]);
    }
    bytes[footer_at + 16..footer_at + 48].copy_from_slice(hasher.finalize().as_bytes());
}

/// Reads everything that a file lets be read.
fn read_all(file: &LayerFile, slabs: &Slabs) {
    let _ = file.verify();
    for (slab, shape) in slabs.shapes().into_iter().enumerate() {
        let _ = file.read_slab(slab, shape);
        for (row, col) in (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col))) {
            let _ = file.read_score(slab, shape, row, col);
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

proptest! {
    #[test]
    fn mutated_score_files(edits in edits(), is_sealed: bool) {
        let Sample { layers, score_file, .. } = &*SAMPLE;
        let mut bytes = score_file.clone();
        edits.apply(&mut bytes);
        if is_sealed {
            seal_score_file(&mut bytes, score_file);
        }
        let directory = tempfile::tempdir().unwrap();
        let path = write(directory.path(), "layer-01.score", &bytes);
        let run = game("2x2", 0).run_id();
        if let Ok(file) = LayerFile::open(&path, Layer(1), run) {
            read_all(&file, &layers[1]);
        }
        // The same bytes as an interrupted file.
        let game = game("2x2", 0);
        let path = directory.path().join("run");
        let run = RunDir::create_or_resume_on(unsynced(), &path, &game, 1).unwrap().with_block_positions(16);
        write(run.path(), "layer-00.score.part", &bytes);
        layers[1].write(&run, Layer(0)).unwrap();
        layers[1].check(&run, Layer(0));
    }

    #[test]
    fn mutated_slab_files(edits in edits(), is_sealed: bool, which in 0..3usize) {
        let Sample { layers, list, slab_files, manifest, .. } = &*SAMPLE;
        let (mut list_now, mut now) = (list.clone(), slab_files.clone());
        match which {
            2 => edits.apply(&mut list_now),
            which => edits.apply(&mut now[which]),
        }
        if is_sealed {
            seal_list(&mut list_now, list);
            now.iter_mut().for_each(|bytes| seal(bytes, 0, 48));
        }
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::create_dir(path.join("layer-01.slabs")).unwrap();
        SLAB_FILES.iter().zip(&now).for_each(|(name, bytes)| drop(write(path, name, bytes)));
        let file = write(path, "layer-01.score", &list_now);
        let game = game("2x2", 0);
        if let Ok(file) = LayerFile::open(&file, Layer(1), game.run_id()) {
            read_all(&file, &layers[1]);
            let _ = (0..5).flat_map(|slab| file.faults(slab)).count();
        }
        // A solve goes on with what is intact; what it takes for finished can be repaired.
        for has_manifest in [true, false] {
            if has_manifest {
                write(path, "manifest.json", manifest.as_bytes());
            } else {
                let _ = fs::remove_file(path.join("manifest.json"));
            }
            let run = RunDir::create_or_resume_on(unsynced(), path, &game, 3);
            let Ok(run) = run.map(|run| run.with_block_positions(16)) else { continue };
            let recompute = |id: SlabId| Ok::<_, dab_store::StoreError>(layers[1].scores[id.slab].clone());
            let repaired = run.repair(Layer(1), &layers[1].shapes(), recompute);
            if which == 2 && is_sealed {
                // A list that contradicts the slab files, and nothing tells.
                continue;
            }
            repaired.unwrap();
            if !run.is_finished(Layer(1)) {
                layers[1].write(&run, Layer(1)).unwrap();
            }
            layers[1].check(&run, Layer(1));
        }
    }

    #[test]
    fn mutated_books(edits in edits(), is_sealed: bool) {
        let Sample { layers, book, .. } = &*SAMPLE;
        let mut bytes = book.clone();
        edits.apply(&mut bytes);
        if is_sealed {
            let game_len = number(book, 20, 4);
            seal(&mut bytes, 0, 24 + game_len);
            seal(&mut bytes, book.len() - 52 - 2 * 56, book.len() - 12);
        }
        let directory = tempfile::tempdir().unwrap();
        if let Ok(book) = BookFile::open(&write(directory.path(), "book", &bytes)) {
            for (layer, slabs) in layers.iter().enumerate() {
                let _ = book.layer_file(Layer(layer)).map(|file| read_all(&file, slabs));
                let _ = book.read_slab(SlabId::new(layer, 0), slabs.shapes()[0]);
            }
        }
    }

    #[test]
    fn mutated_manifests(
        edits in prop::collection::vec((any::<Index>(), "[-0-9a-z\"{}\\[\\],.:]{0,9}"), 1..4),
        is_sealed: bool,
    ) {
        let Sample { layers, manifest, .. } = &*SAMPLE;
        let mut text = manifest.clone();
        for (at, new) in &edits {
            let at = at.index(text.len());
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
}

#[test]
fn sealing_what_is_intact_changes_nothing() {
    let Sample { score_file, manifest, .. } = &*SAMPLE;
    let mut sealed = score_file.clone();
    seal_score_file(&mut sealed, score_file);
    assert!(sealed == *score_file);
    let mut sealed = SAMPLE.list.clone();
    seal_list(&mut sealed, &SAMPLE.list);
    assert!(sealed == SAMPLE.list);
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "manifest.json", seal_manifest(manifest).as_bytes());
    assert!(RunDir::open_to_repair(directory.path()).is_ok());
}
