//! The costs of the parts of a solve: fitted to recorded solves, or to slabs that were timed on this machine.
//!
//! ```text
//!    a slab of p positions under a waist of w units takes   slab + p * (position + waist_unit * min(w, 7))
//!    an index of c configurations takes                     c * w * configuration
//! ```
//! Sources of a fit are drawn in two ways: slabs drawn by their positions say how long a position takes, and tiny slabs drawn from all
//! slabs say how long a slab takes.

use dab_isa::Isa;
use serde::{Deserialize, Serialize};

use crate::constants::{
    BY_VECTOR_BYTES, NS_PER_CONFIGURATION, NS_PER_DECODE, NS_PER_POSITION, NS_PER_SLAB, NS_PER_WAIST_UNIT,
};

/// Slabs of fewer positions tell what a slab costs that has hardly any.
const TINY: u64 = 1 << 10;
/// Bytes of the vectors of the recorded solves.
const WIDEST: usize = 64;
/// The weight of the recorded solves in a fit, in samples: they decide what the samples leave open.
const PRIOR: f64 = 0.5;

/// Nanoseconds of a core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Costs {
    /// To solve a position and write it to a file, moves at the waist left out.
    pub position: f64,
    /// For the moves of a position at the waist, for each of its units up to a number of them.
    pub waist_unit: f64,
    /// For a slab of any size.
    pub slab: f64,
    /// For the lists and tables of a configuration and a unit of the waist.
    pub configuration: f64,
    /// To decode a score.
    pub decode: f64,
}

/// A slab that was timed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Its positions.
    pub positions: u64,
    /// Nanoseconds to find the slabs that it reads, to solve it from them and to write it.
    pub solve: f64,
    /// Nanoseconds to decode it.
    pub decode: f64,
}

/// The samples of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The start, as text.
    pub position: String,
    /// Threads that worked side by side.
    pub threads: usize,
    /// Units of the waist.
    pub waist_units: usize,
    /// Configurations of the index.
    pub configurations: u64,
    /// Nanoseconds of a core for its lists and tables.
    pub begin: f64,
    /// Slabs drawn by their positions.
    pub large: Vec<Sample>,
    /// Slabs drawn from all slabs.
    pub any: Vec<Sample>,
}

impl Measurement {
    /// Whether all numbers are such as a measurement gives.
    pub fn is_sound(&self) -> bool {
        let is_time = |nanos: f64| nanos.is_finite() && nanos >= 0.0;
        let is_sound = |sample: &Sample| sample.positions > 0 && is_time(sample.solve) && is_time(sample.decode);
        is_time(self.begin) && !self.large.is_empty() && self.large.iter().chain(&self.any).all(is_sound)
    }

    /// Nanoseconds of a position of the slabs drawn by positions: the mean over the positions of the board.
    pub fn position(&self) -> f64 {
        self.large.iter().map(|sample| sample.solve / sample.positions as f64).sum::<f64>() / self.large.len() as f64
    }

    /// What `costs` expect for that mean.
    pub fn foretold(&self, costs: &Costs) -> f64 {
        let of = |sample: &Sample| costs.slab / sample.positions as f64 + costs.position_at(self.waist_units);
        self.large.iter().map(of).sum::<f64>() / self.large.len() as f64
    }
}

impl Costs {
    /// Those of the recorded solves, with the instructions of this machine. A solve by WebAssembly in memory takes as long as one with the
    /// widest vectors whose scores are coded: 0.8 to 1.2 times on eight starts of 5x5 with 16 or 14 lines drawn.
    pub fn recorded() -> Self {
        Self::with_vectors(if cfg!(target_family = "wasm") { WIDEST } else { Isa::best().vector_bytes() })
    }

    fn with_vectors(bytes: usize) -> Self {
        let fits = |&(of, ..): &(usize, f64, f64)| of <= bytes;
        let (_, solving, decoding) = BY_VECTOR_BYTES.into_iter().find(fits).unwrap_or(BY_VECTOR_BYTES[0]);
        Self {
            position: NS_PER_POSITION * solving,
            waist_unit: NS_PER_WAIST_UNIT.0 * solving,
            slab: NS_PER_SLAB * solving,
            configuration: NS_PER_CONFIGURATION,
            decode: NS_PER_DECODE * decoding,
        }
    }

