//! Makes the bytes of a payload, block by block.

use crate::block_table::{BlockTable, Entry};

/// Takes the key and the blocks of a payload while it is made.
pub(crate) struct BlockWriter<'a> {
    pub(crate) table: BlockTable,
    bytes: &'a mut Vec<u8>,
    /// Offset of the payload in `bytes`.
    at: usize,
    seals: Vec<u8>,
    n_written: usize,
}

impl<'a> BlockWriter<'a> {
    /// Appends a payload to `bytes`.
    pub(crate) fn new(table: BlockTable, bytes: &'a mut Vec<u8>) -> Self {
        let at = bytes.len();
        bytes.resize(at + table.head_len, 0);
        Self { table, bytes, at, seals: Vec::new(), n_written: 0 }
    }

    /// Takes the key, before any block, and the seals of all blocks.
    pub(crate) fn key(&mut self, key: &[u8], seals: Vec<u8>) {
        self.bytes[self.at..][..self.table.key_len].copy_from_slice(key);
        self.seals = seals;
    }

    /// Takes the next block.
    pub(crate) fn block(&mut self, mode: u8, block: &[u8]) {
        let Self { table, n_written, .. } = *self;
        self.bytes.extend_from_slice(block);
        let crc = table.crc(n_written, mode, table.seal(&self.seals, n_written), block);
        let end = (self.bytes.len() - self.at - table.head_len) as u64;
        let entry = table.entry(n_written).end;
        Entry::write(&mut self.bytes[self.at..][..entry], end, crc, mode);
        self.n_written += 1;
    }

    /// All blocks are written.
    ///
    /// # Panics
    /// If they are not.
    pub(crate) fn finish(self) {
        assert_eq!(self.n_written, self.table.n_blocks, "a compression makes as many blocks as it says");
    }
}
