//! The cost of a solve before it runs, as JSON has it: positions, disk, memory and time, on one machine or on many.
//!
//! Positions are exact; everything else is estimated ([`dab_solve::cost`]).

use std::path::Path;

use dab_board::Position;
use dab_solve::PeakMemory;
use dab_solve::cost::cluster::{LayerLoad, Load, Machines, threads_that_fit};
use dab_solve::cost::plan::{LayerPlan, Plan};
use dab_space::{Layout, Space, SpaceKind, Units};
use dab_store::makes_holes;
use serde::Serialize;

use crate::text::as_text;
use crate::{Error, Planned};

/// Slabs and configurations of the largest index that is made for a plan: that takes a few seconds.
const MOST_REPLAYED: (usize, u64) = (1 << 18, 1 << 21);

/// The cost of a solve on one machine.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// The start.
    #[serde(serialize_with = "as_text")]
    pub position: Position,
    /// Its space.
    #[serde(serialize_with = "as_text")]
    pub space: SpaceKind,
    /// The directory of the run.
    pub dir: String,
    /// Stored positions.
    pub positions: u128,
    /// Slabs.
    pub slabs: usize,
    /// Bytes of all layers on disk.
    pub bytes: u128,
    /// Bytes on disk at most while solving.
    pub peak_bytes: u128,
    /// The least bytes of disk that have to be allowed.
    pub least_disk: u128,
    /// Bytes of memory at most.
    pub memory: u64,
    /// Whether `memory` is guessed from the number of positions.
    pub memory_is_guess: bool,
    /// The least bytes of memory that have to be allowed.
    pub least_memory: u64,
    /// Threads.
    pub threads: usize,
    /// Time.
    pub seconds: f64,
    /// The layers from 0 on.
    pub layers: Vec<LayerForecast>,
}

/// A layer of a solve.
#[derive(Clone, Debug, Serialize)]
pub struct LayerForecast {
    /// Its number.
    pub layer: usize,
    /// Its slabs.
    pub slabs: usize,
    /// Its positions.
    pub positions: u128,
    /// Positions of its largest slab.
    pub largest_slab: u64,
    /// Bytes of its file.
    pub bytes: u128,
}

/// The memory and threads of a machine, and the run that is to be solved on it.
#[derive(Clone, Copy, Debug)]
pub struct OneMachine<'a> {
    /// Threads.
    pub threads: usize,
    /// Bytes of memory allowed.
    pub memory: u64,
    /// The last layer that is kept.
    pub keep: usize,
    /// The directory of the run.
    pub dir: &'a Path,
}

impl Forecast {
    /// Works it out for the solve of every position that `start` can lead to.
    ///
    /// # Errors
    /// If there are more units than can be indexed.
    pub fn new(start: &Position, space: SpaceKind, machine: OneMachine<'_>) -> Result<Self, Error> {
        let OneMachine { threads, memory, keep, dir } = machine;
        let layout = Layout::new(Units::new(start.clone(), space)?)?;
        let plan = Plan::new(&layout);
        // Solves of these boards never hold less than that at a time.
        let is_bound = plan.positions() / 5 * 2 > memory.into();
        let is_large = plan.slabs() > MOST_REPLAYED.0 || plan.configurations > MOST_REPLAYED.1;
        let keeps_all = keep.saturating_add(1) >= plan.layers.len();
        let replayed = !(is_large || is_bound && keeps_all);
        let (peak, disk) = replayed.then(|| PeakMemory::and_disk(&Space::of(layout))).unzip();
        let disk = disk.filter(|_| !keeps_all && makes_holes(dir));
        let peak = peak.filter(|_| !is_bound);
        Ok(Self {
            position: start.clone(),
            space,
            dir: dir.display().to_string(),
            positions: plan.positions(),
            slabs: plan.slabs(),
            bytes: plan.bytes(),
            peak_bytes: disk.as_ref().map_or_else(|| plan.peak_bytes(keep), |disk| disk.bytes(keep).into()),
            least_disk: disk.as_ref().map_or_else(|| plan.least_disk(keep), |disk| disk.least_disk(keep)),
            memory: plan.memory(threads, memory, peak),
            memory_is_guess: peak.is_none() && !is_bound,
            least_memory: plan.least_memory(threads),
            threads,
            seconds: plan.time(threads).as_secs_f64(),
            layers: plan.layers.iter().map(LayerForecast::from).collect(),
        })
    }
}

