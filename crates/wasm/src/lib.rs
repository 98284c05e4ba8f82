//! The explorer as a module of WebAssembly: the page asks it in the browser as it asks `dab serve` over HTTP.
//!
//! ```text
//!    page ─► ask.js ─► helper.js ─► worker.js ─► abi ─► Site ─► dab::explorer
//! ```
//! The module has one thread and no files. Books come as bytes, solved scores stay in memory. Only `abi`, which exists in the
//! module alone, knows that JavaScript is on the other side.
#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod abi;
mod site;

pub use site::Site;
