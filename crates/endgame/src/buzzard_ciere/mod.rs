//! K. Buzzard and M. Ciere, *Playing simple loony Dots and Boxes endgames optimally* (2013).
//!
//! - `value`: the algorithm of section 4.1, and the theorems it picks from (10, 12, Corollaries 22, 24, 27, 30);
//! - `opening`: the algorithm of section 4.2, and its theorems (18, 23, 25, 29).
//!
//! A theorem returns `None` for a position outside its hypotheses. Where the paper restarts its algorithm on a smaller position,
//! that position is smaller by all 4-loops or by one component, and its own theorem is called: no search.

mod opening;
mod value;

#[cfg(test)]
pub(crate) use opening::opening_one_kind;
pub(crate) use opening::{
    opening, opening_beside_three_chain, opening_with_one_three_chain, opening_with_three_chains,
    opening_without_three_chains,
};
#[cfg(test)]
pub(crate) use value::add_four_loops;
pub use value::value;
pub(crate) use value::{
    value_beside_three_chain, value_of_chains, value_of_loops, value_with_one_three_chain, value_with_three_chains,
    value_without_three_chains,
};
