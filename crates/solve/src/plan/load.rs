//! The machines of a solve, and what they do: time and traffic by layer.

use dab_space::{Layer, Layout};
use serde::Serialize;

use super::estimate::Plan;

/// The machines of a solve: nodes that share a directory, a process on each, or one machine with its disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machines {
    /// Number of nodes.
    pub nodes: usize,
    /// Threads of a node, of which as many solve as its memory allows.
    pub threads: usize,
    /// Bytes of memory of a node.
    pub memory: u64,
    /// Bytes a second between a node and the directory.
    pub network: f64,
    /// Bytes a second that the disks of the directory take or give in all.
    pub disk: f64,
}

impl Machines {
    /// One machine, whose disk reads or writes `disk` bytes a second.
    pub fn one(threads: usize, memory: u64, disk: f64) -> Self {
        Self { nodes: 1, threads, memory, network: f64::INFINITY, disk }
    }
}

/// Time and traffic of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LayerLoad {
    /// The layer.
    pub layer: usize,
    /// Its positions.
    pub positions: u128,
    /// Bytes of its files.
    pub bytes: u128,
    /// Slabs that its slabs read, each counted for every reader.
    pub inputs: u64,
    /// Part of `inputs`: slabs that a process has to read from the directory, and to decode.
    pub fetched: u64,
    /// Bytes that processes read from the directory.
    pub bytes_read: u128,
    /// Seconds in which it is solved.
    pub seconds: f64,
    /// Seconds of a thread for the slab that takes longest.
    #[serde(rename = "longest_slab_seconds")]
    pub longest: f64,
    /// The resource that decides how long it takes.
    pub limit: &'static str,
}

impl LayerLoad {
    /// A layer of a planned solve, before anything is done.
    pub(super) fn new(plan: &Plan, layout: &Layout, layer: Layer) -> Self {
        let positions = layout.layer_positions(layer.0);
        let bytes = plan.density().bytes(layer, positions, layout.layers()[layer.0].len());
        Self { layer: layer.0, positions, bytes, ..Self::default() }
    }
}

/// Time and traffic of a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Every layer that is solved, ascending.
    pub layers: Vec<LayerLoad>,
    /// Threads of a node that its memory allows.
    pub threads: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds that any number of nodes would take: the longest slab of every layer, one after the other.
    pub critical: f64,
    /// The part of the time of all threads in which they wait.
    pub idle: f64,
}

/// Threads of a node that fit its memory, at most as many as it has cores.
pub fn threads_that_fit(plan: &Plan, cores: usize, memory: u64) -> usize {
    (1..=cores).rev().find(|&threads| plan.least_memory(threads) <= memory).unwrap_or(0)
}
