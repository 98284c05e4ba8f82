//! `dab plan --nodes`: what a solve on many machines would take.

use std::fmt::{self, Display};
use std::time::Duration;

use dab_solve::cost::cluster::{LayerLoad, Load, Machines, threads_that_fit};
use dab_solve::cost::plan::Plan;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{Cluster, RunOptions, Setting};
use crate::output::{Bytes, Count, Time};

#[derive(Serialize)]
struct Report {
    position: String,
    nodes: usize,
    processes: usize,
    cores: usize,
    /// Threads of a node that its memory allows.
    threads: usize,
    memory: u64,
    /// Whether the graph of slabs was replayed; else inputs are estimated.
    simulated: bool,
    seconds: f64,
    /// What any number of nodes would take.
    critical_seconds: f64,
    positions: u128,
    bytes: u128,
    peak_bytes: u128,
    bytes_read: u128,
    bytes_written: u128,
    limit: String,
    layers: Vec<Layer>,
}

#[derive(Serialize)]
struct Layer {
    layer: usize,
    positions: u128,
    bytes: u128,
    inputs: u64,
    fetched: u64,
    bytes_read: u128,
    bytes_written: u128,
    seconds: f64,
    longest_piece_seconds: f64,
    limit: &'static str,
}

impl From<&LayerLoad> for Layer {
    fn from(load: &LayerLoad) -> Self {
        Self {
            layer: load.layer,
            positions: load.positions,
            bytes: load.bytes,
            inputs: load.inputs,
            fetched: load.fetched,
            bytes_read: load.bytes_read,
            bytes_written: load.bytes_written,
            seconds: load.seconds,
            longest_piece_seconds: load.longest,
            limit: load.limit(),
        }
    }
}

pub(super) fn run(options: &RunOptions, cluster: &Cluster, setting: &Setting) -> anyhow::Result<()> {
    let planned = options.solve(setting).plan()?;
    let plan = planned.plan();
    let memory = setting.memory;
    let threads = threads_that_fit(plan, cluster.cores, memory);
    if threads == 0 {
        let least = Bytes(plan.least_memory(1).into());
        return Err(
            Usage(format!("a node needs at least {least} of memory for one thread: use a larger --memory")).into()
        );
    }
    let Cluster { nodes, processes, cores, network, disk, simulate: replays } = *cluster;
    let machines = Machines { nodes, processes, threads: cores, memory, network, disk };
    let load = planned.on_machines(machines, replays)?;
    setting.output.print(&report(options, plan, cluster, memory, &load))
}

fn report(options: &RunOptions, plan: &Plan, cluster: &Cluster, memory: u64, load: &Load) -> Report {
    let sum = |of: fn(&LayerLoad) -> u128| load.layers.iter().map(of).sum::<u128>();
    // What limits most of the time.
    let mut time: Vec<(&str, f64)> = Vec::new();
    for layer in &load.layers {
        match time.iter_mut().find(|(limit, _)| *limit == layer.limit()) {
            Some((_, seconds)) => *seconds += layer.seconds,
            None => time.push((layer.limit(), layer.seconds)),
        }
    }
    time.sort_by(|a, b| b.1.total_cmp(&a.1));
    let limits = time.iter().map(|(limit, seconds)| format!("{limit} {:.0} %", 100.0 * seconds / load.seconds));
    Report {
        position: options.start.to_string(),
        nodes: cluster.nodes,
        processes: cluster.processes,
        cores: cluster.cores,
        threads: load.threads,
        memory,
        simulated: cluster.simulate,
        seconds: load.seconds,
        critical_seconds: load.critical,
        positions: sum(|layer| layer.positions),
        bytes: sum(|layer| layer.bytes),
        // Slab files of the layer that is solved and of the one that is put together.
        peak_bytes: plan.peak_bytes(options.keep) + 2 * plan.layers.iter().map(|layer| layer.bytes).max().unwrap_or(0),
        bytes_read: sum(|layer| layer.bytes_read),
        bytes_written: sum(|layer| layer.bytes_written),
        limit: limits.collect::<Vec<_>>().join(", "),
        layers: load.layers.iter().map(Layer::from).collect(),
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |seconds: f64| Time(Duration::from_secs_f64(seconds)).to_string();
        let Self { position, nodes, processes, cores, threads, .. } = self;
        let memory = Bytes(self.memory.into());
        writeln!(f, "{position} on {nodes} nodes of {cores} cores and {memory}, processes on each {processes}")?;
        writeln!(
            f,
            "layer                   positions     on disk       inputs      fetched        read     written        time  limit"
        )?;
        for layer in &self.layers {
            let Layer { layer: number, positions, bytes, inputs, fetched, bytes_read, bytes_written, .. } = layer;
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
            if self.simulated { "of the real graph of slabs" } else { "inside the halves only; --simulate has all" }
        )?;
        writeln!(f, "threads  {threads} of {cores} on a node, as many as its memory allows")?;
        writeln!(
            f,
            "traffic  {} read, {} written as slab files, {} put together",
            Bytes(self.bytes_read),
            Bytes(self.bytes_written),
            Bytes(self.bytes)
        )?;
        writeln!(f, "disk     {} at most", Bytes(self.peak_bytes))?;
        writeln!(f, "path     {} with any number of nodes", time(self.critical_seconds))?;
        writeln!(f, "limit    {}", self.limit)?;
        write!(f, "time     about {}", time(self.seconds))
    }
}
