//! The bytes of files: the last layers of a solve are solved in files that are removed, and tell those of the others.

use std::path::Path;
use std::time::Duration;

use dab_solve::Observer;
use dab_solve::plan::{LayerPlan, Work};
use dab_space::{Layer, SpaceKind};
use dab_store::ScoreRead;
use serde::Serialize;

use super::{place_beside, place_error};
use crate::{Error, Planned, Solve};

/// The part of the positions whose layers tell the bytes of the others within 10 % (`benches/records/forecasts.tsv`).
const LEAST_PART: f64 = 0.08;
/// The part of the positions beyond which further layers tell nothing new.
const MOST_PART: f64 = 0.3;

/// The layers that told the bytes of the others.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MeasuredFiles {
    /// The first of the layers that were written.
    pub from: usize,
    /// Their part of the positions.
    pub part: f64,
    /// Bytes of all layers by the shape of the board.
    pub foretold: u128,
}

/// Solves and never says how far it is.
struct Unheard<'a>(&'a dyn Observer);

impl Observer for Unheard<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

impl Planned<'_> {
    /// Solves as many of the last layers as `time` suffices for, with files beside `dir`, and plans with the bytes that they take.
    /// `None` if these are too few to tell anything; the plan stays as it is. The full space has one density on all boards, so there is
    /// nothing to learn.
    ///
    /// # Errors
    /// If memory does not suffice, files cannot be written, or the observer stops it.
    pub fn measure_files(
        &mut self,
        dir: &Path,
        time: Duration,
        observer: &dyn Observer,
    ) -> Result<Option<MeasuredFiles>, Error> {
        let Some(measured) = self.last_layers(time).filter(|_| self.options.space == SpaceKind::Quiet) else {
            return Ok(None);
        };
        let stop = Unheard(observer);
        let last = Solve { down_to: measured.from, check: 0, observer: &stop, ..self.options.clone() }.plan()?;
        last.check_memory()?;
        let place = place_beside(dir)?;
        let indexed = last.index()?;
        let run = indexed.create_run(&place.run())?.listing_late(Layer(measured.from));
        indexed.solve(&run, indexed.budget)?;
        self.plan.learn_bytes(|layer| Some(run.finished(layer)?.bytes));
        drop(run);
        place.close().map_err(place_error)?;
        Ok(Some(measured))
    }

    /// The layers that can be solved within `time`, if they are enough.
    fn last_layers(&self, time: Duration) -> Option<MeasuredFiles> {
        let Work { position, slab, begin, .. } = self.plan.work();
        let (all, foretold) = (self.plan.positions() as f64, self.plan.bytes());
        let (mut seconds, mut positions, mut layers) = (begin, 0.0, Vec::new());
        for &LayerPlan { layer, slabs, positions: of_layer, .. } in self.plan.layers.iter().rev() {
            seconds += of_layer as f64 * position + slabs as f64 * slab;
            positions += of_layer as f64;
            if seconds > time.as_secs_f64() * self.options.limits.threads as f64 || positions > MOST_PART * all {
                break;
            }
            layers.push(MeasuredFiles { from: layer, part: positions / all, foretold });
        }
        layers.pop().filter(|measured| measured.part >= LEAST_PART)
    }
}
