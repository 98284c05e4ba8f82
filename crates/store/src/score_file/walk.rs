//! Finding records without a directory: each begins where the one before it ends, as its front says.

use dab_codec::ReadError;
use dab_space::SlabShape;

use super::directory::Entry;
use super::front::Front;
use super::header::Header;
use super::stored_record::StoredRecord;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;
use crate::section::Section;

/// The record at an offset of a file, if its front is intact and the file reaches to its end. The rest of it is not checked.
pub(super) fn record_at(file: &Section, header: &Header, offset: u64) -> Result<Option<Entry>, ReadError> {
    if file.len().saturating_sub(offset) < Front::LEN as u64 {
        return Ok(None);
    }
    let mut bytes = [0; Front::LEN];
    file.fill(offset, &mut bytes)?;
    let found = Front::parse(header, &bytes).ok().filter(|front| front.byte_len <= file.len() - offset);
    Ok(found.map(|Front { slab, digest, byte_len }| Entry { slab: slab as usize, offset, byte_len, digest }))
}

/// The records at the front of an interrupted file, of slabs of these shapes: whole, every block of them, up to the first fault.
///
/// # Errors
/// The disk fails. Damage is no error: it ends the records that count.
pub(super) fn whole_records(
    origin: &Origin,
    file: &Section,
    header: &Header,
    shapes: &[SlabShape<'_>],
) -> Result<Vec<Entry>, ReadError> {
    let (mut entries, mut offset): (Vec<Entry>, u64) = (Vec::new(), Header::LEN as u64);
    let mut is_there = vec![false; shapes.len()];
    while let Some(entry) = unless_damaged(record_at(file, header, offset))?.flatten() {
        let record = StoredRecord { origin, file: file.clone(), header, entry, bound: ScoreBound::ANY };
        let is_whole = match shapes.get(entry.slab) {
            Some(&shape) if !is_there[entry.slab] => unless_damaged(record.check(shape).map_err(|fault| fault.error))?,
            _ => None,
        };
        if is_whole.is_none() {
            break;
        }
        is_there[entry.slab] = true;
        offset = entry.range().end;
        entries.push(entry);
    }
    Ok(entries)
}

/// Bytes that were read, or nothing if they are damaged.
fn unless_damaged<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Damage(_)) => Ok(None),
        read => read.map(Some),
    }
}
