//! Instruction sets: the same loops, compiled for each and chosen at run time.

pub use dab_isa::Isa;
use fearless_simd::dispatch;

use super::halves::Transition;
use super::maps::Stretch;
use super::op::Op;
use super::tile::{LANES, Lane, Rows};

/// Scores of a row that are worked on at a time.
const PIECE: usize = 1024;

/// Defines a function that runs the generic function of the same name in `loops`, compiled for an instruction set.
macro_rules! compiled_for_each {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*)) => {
        $(#[$doc])*
        pub(super) fn $name(isa: Isa, $($arg: $type),*) {
            let level = isa.level();
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
                fn avx512($($arg: $type),*) {
                    loops::$name($($arg),*);
                }
                if level.as_avx512().is_some() {
                    // SAFETY: the level is the proof that the machine has these features, and more. With all that it has, the compiler
                    // makes slower loops.
                    #[allow(unsafe_code)]
                    return unsafe { avx512($($arg),*) };
                }
            }
            // No token is needed: vectors are the compiler's.
            dispatch!(level, _ => loops::$name($($arg),*));
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

/// What is compiled for each instruction set.
mod loops {
    use super::{LANES, Lane, Op, PIECE, Rows, Stretch, Transition};

    #[inline(always)]
    pub(super) fn best_of_lanes(moves: &[&[Transition]], sources: &[&[Lane]], best: &mut [Lane]) {
        for (best, moves) in best.iter_mut().zip(moves) {
            let mut lane = [i8::MIN; LANES];
            for m in *moves {
                m.op.max_assign(&mut lane, &sources[usize::from(m.filled)][m.rank as usize].0);
            }
            best.0 = lane;
        }
    }

    #[inline(always)]
    pub(super) fn best_of_row(moves: &[Transition], sources: &[Rows<'_>], best: &mut [i8], is_first: bool) {
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
    pub(super) fn max_assign_stretches(op: Op, scores: &mut [i8], from: &[i8], stretches: &[Stretch]) {
        for stretch in stretches {
            let (at, to, len) = (stretch.at as usize, stretch.to as usize, stretch.len as usize);
            op.max_assign(&mut scores[at..at + len], &from[to..to + len]);
        }
    }

    #[inline(always)]
    pub(super) fn max_assign_lanes(op: Op, best: &mut [Lane], from: &[Lane], map: &[u32], limit: &Lane) {
        op.max_assign_lanes(best, from, map, limit);
    }
}
