//! A server with an oracle that does what it is told, and requests written by hand.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::{Json, Limits, Oracle, Refusal, Server, Task};
use serde_json::Value;
use serde_json::value::to_raw_value;

/// Echoes questions; some positions stand for trouble.
struct Parrot {
    /// `wait` is answered once something comes through here.
    gate: Mutex<Receiver<()>>,
    /// Questions and plans that wait.
    waiting: Arc<AtomicUsize>,
}

fn json(text: &str) -> Json {
    to_raw_value(text).unwrap()
}

fn refusal(code: &'static str) -> Refusal {
    Refusal { code, error: format!("it is {code}") }
}

/// The one field of every question.
fn position(fields: &str) -> Result<String, Refusal> {
    let fields: BTreeMap<String, Value> = serde_json::from_str(fields).map_err(|_| refusal("bad_json"))?;
    let position = (fields.len() == 1).then(|| fields.get("position")?.as_str()).flatten();
    position.map(str::to_owned).ok_or_else(|| refusal("bad_json"))
}

impl Oracle for Parrot {
    fn answer(&self, question: &str, fields: &str) -> Result<Json, Refusal> {
        if question == "sources" {
            return Ok(json("parrot"));
        }
        if question != "query" {
            return Err(refusal("not_found"));
        }
        match position(fields)?.as_str() {
            "nonsense" => Err(refusal("bad_position")),
            "unsolved" => Err(refusal("not_solved")),
            "broken" => Err(refusal("failed")),
            "panic" => panic!("a fault of the oracle"),
            "wait" => {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                self.gate.lock().unwrap().recv().unwrap();
                self.waiting.fetch_sub(1, Ordering::SeqCst);
                Ok(json("waited"))
            }
            position => Ok(json(position)),
        }
    }

    fn plan(&self, fields: &str, is_gone: &AtomicBool) -> Result<Task, Refusal> {
        let what = position(fields)?;
        if what == "planned for ever" {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            while !is_gone.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Err(refusal("stopped"));
        }
        if what == "huge" {
            return Err(refusal("too_much"));
        }
        let run = move |job: &crate::Job| match what.as_str() {
            "at once" => {
                job.advance(100);
                Ok(())
            }
            "panic" => panic!("a fault of the oracle"),
            "broken" => Err(refusal("failed")),
            _ => {
                job.advance(40);
                while !job.should_stop() {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(refusal("stopped"))
            }
        };
        Ok(Task { plan: json("plan"), positions: 100, run: Box::new(run) })
    }
}

/// A running server.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) gate: Sender<()>,
    waiting: Arc<AtomicUsize>,
}

/// An answer: status, head and body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Its status and the code of its error, which has a message too.
    #[track_caller]
    pub(crate) fn is(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.json()["code"].as_str()), (status, Some(code)), "{}", self.body);
        assert!(self.json()["error"].as_str().is_some_and(|error| error.len() > 5), "{}", self.body);
    }
}

/// Limits that tests can reach.
pub(crate) fn limits() -> Limits {
    Limits { body_bytes: 1000, batch: 3, patience: Duration::from_millis(300), ..Limits::default() }
}

impl Served {
    pub(crate) fn with(limits: Limits) -> Self {
        Self::run(Server::bind(0, limits).unwrap())
    }

    /// One that the pages of `origin` may ask, too.
    pub(crate) fn allowing(origin: &str) -> Self {
        let mut server = Server::bind(0, limits()).unwrap();
        server.allow(origin).unwrap();
        Self::run(server)
    }

    fn run(server: Server) -> Self {
        let (gate, receiver) = channel();
        let (address, waiting) = (server.address(), Arc::default());
        let parrot = Parrot { gate: Mutex::new(receiver), waiting: Arc::clone(&waiting) };
        thread::spawn(move || server.run(Arc::new(parrot)));
        Self { address, gate, waiting }
    }

    /// Questions and plans that wait now.
    pub(crate) fn n_waiting(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }

    /// Sends a request with a body and does not wait for the answer.
    pub(crate) fn begin(&self, path: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", self.address);
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).unwrap()
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(crate) fn send(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // It may be closed before everything is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        parse(&self.send(format!("{request}\r\n{body}").as_bytes()))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], body)
    }

    /// It is still there and answers.
    #[track_caller]
    pub(crate) fn is_well(&self) {
        let answer = self.get("/api/query?position=hello");
        assert_eq!((answer.status, answer.body.as_str()), (200, "\"hello\""));
    }
}

pub(crate) fn parse(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}
