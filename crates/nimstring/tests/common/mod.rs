//! Nimstring played out line by line, without any theory.

use dab_board::capture::closed_by;
use dab_board::{LineSet, Position};

/// For every position that `start` can lead to the heaps with which the player to move loses, a bit each; entry `s`
/// has the `i`-th undrawn line drawn for every set bit `i` of `s`.
pub(crate) fn lost_heaps(start: &Position) -> (Vec<LineSet>, Vec<u64>) {
    let lines: Vec<usize> = start.undrawn().iter().collect();
    let drawn = |s: usize| start.drawn() | (0..lines.len()).filter(|i| s >> i & 1 == 1).map(|i| lines[i]).collect();
    let positions: Vec<LineSet> = (0..1 << lines.len()).map(drawn).collect();
    // A heap that is larger than the lines that are left has more moves than can matter.
    let n_heaps = lines.len() + 2;
    let mut lost = vec![0u64; positions.len()];
    for s in (0..positions.len()).rev() {
        for heap in 0..n_heaps {
            let by_line = |i: usize| {
                let after = lost[s | 1 << i] >> heap & 1 == 1;
                // Closing a box the player moves again, in the same sum.
                let again = closed_by(start.board().graph(), positions[s], lines[i]) > 0;
                if again { !after } else { after }
            };
            let by_heap = lost[s] & ((1 << heap) - 1) != 0;
            let wins = by_heap || (0..lines.len()).filter(|i| s >> i & 1 == 0).any(by_line);
            lost[s] |= u64::from(!wins) << heap;
        }
    }
    (positions, lost)
}
