//! The cost of a solve before it runs, as JSON has it: positions, disk, memory and time, on one machine or on many.
//!
//! Positions are exact; everything else is estimated ([`dab_solve::plan`]).
#![allow(missing_docs, reason = "a field without words is as its name says")]

use std::path::Path;
use std::time::Duration;

use dab_board::Position;
use dab_solve::plan::load::{LayerLoad, Load, Machines, threads_that_fit};
use dab_solve::plan::{DryRun, LayerPlan};
use dab_space::SpaceKind;
use dab_store::makes_holes;
use serde::Serialize;

use crate::text::as_text;
use crate::{Error, Limits, Planned, Solve};

/// The cost of a solve on one machine.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    #[serde(serialize_with = "as_text")]
    pub position: Position,
    #[serde(serialize_with = "as_text")]
    pub space: SpaceKind,
    pub dir: String,
    pub positions: u128,
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
    pub threads: usize,
    pub seconds: f64,
    /// Scores that are decoded for each position, because memory is short; unknown unless the solve is run dry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decodes_per_position: Option<f64>,
    /// The layers that are solved, ascending.
    pub layers: Vec<LayerPlan>,
}

impl Forecast {
    /// Works it out for a planned solve into the directory `dir`. The solve is run dry if that takes no more memory than the
    /// solve may use; else its memory is guessed, and its time as if all slabs fitted in memory.
    ///
    /// # Errors
    /// If it takes too long, or the observer stops it.
    pub fn new(planned: &Planned<'_>, dir: &Path) -> Result<Self, Error> {
        let (plan, options) = (&planned.plan, &planned.options);
        let &Solve { keep, limits: Limits { threads, memory, .. }, .. } = options;
        // Solves of these boards never hold less than that at a time.
        let is_bound = plan.positions() / 5 * 2 > memory.into();
        // A plan that may take any time is worth a dry run.
        let may_run_dry = planned.may_run_dry() || options.limits.planning == Duration::MAX;
        let dry = match may_run_dry && plan.least_memory(threads) <= memory {
            true => Some(planned.dry_run(planned.machine())?),
            false => None,
        };
        let drops_layers = keep.saturating_add(1) < plan.layers.len() && makes_holes(dir);
        let disk = dry.as_ref().map(|dry| &dry.disk).filter(|_| drops_layers);
        let seconds = dry.as_ref().map_or_else(|| plan.time(threads).as_secs_f64(), |dry| dry.load.seconds);
        Ok(Self {
            position: options.start.clone(),
            space: options.space,
            dir: dir.display().to_string(),
            positions: plan.positions(),
            slabs: plan.slabs(),
            bytes: plan.bytes(),
            peak_bytes: disk.map_or_else(|| plan.peak_bytes(keep), |disk| disk.bytes(keep).into()),
            least_disk: disk.map_or_else(|| plan.least_disk(keep), |disk| disk.least_disk(keep)),
            memory: plan.memory(threads, memory, dry.as_ref()),
            memory_is_guess: dry.is_none() && !is_bound,
            least_memory: plan.least_memory(threads),
            threads,
            seconds,
            decodes_per_position: dry.as_ref().map(|dry| dry.decoded as f64 / plan.positions() as f64),
            layers: plan.layers.clone(),
        })
    }
}

/// The cost of a solve on many machines that share a directory.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterForecast {
    pub position: String,
    pub nodes: usize,
    pub cores: usize,
    /// Threads of a node that its memory allows.
    pub threads: usize,
    /// Bytes of memory of each.
    pub memory: u64,
    pub seconds: f64,
    /// Time with any number of nodes, roughly.
    pub critical_seconds: f64,
    /// The part of the time of all threads in which they wait.
    pub idle: f64,
    pub positions: u128,
    /// Bytes of all layers on disk.
    pub bytes: u128,
    /// Bytes on disk at most while solving.
    pub peak_bytes: u128,
    /// Bytes that all nodes read.
    pub bytes_read: u128,
    /// The resources that limit the solve, each with its share of the time, the largest first.
    pub limit: String,
    /// The layers in the order in which they are solved.
    pub layers: Vec<LayerLoad>,
}

impl ClusterForecast {
    /// Runs a planned solve dry. `None` if the memory of a machine is too small for one thread.
    ///
    /// # Errors
    /// If it takes more memory or time than planning may take.
    pub fn new(planned: &Planned<'_>, machines: Machines) -> Result<Option<Self>, Error> {
        let (plan, options) = (&planned.plan, &planned.options);
        if threads_that_fit(plan, machines.threads, machines.memory) == 0 {
            return Ok(None);
        }
        let DryRun { load, disk, .. } = planned.dry_run(machines)?;
        let sum = |of: fn(&LayerLoad) -> u128| load.layers.iter().map(of).sum::<u128>();
        Ok(Some(Self {
            position: options.start.to_string(),
            nodes: machines.nodes,
            cores: machines.threads,
            threads: load.threads,
            memory: machines.memory,
            seconds: load.seconds,
            critical_seconds: load.critical,
            idle: load.idle,
            positions: sum(|layer| layer.positions),
            bytes: sum(|layer| layer.bytes),
            peak_bytes: disk.bytes(options.keep).into(),
            bytes_read: sum(|layer| layer.bytes_read),
            limit: limits(&load),
            layers: load.layers,
        }))
    }
}

/// The resources that limit layers, each with its share of the time.
fn limits(load: &Load) -> String {
    let mut time: Vec<(&str, f64)> = Vec::new();
    for layer in &load.layers {
        match time.iter_mut().find(|(limit, _)| *limit == layer.limit) {
            Some((_, seconds)) => *seconds += layer.seconds,
            None => time.push((layer.limit, layer.seconds)),
        }
    }
    time.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |(limit, seconds): &(&str, f64)| format!("{limit} {:.0} %", 100.0 * seconds / load.seconds);
    time.iter().map(share).collect::<Vec<_>>().join(", ")
}
