//! Reading of a payload only what one score needs: a part of the key, a table entry, a block.

use std::ops::Range;

use crate::payload::Entry;
use crate::{Damage, Fault, Payload, ReadError};

/// Appends a range of some bytes to others, or fails if it cannot.
pub(crate) type Read<'a> = &'a (dyn Fn(Range<u64>, &mut Vec<u8>) -> Result<(), ReadError> + Sync);

/// A payload of so many bytes somewhere else, whose head was not checked.
pub(crate) struct Source<'a> {
    pub(crate) payload: Payload,
    pub(crate) byte_len: u64,
    pub(crate) read: Read<'a>,
}

impl Source<'_> {
    /// Appends a part of the key to `bytes`.
    pub(crate) fn key(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        (self.read)(range.start as u64..range.end as u64, bytes)
    }

    /// Reads a block into `bytes`, in place of what they held; returns its mode. Two reads, whatever the number of blocks.
    ///
    /// # Errors
    /// The bytes cannot be read, or the block is damaged; named by the block.
    pub(crate) fn block(&self, block: usize, seal: &[u8], bytes: &mut Vec<u8>) -> Result<u8, Fault> {
        self.read_block(block, seal, bytes).map_err(Fault::in_block(block))
    }

    fn read_block(&self, block: usize, seal: &[u8], bytes: &mut Vec<u8>) -> Result<u8, ReadError> {
        let Self { payload, byte_len, .. } = *self;
        let body_at = payload.head_len() as u64;
        Damage::check_len("the record", body_at, byte_len)?;
        let Range { start, end } = payload.entry(block);
        bytes.clear();
        (self.read)(start as u64..end as u64, bytes)?;
        let entry = Entry::parse(bytes, byte_len - body_at)?;
        // The table is not checked here, so a wrong entry must not make a reader allocate more than a block may take.
        let (most, len) = (payload.compression.most_bytes(payload.size, block), entry.range.end - entry.range.start);
        if len > most {
            let expected = format!("at most {most}");
            return Err(Damage::Field { what: "length of the block", expected, got: len.to_string() }.into());
        }
        bytes.clear();
        (self.read)(body_at + entry.range.start..body_at + entry.range.end, bytes)?;
        payload.check(block, &entry, seal, bytes)?;
        Ok(entry.mode)
    }
}
