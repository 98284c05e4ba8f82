//! Caribou Rule 6: who opens the first long chain, by counting dots and chains.
//!
//! A turn ends with every line that closes no box; the last turn ends with the game. A *double-crossed* line closes two boxes. With
//! d of them among the lines of a game, B boxes are closed by B − d lines, and all other lines end turns. That count is exact.
//! Caribou puts doubledeals and loops in the place of d. A line that closes two boxes often comes from one of these, but not always.

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
/// Caribou Rule 6. Loops do not count. The favoured player is the controller of the endgame if an even number of lines closed two
/// boxes before it; each such line exchanges the players ([`first_long_opening`]).
pub fn long_chain_rule(n_dots: u64, n_long_chains: u64) -> Player {
    if n_dots % 2 == n_long_chains % 2 { Player::First } else { Player::Second }
}

/// Number of turns of a whole game on a grid, from no line drawn to all: dots + lines that close two boxes. Exact for every game.
///
/// A grid has boxes + dots − 1 lines (Euler), of which boxes − `n_double_crossed` close a box; so dots − 1 + `n_double_crossed` lines
/// close none, and each of them ends a turn. The last line of a game always closes a box: it ends one turn more, the last one. From any
/// other start, and on any other board, the turns are undrawn lines − open boxes + 1 + `n_double_crossed` for the same reason.
pub fn n_turns(n_dots: u64, n_double_crossed: u64) -> u64 {
    n_dots + n_double_crossed
}

/// Caribou's number of turns: dots + doubledeals in chains + loops + doubledeals in loops.
///
/// It holds if each doubledeal is followed by one line that closes two boxes, each loop ends in one, and no other line closes two.
/// A chain of three boxes that is opened at both ends, once by each player, breaks that: its last line closes two boxes.
pub fn n_turns_by_doubledeals(n_dots: u64, n_chain_doubledeals: u64, n_loops: u64, n_loop_doubledeals: u64) -> u64 {
    n_turns(n_dots, n_chain_doubledeals + n_loops + n_loop_doubledeals)
}

/// The turn of a game on a grid, counted from 1, that opens the first component of a simple loony endgame: dots − long chains + lines
/// that closed two boxes before it.
///
/// Exact: a chain of n boxes has n + 1 undrawn lines and a loop as many as boxes, so dots − 1 − long chains + `n_double_crossed` lines
/// were drawn that closed no box, and each ended a turn. Caribou leaves out the last term, which is right if no line closed two boxes
/// before; a 2-chain that was opened half-heartedly and then doubledealt adds a turn.
///
/// `None` for more long chains than dots, which no board has.
pub fn first_long_opening(n_dots: u64, n_long_chains: u64, n_double_crossed: u64) -> Option<u64> {
    Some(n_dots.checked_sub(n_long_chains)? + n_double_crossed)
}
