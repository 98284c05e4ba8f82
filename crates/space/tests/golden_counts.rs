//! Golden counts: `data/golden/quiet_counts`, quiet positions by drawn lines.
//!
//! The plain counts against the transfer matrix; those up to the exchange of parallel units also against the lists of
//! the index.

use std::path::PathBuf;

use crate::count::{Weight, positions};
use crate::{Layout, SpaceKind, Units};

fn golden(name: &str) -> Vec<u128> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../data/golden/quiet_counts", name].iter().collect();
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).enumerate();
    let count = |(layer, row): (usize, &str)| {
        let (drawn, count) = row.split_once(char::is_whitespace).unwrap();
        assert_eq!(drawn, layer.to_string(), "{name}");
        count.parse().unwrap()
    };
    rows.map(count).collect()
}

#[test]
fn quiet_positions_of_every_layer() {
    for board in ["2x2", "2x3", "2x5", "3x3", "3x4", "3x5", "4x4", "4x5", "5x5"] {
        let units = Units::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let [all, up_to_corners] = ["", "_corner"].map(|weight| golden(&format!("quiet_count_{board}{weight}.tsv")));
        assert_eq!(positions(&units, Weight::Sets), all, "{board}");
        assert_eq!(positions(&units, Weight::Canonical), up_to_corners, "{board}");
        assert_eq!(Layout::new(units).unwrap().canonical_positions(), up_to_corners, "{board}");
    }
}
