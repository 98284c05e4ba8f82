//! `dab serve`: boards in the browser, and the same answers as JSON.
//!
//! `dab-serve` speaks HTTP, [`Explorer`] answers; this file joins the two and adds the remedies.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dab::{Error, Explorer, Library};
use dab_serve::{Job, Json, Limits, Oracle, Refusal, Server, Task};
use dab_solve::Observer;
use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::failure::{self, Result, usage};
use crate::interrupt;
use crate::options::Setting;

#[derive(Serialize)]
struct Listening {
    address: String,
}

pub(crate) fn run(
    from: &[PathBuf],
    port: u16,
    limit: Duration,
    allowed: Option<&str>,
    setting: &Setting,
) -> Result<()> {
    let limits = Limits { solve_time: limit, ..Limits::default() };
    // A fifth of the memory each is for the decoded slabs of runs and books, for tables solved on demand, for the one plan,
    // and for each of two solves, beyond which scores are in temporary files.
    let share = dab::Limits { memory: setting.memory / 5, ..setting.limits() };
    let mut library = Library::new(share);
    from.iter().try_for_each(|path| library.open(path))?;
    library.add_shipped_books()?;
    let on_demand = dab::Limits { time: limits.solve_time, planning: limits.planning, ..share };
    let mut server = Server::bind(port, limits).map_err(Error::io(format!(
        "cannot listen on port {port} of 127.0.0.1; use another --port, or --port 0 for any"
    )))?;
    allowed
        .map(|origin| server.allow(origin))
        .transpose()
        .map_err(|error| usage(format!("--allow-origin: {error}")))?;
    let end = server.end();
    // The address invites to end the server, and a signal while handlers are set up can be lost.
    interrupt::listen_waiting(move || end.now())?;
    let listening = Listening { address: format!("http://{}/", server.address()) };
    setting.output.print_as(&listening, |listening, f| f.write_str(&listening.address))?;
    Ok(server.run(Arc::new(Served(Explorer::new(library, on_demand).into())))?)
}

/// The explorer as the server asks it.
struct Served(Arc<Explorer>);

impl Oracle for Served {
    fn answer(&self, question: &str, fields: &str) -> Result<Json, Refusal> {
        self.0.answer(question, fields).map_err(refusal)
    }

    fn plan(&self, fields: &str, is_gone: &AtomicBool) -> Result<Task, Refusal> {
        let task = self.0.plan(fields, is_gone).map_err(refusal)?;
        let positions = task.cost.positions.min(u64::MAX.into()) as u64;
        let plan = to_raw_value(&task.cost).map_err(|error| Refusal { code: "failed", error: error.to_string() })?;
        let explorer = Arc::clone(&self.0);
        Ok(Task { plan, positions, run: Box::new(move |job| explorer.solve(task, &Watched(job)).map_err(refusal)) })
    }
}

/// A solve that a client follows.
struct Watched<'a>(&'a Job);

impl Observer for Watched<'_> {
    fn positions(&self, n: u64) {
        self.0.advance(n);
    }

    fn should_stop(&self) -> bool {
        self.0.should_stop() || interrupt::is_asked()
    }
}

/// An error with its remedy.
fn refusal(error: Error) -> Refusal {
    Refusal { code: Explorer::code(&error), error: failure::text(&error) }
}
