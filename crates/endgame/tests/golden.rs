//! Golden values: `data/golden/endgame_values*.tsv`, from independent programs.
//!
//! Columns: position, size, controlled value, value, all optimal openings (comma separated), and in the second file `dp`.

use crate::tests::subpositions::Subpositions;
use crate::{Component, Position, allcock, buzzard_ciere, controlled::controlled_value, openings};

/// Most sub-multisets of a position, in 512 MiB.
const MOST: usize = 1 << 27;

struct Row {
    position: Position,
    size: u64,
    controlled_value: i64,
    value: i64,
    openings: String,
}

fn rows(file: &str, expected: usize) -> Vec<Row> {
    let path = format!("{}/../../data/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Row> = text.lines().map(row).collect();
    assert_eq!(rows.len(), expected);
    rows
}

fn row(line: &str) -> Row {
    let field: Vec<&str> = line.split('\t').collect();
    let position: Position = field[0].parse().unwrap();
    assert_eq!(position.to_string(), field[0]);
    Row {
        position,
        size: field[1].parse().unwrap(),
        controlled_value: field[2].parse().unwrap(),
        value: field[3].parse().unwrap(),
        openings: field[4].to_owned(),
    }
}

fn join(openings: &[Component]) -> String {
    openings.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn check_closed_forms(row: &Row) {
    let g = &row.position;
    assert_eq!(g.size(), row.size, "{g}");
    assert_eq!(controlled_value(g), row.controlled_value, "{g}");
    assert_eq!(allcock::value(g), row.value, "{g}");
    assert_eq!(allcock::procedural_value(g), row.value, "{g}");
    assert_eq!(buzzard_ciere::value(g), row.value, "{g}");
    let all = openings::optimal_openings(g);
    assert_eq!(join(&all), row.openings, "{g}");
    assert!(all.contains(&allcock::opening(g).unwrap()), "{g}");
    assert!(all.contains(&buzzard_ciere::opening(g).unwrap()), "{g}");
}

fn check_recursion(row: &Row) {
    let table = Subpositions::new(&row.position, MOST).unwrap();
    assert_eq!(table.value(), row.value, "{}", row.position);
    let is_optimal = |&(c, rest): &(Component, i64)| c.opened(rest) == row.value;
    let optimal: Vec<Component> = table.rests().filter(is_optimal).map(|(c, _)| c).collect();
    assert_eq!(join(&optimal), row.openings, "{}", row.position);
}

#[test]
fn values_and_all_openings() {
    for row in rows("endgame_values.tsv", 1500) {
        check_closed_forms(&row);
        check_recursion(&row);
    }
}

#[test]
fn huge_multiplicities() {
    for row in rows("endgame_values_huge.tsv", 40) {
        check_closed_forms(&row);
        check_recursion(&row);
    }
}
