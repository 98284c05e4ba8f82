//! `dab serve`: what it answers is what `dab query --json` says.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{fails, json, says, solved};
use serde_json::{Value, json};

/// A server that ends with the test.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(dir: &Path, args: &[&str]) -> Self {
        Self::with_env(dir, args, ("NO_COLOR", Path::new("1")))
    }

    fn with_env(dir: &Path, args: &[&str], (name, value): (&str, &Path)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        command.env(name, value).current_dir(dir).args(["serve", "--port", "0"]).args(args).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        let address = format!("127.0.0.1:{}", address.unwrap_or_else(|| panic!("no address: {line}")));
        Self { child, address }
    }

    /// Sends a signal and waits until the server has ended by itself.
    #[cfg(unix)]
    #[track_caller]
    fn ends_on(mut self, signal: &str) {
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(self.child.wait().unwrap().success(), "{signal}");
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        let length = body.len();
        let body = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}")))
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert!((200..300).contains(&status), "{status}: {answer}");
        answer
    }

    fn query(&self, position: &str) -> Value {
        self.post("/api/query", &json!({ "position": position }))
    }

    #[track_caller]
    fn refuses(&self, path: &str, body: &Value, status: u16, code: &str, piece: &str) {
        let (got, answer) = self.ask("POST", path, &body.to_string());
        assert_eq!((got, answer["code"].as_str()), (status, Some(code)), "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(piece), "{answer}");
    }

    /// Has a position solved and waits for it.
    fn solve(&self, asked: &Value) -> Value {
        let mut status = self.post("/api/solves", asked);
        while status["state"] == "running" {
            sleep(Duration::from_millis(10));
            status = self.ask("GET", &format!("/api/solves/{}", status["id"]), "").1;
        }
        status
    }
}

#[test]
fn answers_are_those_of_query() {
    let dir = solved("2x3");
    says(dir.path(), &["solve", "2x2"]);
    says(dir.path(), &["book", "runs/2x2", "--layers", "4", "--out", "2x2.book"]);
    let served = Served::new(dir.path(), &["--from", "runs/2x3", "2x2.book"]);
    for (position, from) in [("2x3:0", "runs/2x3"), ("2x3:1b2c5", "runs/2x3"), ("2x2:3", "2x2.book")] {
        let expected = json(dir.path(), &["query", position, "--from", from, "--json"]);
        assert_eq!(served.query(position), expected);
        assert_eq!(served.ask("GET", &format!("/api/query?position={position}"), ""), (200, expected));
    }
    let batch = served.post("/api/query", &json!({ "positions": ["2x3:1", "2x3:x", "+ +-+ +\n\n+ + + +\n\n+ + + +"] }));
    assert_eq!(batch["answers"][0], json(dir.path(), &["query", "2x3:1", "--from", "runs/2x3", "--json"]));
    assert_eq!(batch["answers"][1]["code"], "bad_position");
    assert_eq!(batch["answers"][2]["position"], "2x3:2");
    let sources = served.ask("GET", "/api/sources", "").1;
    let kinds: Vec<&str> = sources["sources"].as_array().unwrap().iter().map(|s| s["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run", "book"]);
}

#[test]
fn books_that_are_found_answer_after_those_that_are_named() {
    let dir = solved("2x3");
    std::fs::create_dir_all(dir.path().join("data/books")).unwrap();
    says(dir.path(), &["book", "runs/2x3", "--layers", "4", "--out", "data/books/2x3.book"]);
    let paths = |served: &Served| {
        let sources = served.ask("GET", "/api/sources", "").1;
        let paths =
            sources["sources"].as_array().unwrap().iter().map(|source| source["path"].as_str().unwrap().to_owned());
        paths.collect::<Vec<_>>()
    };
    let found = Served::new(dir.path(), &[]);
    assert_eq!(paths(&found), ["data/books/2x3.book"]);
    assert_eq!(found.query("2x3:0"), json(dir.path(), &["query", "2x3:0", "--json"]));
    assert_eq!(found.query("2x3:0")["source"], "book");
    found.refuses("/api/query", &json!({ "position": "2x3:1f" }), 409, "not_solved", "2x3:1f");
    let named = Served::new(dir.path(), &["--from", "runs/2x3"]);
    assert_eq!(paths(&named), ["runs/2x3", "data/books/2x3.book"]);
    assert_eq!(named.query("2x3:0")["source"], "run");
}

