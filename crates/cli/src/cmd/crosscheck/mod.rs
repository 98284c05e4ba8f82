//! `dab crosscheck`: the endgame theory against recursion ([`endgames`]) and against solved boards ([`board`]).

pub(crate) mod board;
pub(crate) mod endgames;
mod survey;
