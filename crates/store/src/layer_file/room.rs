//! The bytes of disk that a layer may take while it is written.

use crate::StoreError;

/// The run as the writer of a layer sees it: it says how many bytes the layer may take.
pub(crate) trait Room: Sync {
    /// Whether the files of the layer may take so many bytes from now on.
    fn admits(&self, byte_len: u64) -> bool;

    /// The error when there is no room.
    fn spent(&self) -> StoreError;
}

/// No bound.
impl Room for () {
    fn admits(&self, _byte_len: u64) -> bool {
        true
    }

    fn spent(&self) -> StoreError {
        unreachable!("there is always room")
    }
}
