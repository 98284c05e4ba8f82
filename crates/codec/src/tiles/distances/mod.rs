//! Distances of samples: sums of absolute differences of bytes, many items at a time.

mod vectors;

use dab_isa::Isa;
use fearless_simd::dispatch;

/// Items that are compared at a time.
const AT_ONCE: usize = 8;
/// Groups that tell most items apart: the others are left out if no item of a block gets closer to the tree anyway.
const FIRST_GROUPS: usize = 4;

/// Record of an item outside a tree, without its own number: no distance from the tree is known yet.
pub(super) const UNKNOWN: u64 = (u32::MAX as u64) << 32;
/// In the place of a record: of an item in the tree, or of none.
pub(super) const JOINED: u64 = u64::MAX;
/// The own number in a record.
const NUMBER: u64 = 0xffff;

/// Eight samples of an item.
pub(super) type Group = [u8; 8];

/// The distances of an item from the first items, as many as `distances` holds, a multiple of eight. `stride` items lie between
/// groups.
pub(super) fn distances(isa: Isa, groups: &[Group], stride: usize, item: usize, distances: &mut [u32]) {
    assert!(distances.len().is_multiple_of(AT_ONCE) && distances.len() <= stride && item < stride);
    dispatch!(isa.level(), simd => vectors::distances(simd, groups, stride, item, distances));
}

/// Adds an item to a tree, given by its number and its place, and returns the least record of those outside. The record of
/// an item outside is its distance from the tree, the item of the tree that it is closest to, and its own number: bits 32
/// to 63, 16 to 31, and 0 to 15.
pub(super) fn join(
    isa: Isa,
    groups: &[Group],
    stride: usize,
    (item, place): (usize, usize),
    records: &mut [u64],
) -> u64 {
    assert!(records.len().is_multiple_of(AT_ONCE) && records.len() <= stride && place < stride && item < 1 << 16);
    dispatch!(isa.level(), simd => vectors::join(simd, groups, stride, (item, place), records))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join_one_by_one(groups: &[Group], stride: usize, (item, place): (usize, usize), records: &mut [u64]) -> u64 {
        let mut distances = vec![0; records.len()];
        one_by_one(groups, stride, place, &mut distances);
        for (record, distance) in records.iter_mut().zip(distances).filter(|(record, _)| **record != JOINED) {
            *record = (u64::from(distance) << 32 | (item as u64) << 16 | *record & NUMBER).min(*record);
        }
        records.iter().copied().min().unwrap_or(JOINED)
    }

    fn one_by_one(groups: &[Group], stride: usize, item: usize, distances: &mut [u32]) {
        distances.fill(0);
        for group in groups.chunks_exact(stride) {
            for (distance, other) in distances.iter_mut().zip(group) {
                *distance += group[item].iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
            }
        }
    }

    /// Groups of `stride` items each: on a line, each a little farther than the one before, or some alike and some as far apart as
    /// can be.
    fn groups(n_groups: usize, stride: usize, on_a_line: bool) -> Vec<Group> {
        let sample = |i: usize, j: usize| match i % stride {
            item if on_a_line => (3 * item + (i * j) % 2) as u8,
            3 | 5 => 0,
            4 => 255,
            _ => (i * 37) as u8 ^ (j << 4) as u8,
        };
        (0..n_groups * stride).map(|i| std::array::from_fn(|j| sample(i, j))).collect()
    }

    #[test]
    fn vectors_add_as_one_by_one() {
        for isa in Isa::available() {
            let sizes =
                [(10, 24, false), (7, 32, false), (5, 48, true), (10, 64, true), (1, 8, false), (64, 16, false)];
            for (n_groups, stride, on_a_line) in sizes {
                let groups = groups(n_groups, stride, on_a_line);
                let (item, items) = (stride - 3, [stride - 3, 3, 4, stride / 2, 7]);
                for n in (0..=stride).step_by(AT_ONCE) {
                    let (mut fast, mut slow) = (vec![5; n], vec![6; n]);
                    distances(isa, &groups, stride, item, &mut fast);
                    one_by_one(&groups, stride, item, &mut slow);
                    assert_eq!(fast, slow, "{isa:?}");
                }
                let unknown: Vec<u64> = (0..stride as u64).map(|item| UNKNOWN | item).collect();
                let (mut fast, mut slow) = (unknown.clone(), unknown);
                for item in items {
                    (fast[item], slow[item]) = (JOINED, JOINED);
                    let least = join_one_by_one(&groups, stride, (item, item), &mut slow);
                    assert_eq!(join(isa, &groups, stride, (item, item), &mut fast), least, "{isa:?}");
                    assert_eq!(fast, slow, "{isa:?}");
                }
            }
        }
    }
}