#[test]
fn the_example_of_the_document_is_true() {
    let document = include_str!("../../../docs/API.md");
    let (from, rest) = document.split_once("$ dab serve --from ").unwrap().1.split_once('\n').unwrap();
    let (address, rest) = rest.split_once("$ curl -s 'http://127.0.0.1:3220").unwrap().1.split_once("'\n").unwrap();
    let expected: Value = serde_json::from_str(rest.split_once("\n```").unwrap().0).unwrap();
    let dir = solved(from.strip_prefix("runs/").unwrap());
    assert_eq!(Served::new(dir.path(), &["--from", from]).ask("GET", address, ""), (200, expected));
}

#[test]
fn details_are_what_a_human_sees() {
    let dir = solved("3x3");
    let served = Served::new(dir.path(), &["--from", "runs/3x3"]);
    let answer = served.post("/api/query", &json!({ "position": "3x3:fff", "details": true }));
    let text = says(dir.path(), &["query", "3x3:fff", "--from", "runs/3x3"]);
    let play: Vec<&str> = answer["play_names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let shown = text.split_once("best play   ").unwrap().1.split_once("\nloony").unwrap().0;
    // A comma ends a turn.
    assert_eq!(shown.split_whitespace().map(|name| name.trim_end_matches(',')).collect::<Vec<_>>(), play);
    assert_eq!((&answer["is_whole"], &answer["closed"], &answer["capturable"]), (&json!(true), &json!(0), &json!(0)));
    assert_eq!(
        answer["components"][1],
        json!({ "kind": "chain", "name": "chain of 3", "boxes": 3, "lines": [16, 17, 18, 19] })
    );
    let endgame = &answer["endgame"];
    assert_eq!(
        (&endgame["name"], &endgame["controlled_value"], &endgame["value"]),
        (&json!("3^3"), &json!(1), &json!(1))
    );
    assert_eq!((&endgame["open"], &endgame["table"]), (&json!(["3"]), &json!({ "value": 1, "open": ["3"] })));
}

#[test]
fn what_is_not_solved_can_be() {
    let dir = solved("2x2");
    says(dir.path(), &["book", "runs/2x2", "--layers", "2", "--out", "2x2.book"]);
    let served = Served::new(dir.path(), &["--from", "2x2.book"]);
    for position in ["3x3:3", "2x2:f", "triangles:open:4:0", "closed:6"] {
        let asked = json!({ "position": position });
        served.refuses("/api/query", &asked, 409, "not_solved", "POST /api/solves");
        let plan = served.post("/api/plan", &asked);
        let done = served.solve(&asked);
        assert_eq!((&done["state"], &done["positions"]), (&json!("done"), &plan["positions"]));
        assert_eq!(done["solved"], done["positions"]);
        let expected = json(dir.path(), &["query", position, "--json"]);
        assert_eq!(served.query(position), expected);
    }
    // All that follows is solved with it, another penalty is not.
    assert_eq!(served.query("3x3:7"), json(dir.path(), &["query", "3x3:7", "--json"]));
    let costly = json!({ "position": "3x3:3", "penalty": 2 });
    served.refuses("/api/query", &costly, 409, "not_solved", "3x3:3");
    assert_eq!(served.solve(&costly)["state"], "done");
    let expected = json(dir.path(), &["query", "3x3:3", "--penalty", "2", "--json"]);
    assert_eq!(served.post("/api/query", &costly), expected);
    // Best play goes on where the book ends.
    served.solve(&json!({ "position": "2x2:0" }));
    let details = served.post("/api/query", &json!({ "position": "2x2:0", "details": true }));
    assert_eq!((&details["source"], &details["is_whole"]), (&json!("book"), &json!(true)));
    assert_eq!(details["play"].as_array().unwrap().len(), 12);
}

#[test]
fn a_book_is_completed_where_only_a_few_moves_are_below_it() {
    let dir = solved("3x3");
    says(dir.path(), &["book", "runs/3x3", "--layers", "8", "--out", "3x3.book"]);
    // With so many threads for so little memory no solve takes only a moment.
    let threads = 4 * std::thread::available_parallelism().unwrap().get();
    let served = Served::new(dir.path(), &["--from", "3x3.book", "--threads", &threads.to_string(), "--memory", "1G"]);
    let asked = json!({ "position": "3x3:38f" });
    served.refuses("/api/query", &asked, 409, "not_solved", "3x3:38f");
    let done = served.solve(&asked);
    assert_eq!((&done["state"], &done["solved"]), (&json!("done"), &done["positions"]));
    let all = json(dir.path(), &["plan", "3x3:38f", "--json"])["positions"].as_u64().unwrap();
    assert!(done["positions"].as_u64().unwrap() < all);
    let mut expected = json(dir.path(), &["query", "3x3:38f", "--from", "runs/3x3", "--json"]);
    expected["source"] = json!("book");
    assert_eq!(served.query("3x3:38f"), expected);
}

#[test]
fn what_takes_too_much_is_not_begun() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::new(dir.path(), &["--memory", "1G"]);
    let solve = |position: &str, piece: &str| {
        served.refuses("/api/solves", &json!({ "position": position }), 422, "too_much", piece);
    };
    solve(
        "5x5:0",
        "a solve on demand may take at most 10.0 min; with more lines drawn it is solved here; 'dab plan 5x5:0' says what ",
    );
    // What no shell can solve either has no command.
    for position in ["6x6:0", "7x7:0", "42x1:0"] {
        solve(position, "but at most 64 can be indexed: start from a position with more lines drawn");
        let (_, refused) = served.ask("POST", "/api/solves", &json!({ "position": position }).to_string());
        assert!(!refused.to_string().contains("dab solve"), "{refused}");
    }
    let hasty = Served::new(dir.path(), &["--time", "0"]);
    hasty.refuses("/api/solves", &json!({ "position": "3x4:0" }), 422, "too_much", "may take at most");
}

