//! Reading of a payload only what one score needs: a part of the key, a table entry, a block.

use std::ops::Range;

use crate::block_table::{BlockTable, Entry};
use crate::{Damage, Fault, ReadError};

/// Appends a range of some bytes to others, or fails if it cannot.
pub(crate) type Read<'a> = &'a (dyn Fn(Range<u64>, &mut Vec<u8>) -> Result<(), ReadError> + Sync);

/// A payload of so many bytes somewhere else, whose head was not checked.
pub(crate) struct Source<'a> {
    pub(crate) table: BlockTable,
    pub(crate) byte_len: u64,
    pub(crate) read: Read<'a>,
}

impl Source<'_> {
    /// Appends a part of the key to `bytes`.
    pub(crate) fn key(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        (self.read)(range.start as u64..range.end as u64, bytes)
    }

    /// Reads a block into `bytes`, in place of what they held; returns its mode. Two reads, whatever the number of blocks. No memory is
    /// allocated for more than `most` bytes.
    ///
    /// # Errors
    /// The bytes cannot be read, or the block is damaged; named by the block.
    pub(crate) fn block(&self, block: usize, most: u64, seal: &[u8], bytes: &mut Vec<u8>) -> Result<u8, Fault> {
        self.read_block(block, most, seal, bytes).map_err(Fault::in_block(block))
    }

    fn read_block(&self, block: usize, most: u64, seal: &[u8], bytes: &mut Vec<u8>) -> Result<u8, ReadError> {
        let Self { table, byte_len, .. } = *self;
        let body_at = table.head_len as u64;
        Damage::check_len("the record", body_at, byte_len)?;
        let Range { start, end } = table.entry(block);
        bytes.clear();
        (self.read)(start as u64..end as u64, bytes)?;
        let entry = Entry::parse(bytes, byte_len - body_at)?;
        // The table is not checked here, so a wrong entry must not make a reader allocate more than a block may take.
        let len = entry.range.end - entry.range.start;
        if len > most {
            let expected = format!("at most {most}");
            return Err(Damage::Field { what: "length of the block", expected, got: len.to_string() }.into());
        }
        bytes.clear();
        (self.read)(body_at + entry.range.start..body_at + entry.range.end, bytes)?;
        table.check(block, &entry, seal, bytes)?;
        Ok(entry.mode)
    }
}
