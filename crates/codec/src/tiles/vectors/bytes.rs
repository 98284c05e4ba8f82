//! Bytes of chosen lanes, eight at a time: tables of indices for shuffles, by a bit for each lane.

/// The rank of each chosen lane among the chosen ones: what takes the next bytes of a code to them. Anything below 8 for the
/// others.
pub(super) static RANKS: [u64; 256] = indices(false);

/// The chosen lanes in order, at the end of eight bytes: what brings the bytes of chosen lanes together. Anything below 8
/// before them.
pub(super) static CHOSEN: [u64; 256] = indices(true);

const fn indices(chosen: bool) -> [u64; 256] {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut rank) = (0u32, 0u32);
        let absent = 8 - (bits as u32).count_ones();
        let mut bytes = [0u8; 8];
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                if chosen {
                    bytes[(absent + rank) as usize] = lane as u8;
                } else {
                    bytes[lane as usize] = rank as u8;
                }
                rank += 1;
            }
            lane += 1;
        }
        table[bits] = u64::from_le_bytes(bytes);
        bits += 1;
    }
    table
}

/// A byte eight times.
pub(super) const EIGHT: u64 = 0x0101_0101_0101_0101;
