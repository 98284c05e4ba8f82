//! Questions of the page with any fields: each is answered or refused.
#![no_main]

use std::sync::LazyLock;

use dab::Explorer;
use libfuzzer_sys::fuzz_target;

static EXPLORER: LazyLock<Explorer> = LazyLock::new(|| {
    let limits = dab::Limits { memory: 64 << 20, ..dab::Limits::default() };
    Explorer::new(dab::Library::new(limits), limits)
});

/// Those that answer at once; the opponent thinks for half a second, nimbers for some.
const QUESTIONS: [&str; 5] = ["board", "query", "read", "review", "write"];

fuzz_target!(|input: (u8, &str)| {
    let (question, fields) = input;
    match EXPLORER.answer(QUESTIONS[usize::from(question) % QUESTIONS.len()], fields) {
        Ok(answer) => assert!(serde_json::from_str::<serde_json::Value>(answer.get()).is_ok()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