#[test]
fn what_does_not_fit_in_memory_is_solved_in_files() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::new(dir.path(), &["--memory", "16M"]);
    for position in ["3x4:1f", "3x3:0"] {
        let asked = json!({ "position": position });
        let done = served.solve(&asked);
        assert_eq!((&done["state"], &done["plan"]["memory"]), (&json!("done"), &json!((16 << 20) / 5)), "{done}");
        assert_eq!(served.query(position), json(dir.path(), &["query", position, "--json"]));
    }
}

#[test]
fn games_are_reviewed_as_far_as_they_are_solved() {
    let dir = solved("2x3");
    let served = Served::new(dir.path(), &["--from", "runs/2x3"]);
    let game = "2x3 a1-a2 b1-b2 c1-c2 d1-d2 a1-b1";
    let review = served.post("/api/review", &json!({ "text": game }));
    assert_eq!(review, json(dir.path(), &["review", game, "--from", "runs/2x3", "--json"]));
    let unknown = served.post("/api/review", &json!({ "text": "3x3 a1-a2 b1-b2" }));
    assert_eq!((&unknown["end"]["margin"], &unknown["turns"][1]["cost"]), (&json!(null), &json!(0)));
    served.refuses("/api/review", &json!({ "text": "2x3:0" }), 422, "bad_position", "no game");
}

