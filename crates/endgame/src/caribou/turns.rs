//! Caribou Rule 6: who opens the first long chain, by counting dots and chains.
//!
//! A turn ends with every line that closes no box. On a board with lines = boxes + dots − 1 the lines that end no turn number one
//! per box, less one for each line that closes two boxes at once; such lines come from doubledeals and from loops.

/// One of the two players of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The player who draws the first line.
    First,
    /// The other.
    Second,
}

/// The player favoured by the long chain rule: first when dots + long chains is even, second when it is odd.
///
/// Caribou Rule 6. Loops do not count. The favoured player is the controller of the endgame.
pub fn long_chain_rule(n_dots: u64, n_long_chains: u64) -> Player {
    if n_dots % 2 == n_long_chains % 2 { Player::First } else { Player::Second }
}

/// Number of turns of a whole game: dots + doubledeals in chains + loops + doubledeals in loops.
///
/// Caribou, number-of-turns formula. Exact for every game.
pub fn n_turns(n_dots: u64, n_chain_doubledeals: u64, n_loops: u64, n_loop_doubledeals: u64) -> u64 {
    n_dots + n_chain_doubledeals + n_loops + n_loop_doubledeals
}

/// The turn, counted from 1, that opens the first long component: dots − long chains. Caribou, justification of Rule 6.
///
/// `None` for more long chains than dots, which no board has.
pub fn first_long_opening(n_dots: u64, n_long_chains: u64) -> Option<u64> {
    n_dots.checked_sub(n_long_chains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_7() {
        // 4x5 dots, four 3-chains: 15 lines drawn one a turn, the 16th turn opens.
        assert_eq!(first_long_opening(20, 4), Some(16));
        assert_eq!(long_chain_rule(20, 4), Player::First);
    }

    #[test]
    fn the_favoured_player_does_not_open() {
        for n_dots in 4..40 {
            for n_chains in 0..n_dots {
                let opener_is_first = first_long_opening(n_dots, n_chains).unwrap() % 2 == 1;
                let favoured = long_chain_rule(n_dots, n_chains);
                assert_eq!(favoured, if opener_is_first { Player::Second } else { Player::First });
            }
        }
    }

    #[test]
    fn turns_before_and_in_the_endgame_add_up() {
        // From the first opening on: one turn a component, one more a doubledeal.
        for (n_dots, chains, loops, chain_deals, loop_deals) in [(20, 4, 0, 3, 0), (36, 3, 2, 2, 1), (9, 0, 1, 0, 0)] {
            let before = first_long_opening(n_dots, chains).unwrap();
            let after = chains + loops + chain_deals + loop_deals;
            assert_eq!(n_turns(n_dots, chain_deals, loops, loop_deals), before + after);
        }
    }
}
