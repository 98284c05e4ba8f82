//! The explorer as a module of WebAssembly: the page asks it in the browser as it asks `dab serve` over HTTP.
//!
//! ```text
//!    page ─► ask.js ─► helper.js ─► worker.js ─► abi ─► Site ─► dab::Explorer
//! ```
//! The module has no files, and threads only where the page may share memory with workers. Books come as bytes, solved scores stay in memory. Only `abi` and
//! `threads`, which exist in the module alone, know that JavaScript is on the other side.
#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod abi;
mod site;
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
mod threads;

pub use site::Site;

#[cfg(test)]
#[path = "../tests/site.rs"]
mod tests;
