//! The module as JavaScript sees it.
//!
//! ```text
//!    JavaScript                        module
//!    begin(threads, bytes)        ─►   comes first, and once
//!    at = input(byte length)      ─►   room for a text
//!    write a name, '\n', the rest at `at`
//!    length = ask()               ─►   name: the question, rest: its fields    or  add_book()
//!    read `length` bytes at output()
//!                                 ◄─   now(), solved(positions), failed(text)
//! ```
//! The texts are UTF-8; the rest of a book is its bytes. A panic ends the module: its memory is not to be used any more.

// The names of exported functions and the declarations of imported ones are unsafe; nothing else here is.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dab::Observer;

use crate::Site;

#[derive(Default)]
struct Module {
    site: Site,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// So many positions are solved by now.
    safe fn solved(positions: f64);
    /// The program is about to end with this message of `byte_len` bytes.
    safe fn failed(message: *const u8, byte_len: usize);
}

/// Counts positions for the page.
struct Counter(AtomicU64);

impl Observer for Counter {
    fn positions(&self, n: u64) {
        solved((self.0.fetch_add(n, Ordering::Relaxed) + n) as f64);
    }
}

/// Comes first, and once: solves take so many threads and bytes of memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin(threads: usize, memory: usize) {
    MODULE.with_borrow_mut(|module| module.site = Site::new(threads, memory as u64));
    dab::space::set_clock(|| Duration::from_secs_f64(now() / 1000.0));
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        failed(message.as_ptr(), message.len());
    }));
}

/// Memory for the next input, of `byte_len` bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(byte_len: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.input = vec![0; byte_len];
        module.input.as_mut_ptr()
    })
}

/// The last output.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    MODULE.with_borrow(|module| module.output.as_ptr())
}

/// Adds the book that is the input, its name before it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn add_book() {
    MODULE.with_borrow_mut(|module| {
        let input = std::mem::take(&mut module.input);
        let (name, bytes) = parts(&input);
        module.site.add_book(name, bytes);
    });
}

/// Answers the question that is the input; returns the number of bytes of the output.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ask() -> usize {
    MODULE.with_borrow_mut(|module| {
        let input = std::mem::take(&mut module.input);
        let (question, fields) = parts(&input);
        let fields = str::from_utf8(fields).unwrap_or_default();
        module.output = module.site.ask(question, fields, &Counter(AtomicU64::new(0)));
        module.output.len()
    })
}

/// The first line, and the bytes behind it.
fn parts(input: &[u8]) -> (&str, &[u8]) {
    let at = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    (str::from_utf8(&input[..at]).unwrap_or_default(), input.get(at + 1..).unwrap_or_default())
}
