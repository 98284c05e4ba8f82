//! Instruction sets: the same loops, compiled for each and chosen at run time.

use dab_board::Score;

use super::halves::{Source, Transition};
use super::op::Op;
use super::tile::{LANES, Lane};

/// An instruction set that the fast kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What every machine of the target has.
    Portable,
    /// 32 scores at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 scores at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// Every instruction set that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        let mut found = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                found.push(Self::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                found.push(Self::Avx512);
            }
        }
        found
    }

    /// The best that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }

    /// For each configuration the best of its moves inside the half; see [`super::halves`].
    pub(super) fn best_in_half(self, moves: &[&[Transition]], sources: &[Source<'_>], best: &mut [Lane]) {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2(moves: &[&[Transition]], sources: &[Source<'_>], best: &mut [Lane]) {
            best_in_half(moves, sources, best);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn avx512(moves: &[&[Transition]], sources: &[Source<'_>], best: &mut [Lane]) {
            best_in_half(moves, sources, best);
        }
        match self {
            Self::Portable => best_in_half(moves, sources, best),
            // SAFETY: values other than `Portable` are only made by `available`, which has checked the features.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx2 => unsafe { avx2(moves, sources, best) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx512 => unsafe { avx512(moves, sources, best) },
        }
    }

    /// Raises `scores[i]` to `op(from[map[i]])`.
    pub(super) fn raise_gathered(self, op: Op, scores: &mut [Score], from: &[Score], map: &[u32]) {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2(op: Op, scores: &mut [Score], from: &[Score], map: &[u32]) {
            raise_gathered(op, scores, from, map);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn avx512(op: Op, scores: &mut [Score], from: &[Score], map: &[u32]) {
            raise_gathered(op, scores, from, map);
        }
        match self {
            Self::Portable => raise_gathered(op, scores, from, map),
            // SAFETY: as in `best_in_half`.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx2 => unsafe { avx2(op, scores, from, map) },
            // SAFETY: as in `best_in_half`.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx512 => unsafe { avx512(op, scores, from, map) },
        }
    }

    /// Raises `scores[i]` to `op(after[i])`.
    pub(super) fn raise(self, op: Op, scores: &mut [Score], after: &[Score]) {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2(op: Op, scores: &mut [Score], after: &[Score]) {
            op.raise(scores, after);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn avx512(op: Op, scores: &mut [Score], after: &[Score]) {
            op.raise(scores, after);
        }
        match self {
            Self::Portable => op.raise(scores, after),
            // SAFETY: as in `best_in_half`.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx2 => unsafe { avx2(op, scores, after) },
            // SAFETY: as in `best_in_half`.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Self::Avx512 => unsafe { avx512(op, scores, after) },
        }
    }
}

#[inline(always)]
fn best_in_half(moves: &[&[Transition]], sources: &[Source<'_>], best: &mut [Lane]) {
    for (best, moves) in best.iter_mut().zip(moves) {
        let mut lane = [Score::MIN; LANES];
        for m in *moves {
            m.op.raise(&mut lane, &sources[usize::from(m.filled)].lanes[m.rank as usize].0);
        }
        best.0 = lane;
    }
}

#[inline(always)]
fn raise_gathered(op: Op, scores: &mut [Score], from: &[Score], map: &[u32]) {
    let mut after = [0; LANES];
    for (scores, map) in scores.chunks_mut(LANES).zip(map.chunks(LANES)) {
        for (after, &at) in after.iter_mut().zip(map) {
            *after = from[at as usize];
        }
        op.raise(scores, &after[..map.len()]);
    }
}
