//! The score file of a record.

use super::header::Header;
use crate::origin::Origin;
use crate::score_bound::ScoreBound;

/// The parts that all records of a score file share.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) origin: Origin,
    pub(super) header: Header,
    pub(super) bound: ScoreBound,
}
