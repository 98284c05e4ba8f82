//! Positions written in bulk, against answers.

use std::collections::{BTreeMap, BTreeSet};

use crate::export::{Format, Selection, export};
use crate::{Layer, Limits, LineSet, SpaceKind, Tablebase};

fn text(table: &Tablebase, selection: Selection) -> String {
    let mut out = Vec::new();
    export(table, selection, Format::Csv, Limits::default(), &(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const ALL: Selection = Selection { layer: None, sample: None, seed: 0 };

#[test]
fn rows_are_answers() {
    for space in [SpaceKind::Quiet, SpaceKind::Full] {
        let start = "2x2".parse().unwrap();
        let table = crate::Solve { space, ..crate::solve(start) }.in_memory().unwrap();
        let rows = text(&table, ALL);
        assert_eq!(rows.lines().count() as u128, 1 + table.space().layout().total_positions());
        for row in rows.lines().skip(1) {
            let [position, layer, score, best] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let answer = table.answer(&position.parse().unwrap()).unwrap();
            let mask = LineSet(u128::from_str_radix(best, 16).unwrap());
            assert_eq!((answer.score.to_string().as_str(), answer.best().collect::<LineSet>()), (score, mask));
            assert!(layer.parse::<usize>().unwrap() < table.space().n_layers());
        }
    }
}

#[test]
fn samples_are_parts_of_all() {
    let table = crate::solve("2x2".parse().unwrap()).in_memory().unwrap();
    let all = text(&table, ALL);
    let all: BTreeSet<&str> = all.lines().collect();
    let sample = |sample, layer, seed| text(&table, Selection { layer, sample: Some(sample), seed });
    let some = sample(50, None, 1);
    assert_eq!(some.lines().count(), 51);
    assert!(some.lines().all(|row| all.contains(row)));
    assert_eq!(some, sample(50, None, 1));
    assert_ne!(some, sample(50, None, 2));
    assert_eq!(sample(1 << 40, None, 1).lines().count(), all.len());
    let of_layer = sample(7, Some(Layer(5)), 1);
    assert_eq!(of_layer.lines().count(), 8);
    assert!(of_layer.lines().skip(1).all(|row| row.split(',').nth(1) == Some("5")));
    let missing = Selection { layer: Some(Layer(99)), ..ALL };
    let error = export(&table, missing, Format::Csv, Limits::default(), &(), &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("no layer 99"), "{error}");
}

/// Every position has the same chance.
#[test]
fn samples_are_uniform() {
    let table = crate::solve("1x2".parse().unwrap()).in_memory().unwrap();
    let mut counts = BTreeMap::<String, u32>::new();
    for seed in 0..3_000 {
        let rows = text(&table, Selection { layer: None, sample: Some(3), seed });
        rows.lines().skip(1).for_each(|row| *counts.entry(row.to_owned()).or_default() += 1);
    }
    let all = table.space().layout().total_positions() as u32;
    assert_eq!(counts.len() as u32, all);
    assert!(counts.values().all(|&n| (n * all).abs_diff(9_000) < 9_000 / 4), "{counts:?}");
}

/// Masks have as many bytes as the board takes.
#[test]
fn npy_has_the_rows_of_csv() {
    for (start, mask_bytes, kind) in [("1x3", 8, "('drawn', '<u8')"), ("5x6:7ffffffffffffffff8", 16, "'|u1', (16,)")] {
        let table = crate::solve(start.parse().unwrap()).in_memory().unwrap();
        let mut bytes = Vec::new();
        let n = export(&table, ALL, Format::Npy, Limits::default(), &(), &mut bytes).unwrap();
        let len = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let head = std::str::from_utf8(&bytes[10..len]).unwrap();
        assert!(len.is_multiple_of(64) && head.ends_with('\n') && head.contains(kind), "{head}");
        assert!(head.contains(&format!("'shape': ({n},)")), "{head}");
        let rows = bytes[len..].chunks_exact(2 * mask_bytes + 2).map(|row| {
            let mask = |at: usize| {
                let mut bytes = [0; 16];
                bytes[..mask_bytes].copy_from_slice(&row[at..at + mask_bytes]);
                u128::from_le_bytes(bytes)
            };
            let (score, layer) = (row[2 * mask_bytes] as i8, row[2 * mask_bytes + 1]);
            format!("{}:{:x},{layer},{score},{:x}", table.board().name(), mask(0), mask(mask_bytes))
        });
        assert_eq!(rows.collect::<Vec<_>>(), text(&table, ALL).lines().skip(1).collect::<Vec<_>>());
    }
}
