//! The explorer page and its JSON API, for this machine only.
//!
//! ```text
//!    browser ─► server ─► guard ─► router ─► Oracle  positions and scores
//!               127.0.0.1  Host     │
//!                          Origin   ├─► page    files that are part of the program
//!                                   └─► solves  longer work, each a job that is watched and stopped
//! ```
//! This crate speaks HTTP and knows no game: it carries questions, as JSON, to an [`Oracle`] and answers back. `docs/API.md`
//! describes them.
#![forbid(unsafe_code)]

mod body;
mod guard;
mod job;
mod limits;
mod oracle;
mod page;
mod problem;
mod router;
mod server;
mod service;
mod solves;

pub use job::Job;
pub use limits::Limits;
pub use oracle::{Oracle, Task};
pub use problem::{Json, Refusal};
pub use server::{End, Server};

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
