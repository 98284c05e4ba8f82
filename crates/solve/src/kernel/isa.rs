//! Instruction sets: the same loops, compiled for each and chosen at run time.

use std::fmt;

use super::halves::Transition;
use super::maps::Stretch;
use super::op::Op;
use super::tile::{LANES, Lane, Rows};

/// Scores of a row that are worked on at a time.
const PIECE: usize = 1024;

/// An instruction set that this machine has. A value is the proof of it, because only checks of the machine make one:
///
/// ```compile_fail
/// let unchecked = dab_solve::kernel::Isa(unreachable!());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Isa(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The instructions that every machine of the target has.
    pub fn portable() -> Self {
        Self(Set::Portable)
    }

    /// 32 scores at a time, if this machine can.
    #[cfg(target_arch = "x86_64")]
    pub fn avx2() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(Set::Avx2))
    }

    /// 64 scores at a time, if this machine can.
    #[cfg(target_arch = "x86_64")]
    pub fn avx512() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        has_all.then_some(Self(Set::Avx512))
    }

    /// Every instruction set that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [Self::avx2(), Self::avx512()];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Self>; 0] = [];
        [Self::portable()].into_iter().chain(special.into_iter().flatten()).collect()
    }

    /// The best instruction set that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::portable())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Defines a function on `Isa` that runs the generic function of the same name, compiled for that instruction set.
macro_rules! compiled_for_each {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*)) => {
        impl Isa {
            $(#[$doc])*
            pub(super) fn $name(self, $($arg: $type),*) {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) {
                    $name($($arg),*);
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
                fn avx512($($arg: $type),*) {
                    $name($($arg),*);
                }
                match self.0 {
                    Set::Portable => $name($($arg),*),
                    // SAFETY: `Isa::avx2` has checked the feature; nothing else makes this value.
                    #[cfg(target_arch = "x86_64")]
                    #[allow(unsafe_code)]
                    Set::Avx2 => unsafe { avx2($($arg),*) },
                    // SAFETY: `Isa::avx512` has checked the features; nothing else makes this value.
                    #[cfg(target_arch = "x86_64")]
                    #[allow(unsafe_code)]
                    Set::Avx512 => unsafe { avx512($($arg),*) },
                }
            }
        }
    };
}

compiled_for_each! {
    /// For each lane the best of its moves, the lanes of the slabs that they lead to being in `sources`.
    best_of_lanes(moves: &[&[Transition]], sources: &[&[Lane]], best: &mut [Lane])
}

compiled_for_each! {
    /// Max-assigns one row to some moves, the rows that they lead to being in `sources`. Where `is_first`, the row holds
    /// nothing yet.
    best_of_row(moves: &[Transition], sources: &[Rows<'_>], best: &mut [i8], is_first: bool)
}

compiled_for_each! {
    /// Max-assigns stretches of `scores` to `op` of stretches of `from`.
    max_assign_stretches(op: Op, scores: &mut [i8], from: &[i8], stretches: &[Stretch])
}

compiled_for_each! {
    /// Max-assigns lane `i` of `best` to `op` of lane `map[i]` of `from`, but to no more than `limit`, place by place.
    max_assign_lanes(op: Op, best: &mut [Lane], from: &[Lane], map: &[u32], limit: &Lane)
}

#[inline(always)]
fn best_of_lanes(moves: &[&[Transition]], sources: &[&[Lane]], best: &mut [Lane]) {
    for (best, moves) in best.iter_mut().zip(moves) {
        let mut lane = [i8::MIN; LANES];
        for m in *moves {
            m.op.max_assign(&mut lane, &sources[usize::from(m.filled)][m.rank as usize].0);
        }
        best.0 = lane;
    }
}

#[inline(always)]
fn best_of_row(moves: &[Transition], sources: &[Rows<'_>], best: &mut [i8], is_first: bool) {
    // In pieces that stay in the nearest cache while one move after the other is tried.
    for first in (0..best.len()).step_by(PIECE) {
        let end = best.len().min(first + PIECE);
        let piece = &mut best[first..end];
        if is_first {
            piece.fill(i8::MIN);
        }
        for m in moves {
            let from = &sources[usize::from(m.filled)];
            let row = m.rank as usize * from.cols;
            m.op.max_assign(piece, &from.scores[row + first..row + end]);
        }
    }
}

#[inline(always)]
fn max_assign_stretches(op: Op, scores: &mut [i8], from: &[i8], stretches: &[Stretch]) {
    for stretch in stretches {
        let (at, to, len) = (stretch.at as usize, stretch.to as usize, stretch.len as usize);
        op.max_assign(&mut scores[at..at + len], &from[to..to + len]);
    }
}

#[inline(always)]
fn max_assign_lanes(op: Op, best: &mut [Lane], from: &[Lane], map: &[u32], limit: &Lane) {
    op.max_assign_lanes(best, from, map, limit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn an_instruction_set_is_only_made_where_the_machine_has_it() {
        assert_eq!(Isa::avx2().is_some(), is_x86_feature_detected!("avx2"));
        let has_all = ["avx512f", "avx512bw", "avx512vl"].iter().all(|feature| {
            std::fs::read_to_string("/proc/cpuinfo")
                .is_ok_and(|info| info.split_whitespace().any(|word| word == *feature))
        });
        // Only Linux lists the features.
        assert!(Isa::avx512().is_some() == has_all || !cfg!(target_os = "linux"));
        assert!(Isa::available().contains(&Isa::portable()));
    }
}
