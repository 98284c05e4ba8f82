//! What the program prints and the schemas in data/schema have the same fields; docs/JSON.md names every schema.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use common::{dab, dab_fed, json, says, solved, stderr, stdout};
use serde_json::{Map, Value};

const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/schema");

/// Fields that come or go only where a path is no text, a solve is interrupted while it releases slabs, or many processes solve.
const UNSEEN: [&str; 5] = [
    "info/path_bytes",
    "info/released_slabs",
    "info/released_bytes",
    "verify/released_slabs",
    "solve/decodes_per_position",
];

/// A schema by its name. One that only names another is that one.
fn schema(name: &str) -> Value {
    let text = fs::read_to_string(format!("{SCHEMAS}/{name}.json")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    match schema.get("$ref").and_then(Value::as_str) {
        Some(other) => self::schema(other.trim_end_matches(".json")),
        None => schema,
    }
}

/// The properties of a schema, and the names of those that are required.
fn properties(schema: &Value) -> Option<(&Map<String, Value>, BTreeSet<&str>)> {
    let properties = schema.get("properties")?.as_object()?;
    let required = schema["required"].as_array()?.iter().map(|name| name.as_str().unwrap()).collect();
    Some((properties, required))
}

/// How often each field was seen, by its path, and objects with fields, by their paths with a slash.
#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    /// Checks a value and notes what it has. Fields that the schema does not list are wrong, though readers must pass over them.
    fn check(&mut self, value: &Value, schema: &Value, path: &str) {
        *self.0.entry(path.to_owned()).or_default() += 1;
        for (keyword, says) in schema.as_object().unwrap() {
            match keyword.as_str() {
                "type" => {
                    let is = |name: &Value| match name.as_str().unwrap() {
                        "object" => value.is_object(),
                        "array" => value.is_array(),
                        "string" => value.is_string(),
                        "integer" => value.is_u64() || value.is_i64(),
                        "number" => value.is_number(),
                        "boolean" => value.is_boolean(),
                        "null" => value.is_null(),
                        other => panic!("{path}: no type {other}"),
                    };
                    let fits = says.as_array().map_or_else(|| is(says), |types| types.iter().any(is));
                    assert!(fits, "{path}: {value} is no {says}");
                }
                "enum" => assert!(says.as_array().unwrap().contains(value), "{path}: {value} is none of {says}"),
                "const" => assert_eq!(value, says, "{path}"),
                "items" => {
                    value.as_array().unwrap().iter().for_each(|item| self.check(item, says, &format!("{path}[]")))
                }
                "properties" => {
                    let ((known, required), found) = (properties(schema).unwrap(), value.as_object().unwrap());
                    let missing = required.iter().find(|name| !found.contains_key(**name));
                    assert!(missing.is_none(), "{path} without {missing:?}: {value}");
                    *self.0.entry(format!("{path}/")).or_default() += 1;
                    for (name, value) in found {
                        let schema = known.get(name).unwrap_or_else(|| panic!("{path}: '{name}' is not listed"));
                        self.check(value, schema, &format!("{path}/{name}"));
                    }
                }
                "required" | "$schema" | "title" | "description" => {}
                other => panic!("{path}: no keyword {other}"),
            }
        }
    }

    /// Checks that each field was seen, and that no field is called optional that is always there.
    fn is_complete(&self, schema: &Value, path: &str) {
        let times = |path: &str| self.0.get(path).copied().unwrap_or(0);
        if let Some((known, required)) = properties(schema) {
            for (name, schema) in known {
                let below = format!("{path}/{name}");
                if !UNSEEN.contains(&below.as_str()) {
                    assert!(times(&below) > 0, "{below} was never seen");
                    let always = times(&below) == times(&format!("{path}/"));
                    assert!(required.contains(name.as_str()) || !always, "{below} is always there");
                    self.is_complete(schema, &below);
                }
            }
        } else if let Some(items) = schema.get("items") {
            self.is_complete(items, &format!("{path}[]"));
        }
    }
}

/// An empty directory with runs, a book, a damaged run and problems.
fn place() -> tempfile::TempDir {
    let dir = solved("2x2");
    let path = dir.path();
    says(path, &["solve", "2x2", "--out", "broken"]);
    fs::write(path.join("broken/layer-03.score"), "no scores").unwrap();
    // One is right, and one is wrong.
    fs::write(path.join("p.txt"), "problem x\nscore -2\nendgame 3^2\n\nproblem y\nscore 3\nendgame 3^2\n").unwrap();
    fs::create_dir_all(path.join("data/books")).unwrap();
    says(path, &["book", "runs/2x2", "--layers", "3", "--out", "data/books/2x2.book"]);
    dir
}

