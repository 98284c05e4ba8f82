//! Score files, layers of two files, books and manifests with changed bytes, with their checksums renewed or not: `store/tests/mutation.rs`
//! says what must hold. An input is a byte that chooses among them, and the changes.
#![no_main]
#![allow(dead_code, reason = "the modules are those of the tests of dab-store")]

use libfuzzer_sys::fuzz_target;

#[path = "../../store/tests/common/mod.rs"]
mod common;
#[path = "../../store/tests/mutation.rs"]
mod mutation;

use mutation::Edits;

/// The bytes of a change: two of its place, a width, and the number.
const EDIT: usize = 11;

/// Places of two bytes, and texts of eight.
fn texts(bytes: &[u8]) -> Vec<(usize, String)> {
    let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(byte % 95 + 32)).collect();
    bytes.chunks_exact(10).map(|edit| (place(edit), text(&edit[2..]))).collect()
}

fn place(edit: &[u8]) -> usize {
    usize::from(u16::from_le_bytes([edit[0], edit[1]]))
}

fn edits(bytes: &[u8]) -> Edits {
    let edits = bytes.chunks_exact(EDIT);
    let len = (edits.remainder().len() == 2).then(|| place(edits.remainder()));
    let number = |edit: &[u8]| edit[3..].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let numbers = edits.map(|edit| (place(edit), number(edit), [1, 2, 4, 8][usize::from(edit[2] % 4)])).collect();
    Edits { numbers, len }
}

fuzz_target!(|input: &[u8]| {
    let Some((choice, rest)) = input.split_first() else { return };
    let is_sealed = choice & 1 == 1;
    match choice >> 1 & 7 {
        0..=2 => mutation::score_file(&edits(rest), is_sealed),
        3 => mutation::layer_of_two_files(&edits(rest), is_sealed, 0),
        4 => mutation::layer_of_two_files(&edits(rest), is_sealed, 1),
        5 => mutation::book(&edits(rest), is_sealed),
        _ => mutation::manifest(&texts(rest), is_sealed),
    }
});
