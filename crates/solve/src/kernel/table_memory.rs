//! Bytes of tables that are made when they are needed, counted as long as the tables live.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of all living tables of a kernel.
#[derive(Clone, Default)]
pub(super) struct TableMemory(Arc<AtomicU64>);

/// The bytes of one table; dropping it with its table ends the count.
pub(super) struct TableBytes {
    all: TableMemory,
    own: AtomicU64,
}

impl TableMemory {
    /// Bytes of all living tables.
    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts a new table.
    pub(super) fn count(&self, bytes: usize) -> TableBytes {
        let counted = TableBytes { all: self.clone(), own: AtomicU64::new(0) };
        counted.grow(bytes);
        counted
    }
}

impl TableBytes {
    /// Counts bytes that the table takes from now on, too.
    pub(super) fn grow(&self, bytes: usize) {
        self.own.fetch_add(bytes as u64, Ordering::Relaxed);
        self.all.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Drop for TableBytes {
    fn drop(&mut self) {
        self.all.0.fetch_sub(*self.own.get_mut(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_as_long_as_it_lives() {
        let memory = TableMemory::default();
        let (one, other) = (memory.count(10), memory.count(5));
        one.grow(7);
        assert_eq!(memory.bytes(), 22);
        drop(one);
        assert_eq!(memory.bytes(), 5);
        drop(other);
        assert_eq!(memory.bytes(), 0);
    }
}