    /// Nanoseconds of a position under a waist of `waist_units`.
    pub(crate) fn position_at(&self, waist_units: usize) -> f64 {
        self.position + self.waist_unit * units(waist_units)
    }

    /// Costs that fit measurements, by least squares of the nanoseconds of a position. Costs of recorded solves stand in where a
    /// measurement says nothing: of waists of one width it only says how long a position takes in all.
    pub fn fitted_to(measurements: &[Measurement]) -> Self {
        let recorded = Self::recorded();
        let large = || measurements.iter().flat_map(|of| of.large.iter().map(move |sample| (of, sample)));
        let tiny = measurements.iter().flat_map(|of| &of.any).filter(|sample| sample.positions < TINY);
        let slab = median(tiny.map(|sample| sample.solve).collect()).unwrap_or(recorded.slab);
        // Normal equations of position + waist_unit * w, with the recorded costs as a sample of every width.
        let (mut n, mut w, mut ww, mut y, mut wy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let mut add = |weight: f64, width: f64, nanos: f64| {
            n += weight;
            w += weight * width;
            ww += weight * width * width;
            y += weight * nanos;
            wy += weight * width * nanos;
        };
        for (of, sample) in large() {
            let positions = sample.positions as f64;
            add(1.0, units(of.waist_units), ((sample.solve - slab) / positions).max(0.0));
        }
        (0..=NS_PER_WAIST_UNIT.1).for_each(|width| add(PRIOR, width as f64, recorded.position_at(width)));
        let waist_unit = ((n * wy - w * y) / (n * ww - w * w)).max(0.0);
        let position = ((y - waist_unit * w) / n).max(0.0);
        let sum = |of: fn(&Sample) -> f64| large().map(|(_, sample)| of(sample)).sum::<f64>();
        let decoded = sum(|sample| sample.positions as f64);
        let decode = if decoded > 0.0 { sum(|sample| sample.decode) / decoded } else { recorded.decode };
        let listed: f64 = measurements.iter().map(|of| of.configurations as f64 * of.waist_units as f64).sum();
        let begin: f64 = measurements.iter().filter(|of| of.waist_units > 0).map(|of| of.begin).sum();
        let configuration = if listed > 0.0 { begin / listed } else { recorded.configuration };
        Self { position, waist_unit, slab, configuration, decode }
    }
}

/// Units of a waist that cost time.
fn units(waist_units: usize) -> f64 {
    waist_units.min(NS_PER_WAIST_UNIT.1) as f64
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of exact costs.
    fn measured(costs: Costs, waist_units: usize) -> Measurement {
        let sample = |positions: u64| Sample {
            positions,
            solve: costs.slab + positions as f64 * costs.position_at(waist_units),
            decode: positions as f64 * costs.decode,
        };
        let configurations = 1000;
        Measurement {
            position: "3x3:0".into(),
            threads: 1,
            waist_units,
            configurations,
            begin: costs.configuration * (configurations as usize * waist_units) as f64,
            large: (0..500).map(|i| sample(100_000 + 1000 * i)).collect(),
            any: (0..9).map(|i| sample(1 + i)).collect(),
        }
    }

    #[track_caller]
    fn assert_near(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 0.05, "{got} instead of {expected}");
    }

    #[test]
    fn fits_what_was_measured() {
        let costs = Costs { position: 3.0, waist_unit: 0.4, slab: 9000.0, configuration: 700.0, decode: 1.1 };
        let fitted = Costs::fitted_to(&[measured(costs, 2), measured(costs, 5)]);
        assert_near(fitted.slab, costs.slab);
        assert_near(fitted.configuration, costs.configuration);
        assert_near(fitted.decode, costs.decode);
        // A wider waist than was measured is foretold, too.
        (2..7).for_each(|width| assert_near(fitted.position_at(width), costs.position_at(width)));
        let one = measured(costs, 5);
        assert_near(one.foretold(&Costs::fitted_to(std::slice::from_ref(&one))), one.position());
    }

    #[test]
    fn nothing_measured_is_what_was_recorded() {
        let fitted = Costs::fitted_to(&[]);
        let Costs { position, waist_unit, .. } = Costs::recorded();
        assert!((fitted.position - position).abs() + (fitted.waist_unit - waist_unit).abs() < 1e-9);
        assert_eq!(Costs { position, waist_unit, ..fitted }, Costs::recorded());
    }
}
