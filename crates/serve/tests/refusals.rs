//! Requests that are malformed, too large, too slow or from elsewhere are refused, and the server goes on.

use super::common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::Limits;
use common::{Served, limits, parse};

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn only_this_machine_by_its_own_names() {
    let served = Served::with(limits());
    assert!(served.address.ip().is_loopback());
    let port = served.address.port();
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LocalHost:{port}")] {
        assert_eq!(served.ask("GET", "/api/sources", &[("Host", &host)], "").status, 200);
    }
    let foreign = ["rebound.example", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.example", "[::1]", ""];
    for host in foreign.map(str::to_owned).into_iter().chain([format!("rebound.example:{port}")]) {
        for path in ["/", "/main.js", "/api/sources"] {
            served.ask("GET", path, &[("Host", &host)], "").is(421, "foreign_host");
        }
    }
    // As through a tunnel from another port.
    let tunnel = served.ask("GET", "/", &[("Host", "localhost:1")], "").json();
    assert!(tunnel["error"].as_str().unwrap().ends_with(&format!("ssh -L {port}:127.0.0.1:{port} HOST")), "{tunnel}");
    let two = format!("GET / HTTP/1.1\r\nConnection: close\r\nHost: localhost:{port}\r\nHost: b.example\r\n\r\n");
    parse(&served.send(two.as_bytes())).is(421, "foreign_host");
    parse(&served.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).is(421, "foreign_host");
    served.is_well();
}

#[test]
fn pages_of_other_sites_are_kept_out() {
    let served = Served::with(limits());
    let own = format!("http://{}", served.address);
    let ask = |headers: &[(&str, &str)]| served.ask("GET", "/api/sources", headers, "");
    assert_eq!(ask(&[("Origin", &own)]).status, 200);
    assert_eq!(ask(&[("Sec-Fetch-Site", "same-origin")]).status, 200);
    assert_eq!(ask(&[("Sec-Fetch-Site", "none")]).status, 200);
    for origin in ["http://site.example", "null", "http://127.0.0.1", "https://localhost", ""] {
        ask(&[("Origin", origin)]).is(403, "foreign_origin");
    }
    for site in ["cross-site", "same-site", ""] {
        ask(&[("Sec-Fetch-Site", site)]).is(403, "foreign_origin");
    }
    // A form of another site can send text, but not JSON.
    served.ask("POST", "/api/query", &[("Content-Type", "text/plain")], "{\"position\":\"a\"}").is(415, "not_json");
    served.ask("POST", "/api/query", &[], "{\"position\":\"a\"}").is(415, "not_json");
    // Links from elsewhere lead to the page.
    assert_eq!(served.ask("GET", "/", &[("Sec-Fetch-Site", "cross-site")], "").status, 200);
    // Each of several fields counts, not the first one alone.
    ask(&[("Origin", &own), ("Origin", "http://site.example")]).is(403, "foreign_origin");
    ask(&[("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")]).is(403, "foreign_origin");
    let answer = ask(&[]);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
    assert!(answer.head.contains("content-security-policy: default-src 'none'"), "{}", answer.head);
}

#[test]
fn pages_of_one_site_may_ask() {
    let notes = "https://notes.example";
    let served = Served::allowing(notes);
    let ask = |method, origin| {
        served.ask(method, "/api/sources", &[("Origin", origin), ("Sec-Fetch-Site", "cross-site")], "")
    };
    let answer = ask("GET", notes);
    assert_eq!(answer.status, 200);
    for line in ["access-control-allow-origin: https://notes.example", "frame-ancestors https://notes.example"] {
        assert!(answer.head.contains(line), "{}", answer.head);
    }
    // Browsers ask before they send JSON.
    let before = ask("OPTIONS", notes);
    assert_eq!(before.status, 204);
    assert!(before.head.contains("access-control-allow-headers: content-type"), "{}", before.head);
    for origin in ["https://site.example", "https://notes.example.site", "null"] {
        ask("GET", origin).is(403, "foreign_origin");
    }
    for origin in ["notes.example", "https://", "https://notes.example/page", "https://notes.example; x"] {
        assert!(crate::Server::bind(0, limits()).unwrap().allow(origin).is_err(), "{origin}");
    }
}

