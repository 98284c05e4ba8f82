//! Messages between processes: a few numbers, never scores.

use dab_solve::Size;
use dab_space::{Layer, SlabId};

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The docs of a variant explain its fields.
pub enum Message {
    /// Nothing but a sign of life.
    Alive,
    /// Manager to worker: the directory of the run is there; whether slabs are done only when they will survive a power cut.
    Begin { syncs: bool },
    /// Worker to manager: it is there, with its number of threads.
    Ready { threads: usize },
    /// Manager to worker: a slab to solve.
    Solve { id: SlabId, size: Size },
    /// Worker to manager: the slab is in its score file.
    Done { id: SlabId },
    /// Manager to worker: nothing reads the slab any more.
    Unread { id: SlabId },
    /// Manager to worker: all slabs of a layer are done, its score file is to be completed. Worker to manager: it is.
    Close { layer: Layer },
    /// Manager to worker: everything is solved.
    End,
}

/// Sizes by number.
const SIZES: [Size; 3] = [Size::Small, Size::Shared, Size::Large];

impl Message {
    /// Length of a message in words, also of those that need fewer.
    pub const WORDS: usize = 4;

    /// The message in words.
    pub fn to_words(self) -> [u64; Self::WORDS] {
        let of_slab = |kind: u64, id: SlabId, more: u64| [kind, id.layer.0 as u64, id.slab as u64, more];
        match self {
            Self::Alive => [0; Self::WORDS],
            Self::Begin { syncs } => [1, syncs.into(), 0, 0],
            Self::Ready { threads } => [2, threads as u64, 0, 0],
            Self::Solve { id, size } => of_slab(3, id, size as u64),
            Self::Done { id } => of_slab(4, id, 0),
            Self::Unread { id } => of_slab(5, id, 0),
            Self::Close { layer } => [6, layer.0 as u64, 0, 0],
            Self::End => [7, 0, 0, 0],
        }
    }

    /// The message that the words encode, or `None` if they encode none.
    pub fn from_words([kind, layer, slab, more]: [u64; Self::WORDS]) -> Option<Self> {
        let (threads, id) = (layer as usize, SlabId::new(layer as usize, slab as usize));
        Some(match kind {
            0 => Self::Alive,
            1 => Self::Begin { syncs: layer == 1 },
            2 => Self::Ready { threads },
            3 => Self::Solve { id, size: *SIZES.get(more as usize)? },
            4 => Self::Done { id },
            5 => Self::Unread { id },
            6 => Self::Close { layer: id.layer },
            7 => Self::End,
            _ => return None,
        })
    }
}
