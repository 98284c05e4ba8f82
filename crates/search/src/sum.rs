//! Sums of summands in normal form, and bounds of their scores that need no search.
//!
//! *Pairs.* If every summand of a sum occurs an even number of times, isolated chains of three boxes or more aside, its score
//! is at most 0. The opponent answers each line that allows no decline by its twin, in the twin summand, so that both
//! capture alike; and opening a run of K boxes that allows a decline of h costs at least K - h, which is not negative.
//! This is the mirror strategy of narrow boards of even length (Jobson, Sledd, White and Wildstrom, Theorem 2), for any
//! graph.

use crate::bounds::Bounds;
use crate::chains::Chains;
use crate::hash::Key;
use crate::summands::Summand;

/// A sum, without the list of its summands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    /// The isolated chains.
    pub(crate) chains: Chains,
    /// The sum of the keys of all other summands.
    summands: Key,
    /// The exclusive or of these keys: 0 if they come in pairs.
    unpaired: u128,
    /// Boxes in all of it.
    pub(crate) boxes: u8,
}

impl Sum {
    /// A sum of isolated chains.
    pub(crate) fn new(chains: Chains) -> Self {
        Self { chains, boxes: chains.boxes(), ..Self::default() }
    }

    /// With another summand.
    #[inline]
    pub(crate) fn with(self, summand: &Summand) -> Self {
        self.with_summand(summand.key, summand.boxes)
    }

    /// With another summand of `boxes` boxes.
    #[inline]
    pub(crate) fn with_summand(self, key: Key, boxes: u8) -> Self {
        let (summands, unpaired) = (self.summands.and(key), self.unpaired ^ key.0);
        Self { summands, unpaired, boxes: self.boxes + boxes, ..self }
    }

    /// Without one of its summands.
    #[inline]
    pub(crate) fn without(self, summand: &Summand) -> Self {
        let (summands, unpaired) = (self.summands.without(summand.key), self.unpaired ^ summand.key.0);
        Self { summands, unpaired, boxes: self.boxes - summand.boxes, ..self }
    }

    /// With other isolated chains.
    #[inline]
    pub(crate) fn with_chains(self, chains: Chains) -> Self {
        Self { chains, boxes: self.boxes - self.chains.boxes() + chains.boxes(), ..self }
    }

    /// The key of the sum.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.summands.and(self.chains.key())
    }

    /// Bounds of the score with a last-move penalty.
    #[inline]
    pub(crate) fn bounds(&self, penalty: i8) -> Bounds {
        if self.boxes == 0 {
            return Bounds::exactly(-penalty);
        }
        let most = self.boxes as i8 + penalty;
        let is_paired = self.unpaired == 0 && self.chains.are_long();
        // The score has the parity of `most`.
        Bounds { low: -most, high: if is_paired { -(most & 1) } else { most } }
    }
}
