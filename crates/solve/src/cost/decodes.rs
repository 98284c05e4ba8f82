//! Scores that a solve decodes because not all slabs fit in memory that are still to be read, replayed without scores.
//!
//! The replay drops the slab that was not used for longest. A solve drops the slab that is read last, which takes a list of all
//! readers; it decodes a fixed part of that (`DECODED_OF_OLDEST`).

use dab_space::{Layout, SlabId};

use super::constants::DECODED_OF_OLDEST;
use super::held::Held;

/// The decoded slabs of a solve by one process.
pub struct Decodes<'a> {
    held: Held<'a>,
    decoded: u64,
}

impl<'a> Decodes<'a> {
    /// A cache with room for so many bytes of slabs.
    pub fn within(layout: &'a Layout, room: u64) -> Self {
        Self { held: Held::within(layout, room), decoded: 0 }
    }

    /// Bytes that slabs may take.
    pub(super) fn room(&self) -> u64 {
        self.held.room()
    }

    /// Scores decoded so far, as a solve decodes them.
    pub fn scores(&self) -> f64 {
        self.decoded as f64 * DECODED_OF_OLDEST
    }

    /// A slab is solved from others; nothing reads some of these any more. Returns how many of them are decoded.
    pub(super) fn solve(&mut self, id: SlabId, reads: &[SlabId], unread: &[SlabId]) -> u64 {
        let mut n = 0;
        for &read in reads {
            if self.held.hold(read) {
                self.decoded += self.held.positions(read);
                n += 1;
            }
        }
        unread.iter().for_each(|&id| self.held.drop(id));
        self.held.hold(id);
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::peak_memory::PeakMemory;
    use crate::cost::plan::Plan;
    use dab_space::{Budget, Space, SpaceKind};

    #[test]
    fn the_less_room_the_more_is_decoded() {
        let space = Space::new("3x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let all = space.layout().total_positions() as u64;
        let decoded = [1, 16, 4, 2, 1].map(|part| {
            let mut decodes = Decodes::within(space.layout(), if part == 1 { all } else { all / part });
            PeakMemory::and_disk((&space, &Plan::new(space.layout())), &Budget::unbounded(), &mut decodes).unwrap();
            decodes.scores()
        });
        assert!(decoded[0] == 0.0 && decoded[1] > all as f64, "{decoded:?}");
        assert!(decoded[1..].is_sorted_by(|a, b| a > b), "{decoded:?}");
    }
}