#[test]
fn other_questions_are_answered_as_by_their_verbs() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x2", "--out", "run"]);
    let served = Served::new(dir.path(), &["--from", "run"]);
    let nimber = served.post("/api/nimber", &json!({ "position": "2x2:3" }));
    assert_eq!(nimber, json(dir.path(), &["nimstring", "2x2:3", "--json"]));
    served.refuses("/api/nimber", &json!({ "position": "5x5:0" }), 422, "too_much", "'dab nimstring 5x5:0'");
    let written = served.post("/api/write", &json!({ "text": "#p=1x2:0&m=0.4", "notation": "dots" }));
    assert_eq!(written, json!({ "notation": "dots", "text": "1. a2-b2 2. a1-a2" }));
    let picture = served.post("/api/write", &json!({ "text": "1x2:3", "notation": "svg" }));
    assert!(picture["text"].as_str().unwrap().starts_with("<svg"), "{picture}");
    let problems = served.ask("GET", "/api/problems", "").1;
    let problem =
        problems.as_array().unwrap().iter().find(|problem| problem["name"] == "12.18, third reading").unwrap();
    assert_eq!((&problem["score"], &problem["best"]), (&json!(3), &json!([47])));
    let suggestion = served.post("/api/opponent", &json!({ "position": "1x3:7f" }));
    assert_eq!((&suggestion["estimate"], &suggestion["is_exact"]), (&json!(3.0), &json!(true)), "{suggestion}");
    let suggestion = served.post("/api/opponent", &json!({ "position": "5x5:0" }));
    assert_eq!(suggestion["is_exact"], json!(false));
    assert!(served.post("/api/opponent", &json!({ "position": "1x1:f" }))["line"].is_null());
    // One box is open to be closed: a greedy player takes it.
    let greedy = served.post("/api/opponent", &json!({ "position": "1x1:7", "player": "greedy", "seed": 3 }));
    assert_eq!(greedy["line"], json!(3), "{greedy}");
    assert_eq!(served.post("/api/read", &json!({ "text": "3^2+4+6l" }))["notation"], json!("compact"));
    let ruled = served.post("/api/advice", &json!({ "position": "3x3:fff" }));
    assert_eq!(
        (&ruled["rule"], ruled.get("score"), ruled["forecast"].as_i64()),
        (&json!("open"), None, Some(-1)),
        "{ruled}"
    );
    let moves = ruled["moves"].as_array().unwrap();
    assert_eq!(
        (moves.len(), &moves[0]["opens"], &moves[0]["controls"]),
        (12, &json!("chain"), &json!(false)),
        "{ruled}"
    );
    assert!(ruled["lines"].as_array().unwrap().contains(&ruled["line"]) && ruled["name"].is_string(), "{ruled}");
    let of_run = served.post("/api/advice", &json!({ "position": "2x2:0" }));
    assert_eq!((&of_run["score"], &of_run["rule"]), (&json!(2), &json!("safe")), "{of_run}");
    assert!(served.post("/api/advice", &json!({ "position": "1x1:f" })).get("line").is_none());
}

