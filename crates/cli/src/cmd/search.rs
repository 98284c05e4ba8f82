//! `dab search`: scores of positions, each by a search.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dab::text::Asked;
use dab::{Effort, Error, ErrorKind, available_memory};
use dab_board::Score;
use dab_search::{Found, Search, Watch};
use dab_space::Rules;
use serde::Serialize;

use super::batch;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::{Bytes, Count, Time, json_line, with_penalty};
use crate::progress::Heartbeat;
use crate::{args, input, interrupt};

#[derive(Serialize)]
struct Report {
    position: String,
    penalty: i8,
    /// Absent if the search was ended before.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    /// Bounds of the score that were proven.
    low: Score,
    high: Score,
    /// Positions whose moves were looked at.
    nodes: u64,
    /// Bytes of the table of positions.
    bytes: u64,
    seconds: f64,
}

/// Ends a search in time, and keeps the bounds for who wants to see them meanwhile.
struct Watched {
    begin: Instant,
    time: Option<Duration>,
    proven: Arc<Mutex<String>>,
}

impl Watch for Watched {
    fn bounds(&self, low: Score, high: Score, _: u64) {
        *self.proven.lock().unwrap_or_else(PoisonError::into_inner) = between(low, high);
    }

    fn should_stop(&self) -> bool {
        interrupt::is_asked() || self.time.is_some_and(|time| self.begin.elapsed() >= time)
    }
}

pub(crate) fn run(args: &args::Search, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&args.batch);
    interrupt::listen()?;
    let searches = Searches { args, setting: &setting, last: Mutex::default() };
    if let Some(text) = &args.position {
        let report = searches.find(&(&input::game(text, args.told.get(), args.penalty)?).into())?;
        setting.output.print_as(&report, said)?;
        report.check()?;
    }
    let parser = batch::Parser::new(None, args.told.get());
    batch::run(&args.batch, |line, effort, out| {
        let asked = parser.parse(line)?;
        Rules::for_start(&asked.position, asked.penalty_or(args.penalty)?)?;
        // Each search takes all threads.
        if effort == Effort::Quick {
            return Ok(false);
        }
        let report = searches.find(&asked)?;
        report.check()?;
        json_line(&report, out)?;
        Ok(true)
    })
}

/// Searches one after the other.
struct Searches<'a> {
    args: &'a args::Search,
    setting: &'a Setting,
    /// The last one with its penalty. Its table serves the next positions, too.
    last: Mutex<Option<(i8, Search)>>,
}

impl Searches<'_> {
    fn find(&self, asked: &Asked) -> Result<Report> {
        let Self { args, setting, last } = self;
        let (position, penalty) = (&asked.position, asked.penalty_or(args.penalty)? as i8);
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let search = match last.take_if(|(other, _)| *other == penalty) {
            Some((_, search)) => search,
            None => {
                *last = None;
                new_search(penalty, setting.threads, setting.memory)?
            }
        };
        let proven = Arc::<Mutex<String>>::default();
        let watch = Watched { begin: Instant::now(), time: args.time, proven: Arc::clone(&proven) };
        let name = position.to_string();
        let heartbeat =
            Heartbeat::new(move || format!("{name}: score {}", proven.lock().unwrap_or_else(PoisonError::into_inner)));
        let found = search.find(position, setting.threads, &watch);
        drop(heartbeat);
        let seconds = watch.begin.elapsed().as_secs_f64();
        if search.is_cut_short() {
            let bytes = Bytes(search.table_bytes().into());
            setting.output.note(format!("no more memory was to be had: the table stayed at {bytes}"));
        }
        let Found { low, high, nodes } = found;
        let (position, score, bytes) = (position.to_string(), found.score(), search.table_bytes());
        *last = Some((penalty, search));
        Ok(Report { position, penalty, score, low, high, nodes, bytes, seconds })
    }
}

impl Report {
    /// Checks that no signal ended the search.
    fn check(&self) -> Result<()> {
        match self.score.is_none() && interrupt::is_asked() {
            true => Err(Error::new(
                ErrorKind::Interrupted,
                "stopped; the bounds are proven, but nothing is kept of a search",
            )),
            false => Ok(()),
        }
    }
}

/// Searches with a bound of memory, which must not be more than there is.
pub(crate) fn new_search(penalty: i8, n_threads: usize, memory: u64) -> Result<Search> {
    let free = available_memory();
    if memory > free {
        let [allowed, free] = [memory, free].map(|bytes| Bytes(bytes.into()));
        return Err(usage(format!(
            "a search may take {allowed} of memory, but {free} are free; use a smaller --memory"
        )));
    }
    Ok(Search::new(penalty, n_threads, memory)?)
}

/// Bounds in words.
fn between(low: Score, high: Score) -> String {
    format!("at least {low} and at most {high}")
}

fn said(report: &Report, f: &mut String) -> fmt::Result {
    let &Report { penalty, score, low, high, nodes, bytes, seconds, .. } = report;
    let score = score.map_or_else(|| between(low, high), |score| score.to_string());
    writeln!(f, "{}{}: score {score}", report.position, with_penalty(penalty))?;
    let (nodes, bytes) = (Count(nodes.into()), Bytes(bytes.into()));
    write!(f, "searched {nodes} positions in {}, with a table of {bytes}", Time(Duration::from_secs_f64(seconds)))
}
