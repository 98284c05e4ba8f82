//! Messages between processes: a few numbers, never scores.
//!
//! ```text
//!     0       1        2        3        4 .. 8
//!    | kind | layer | piece  | bytes  | digest |     eight 64-bit words, also for those that need fewer
//! ```

use dab_space::Layer;
use dab_store::Digest;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The docs of a variant explain its fields.
pub enum Message {
    /// Nothing but a sign of life.
    Alive,
    /// Manager to worker: the directory of the run is there.
    Begin,
    /// Worker to manager: its tables are made, and so many threads will ask for work.
    Ready { threads: usize },
    /// Worker to manager: a thread has nothing to do.
    Idle,
    /// Manager to worker: a piece to solve.
    Solve { layer: Layer, piece: usize },
    /// Worker to manager: the slab file of a piece is there, of this length and with slabs of this digest.
    Done { layer: Layer, piece: usize, bytes: u64, digest: Digest },
    /// Manager to worker: everything is solved.
    End,
}

impl Message {
    /// Length of a message.
    pub const WORDS: usize = 8;

    /// The message in words.
    pub fn to_words(self) -> [u64; Self::WORDS] {
        let short = |kind: u64, rest: [u64; 2]| [kind, rest[0], rest[1], 0, 0, 0, 0, 0];
        match self {
            Self::Alive => short(0, [0; 2]),
            Self::Begin => short(1, [0; 2]),
            Self::Ready { threads } => short(2, [threads as u64, 0]),
            Self::Idle => short(3, [0; 2]),
            Self::Solve { layer, piece } => short(4, [layer.0 as u64, piece as u64]),
            Self::Done { layer, piece, bytes, digest } => {
                let mut words = short(5, [layer.0 as u64, piece as u64]);
                words[3] = bytes;
                for (word, bytes) in words[4..].iter_mut().zip(digest.0.as_chunks().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
                words
            }
            Self::End => short(6, [0; 2]),
        }
    }

    /// The message that the words encode, or `None` if they encode none.
    pub fn from_words(words: [u64; Self::WORDS]) -> Option<Self> {
        let (layer, piece) = (Layer(words[1] as usize), words[2] as usize);
        Some(match words[0] {
            0 => Self::Alive,
            1 => Self::Begin,
            2 => Self::Ready { threads: words[1] as usize },
            3 => Self::Idle,
            4 => Self::Solve { layer, piece },
            5 => {
                let mut digest = [0; Digest::LEN];
                for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(&words[4..]) {
                    *bytes = word.to_le_bytes();
                }
                Self::Done { layer, piece, bytes: words[3], digest: Digest(digest) }
            }
            6 => Self::End,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let digest = Digest(std::array::from_fn(|i| i as u8));
        let all = [
            Message::Alive,
            Message::Begin,
            Message::Ready { threads: 64 },
            Message::Idle,
            Message::Solve { layer: Layer(59), piece: 1 << 40 },
            Message::Done { layer: Layer(3), piece: 7, bytes: (1 << 40) + 1, digest },
            Message::End,
        ];
        for message in all {
            assert_eq!(Message::from_words(message.to_words()), Some(message));
        }
        assert_eq!(Message::from_words([7, 0, 0, 0, 0, 0, 0, 0]), None);
    }
}
