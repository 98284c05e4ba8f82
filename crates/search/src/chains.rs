//! The isolated chains of a sum in normal form: four small numbers.
//!
//! s is the score of a quiet position for the player to move, with any last-move penalty. A move turns the score x of
//! the position that it leads to into -(K + x), or into -(K - h + |x + h|) if h of its K boxes can be declined; where two
//! such x differ by d, so do these at most by d. Hence, by induction over the moves of H:
//!
//! *Short chains.* s(H + n + n) = s(H) for n = 1, 2. Opening n gives -n - s(H + n), which is at most s(H) because
//! s(H + n) is at least -n - s(H) by the same move. All else is move for move alike, and if H is empty the one move gives
//! -n - (-n - s(H)).
//!
//! *Longer by one.* s(H + n) and s(H + (n+1)) differ by 1 for n ≥ 3, and s(H + n) and s(H + m) by |n - m| at most for
//! n, m ≥ 3. The same holds for n, m ≤ 2, and for rings of at least four boxes in place of chains.
//!
//! *The shortest first.* Opening the longer one of two chains n < m gains nothing over opening the shorter one, if both or
//! none of them allow a decline; nor does opening the longer one of two rings of at least four boxes. With K - h ≥ 0 for a
//! handout of h, opening m gives -(m - h + |s(H + n) + h|) ≤ -(m - h + |s(H + m) + h| - (m - n)), as opening n does; or,
//! without a decline, -(m + s(H + n)) ≤ -(m + s(H + m) - (m - n)). So of each sort only the shortest is ever opened.
//!
//! *Long chains.* s(H + n + m) = s(H + q) for n, m ≥ 4 and q = n + m - 4. Let a = s(H + m). Opening n gives
//! -(n - 2 + |a + 2|), opening q gives b = -(q - 2 + |s(H) + 2|).
//! - The left side is at least b. If a ≤ -2, then a ≥ -(m - 2 + |s(H) + 2|), that is opening m, makes opening n give b at
//!   least. If a ≥ -1, it is got by a move in H. That move gives a - (n - 4) at least in H + q, so by induction in
//!   H + n + m, and that is not below 3 - n > b.
//! - The right side is at least what opening n gives. It is at least a - (n - 4), and -(n - 2 + |a + 2|) is not more:
//!   it is equal for a ≤ -2 and -n - a otherwise.

use dab_board::capture::Decline;

use crate::hash::Key;

/// Least boxes of the isolated chains that merge into one.
const MERGED: u8 = 4;

/// The isolated chains of a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chains {
    /// Chains of one box: at most 1.
    ones: u8,
    /// Chains of two boxes: at most 1.
    twos: u8,
    /// Chains of three boxes.
    threes: u8,
    /// Boxes of the one chain that all longer chains make; 0 if there is none.
    long: u8,
}

impl Chains {
    /// Number of [`kinds`](Self::opened) of chains: without and with a decline.
    pub(crate) const KINDS: u8 = 2;

    /// With another chain, of at least one box.
    pub(crate) fn with(mut self, boxes: u8) -> Self {
        match boxes {
            1 => self.ones ^= 1,
            2 => self.twos ^= 1,
            3 => self.threes += 1,
            _ if self.long == 0 => self.long = boxes,
            _ => self.long += boxes - MERGED,
        }
        self
    }

    /// The move that opens the shortest chain of a kind, if there is one: boxes that the opponent may capture, the part of
    /// them that he may decline, and the chains left.
    pub(crate) fn opened(self, kind: u8) -> Option<(u8, Decline, Self)> {
        match (kind, self) {
            (0, Self { ones: 1.., .. }) => Some((1, Decline::None, Self { ones: 0, ..self })),
            (0, Self { twos: 1.., .. }) => Some((2, Decline::None, Self { twos: 0, ..self })),
            (1, Self { threes: 1.., .. }) => Some((3, Decline::Two, Self { threes: self.threes - 1, ..self })),
            (1, Self { long: 1.., .. }) => Some((self.long, Decline::Two, Self { long: 0, ..self })),
            _ => None,
        }
    }

    /// Boxes in all of them.
    pub(crate) fn boxes(self) -> u8 {
        self.ones + 2 * self.twos + 3 * self.threes + self.long
    }

    /// Whether each opening allows a decline, so that it gains nothing by itself.
    pub(crate) fn are_long(self) -> bool {
        self.ones + self.twos == 0
    }

    /// The key of all of them together.
    pub(crate) fn key(self) -> Key {
        let Self { ones, twos, threes, long } = self;
        Key::from_number(u64::from_le_bytes([ones, twos, threes, long, 0xc4, 0, 0, 0]))
    }
}
