//! The lines that refuted positions before: moves that fill them are tried first.
//!
//! A line has one number, in whatever position it is drawn: how often the move through it reached the goal of a search,
//! as a part of all times that it was tried.

use crate::chains::Chains;

/// Numbers of the lines of a board, and behind them one for each kind of isolated chain.
pub(crate) const N_LINES: usize = dab_board::MAX_LINES + Chains::KINDS as usize;
/// Times after which old ones count half.
const FULL: u32 = 1 << 16;

/// What is known of a line.
#[derive(Clone, Copy)]
struct Line {
    tried: u32,
    reached: u32,
    /// The part of the tries that reached the goal, in 1/1024.
    rate: i32,
}

/// What is known of the lines of a board.
pub(crate) struct History([Line; N_LINES]);

impl History {
    pub(crate) fn new() -> Self {
        Self([Line { tried: 2, reached: 1, rate: 512 }; N_LINES])
    }

    /// How often a line reached the goal, in 1/1024 of all times.
    #[inline]
    pub(crate) fn rate(&self, line: u8) -> i32 {
        self.0[usize::from(line)].rate
    }

    /// Counts a try.
    #[inline]
    pub(crate) fn count(&mut self, line: u8, has_reached: bool) {
        let Line { tried, reached, rate } = &mut self.0[usize::from(line)];
        if *tried >= FULL {
            (*tried, *reached) = (*tried / 2, *reached / 2);
        }
        *tried += 1;
        *reached += u32::from(has_reached);
        *rate = (*reached * 1024 / *tried) as i32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_the_tries() {
        let mut history = History::new();
        assert_eq!(history.rate(5), 512);
        (0..1_000_000).for_each(|_| history.count(5, false));
        assert!(history.rate(5) < 10);
        (0..1_000_000).for_each(|_| history.count(5, true));
        assert!(history.rate(5) > 1000);
        assert_eq!(history.rate(6), 512);
    }
}