#[test]
fn texts_are_read_but_no_files() {
    let dir = tempfile::tempdir().unwrap();
    let file = "coin a\ncoin b\nstring a b\nstring a ground\nstring b ground\n";
    std::fs::write(dir.path().join("kite.txt"), file).unwrap();
    std::fs::write(dir.path().join("other.txt"), file).unwrap();
    std::fs::write(dir.path().join("position.txt"), "1x2:37").unwrap();
    says(dir.path(), &["solve", "graph:kite.txt", "--out", "kite"]);
    let served = Served::new(dir.path(), &["--from", "kite"]);
    let game = served.post("/api/read", &json!({ "text": "abbacbbcad", "board": "1x2" }));
    assert_eq!((&game["notation"], &game["start"]), (&json!("lattice"), &json!("1x2:0")));
    assert_eq!(game["moves"], json!([0, 4, 2, 5, 1]));
    let wilson = served.post("/api/read", &json!({ "text": "-2 16 1 B\n+-+-+\n|A|\n+-+ +" }));
    assert_eq!((&wilson["side"], &wilson["captured"], &wilson["penalty"]), (&json!("B"), &json!([[0], []]), &json!(2)));
    // The graph is the one that was solved; no other file is opened.
    assert_eq!(served.query("graph:kite:0")["source"], "run");
    let (status, board) = served.ask("GET", "/api/board?name=graph:kite", "");
    assert_eq!((status, board["boxes"].as_array().unwrap().len()), (200, 2));
    for text in ["graph:other.txt", "graph:kite.txt:0", "graph:/etc/hostname", "graph:../kite"] {
        served.refuses("/api/query", &json!({ "position": text }), 422, "bad_position", "is not served");
        served.refuses("/api/read", &json!({ "text": text }), 422, "bad_position", "is not served");
    }
    for text in ["@position.txt", "position.txt", "-", "", "3x3:x"] {
        served.refuses("/api/read", &json!({ "text": text }), 422, "bad_position", "");
    }
    served.refuses("/api/query", &json!({ "position": "3x3:0", "penalty": 1000 }), 422, "bad_position", "out of range");
    served.refuses("/api/query", &json!({ "position": "abba", "board": "9y9" }), 422, "bad_position", "9y9");
    assert_eq!(served.ask("GET", "/api/board?name=3x", "").0, 422);
}

#[test]
fn a_file_that_shrinks_while_it_is_served_is_named() {
    let dir = solved("3x3");
    let served = Served::new(dir.path(), &["--from", "runs/3x3"]);
    assert_eq!(served.query("3x3:0")["source"], "run");
    for entry in std::fs::read_dir(dir.path().join("runs/3x3")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "score") {
            std::fs::File::options().write(true).open(path).unwrap().set_len(100).unwrap();
        }
    }
    served.refuses("/api/query", &json!({ "position": "3x3:fff" }), 500, "failed", "runs/3x3/layer-");
    assert_eq!(served.ask("GET", "/api/sources", "").0, 200);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::new(dir.path(), &[]);
    let port = served.address.rsplit(':').next().unwrap();
    fails(dir.path(), &["serve", "--port", port], 3, &[&format!("port {port} of 127.0.0.1"), "--port 0"]);
    fails(dir.path(), &["serve", "--from", "nowhere"], 3, &["nowhere"]);
}

/// A server can be ended as soon as its address is read.
#[cfg(unix)]
#[test]
fn it_ends_as_soon_as_its_address_is_known() {
    let dir = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM", "-HUP"].repeat(10) {
        Served::new(dir.path(), &[]).ends_on(signal);
    }
}

/// However a server is ended, no score file of it stays: neither of a solve that is done nor of one in progress.
#[cfg(unix)]
#[test]
fn ending_it_leaves_no_temporary_files() {
    for signal in ["-INT", "-TERM", "-HUP", "-KILL"] {
        let dir = tempfile::tempdir().unwrap();
        let temporary = dir.path().join("temporary");
        std::fs::create_dir(&temporary).unwrap();
        let n_left = || std::fs::read_dir(&temporary).map_or(0, Iterator::count);
        let served = Served::with_env(dir.path(), &["--memory", "4M"], ("TMPDIR", &temporary));
        assert_eq!(served.solve(&json!({ "position": "3x3:0" }))["state"], "done");
        assert_eq!(served.query("3x3:1")["source"], "solved");
        if signal == "-KILL" {
            drop(served);
        } else {
            served.post("/api/solves", &json!({ "position": "4x4:0" }));
            for wait in 0.. {
                if n_left() > 0 {
                    break;
                }
                assert!(wait < 10_000, "no files of the solve");
                sleep(Duration::from_millis(5));
            }
            served.ends_on(signal);
        }
        assert_eq!(n_left(), 0, "{signal}");
    }
}
