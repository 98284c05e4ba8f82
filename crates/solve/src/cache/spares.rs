//! Unused things of some capacity each, from which the best fitting one is taken.

/// Unused things in the order of their capacities, which are bytes.
pub(crate) struct Spares<T> {
    bytes: u64,
    kept: Vec<(usize, T)>,
}

impl<T> Spares<T> {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self { bytes: 0, kept: Vec::new() }
    }

    /// Bytes of all that is kept.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes the smallest thing with room for `len` bytes, and tells its capacity. A thing more than a third larger is not
    /// taken.
    pub(crate) fn take(&mut self, len: usize) -> Option<(usize, T)> {
        let at = self.kept.partition_point(|&(capacity, _)| capacity < len);
        // Memory that a slab does not fill is lost as long as the slab is kept.
        let fits = self.kept.get(at).is_some_and(|&(capacity, _)| capacity <= len + len / 3);
        fits.then(|| self.remove(at))
    }

    /// Keeps one thing more.
    pub(crate) fn put(&mut self, capacity: usize, thing: T) {
        let at = self.kept.partition_point(|&(other, _)| other < capacity);
        self.kept.insert(at, (capacity, thing));
        self.bytes += capacity as u64;
    }

    /// Drops the smallest things until the rest have at most `bytes` bytes.
    pub(crate) fn limit_to(&mut self, bytes: u64) {
        while self.bytes > bytes {
            self.remove(0);
        }
    }

    fn remove(&mut self, at: usize) -> (usize, T) {
        let (capacity, thing) = self.kept.remove(at);
        self.bytes -= capacity as u64;
        (capacity, thing)
    }
}
