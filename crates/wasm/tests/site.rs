//! The module's questions, asked natively: books in memory, solves in memory, refusals with remedies.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Site;
use dab::Observer;
use serde_json::{Value, json};

struct Counter(AtomicU64);

impl Observer for Counter {
    fn positions(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }
}

fn ask(site: &mut Site, question: &str, fields: &Value) -> Value {
    serde_json::from_str(&site.ask(question, &fields.to_string(), &())).unwrap()
}

fn with_books() -> Site {
    let mut site = Site::default();
    for name in ["4x4.book", "5x5-swedish.book"] {
        let path = format!("{}/../../data/books/{name}", env!("CARGO_MANIFEST_DIR"));
        site.add_book(name, &std::fs::read(path).unwrap());
    }
    site
}

#[test]
fn books_answer_at_once() {
    let mut site = with_books();
    let sources = ask(&mut site, "sources", &json!({}));
    for (source, (name, score)) in
        sources["answer"].as_array().unwrap().iter().zip([("4x4.book", 0), ("5x5-swedish.book", -3)])
    {
        assert_eq!(source["path"], name);
        let reply = ask(&mut site, "query", &json!({ "position": source["start"], "details": true }));
        assert_eq!((&reply["answer"]["score"], &reply["answer"]["source"]), (&json!(score), &json!("book")), "{reply}");
    }
    assert_eq!(sources["answer"].as_array().unwrap().len(), 2);
}

#[test]
fn a_solve_is_planned_and_counted() {
    let mut site = Site::default();
    let fields = json!({ "position": "3x3:1" });
    assert_eq!(ask(&mut site, "query", &fields)["problem"]["code"], "not_solved");
    let plan = ask(&mut site, "plan", &fields);
    let counter = Counter(AtomicU64::new(0));
    assert_eq!(site.ask("solve", &fields.to_string(), &counter), "{\"answer\":null}");
    assert_eq!(plan["answer"]["positions"], counter.0.into_inner());
    let answer = ask(&mut site, "query", &fields);
    let expected = dab::solve("3x3:1".parse().unwrap()).in_memory().unwrap();
    assert_eq!(answer["answer"]["score"], expected.probe(expected.start()).unwrap().0);
    assert_eq!(answer["answer"]["moves"].as_array().unwrap().len(), 23);
}

#[test]
fn too_much_is_refused_with_what_can_be_done() {
    let reply = ask(&mut Site::default(), "plan", &json!({ "position": "5x5" }));
    assert_eq!(reply["problem"]["code"], "too_much");
    let error = reply["problem"]["error"].as_str().unwrap();
    assert!(error.contains("at least 88,943,720,002,618 positions"), "{error}");
    assert!(error.contains("With more lines drawn it is solved here. In a shell 'dab plan 5x5:0' says"), "{error}");
}
