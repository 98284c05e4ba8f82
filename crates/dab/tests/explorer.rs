//! Questions of the explorer: what they refuse, and answers that no other program gives.

use crate::endgame::Position as Multiset;
use crate::theory::Endgame;
use crate::{Explorer, Library, Limits, Position};
use serde_json::{Value, json};

fn explorer() -> Explorer {
    let limits = Limits::new(1, 1 << 26);
    Explorer::new(Library::new(limits), limits)
}

/// The answer to a question with these fields.
#[track_caller]
fn answer(question: &str, fields: &Value) -> Value {
    let answer = explorer().answer(question, &fields.to_string()).unwrap_or_else(|error| panic!("{fields}: {error}"));
    serde_json::from_str(answer.get()).unwrap()
}

#[track_caller]
fn fails(fields: &str, text: &str) {
    let error = explorer().answer("query", fields).unwrap_err();
    assert_eq!((Explorer::code(&error), error.to_string().as_str()), ("bad_json", text));
}

#[test]
fn errors_name_the_field_and_its_place() {
    fails("{\"position\":7}", "position: invalid type: integer `7`, expected a string at line 1 column 13");
    fails(
        "{\"position\":\"a\",\n\"penalty\":1.5}",
        "penalty: invalid type: floating point `1.5`, expected i32 at line 2 column 14",
    );
    fails("{\"position\":\"a\",\"penalty\":\"x\"}", "penalty: x: invalid digit found in string at line 1 column 30");
    fails("{}", "missing field `position` at line 1 column 2");
    fails(
        "{\"position\":\"a\",\"x\":1}",
        "x: unknown field `x`, expected one of `position`, `board`, `penalty`, `details` at line 1 column 19",
    );
}

#[test]
fn numbers_may_be_texts() {
    let of = |penalty: Value| answer("opponent", &json!({ "position": "1x2:0", "penalty": penalty }));
    assert_eq!(of(json!("2")), of(json!(2)));
    assert_eq!(of(json!("2"))["penalty"], 2);
    assert_eq!(of(Value::Null)["penalty"], 0);
}

#[test]
fn positions_are_the_endgames_that_were_written() {
    for (text, expect) in [
        ("3^2+4+6l", "3^2+4+6l"),
        ("3²+4+6ℓ", "3^2+4+6l"),
        ("4l^3", "4l^3"),
        ("3", "3"),
        ("5+8l+3", "3+5+8l"),
        ("3,4", "3+4"),
        ("3 4", "3+4"),
        ("3+4", "3+4"),
    ] {
        let read = answer("read", &json!({ "text": text }));
        let position: Position = read["start"].as_str().unwrap().parse().unwrap();
        let endgame = Endgame::after_captures(&position).unwrap();
        assert_eq!(endgame.multiset, expect.parse::<Multiset>().unwrap(), "{position}");
    }
    for text in ["0", "", "abc", "100"] {
        assert!(explorer().answer("read", &json!({ "text": text }).to_string()).is_err(), "{text}");
    }
}

/// Each line is told with the boxes that it closes, gives away and opens, and with who will be in control.
#[test]
fn outlooks_of_lines() {
    let outlooks = |position: &str| answer("advice", &json!({ "position": position }))["moves"].take();
    // Three chains of three: opening one gives control away.
    let chains = outlooks("3x3:fff");
    assert_eq!(chains.as_array().unwrap().len(), 12);
    for line in chains.as_array().unwrap() {
        let found =
            ["closes", "capturable", "opens", "controls", "long_chains", "loops"].map(|field| line[field].clone());
        assert_eq!(json!(found), json!([0, 3, "chain", false, 2, 0]), "{line}");
    }
    // A box that is closed leaves the move.
    assert!(outlooks("1x2:15").as_array().unwrap().iter().any(|line| line["closes"].as_u64() > Some(0)));
    // The last box of all can only be taken.
    let last = outlooks("1x1:7");
    assert_eq!((&last[0]["closes"], &last[0]["capturable"], &last[0]["opens"]), (&json!(1), &json!(0), &Value::Null));
    assert_eq!(last.as_array().unwrap().len(), 1);
}
