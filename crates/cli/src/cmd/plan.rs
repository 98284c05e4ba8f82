//! `dab plan`: what a solve would take.

mod nodes;

use std::fmt::{self, Display};
use std::time::Duration;

use dab::forecast::{Forecast, OneMachine};
use serde::Serialize;

use crate::options::{PlanOptions, Setting};
use crate::output::{Bytes, Count, Time};

#[derive(Serialize)]
#[serde(transparent)]
struct Report(Forecast);

pub(crate) fn run(PlanOptions { run: options, cluster }: &PlanOptions, setting: &Setting) -> anyhow::Result<()> {
    if let &Some((machines, simulate)) = cluster {
        return nodes::run(options, machines, simulate, setting);
    }
    let &Setting { threads, memory, .. } = setting;
    let machine = OneMachine { threads, memory, keep: options.keep, dir: &options.dir };
    setting.output.print(&Report(Forecast::new(&options.start, options.kind, machine)?))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, cells: [&dyn Display; 5]| {
            let [layer, slabs, positions, largest, bytes] = cells;
            writeln!(f, "{layer:>5}  {slabs:>10}  {positions:>26}  {largest:>15}  {bytes:>10}")
        };
        let Self(forecast) = self;
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
            "time     about {} with {} threads",
            Time(Duration::from_secs_f64(forecast.seconds)),
            forecast.threads
        )
    }
}
