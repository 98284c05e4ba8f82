//! The bytes of disk that a layer may take while it is written.

use crate::StoreError;

/// The run as the writer of a layer sees it: it says how many bytes the layer may take, and releases slabs of other layers.
pub(crate) trait Room: Sync {
    /// Bytes after which records are synced, so that a power cut costs no more than these, and slabs are released.
    fn sync_bytes(&self) -> u64;

    /// Whether the files of the layer may take so many bytes now.
    fn admits(&self, byte_len: u64) -> bool;

    /// Hears that the first `n_slabs` slabs of the layer will survive a power cut. `is_short` says that there is no room for the
    /// next one.
    ///
    /// # Errors
    /// Slabs of other layers cannot be released.
    fn synced(&self, n_slabs: usize, is_short: bool) -> Result<(), StoreError>;

    /// The error when there is no room.
    fn spent(&self) -> StoreError;
}

/// Bytes after which records are synced, unless a run is short of disk.
pub(crate) const SYNC_BYTES: u64 = 256 << 20;

/// No bound.
impl Room for () {
    fn sync_bytes(&self) -> u64 {
        SYNC_BYTES
    }

    fn admits(&self, _byte_len: u64) -> bool {
        true
    }

    fn synced(&self, _n_slabs: usize, _is_short: bool) -> Result<(), StoreError> {
        Ok(())
    }

    fn spent(&self) -> StoreError {
        unreachable!("there is always room")
    }
}
