//! Checks of programs against the theory and tables, and of the theory against boards.

use std::collections::BTreeMap;
use std::process::Command;

use crate::crosscheck::{Check, Questions};
use crate::endgame::{Family, allcock};
use crate::{Error, Limits, Position};
use dab_board::components::Components;
use dab_space::Space;
use serde_json::{Value, json};

#[cfg(unix)]
mod program {
    use super::*;

    fn check(script: &str, questions: &Questions<'_>) -> Result<Value, Error> {
        let check = Check::program(Command::new("sh").args(["-c", script]), questions, &())?;
        Ok(serde_json::to_value(check).unwrap())
    }

    fn small() -> Questions<'static> {
        Questions::Endgames(Family::all(8))
    }

    #[test]
    fn wrong_values_are_counted() {
        let zero = check("while read line; do echo 0; done", &small()).unwrap();
        let family = Family::all(8);
        let wrong = (1..family.n_positions()).filter(|&rank| allcock::value(&family.position(rank)) != 0).count();
        assert_eq!([&zero["asked"], &zero["disagreements"]], [&json!(small().count()), &json!(wrong)]);
        let first = zero["first"].as_array().unwrap();
        assert_eq!(first.len(), wrong.min(10));
        assert!(first.iter().all(|wrong| wrong["found"] == "0" && wrong["expected"] != 0));
    }

    #[test]
    fn programs_that_end_early_are_named() {
        for script in ["exit 3", "read line; echo 3; exit 3"] {
            let error = check(script, &small()).unwrap_err().to_string();
            assert!(error.contains(" of ") && error.contains("exit status: 3"), "{error}");
        }
        let missing = Check::program(&mut Command::new("no-such-program"), &small(), &()).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-program: cannot be started: "), "{missing}");
    }

    #[test]
    fn positions_of_a_table() {
        let table = crate::solve("1x2".parse().unwrap()).in_memory().unwrap();
        let all = check("while read line; do echo x; done", &Questions::Positions(&table)).unwrap();
        let n = json!(Questions::Positions(&table).count());
        assert_eq!([&all["asked"], &all["disagreements"]], [&n, &n]);
        let first = &all["first"][0];
        assert!(first["question"].as_str().unwrap().starts_with("1x2:") && first["found"] == "x");
    }
}

/// The endgames among all stored positions, without looking for joints first.
fn scan(space: &Space) -> BTreeMap<(u64, String), u64> {
    let mut endgames = BTreeMap::new();
    for &key in space.layout().layers().iter().flatten() {
        let shape = space.shape(key);
        for at in 0..shape.positions() {
            let drawn = space.lines_of(space.mask_at(key, at / shape.cols(), at % shape.cols()));
            let position = Position::new(space.layout().units().start().board().clone(), drawn).unwrap();
            if let Some((chains, loops)) = Components::new(&position).as_simple_endgame() {
                let size = chains.iter().chain(&loops).sum::<usize>() as u64;
                let names = chains.iter().map(usize::to_string).chain(loops.iter().map(|n| format!("{n}l")));
                let name = if size == 0 { "0".to_owned() } else { names.collect::<Vec<_>>().join("+") };
                let name = name.parse::<crate::endgame::Position>().unwrap().to_string();
                *endgames.entry((size, name)).or_default() += 1;
            }
        }
    }
    endgames
}

#[test]
fn no_endgame_is_missed() {
    for start in ["2x2", "3x3", "2x5", "3x3:71c", "2x2:b73"] {
        let table = crate::solve(start.parse().unwrap()).in_memory().unwrap();
        let check = Check::board(&table, Limits::default(), &()).unwrap();
        let found = serde_json::to_value(&check).unwrap()["multisets"].take();
        let scanned = scan(table.space()).into_iter();
        let scanned = scanned.map(|((_, endgame), positions)| json!({ "endgame": endgame, "positions": positions }));
        assert_eq!(found, Value::Array(scanned.collect()), "{start}");
        assert_eq!(check.fault(), None, "{start}");
    }
}
