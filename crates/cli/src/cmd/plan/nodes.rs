//! `dab plan --nodes`: what a solve on many machines would take.

use std::fmt::{self, Display};
use std::time::Duration;

use dab::forecast::{ClusterForecast, LayerOnNodes};
use dab_solve::cost::cluster::Machines;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{RunOptions, Setting};
use crate::output::{Bytes, Count, Time};

#[derive(Serialize)]
#[serde(transparent)]
struct Report(ClusterForecast);

pub(super) fn run(options: &RunOptions, machines: Machines, simulate: bool, setting: &Setting) -> anyhow::Result<()> {
    let planned = options.solve(setting).plan()?;
    let machines = Machines { memory: setting.memory, ..machines };
    let Some(forecast) = ClusterForecast::new(&planned, machines, options.keep, simulate)? else {
        let least = Bytes(planned.plan().least_memory(1).into());
        return Err(
            Usage(format!("a node needs at least {least} of memory for one thread: use a larger --memory")).into()
        );
    };
    setting.output.print(&Report(forecast))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |seconds: f64| Time(Duration::from_secs_f64(seconds)).to_string();
        let Self(forecast) = self;
        let ClusterForecast { position, nodes, processes, cores, threads, .. } = forecast;
        let memory = Bytes(forecast.memory.into());
        writeln!(f, "{position} on {nodes} nodes of {cores} cores and {memory}, processes on each {processes}")?;
        writeln!(
            f,
            "layer                   positions     on disk       inputs      fetched        read     written        time  limit"
        )?;
        for layer in &forecast.layers {
            let LayerOnNodes { layer: number, positions, bytes, inputs, fetched, bytes_read, bytes_written, .. } =
                layer;
            writeln!(
                f,
                "{number:>5}  {:>26}  {:>10}  {:>11}  {:>11}  {:>10}  {:>10}  {:>10}  {}",
                Count(*positions),
                Bytes(*bytes),
                Count((*inputs).into()),
                Count((*fetched).into()),
                Bytes(*bytes_read),
                Bytes(*bytes_written),
                time(layer.seconds),
                layer.limit
            )?;
        }
        writeln!(
            f,
            "inputs   {}",
            if forecast.simulated {
                "of the real graph of slabs"
            } else {
                "inside the halves only; --simulate has all"
            }
        )?;
        writeln!(f, "threads  {threads} of {cores} on a node, as many as its memory allows")?;
        writeln!(
            f,
            "traffic  {} read, {} written as slab files, {} put together",
            Bytes(forecast.bytes_read),
            Bytes(forecast.bytes_written),
            Bytes(forecast.bytes)
        )?;
        writeln!(f, "disk     {} at most", Bytes(forecast.peak_bytes))?;
        writeln!(f, "path     {} with any number of nodes", time(forecast.critical_seconds))?;
        writeln!(f, "limit    {}", forecast.limit)?;
        write!(f, "time     about {}", time(forecast.seconds))
    }
}
