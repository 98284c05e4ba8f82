//! Some slabs of a layer, as ranges of neighbours. The manifest writes them as text: `0-12 15 20-21`.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Numbers of slabs of one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlabSet {
    /// First slab of each range, and the end of it; ranges neither overlap nor touch.
    ranges: BTreeMap<usize, usize>,
}

impl SlabSet {
    /// Adds a slab; returns the range of neighbours that it is in now.
    pub fn insert(&mut self, slab: usize) -> Range<usize> {
        let (mut start, mut end) = (slab, slab + 1);
        if let Some((&before, &before_end)) = self.ranges.range(..=slab).next_back() {
            if before_end > slab {
                return before..before_end;
            }
            if before_end == slab {
                start = before;
            }
        }
        if let Some(after_end) = self.ranges.remove(&end) {
            end = after_end;
        }
        self.ranges.insert(start, end);
        start..end
    }

    /// Whether a slab is among them.
    pub fn contains(&self, slab: usize) -> bool {
        self.ranges.range(..=slab).next_back().is_some_and(|(_, &end)| end > slab)
    }

    /// Number of slabs.
    pub fn len(&self) -> usize {
        self.ranges().map(|range| range.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The slabs, ascending.
    pub fn slabs(&self) -> impl Iterator<Item = usize> {
        self.ranges().flatten()
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.ranges.iter().map(|(&start, &end)| start..end)
    }
}

impl fmt::Display for SlabSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Range { start, end }) in self.ranges().enumerate() {
            let space = if i == 0 { "" } else { " " };
            match end - start {
                1 => write!(f, "{space}{start}")?,
                _ => write!(f, "{space}{start}-{}", end - 1)?,
            }
        }
        Ok(())
    }
}

impl FromStr for SlabSet {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (mut ranges, mut least) = (BTreeMap::new(), 0);
        for range in text.split_ascii_whitespace() {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (usize, usize) = (first.parse().map_err(drop)?, last.parse().map_err(drop)?);
            if first < least || last < first || last > usize::MAX - 2 {
                return Err(());
            }
            ranges.insert(first, last + 1);
            least = last + 2;
        }
        Ok(Self { ranges })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn is_a_set() {
        let (mut set, mut expected) = (SlabSet::default(), BTreeSet::new());
        for i in 0..200usize {
            let slab = i * 37 % 101;
            let range = set.insert(slab);
            expected.insert(slab);
            assert!(range.contains(&slab) && range.clone().all(|slab| expected.contains(&slab)));
            assert!(!expected.contains(&range.end) && (range.start == 0 || !expected.contains(&(range.start - 1))));
            assert_eq!(set.len(), expected.len());
            assert!((0..110).all(|slab| set.contains(slab) == expected.contains(&slab)));
            assert_eq!(set.to_string().parse(), Ok(set.clone()));
        }
        assert_eq!(set.to_string(), "0-100");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["x", "1-", "-1", "3-2", "1 1", "1 2", "2 1", "0-3 4", &format!("{}", usize::MAX), "1-2-3"] {
            assert_eq!(text.parse::<SlabSet>(), Err(()), "{text}");
        }
        assert_eq!("".parse(), Ok(SlabSet::default()));
    }
}
