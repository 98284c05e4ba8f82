//! `dab plan`: what a solve would take.

mod nodes;

use std::fmt::{self, Display};

use dab_solve::PeakMemory;
use dab_solve::cost::plan::Plan;
use dab_space::{Layout, Space, Units};
use serde::Serialize;

use crate::options::{PlanOptions, Setting};
use crate::output::{Bytes, Count, Time};

/// Slabs and configurations of the largest index that is made for a plan: that takes a minute at most.
const MOST_REPLAYED: (usize, u64) = (1 << 21, 1 << 22);

#[derive(Serialize)]
struct Report {
    position: String,
    space: String,
    dir: String,
    positions: u128,
    slabs: usize,
    bytes: u128,
    /// Bytes on disk at most while solving.
    peak_bytes: u128,
    /// Bytes of memory at most.
    memory: u64,
    /// Whether that is a guess from the number of positions.
    memory_is_guess: bool,
    least_memory: u64,
    threads: usize,
    seconds: f64,
    layers: Vec<Layer>,
    #[serde(skip)]
    plan: Plan,
}

#[derive(Serialize)]
struct Layer {
    layer: usize,
    slabs: usize,
    positions: u128,
    largest_slab: u64,
    bytes: u128,
}

pub(crate) fn run(PlanOptions { run: options, cluster }: &PlanOptions, setting: &Setting) -> anyhow::Result<()> {
    if let Some(cluster) = cluster {
        return nodes::run(options, cluster, setting);
    }
    let layout = Layout::new(Units::new(options.start.clone(), options.kind)?)?;
    let plan = Plan::new(&layout);
    // What solves of these boards hold at a time is never less than that.
    let is_bound = plan.positions() / 5 * 2 > setting.memory.into();
    let is_large = plan.slabs() > MOST_REPLAYED.0 || plan.configurations > MOST_REPLAYED.1;
    let live = if is_bound || is_large { None } else { Some(PeakMemory::new(&Space::of(layout))) };
    let layer = |layer: &dab_solve::cost::plan::LayerPlan| Layer {
        layer: layer.layer,
        slabs: layer.slabs,
        positions: layer.positions,
        largest_slab: layer.largest_slab,
        bytes: layer.bytes,
    };
    setting.output.print(&Report {
        position: options.start.to_string(),
        space: options.kind.to_string(),
        dir: options.dir.display().to_string(),
        positions: plan.positions(),
        slabs: plan.slabs(),
        bytes: plan.bytes(),
        peak_bytes: plan.peak_bytes(options.keep),
        memory: plan.memory(setting.threads, setting.memory, live),
        memory_is_guess: live.is_none() && !is_bound,
        least_memory: plan.least_memory(setting.threads),
        threads: setting.threads,
        seconds: plan.time(setting.threads).as_secs_f64(),
        layers: plan.layers.iter().map(layer).collect(),
        plan,
    })
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, cells: [&dyn Display; 5]| {
            let [layer, slabs, positions, largest, bytes] = cells;
            writeln!(f, "{layer:>5}  {slabs:>10}  {positions:>26}  {largest:>15}  {bytes:>10}")
        };
        writeln!(f, "{}, {} space, in {}", self.position, self.space, self.dir)?;
        row(f, [&"layer", &"slabs", &"positions", &"largest slab", &"on disk"])?;
        for layer in &self.layers {
            let largest = Count(layer.largest_slab.into());
            let (slabs, positions) = (Count(layer.slabs as u128), Count(layer.positions));
            row(f, [&layer.layer, &slabs, &positions, &largest, &Bytes(layer.bytes)])?;
        }
        let (slabs, largest) = (Count(self.slabs as u128), Count(self.plan.largest_slab().into()));
        row(f, [&"all", &slabs, &Count(self.positions), &largest, &Bytes(self.bytes)])?;
        if self.peak_bytes < self.bytes {
            writeln!(f, "disk     {} at most, with the layers that are kept", Bytes(self.peak_bytes))?;
        }
        let least = Bytes(self.least_memory.into());
        let about = if self.memory_is_guess { "about " } else { "" };
        writeln!(f, "memory   {about}{}; --memory has to allow {least}", Bytes(self.memory.into()))?;
        write!(f, "time     about {} with {} threads", Time(self.plan.time(self.threads)), self.threads)
    }
}
