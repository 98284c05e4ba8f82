//! `dab plan`: time, memory and disk of a solve, on this machine or on many.

use std::fmt::{self, Display, Write};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use dab::{ClusterForecast, Forecast};
use dab_solve::plan::load::{LayerLoad, Machines};
use serde::Serialize;

use crate::args::Plan;
use crate::failure::{Result, usage};
use crate::options::{RunOptions, Setting};
use crate::output::{Bytes, Count, Time, plural};

mod costs;

pub(crate) fn run(plan: Plan, setting: &Setting) -> Result<()> {
    let Plan { run, nodes, cores, bandwidth, disk_bandwidth, measure, costs } = plan;
    if bandwidth == 0 || disk_bandwidth == Some(0) {
        let error = "nothing can be read or written at 0 bytes a second: use a larger bandwidth";
        return Err(usage(error));
    }
    let mut run = RunOptions::try_from(run)?;
    let is_here = nodes.is_none() && cores.is_none();
    if !is_here || measure.is_some() {
        // Whoever asks for it waits for it.
        run.solve.limits.planning = Duration::MAX;
    }
    let mut planned = run.plan(setting)?;
    let measured = costs::measured(&mut planned, &run.dir, measure, costs.as_deref(), setting)?;
    if measure.is_none() && planned.is_guessed() {
        let note = "the bytes follow from the shape of the board, which tells little where lines are drawn: 'dab plan --measure 1' tells them better";
        setting.output.note(note.to_owned());
    }
    if is_here {
        let forecast = Measured { of: Forecast::new(&planned, &run.dir)?, measured };
        return setting.output.print_as(&forecast, |forecast, f| forecast.text(f, text));
    }
    let nodes = nodes.map_or(1, NonZeroUsize::get);
    let threads = cores.or(available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let disk = disk_bandwidth.map_or(bandwidth as f64 * nodes as f64, |disk| disk as f64);
    // A machine on its own has its disk.
    let network = if nodes == 1 { disk } else { bandwidth as f64 };
    let machines = Machines { nodes, threads, memory: setting.memory, network, disk };
    let Some(forecast) = ClusterForecast::new(&planned, machines)? else {
        let least = Bytes(planned.plan.least_memory(1).into());
        let error = format!("a node needs at least {least} of memory for one thread: use a larger --memory");
        return Err(usage(error));
    };
    setting.output.print_as(&Measured { of: forecast, measured }, |forecast, f| forecast.text(f, text_on_nodes))
}

/// A forecast, and the measurements that it rests on, if there are any.
#[derive(Serialize)]
struct Measured<T> {
    #[serde(flatten)]
    of: T,
    #[serde(flatten)]
    measured: Option<costs::Measured>,
}

impl<T> Measured<T> {
    fn text(&self, f: &mut String, text: fn(&T, &mut String) -> fmt::Result) -> fmt::Result {
        text(&self.of, f)?;
        self.measured.as_ref().map_or(Ok(()), |measured| measured.text(f))
    }
}

/// The layers of a solve on one machine, and all of it.
fn text(forecast: &Forecast, f: &mut String) -> fmt::Result {
    let row = |f: &mut String, cells: [&dyn Display; 5]| {
        let [layer, slabs, positions, largest, bytes] = cells;
        writeln!(f, "{layer:>5}  {slabs:>10}  {positions:>26}  {largest:>15}  {bytes:>10}")
    };
    let largest_slab = forecast.layers.iter().map(|layer| layer.largest_slab).max().unwrap_or(0);
    writeln!(f, "{}, {} space, in {}", forecast.position, forecast.space, forecast.dir)?;
    row(f, [&"layer", &"slabs", &"positions", &"largest slab", &"on disk"])?;
    for layer in &forecast.layers {
        let largest = Count(layer.largest_slab.into());
        let (slabs, positions) = (Count(layer.slabs as u128), Count(layer.positions));
        row(f, [&layer.layer, &slabs, &positions, &largest, &Bytes(layer.bytes)])?;
    }
    let (slabs, largest) = (Count(forecast.slabs as u128), Count(largest_slab.into()));
    row(f, [&"all", &slabs, &Count(forecast.positions), &largest, &Bytes(forecast.bytes)])?;
    if forecast.peak_bytes < forecast.bytes {
        let least = Bytes(forecast.least_disk);
        writeln!(f, "disk     {} at most; --disk has to allow {least}", Bytes(forecast.peak_bytes))?;
    }
    let least = Bytes(forecast.least_memory.into());
    let about = if forecast.memory_is_guess { "about " } else { "" };
    writeln!(f, "memory   {about}{}; --memory has to allow {least}", Bytes(forecast.memory.into()))?;
    write!(
        f,
        "time     about {} with {}",
        Time(Duration::from_secs_f64(forecast.seconds)),
        plural(forecast.threads as u64, "thread")
    )
}

/// The layers of a solve on many machines, and all of it.
fn text_on_nodes(forecast: &ClusterForecast, f: &mut String) -> fmt::Result {
    let time = |seconds: f64| Time(Duration::from_secs_f64(seconds)).to_string();
    let ClusterForecast { position, nodes, cores, threads, .. } = forecast;
    let memory = Bytes(forecast.memory.into());
    let [nodes, cores] = [(*nodes, "node"), (*cores, "core")].map(|(n, thing)| plural(n as u64, thing));
    writeln!(f, "{position} on {nodes} of {cores} and {memory}")?;
    writeln!(
        f,
        "layer                   positions     on disk       inputs      fetched        read     written        time  limit"
    )?;
    for layer in &forecast.layers {
        let LayerLoad { layer: number, positions, bytes, inputs, fetched, bytes_read, .. } = layer;
        writeln!(
            f,
            "{number:>5}  {:>26}  {:>10}  {:>11}  {:>11}  {:>10}  {:>10}  {}",
            Count(*positions),
            Bytes(*bytes),
            Count((*inputs).into()),
            Count((*fetched).into()),
            Bytes(*bytes_read),
            time(layer.seconds),
            layer.limit
        )?;
    }
    writeln!(f, "threads  {threads} of {cores} on a node, as many as its memory allows")?;
    writeln!(f, "traffic  {} read, {} written", Bytes(forecast.bytes_read), Bytes(forecast.bytes))?;
    writeln!(f, "disk     {} at most", Bytes(forecast.peak_bytes))?;
    writeln!(f, "path     {} with any number of nodes", time(forecast.critical_seconds))?;
    writeln!(f, "limit    {}", forecast.limit)?;
    writeln!(f, "idle     {:.0} % of the threads", 100.0 * forecast.idle)?;
    write!(f, "time     about {}", time(forecast.seconds))
}
