//! Messages between processes: a few numbers, never scores.

use dab_space::Layer;

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
    /// Worker to manager: the slabs of a piece are in its score file.
    Done { layer: Layer, piece: usize },
    /// Manager to worker: all pieces of a layer are done, its score file is to be completed.
    Close { layer: Layer },
    /// Worker to manager: the score file is complete; its number, if there is one.
    Closed { layer: Layer, number: Option<u32> },
    /// Manager to worker: everything is solved.
    End,
}

impl Message {
    /// Length of a message in words, also of those that need fewer.
    pub const WORDS: usize = 3;

    /// The message in words.
    pub fn to_words(self) -> [u64; Self::WORDS] {
        let of_layer = |kind: u64, layer: Layer, number: u64| [kind, layer.0 as u64, number];
        match self {
            Self::Alive => [0; 3],
            Self::Begin => [1, 0, 0],
            Self::Ready { threads } => [2, threads as u64, 0],
            Self::Idle => [3, 0, 0],
            Self::Solve { layer, piece } => of_layer(4, layer, piece as u64),
            Self::Done { layer, piece } => of_layer(5, layer, piece as u64),
            Self::Close { layer } => of_layer(6, layer, 0),
            Self::Closed { layer, number } => of_layer(7, layer, number.map_or(0, |number| u64::from(number) + 1)),
            Self::End => [8, 0, 0],
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
            5 => Self::Done { layer, piece },
            6 => Self::Close { layer },
            7 => {
                let number = words[2].checked_sub(1).map(u32::try_from).transpose().ok()?;
                Self::Closed { layer, number }
            }
            8 => Self::End,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let all = [
            Message::Alive,
            Message::Begin,
            Message::Ready { threads: 64 },
            Message::Idle,
            Message::Solve { layer: Layer(59), piece: 1 << 40 },
            Message::Done { layer: Layer(3), piece: 7 },
            Message::Close { layer: Layer(3) },
            Message::Closed { layer: Layer(3), number: None },
            Message::Closed { layer: Layer(3), number: Some(0) },
            Message::Closed { layer: Layer(3), number: Some(u32::MAX) },
            Message::End,
        ];
        for message in all {
            assert_eq!(Message::from_words(message.to_words()), Some(message));
        }
        assert_eq!(Message::from_words([9, 0, 0]), None);
        assert_eq!(Message::from_words([7, 0, 1 << 40]), None);
    }
}
