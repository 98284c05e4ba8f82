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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summands::Summands;

    /// The highest score that is possible for isolated chains and rings.
    #[track_caller]
    fn check(chains: &[u8], rings: &[u8], high: i8) {
        let mut summands = Summands::new();
        rings.iter().for_each(|&boxes| summands.push_ring(boxes, 0));
        let chains = chains.iter().fold(Chains::default(), |chains, &boxes| chains.with(boxes));
        let sum = (0..summands.len()).fold(Sum::new(chains), |sum, id| sum.with(summands.get(id)));
        assert_eq!(sum.bounds(0).high, high);
    }

    #[test]
    fn pairs_and_long_chains_reach_no_more_than_zero() {
        check(&[], &[], 0);
        check(&[3, 3], &[], 0);
        check(&[3], &[], -1);
        check(&[4, 6, 4, 3], &[4, 4], -1);
        check(&[4, 4, 1], &[], 5);
        check(&[3], &[4, 6, 6], 19);
    }

    #[test]
    fn sums_are_taken_apart() {
        let mut summands = Summands::new();
        [4, 4, 6].into_iter().for_each(|boxes| summands.push_ring(boxes, 0));
        let [one, same, other] = [0, 1, 2].map(|id| *summands.get(id));
        let sum = Sum::new(Chains::default().with(3)).with(&one).with(&other).with(&same);
        assert_eq!(sum.boxes, 17);
        assert_eq!(sum.without(&other).key(), Sum::new(sum.chains).with(&one).with(&one).key());
        assert_eq!(sum.with_chains(Chains::default()).boxes, 14);
        assert_ne!(sum.key(), sum.with_chains(Chains::default()).key());
    }
}
