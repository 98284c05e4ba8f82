//! docs/JSON.md lists the fields that each verb prints, and no others.

use crate::common;

use std::collections::BTreeSet;
use std::fs;

use common::{json, says, solved};

/// The fields that a section lists, and those of them that may be missing.
fn listed(section: &str) -> [BTreeSet<String>; 2] {
    let document = include_str!("../../../docs/JSON.md");
    let (_, text) = document.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let (mut all, mut optional) = (BTreeSet::new(), BTreeSet::new());
    for row in text.lines().filter(|row| row.starts_with("- `")) {
        let (names, meaning) = row[2..].split_once(": ").unwrap();
        let names: Vec<String> = names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect();
        if meaning.contains("*may be missing*") {
            optional.extend(names.iter().cloned());
        }
        all.extend(names);
    }
    assert!(!all.is_empty(), "{section}");
    [all, optional]
}

#[test]
fn the_document_lists_the_fields() {
    let dir = solved("2x2");
    let path = dir.path();
    fs::write(path.join("p.txt"), "problem x\nscore -2\nendgame 3^2\n").unwrap();
    for (section, args) in [
        ("query", &["query", "2x2:b73", "--from", "runs/2x2", "--marks", "--details"][..]),
        ("solve", &["solve", "2x2"]),
        ("plan", &["plan", "2x2"]),
        ("review", &["review", "2x2 a1-b1 b1-b2"]),
        ("convert", &["convert", "2x2:1", "--to", "bits"]),
        ("problems", &["problems", "p.txt"]),
        ("penalties", &["penalties", "1x2:0"]),
        ("nimstring", &["nimstring", "2x2:0"]),
        ("search", &["search", "closed:4"]),
        ("endgame", &["endgame", "3+4l", "--lead", "2"]),
        ("caribou", &["caribou", "2x2:b73", "--from", "runs/2x2"]),
        ("caribou --games", &["caribou", "2x2:0", "--games", "2"]),
        ("verify", &["verify", "runs/2x2"]),
        ("census", &["census", "runs/2x2"]),
        ("info", &["info", "runs/2x2"]),
        ("info without a path", &["info"]),
        ("info", &["book", "runs/2x2", "--layers", "3", "--out", "b.book"]),
        ("export", &["export", "runs/2x2", "--sample", "3", "--out", "x.csv"]),
        ("draw", &["draw", "2x2:1", "--out", "a.svg"]),
        ("draw", &["plot", "runs/2x2", "--out", "b.svg"]),
        ("crosscheck board", &["crosscheck", "board", "--from", "runs/2x2"]),
        ("crosscheck runs", &["crosscheck", "runs", "runs/2x2", "runs/2x2"]),
    ] {
        let answer = json(path, &[&["--json"], args].concat());
        let found: BTreeSet<String> = answer.as_object().unwrap().keys().cloned().collect();
        let [all, optional] = listed(section);
        let missing: Vec<&String> = all.difference(&found).filter(|name| !optional.contains(*name)).collect();
        let unknown: Vec<&String> = found.difference(&all).collect();
        assert!(missing.is_empty() && unknown.is_empty(), "{args:?}: missing {missing:?}, not listed {unknown:?}");
    }
    let sets = says(path, &["crosscheck", "endgames", "--all", "--max-boxes", "20", "--json"]);
    let set: serde_json::Value = serde_json::from_str(&sets).unwrap();
    let [mut all, _] = listed("crosscheck endgames");
    all.insert("version".to_owned());
    assert_eq!(set.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>(), all);
}

/// Every field of the tables below the first level is in the text of the document, with its name beside each line.
#[test]
fn lines_have_names_beside_them() {
    let dir = solved("2x2");
    let mut n_lines = 0;
    for args in [
        &["query", "2x2:3", "--from", "runs/2x2"][..],
        &["review", "2x2 a1-b1 b1-b2"],
        &["penalties", "1x2:0"],
        &["nimstring", "2x2:0"],
    ] {
        let mut rest = vec![json(dir.path(), &[&["--json"], args].concat())];
        while let Some(value) = rest.pop() {
            match value {
                serde_json::Value::Array(values) => rest.extend(values),
                serde_json::Value::Object(object) => {
                    if object.contains_key("line") {
                        n_lines += 1;
                        assert!(
                            object["line"].is_u64() && object["name"].as_str().unwrap().contains('-'),
                            "{object:?}"
                        );
                    }
                    rest.extend(object.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
    }
    assert!(n_lines > 30);
}
