//! A whole payload in memory, read block by block.

use crate::payload::Entry;
use crate::{Damage, Payload};

/// A payload in memory, as long as it says; its head was checked.
pub(crate) struct Encoded<'a> {
    pub(crate) payload: Payload,
    head: &'a [u8],
    body: &'a [u8],
    seals: Vec<u8>,
}

impl<'a> Encoded<'a> {
    pub(crate) fn new(payload: Payload, bytes: &'a [u8]) -> Self {
        let (head, body) = bytes.split_at(payload.head_len());
        let seals = payload.compression.seals(payload.size, &head[..payload.key_len]);
        Self { payload, head, body, seals }
    }

    pub(crate) fn key(&self) -> &'a [u8] {
        &self.head[..self.payload.key_len]
    }

    /// Mode and bytes of a block, its checksum verified.
    pub(crate) fn block(&self, block: usize) -> Result<(u8, &'a [u8]), Damage> {
        let entry = Entry::parse(&self.head[self.payload.entry(block)], self.body.len() as u64)?;
        let bytes = &self.body[entry.range.start as usize..entry.range.end as usize];
        self.payload.check(block, &entry, self.payload.seal(&self.seals, block), bytes)?;
        Ok((entry.mode, bytes))
    }
}