#[test]
fn malformed_questions_have_an_error_as_json() {
    let served = Served::with(limits());
    for body in [
        "",
        "{",
        "[]",
        "null",
        "7",
        "\u{0}",
        "{\"position\":7}",
        "{\"positions\":[1]}",
        "{\"position\":\"a\",\"positions\":[]}",
    ] {
        served.post("/api/query", body).is(400, "bad_json");
    }
    served.post("/api/query", "{\"position\":\"a\",\"x\":1}").is(400, "bad_json");
    served.get("/api/query").is(400, "bad_request");
    served.get("/api/query?position=a&penalty=x").is(400, "bad_request");
    served.get("/api/nothing?position=a").is(404, "not_found");
    served.ask("PUT", "/api/query", &[JSON], "{}").is(405, "wrong_method");
    served.ask("DELETE", "/", &[], "").is(405, "wrong_method");
    served.get("/api/solves/1").is(404, "not_found");
    served.get("/api/solves/-1").is(404, "not_found");
    served.ask("DELETE", "/api/solves/x", &[], "").is(404, "not_found");
    for garbage in [&b"\0\0\0\0\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", &[0xff; 4096]] {
        let answer = served.send(garbage);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    served.is_well();
}

#[test]
fn nothing_but_the_page_is_read() {
    let served = Served::with(limits());
    assert!(served.get("/").body.contains("<html"));
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/page/index.html",
        "/main.js/../../Cargo.toml",
        "/api/../../Cargo.toml",
        "/api",
        "/api/",
    ] {
        served.get(path).is(404, "not_found");
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    let served = Served::with(limits());
    let large = format!("{{\"position\":\"{}\"}}", "a".repeat(2000));
    served.post("/api/query", &large).is(413, "too_large");
    // In pieces, without a length.
    let pieces = format!(
        "POST /api/query HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
        served.address,
        large.len()
    );
    parse(&served.send(pieces.as_bytes())).is(413, "too_large");
    served.post("/api/query", "{\"positions\":[\"a\",\"b\",\"c\",\"d\"]}").is(413, "too_large");
    // As announced; nobody waits for the body.
    let announced = format!(
        "POST /api/query HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1001\r\n\r\n{{",
        served.address
    );
    parse(&served.send(announced.as_bytes())).is(413, "too_large");
    for byte_len in [limits().head_bytes, limits().head_bytes + 20_000] {
        let answer = served.ask("GET", "/api/query?position=a", &[("Cookie", &"a".repeat(byte_len))], "");
        assert_eq!(answer.status, 431, "{}", answer.head);
    }
    assert_eq!(served.ask("GET", "/api/query?position=a", &[("Cookie", &"a".repeat(30_000))], "").status, 200);
    let long_path = format!("/api/query?position={}", "a".repeat(100_000));
    let answer = served.send(format!("GET {long_path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.address).as_bytes());
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    served.is_well();
}

#[test]
fn who_is_too_slow_is_left() {
    let served = Served::with(limits());
    // All of them end, although nobody sends the rest.
    let head = format!("POST /api/query HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", served.address);
    let begun = format!("{head}Content-Length: 100\r\n\r\n{{\"position\"");
    let mut streams = Vec::new();
    for text in ["", "G", &head, &begun] {
        let mut stream = served.connect();
        stream.write_all(text.as_bytes()).unwrap();
        streams.push(stream);
    }
    served.is_well();
    let answers = streams.into_iter().map(|mut stream| {
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    });
    let answers: Vec<String> = answers.collect();
    parse(&answers[3]).is(408, "too_slow");
    served.is_well();
}

#[test]
fn who_reads_nothing_is_left() {
    // One connection at a time: nobody else is served as long as it is open.
    let served = Served::with(Limits { connections: 1, ..limits() });
    let request = format!("GET /main.js HTTP/1.1\r\nHost: {}\r\n\r\n", served.address).repeat(300_000);
    let mut stream = served.connect();
    stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
    // The server stops reading as soon as it cannot write, and then closes the connection.
    assert!(stream.write_all(request.as_bytes()).is_err());
    let mut other = served.connect();
    other.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let question = format!("GET /api/sources HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.address);
    other.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    other.read_to_string(&mut answer).unwrap();
    assert_eq!(parse(&answer).status, 200);
}

#[test]
fn no_connection_lives_for_ever() {
    let served = Served::with(Limits { lifetime: Duration::from_millis(500), ..limits() });
    let mut stream = served.connect();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let request = format!("GET /api/query?position=a HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    // Never idle, never slow.
    let is_served = |stream: &mut TcpStream| {
        let mut answer = [0; 4096];
        stream.write_all(request.as_bytes()).is_ok() && stream.read(&mut answer).is_ok_and(|n_read| n_read > 0)
    };
    let n_served =
        (0..6_000).take_while(|_| is_served(&mut stream)).inspect(|_| sleep(Duration::from_millis(10))).count();
    assert!((1..6_000).contains(&n_served), "{n_served}");
    served.is_well();
}

#[test]
fn errors_of_the_oracle_have_a_status() {
    let served = Served::with(limits());
    let ask = |position: &str| served.post("/api/query", &format!("{{\"position\":\"{position}\"}}"));
    ask("nonsense").is(422, "bad_position");
    ask("unsolved").is(409, "not_solved");
    ask("broken").is(500, "failed");
    ask("panic").is(500, "failed");
    served.post("/api/plan", "{\"position\":\"huge\"}").is(422, "too_much");
    served.post("/api/solves", "{\"position\":\"huge\"}").is(422, "too_much");
    let batch = served.post("/api/query", "{\"positions\":[\"a\",\"nonsense\",\"b\"]}").json();
    let answers = batch["answers"].as_array().unwrap();
    assert_eq!((answers[0].as_str(), answers[2].as_str()), (Some("a"), Some("b")));
    assert_eq!(answers[1]["code"], "bad_position");
    served.is_well();
}
