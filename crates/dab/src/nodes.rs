//! The forecast of a solve on many machines.

use dab_solve::cost::cluster::{Costs, Load, Machines, simulate};
use dab_solve::kernel::Isa;
use dab_solve::kernel::rows::RowKernel;
use dab_solve::schedule::reads::Reads;
use dab_space::{Half, Layout, PerHalf, Rules, SlabId, SlabKey, Space};

use crate::Error;
use crate::solve::Planned;

impl Planned<'_> {
    /// The load of machines that solve this together. With `replay` the schedule runs on the graph of slabs, for which
    /// every position is listed; else only reads inside the halves are counted.
    ///
    /// # Errors
    /// If the penalty does not fit.
    pub fn on_machines(&self, machines: Machines, replay: bool) -> Result<Load, Error> {
        let layout = self.layout();
        if !replay {
            return Ok(simulate(layout, machines, Costs::MEASURED, |key| neighbours(layout, key)));
        }
        let space = Space::of(layout.clone());
        let kernel = RowKernel::new(&space, Rules::new(&space, self.penalty())?, Isa::best());
        let reads = Reads::new(space.layout(), &kernel);
        Ok(simulate(space.layout(), machines, Costs::MEASURED, |key| reads.of(key)))
    }
}

/// The stored slabs that safe moves inside a half lead to.
fn neighbours(layout: &Layout, key: SlabKey) -> Vec<SlabId> {
    let PerHalf([upper, lower]) = key.filled;
    let targets = [SlabKey::new(key.waist, upper + 1, lower), SlabKey::new(key.waist, upper, lower + 1)];
    let sizes = layout.partition().sizes;
    let is_there = |target: &&SlabKey| {
        usize::from(target.filled[Half::Upper]) <= sizes.upper
            && usize::from(target.filled[Half::Lower]) <= sizes.lower
            && layout.positions(**target) > 0
    };
    let id = |&target: &SlabKey| layout.id(layout.least(target).0);
    targets.iter().filter(is_there).map(id).collect()
}