#[test]
fn schemas_say_what_is_printed() {
    let dir = place();
    let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
    for (name, args) in [
        ("query", &["query", "2x2:b73", "--from", "runs/2x2", "--marks", "--details"][..]),
        ("query", &["query", "2x2:0", "2x2:fff"]),
        ("query", &["query", "2x2:33f", "--details"]),
        ("solve", &["solve", "2x2"]),
        ("solve", &["solve", "2x3", "--down-to", "3", "--out", "down"]),
        ("solve", &["solve", "1x2", "--check", "1", "--out", "checked"]),
        ("solve", &["solve", "1x2", "--marks", "--out", "marked"]),
        ("plan", &["plan", "2x2"]),
        ("plan", &["plan", "5x5"]),
        ("plan", &["plan", "2x2", "--measure", "1", "--costs", "costs.tsv"]),
        ("plan-nodes", &["plan", "4x4", "--nodes", "2", "--cores", "2", "--memory", "1G"]),
        ("plan-nodes", &["plan", "3x3", "--nodes", "2", "--cores", "2", "--memory", "1G", "--costs", "costs.tsv"]),
        ("review", &["review", "2x2 a1-b1 b1-b2"]),
        ("review", &["review", "1x2 a1-b1 a1-a2 b1-b2 b1-c1 a2-b2 b2-c2 c1-c2"]),
        ("review", &["review", "1x2 a1-b1 a1-a2", "--from", "marked"]),
        ("convert", &["convert", "2x2:1", "--to", "bits"]),
        ("convert", &["convert", "2x2 a1-b1 b1-b2", "--to", "compact"]),
        ("problems", &["problems", "p.txt"]),
        ("problems", &["problems", "--only", "12.18, third"]),
        ("puzzles", &["puzzles", "3x3", "--n", "2"]),
        ("penalties", &["penalties", "1x2:0"]),
        ("nimstring", &["nimstring", "2x2:0", "2x2:33f", "3x3:fff"]),
        ("search", &["search", "closed:4"]),
        ("search", &["search", "5x5", "--time", "1s"]),
        ("endgame", &["endgame", "3+4l", "--lead", "2"]),
        ("endgame", &["endgame", "3^2+4+6l"]),
        ("caribou", &["caribou", "2x2:b73", "2x2:fff", "--from", "runs/2x2"]),
        ("caribou", &["caribou", "5x5:0"]),
        ("caribou-games", &["caribou", "2x2:0", "--games", "2"]),
        ("survey", &["survey", "runs/2x2"]),
        ("verify", &["verify", "down"]),
        ("verify", &["verify", "broken", "--repair"]),
        ("census", &["census", "runs/2x2"]),
        ("census", &["census", "runs/2x2", "--lines", "2"]),
        ("info", &["info", "down"]),
        ("info", &["info", "checked"]),
        ("info", &["info", "marked"]),
        ("book", &["book", "runs/2x2", "--layers", "3", "--out", "b.book"]),
        ("books", &["info"]),
        ("export", &["export", "runs/2x2", "--sample", "3", "--out", "x.csv"]),
        ("draw", &["draw", "2x2:1", "--out", "a.svg"]),
        ("plot", &["plot", "runs/2x2", "--out", "b.svg"]),
        ("crosscheck-endgames", &["crosscheck", "endgames", "--all", "--max-boxes", "12"]),
        ("crosscheck-board", &["crosscheck", "board", "--from", "runs/2x2"]),
        ("crosscheck-runs", &["crosscheck", "runs", "runs/2x2", "runs/2x2"]),
        ("crosscheck-search", &["crosscheck", "search", "--from", "runs/2x2", "--positions", "20"]),
        ("crosscheck-program", &["crosscheck", "program", "--endgames", "--max-boxes", "6", "--", "cat"]),
        // Errors are on standard error.
        ("error", &["query", "2y2"]),
    ] {
        let done = dab(dir.path(), &[&["--json", "--quiet"], args].concat());
        let said = if name == "error" { stderr(&done) } else { stdout(&done) };
        let schema = schema(name);
        assert!(!said.is_empty(), "{args:?}: {}", stderr(&done));
        for line in said.lines() {
            seen.entry(name).or_default().check(&serde_json::from_str(line).unwrap(), &schema, name);
        }
    }
    let batch = dab_fed(dir.path(), &["query", "--batch", "-"], "2x2:0\n\n 2y2 \nclosed:2000\n").code(1);
    let lines: Vec<Value> = stdout(&batch).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    seen.get_mut("query").unwrap().check(&lines[0], &schema("query"), "query");
    for (object, line, input, kind, code) in
        [(&lines[1], 3, "2y2", "input", 2), (&lines[2], 4, "closed:2000", "input", 2)]
    {
        seen.get_mut("error").unwrap().check(object, &schema("error"), "error");
        assert_eq!((&object["line"], &object["input"]), (&line.into(), &input.into()));
        assert_eq!((&object["kind"], &object["code"]), (&kind.into(), &code.into()));
    }
    let listed = fs::read_dir(SCHEMAS).unwrap().map(|file| file.unwrap().path());
    for name in listed.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()) {
        match seen.get(name.as_str()) {
            // Another test holds the words of `dab serve`, which ends when it is told.
            None => assert_eq!(name, "serve"),
            // Of a book and a plot the schema is that of `info` and `draw`.
            Some(_) if ["book", "plot"].contains(&name.as_str()) => {}
            Some(seen) => seen.is_complete(&schema(&name), &name),
        }
    }
}

#[test]
fn every_verb_has_a_schema_and_the_document_names_it() {
    let document = include_str!("../../../docs/JSON.md");
    for file in fs::read_dir(SCHEMAS).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(document.contains(&format!("data/schema/{name})")), "{name}");
    }
    let help = says(Path::new("."), &["--help"]);
    let verbs = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(verb, _)| verb.trim());
    let verbs: Vec<&str> = verbs.filter(|verb| !verb.is_empty() && !verb.starts_with('-')).collect();
    assert!(verbs.contains(&"query") && verbs.len() > 20, "{verbs:?}");
    // The last two print no result but texts; a comparison has a schema for each of its kinds.
    for verb in verbs.into_iter().filter(|verb| !["crosscheck", "completions", "man"].contains(verb)) {
        schema(verb);
    }
}
/// Each line has its name beside it.
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
