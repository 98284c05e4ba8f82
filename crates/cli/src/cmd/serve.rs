//! `dab serve`: boards in the browser, and the same answers as JSON.
//!
//! `dab-serve` speaks HTTP; [`oracle`] answers from a [`dab::Library`].

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use dab_serve::{Limits, Server};
use serde::Serialize;

use crate::options::Setting;

use self::oracle::Served;

mod oracle;

#[derive(Serialize)]
struct Listening {
    address: String,
}

pub(crate) fn run(from: &[PathBuf], port: u16, setting: &Setting) -> anyhow::Result<()> {
    let limits = Limits::default();
    let library = Served::open(from, setting, limits)?;
    let server = Server::bind(port, limits).with_context(|| {
        format!("cannot listen on port {} of 127.0.0.1; use another --port, or --port 0 for any", port)
    })?;
    let listening = Listening { address: format!("http://{}/", server.address()) };
    setting.output.print(&listening, |listening, f| f.write_str(&listening.address))?;
    Ok(server.run(Arc::new(library))?)
}