impl From<&LayerPlan> for LayerForecast {
    fn from(plan: &LayerPlan) -> Self {
        let &LayerPlan { layer, slabs, positions, largest_slab, bytes, .. } = plan;
        Self { layer, slabs, positions, largest_slab, bytes }
    }
}

/// The cost of a solve on many machines that share a directory.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterForecast {
    /// The start.
    pub position: String,
    /// Machines.
    pub nodes: usize,
    /// Processes on each.
    pub processes: usize,
    /// Cores of each.
    pub cores: usize,
    /// Threads of a node that its memory allows.
    pub threads: usize,
    /// Bytes of memory of each.
    pub memory: u64,
    /// Whether the graph of slabs was replayed; else inputs are estimated.
    pub simulated: bool,
    /// Time.
    pub seconds: f64,
    /// Time with any number of nodes.
    pub critical_seconds: f64,
    /// Stored positions.
    pub positions: u128,
    /// Bytes of all layers on disk.
    pub bytes: u128,
    /// Bytes on disk at most while solving.
    pub peak_bytes: u128,
    /// Bytes that all nodes read.
    pub bytes_read: u128,
    /// Bytes that all nodes write as slab files.
    pub bytes_written: u128,
    /// The resources that limit the solve, each with its share of the time, the largest first.
    pub limit: String,
    /// The layers in the order in which they are solved.
    pub layers: Vec<LayerOnNodes>,
}

/// A layer of a solve on many machines.
#[derive(Clone, Debug, Serialize)]
pub struct LayerOnNodes {
    /// Its number.
    pub layer: usize,
    /// Its positions.
    pub positions: u128,
    /// Bytes of its file.
    pub bytes: u128,
    /// Slabs that its slabs read.
    pub inputs: u64,
    /// Slabs that nodes fetch for that.
    pub fetched: u64,
    /// Bytes that nodes read.
    pub bytes_read: u128,
    /// Bytes that nodes write.
    pub bytes_written: u128,
    /// Time.
    pub seconds: f64,
    /// Time of its longest piece of work.
    pub longest_piece_seconds: f64,
    /// The resource that limits it.
    pub limit: &'static str,
}

impl ClusterForecast {
    /// Works it out for a planned solve that keeps the layers up to `keep`; `replay` goes through the real graph of slabs.
    /// `None` if the memory of a machine is too small for one thread.
    ///
    /// # Errors
    /// If the penalty does not fit.
    pub fn new(planned: &Planned<'_>, machines: Machines, keep: usize, replay: bool) -> Result<Option<Self>, Error> {
        let plan = planned.plan();
        if threads_that_fit(plan, machines.threads, machines.memory) == 0 {
            return Ok(None);
        }
        let load = planned.on_machines(machines, replay)?;
        let sum = |of: fn(&LayerLoad) -> u128| load.layers.iter().map(of).sum::<u128>();
        Ok(Some(Self {
            position: planned.layout().units().start().to_string(),
            nodes: machines.nodes,
            processes: machines.processes,
            cores: machines.threads,
            threads: load.threads,
            memory: machines.memory,
            simulated: replay,
            seconds: load.seconds,
            critical_seconds: load.critical,
            positions: sum(|layer| layer.positions),
            bytes: sum(|layer| layer.bytes),
            // Slab files of the layer that is solved and of the one that is put together.
            peak_bytes: plan.peak_bytes(keep) + 2 * plan.layers.iter().map(|layer| layer.bytes).max().unwrap_or(0),
            bytes_read: sum(|layer| layer.bytes_read),
            bytes_written: sum(|layer| layer.bytes_written),
            limit: limits(&load),
            layers: load.layers.iter().map(LayerOnNodes::from).collect(),
        }))
    }
}

/// The resources that limit layers, each with its share of the time.
fn limits(load: &Load) -> String {
    let mut time: Vec<(&str, f64)> = Vec::new();
    for layer in &load.layers {
        match time.iter_mut().find(|(limit, _)| *limit == layer.limit()) {
            Some((_, seconds)) => *seconds += layer.seconds,
            None => time.push((layer.limit(), layer.seconds)),
        }
    }
    time.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |(limit, seconds): &(&str, f64)| format!("{limit} {:.0} %", 100.0 * seconds / load.seconds);
    time.iter().map(share).collect::<Vec<_>>().join(", ")
}

impl From<&LayerLoad> for LayerOnNodes {
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
