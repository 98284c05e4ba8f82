//! The rules of the Caribou contest's page on Dots, as a player.
//!
//! - `order`: Rules 2, 3 and 4, a fixed order of opening, and Rule 5, whether to doubledeal;
//! - `turns`: Rule 6, the long chain rule, and the number of turns: exact, and as the page has it.
//!
//! Rules 2 to 5 are a heuristic: no fixed order is optimal (`3+4l` needs 4l first, `3^3+4l` needs 3 first).
//! `tests/caribou.rs` counts how often and by how much they lose.

mod order;
mod turns;

pub use order::{Forecast, forecast, opening};
#[cfg(test)]
pub(crate) use order::{opening_order, put_before};
pub use turns::{Player, first_long_opening, long_chain_rule, n_turns, n_turns_by_doubledeals};
