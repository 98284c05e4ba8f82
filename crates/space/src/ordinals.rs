//! Look-up tables from masks to ordinals.

use rustc_hash::FxHashMap;

/// Entries that a direct table may have for each mask in it.
const SPARSE: usize = 16;
/// Marks masks that have no ordinal.
const NONE: u32 = u32::MAX;

/// The ordinals of a set of masks: indexed directly where the masks lie close together, hashed where they do not.
#[derive(Clone, Debug)]
pub(crate) enum Ordinals {
    Direct(Vec<u32>),
    Hashed(FxHashMap<u64, u32>),
}

impl Ordinals {
    /// Bytes that a table takes at most for each mask in it.
    pub(crate) const MOST_BYTES: usize = SPARSE * size_of::<u32>();

    /// A table of the given masks and their ordinals.
    pub(crate) fn new(entries: &[(u64, u32)]) -> Self {
        let end = entries.iter().map(|&(mask, _)| mask).max().map_or(0, |mask| mask.saturating_add(1));
        if end > (SPARSE * entries.len()) as u64 {
            return Self::Hashed(entries.iter().copied().collect());
        }
        let mut table = vec![NONE; end as usize];
        for &(mask, ordinal) in entries {
            table[mask as usize] = ordinal;
        }
        Self::Direct(table)
    }

    /// The ordinal of a mask, if it has one.
    #[inline]
    pub(crate) fn find(&self, mask: u64) -> Option<u32> {
        match self {
            Self::Direct(table) => table.get(mask as usize).copied().filter(|&ordinal| ordinal != NONE),
            Self::Hashed(table) => table.get(&mask).copied(),
        }
    }

    /// The ordinal of a mask that has one.
    ///
    /// # Panics
    /// If it has none.
    #[inline]
    pub(crate) fn get(&self, mask: u64) -> u32 {
        self.find(mask).expect("only masks of the table are looked up")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_find_the_same() {
        let dense: Vec<(u64, u32)> = (0..100).map(|i| (3 * i, i as u32)).collect();
        let sparse: Vec<(u64, u32)> = dense.iter().map(|&(mask, i)| (mask << 40, i)).collect();
        let (direct, hashed) = (Ordinals::new(&dense), Ordinals::new(&sparse));
        assert!(matches!((&direct, &hashed), (Ordinals::Direct(_), Ordinals::Hashed(_))));
        for mask in 0..400 {
            assert_eq!(direct.find(mask), hashed.find(mask << 40));
        }
        assert_eq!(direct.get(297), 99);
        assert_eq!(Ordinals::new(&[]).find(0), None);
    }
}
