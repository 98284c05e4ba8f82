//! `dab crosscheck`: the endgame theory against recursion ([`endgames`]) and against solved boards ([`board`]), and
//! solved boards against each other ([`runs`]).

pub(crate) mod board;
pub(crate) mod endgames;
pub(crate) mod runs;
