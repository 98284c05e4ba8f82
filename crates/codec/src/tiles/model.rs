//! The model: the prediction of a score, and the context in which its residual is coded.
//!
//! ```text
//!   planar      = U + (L - UL)                          saturating
//!   prediction  = planar, at least min(U, L) and at most max(U, L), plus 1 if its parity is not that of U + L + UL
//!   symbol      0 1 2 3 4 5 6 ... 13 14 15
//!   residual    0 1 -1 2 -2 3 -3 ... 7 -7 other         15 is the escape: the score itself follows in a byte
//!
//!   difference  .. -3   -2 -1   0   1 2   3 ..          of U - UL and of L - UL, saturating
//!   level          0      1     2    3     4
//!   context     5 * level of U - UL + level of L - UL, plus 25 if the row is close to its reference row;
//!               50 in the root column, 51 in the root row, 52 where both meet
//! ```
//!
//! A root has no reference. In its place stands a row, or column, of scores 0 or 1 that have the parity of their
//! places, and 0 where both meet.

/// Number of contexts.
pub(super) const CONTEXTS: usize = 53;
/// Number of symbols of a context.
pub(super) const SYMBOLS: usize = 16;
/// The symbol of a residual beyond the others.
pub(super) const ESCAPE: u8 = 15;

/// Added to the contexts of rows that are close to their reference rows.
pub(super) const CLOSE: u8 = 25;
/// Context of the root column.
pub(super) const ROOT_COL: u8 = 50;
/// Context of the root row.
pub(super) const ROOT_ROW: u8 = 51;
/// Context where root row and root column meet.
pub(super) const CORNER: u8 = 52;

/// Differences are told apart from -`FAR` to `FAR`.
pub(super) const FAR: i8 = 3;
/// Levels of the differences -3 to 3.
pub(super) const LEVELS: [u8; 7] = [0, 1, 1, 2, 3, 3, 4];

/// The prediction of a score from the scores above (`u`), to the left (`l`) and where these cross (`ul`).
#[inline]
pub(super) fn predict(u: i8, l: i8, ul: i8) -> i8 {
    let planar = u.saturating_add(l.saturating_sub(ul));
    let kept = planar.clamp(u.min(l), u.max(l));
    kept.wrapping_add((kept ^ u ^ l ^ ul) & 1)
}

/// The context that two differences make.
#[inline]
pub(super) fn context(u: i8, l: i8, ul: i8) -> u8 {
    let level = |difference: i8| LEVELS[(difference.clamp(-FAR, FAR) + FAR) as usize];
    5 * level(u.saturating_sub(ul)) + level(l.saturating_sub(ul))
}

/// The symbol of a score with this prediction.
/// Frequencies of a context add up to this.
pub(super) const TOTAL: u32 = 256;

/// Place of a symbol among the parts of its context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) parts: u8,
    pub(super) start: u8,
    pub(super) is_escape: bool,
}

/// Parts whose sum is [`TOTAL`]: rounding is made good where it matters least.
pub(super) fn made_good<const N: usize>(mut parts: [u32; N]) -> [u8; N] {
    let mut sum: u32 = parts.iter().sum();
    while sum != TOTAL {
        let most = (0..N).rev().max_by_key(|&symbol| parts[symbol]).expect("a context has symbols");
        let change = if sum > TOTAL { (sum - TOTAL).min(parts[most] / 2) } else { TOTAL - sum };
        parts[most] = if sum > TOTAL { parts[most] - change } else { parts[most] + change };
        sum = parts.iter().sum();
    }
    parts.map(|part| part as u8)
}

#[cfg(test)]
pub(super) fn symbol(score: i8, prediction: i8) -> u8 {
    match score.wrapping_sub(prediction) >> 1 {
        residual @ 1..=7 => 2 * residual as u8 - 1,
        residual @ -7..=0 => (-2 * residual) as u8,
        _ => ESCAPE,
    }
}

/// Twice the residual of a symbol: score minus prediction.
#[inline]
pub(super) fn difference(symbol: u8) -> i8 {
    let twice = symbol as i8;
    if symbol & 1 == 1 { twice + 1 } else { -twice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_a_symbol_or_escapes() {
        for (u, l, ul) in [(0, 0, 0), (3, -2, 1), (127, -127, 127), (-128, 127, -1), (1, 1, 1)] {
            let prediction = predict(u, l, ul);
            assert_eq!((prediction ^ u ^ l ^ ul) & 1, 0);
            for score in i8::MIN..=i8::MAX {
                if (score ^ prediction) & 1 == 0 && symbol(score, prediction) != ESCAPE {
                    assert_eq!(prediction.wrapping_add(difference(symbol(score, prediction))), score);
                }
            }
            assert_eq!(symbol(prediction, prediction), 0);
        }
    }
}
