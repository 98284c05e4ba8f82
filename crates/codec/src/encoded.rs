//! A payload whose head is in memory, read some blocks at a time.

use std::ops::Range;

use crate::block_table::{BlockTable, Entry};
use crate::source::Read;
use crate::{Damage, ReadError};

/// The blocks of a payload, behind its head.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// In memory.
    Here(&'a [u8]),
    /// So many bytes somewhere else, and a function that appends a range of them to others.
    There(u64, Read<'a>),
}

/// A payload whose head was checked.
pub(crate) struct Encoded<'a> {
    pub(crate) table: BlockTable,
    pub(crate) head: &'a [u8],
    pub(crate) body: Body<'a>,
    pub(crate) seals: Vec<u8>,
}

/// The bytes of some neighbouring blocks.
pub(crate) struct Blocks<'a> {
    /// Where they begin, counted from the first byte of block 0.
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Encoded<'a> {
    pub(crate) fn key(&self) -> &'a [u8] {
        &self.head[..self.table.key_len]
    }

    /// The bytes of neighbouring blocks, at least one; `room` takes those that are not in memory.
    ///
    /// # Errors
    /// They cannot be read, or the head gives them no place.
    pub(crate) fn blocks<'b>(&self, blocks: Range<usize>, room: &'b mut Vec<u8>) -> Result<Blocks<'b>, ReadError>
    where
        'a: 'b,
    {
        match self.body {
            Body::Here(bytes) => Ok(Blocks { start: 0, bytes }),
            Body::There(_, read) => {
                let range = self.entry(blocks.start)?.range.start..self.entry(blocks.end - 1)?.range.end;
                room.clear();
                read(range.clone(), room)?;
                Ok(Blocks { start: range.start, bytes: room })
            }
        }
    }

    /// Mode and bytes of one of these blocks, its checksum verified.
    pub(crate) fn block<'b>(&self, block: usize, of: &Blocks<'b>) -> Result<(u8, &'b [u8]), Damage> {
        let entry = self.entry(block)?;
        let place = |end: u64| end.checked_sub(of.start).map(|end| end as usize);
        let bytes = place(entry.range.start).zip(place(entry.range.end)).and_then(|(from, to)| of.bytes.get(from..to));
        let read = of.start..of.start + of.bytes.len() as u64;
        let bytes = bytes.ok_or_else(|| entry.misplaced(&read))?;
        self.table.check(block, &entry, self.table.seal(&self.seals, block), bytes)?;
        Ok((entry.mode, bytes))
    }

    fn entry(&self, block: usize) -> Result<Entry, Damage> {
        let byte_len = match self.body {
            Body::Here(bytes) => bytes.len() as u64,
            Body::There(byte_len, _) => byte_len,
        };
        Entry::parse(&self.head[self.table.entry(block)], byte_len)
    }
}
