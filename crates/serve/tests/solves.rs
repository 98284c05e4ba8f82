//! Solves on demand: followed, cancelled, limited, and in nobody's way.

use super::common;

use std::thread::{scope, sleep};
use std::time::Duration;

use crate::Limits;
use common::{Served, limits};
use serde_json::Value;

fn begin(served: &Served, what: &str) -> Value {
    let answer = served.post("/api/solves", &format!("{{\"position\":\"{what}\"}}"));
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.json()
}

/// The status of a solve once it has ended.
fn end(served: &Served, id: &Value) -> Value {
    loop {
        let status = served.get(&format!("/api/solves/{id}")).json();
        if status["state"] != "running" {
            return status;
        }
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn progress_is_told() {
    let served = Served::with(limits());
    let done = end(&served, &begin(&served, "at once")["id"]);
    assert_eq!((&done["state"], &done["solved"], &done["positions"]), (&"done".into(), &100.into(), &100.into()));
    assert_eq!(done["plan"], "plan");
    let id = &begin(&served, "for ever")["id"];
    while served.get(&format!("/api/solves/{id}")).json()["solved"] != 40 {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(served.get(&format!("/api/solves/{id}")).json()["state"], "running");
    assert_eq!(served.ask("DELETE", &format!("/api/solves/{id}"), &[], "").status, 200);
    let cancelled = end(&served, id);
    assert_eq!((&cancelled["state"], &cancelled["solved"]), (&"cancelled".into(), &40.into()));
}

#[test]
fn failures_are_told() {
    let served = Served::with(limits());
    let broken = end(&served, &begin(&served, "broken")["id"]);
    assert_eq!((&broken["state"], &broken["problem"]["error"]), (&"failed".into(), &"it is failed".into()));
    let panicked = end(&served, &begin(&served, "panic")["id"]);
    assert_eq!(panicked["state"], "failed");
    served.is_well();
}

#[test]
fn only_so_many_at_a_time() {
    let served = Served::with(Limits { solves: 2, ..limits() });
    let first = begin(&served, "for ever");
    begin(&served, "for ever");
    let refused = served.post("/api/solves", "{\"position\":\"at once\"}");
    refused.is(429, "busy");
    assert!(refused.head.contains("retry-after: "), "{}", refused.head);
    // They are in nobody's way.
    served.is_well();
    served.ask("DELETE", &format!("/api/solves/{}", first["id"]), &[], "");
    end(&served, &first["id"]);
    assert_eq!(end(&served, &begin(&served, "at once")["id"])["state"], "done");
}

#[test]
fn time_runs_out() {
    let served = Served::with(Limits { solve_time: Duration::from_millis(50), ..limits() });
    assert_eq!(end(&served, &begin(&served, "for ever")["id"])["state"], "out_of_time");
}

#[test]
fn what_nobody_asks_about_is_stopped() {
    let served = Served::with(Limits { solves: 1, abandoned: Duration::from_millis(50), ..limits() });
    let id = begin(&served, "for ever")["id"].clone();
    // There is room again although nobody cancelled it.
    while served.post("/api/solves", "{\"position\":\"at once\"}").status == 429 {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(end(&served, &id)["state"], "abandoned");
}

#[test]
fn a_slow_answer_keeps_nobody_waiting() {
    let served = Served::with(limits());
    scope(|scope| {
        let slow = scope.spawn(|| served.get("/api/query?position=wait"));
        for _ in 0..20 {
            served.is_well();
        }
        served.gate.send(()).unwrap();
        assert_eq!(slow.join().unwrap().body, "\"waited\"");
    });
}

#[test]
fn questions_of_clients_that_are_gone_still_count() {
    let served = Served::with(Limits { questions: 2, ..limits() });
    let begin = || [(); 2].map(|()| served.begin("/api/query", "{\"position\":\"wait\"}"));
    let gone = begin();
    while served.n_waiting() < 2 {
        sleep(Duration::from_millis(1));
    }
    drop(gone);
    let _others = begin();
    for _ in 0..100 {
        assert!(served.n_waiting() <= 2, "{} questions are answered at a time", served.n_waiting());
        sleep(Duration::from_millis(5));
    }
    (0..4).for_each(|_| served.gate.send(()).unwrap());
    served.is_well();
}

#[test]
fn plans_are_made_one_at_a_time_and_end_with_their_client() {
    let served = Served::with(limits());
    let client = served.begin("/api/plan", "{\"position\":\"planned for ever\"}");
    while served.n_waiting() == 0 {
        sleep(Duration::from_millis(1));
    }
    for path in ["/api/plan", "/api/solves"] {
        served.post(path, "{\"position\":\"at once\"}").is(429, "busy");
    }
    // It is in nobody's way but that of other plans.
    served.is_well();
    drop(client);
    while served.post("/api/plan", "{\"position\":\"at once\"}").status == 429 {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(served.n_waiting(), 0);
}
