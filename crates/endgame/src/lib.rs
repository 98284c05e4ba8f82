//! Closed-form theory of simple loony endgames of Dots and Boxes.
//!
//! A simple loony endgame is a multiset of isolated long chains (3 boxes or more) and even loops (4 or more). The player to move
//! *opens* a component; the other one, the *controller*, takes it all, or gives 2 (chain) or 4 (loop) boxes back and keeps
//! control. The value v(G) is the controller's net score under best play. The controlled value c(G) is her net score if she
//! (almost) always keeps control.
//!
//! ```text
//! component, totals, position, notation      a position, and its text form
//! controlled                                 c(G)
//! allcock, buzzard_ciere, amalgamate         the theorems, one Rust item each, none calling another paper's
//! any_loops                                  a theorem where loops may be odd
//! openings, endgame                          every optimal opening and reply
//! caribou                                    a heuristic player
//! recursion, family                          the oracle, and all positions up to a size
//! check                                      every theorem against the oracle
//! ```
//! Everything but the last two rows takes time independent of the multiplicities. The crate knows no boards and
//! does no I/O.
//!
//! ```
//! use dab_endgame::{Position, allcock, controlled, openings};
//!
//! let g: Position = "3^2+4+6l".parse()?;
//! assert_eq!(controlled::controlled_value(&g), 0);
//! assert_eq!(allcock::value(&g), 2);
//! assert_eq!(openings::optimal_openings(&g)[0].to_string(), "3");
//! # Ok::<(), dab_endgame::ParseError>(())
//! ```

#![forbid(unsafe_code)]

pub mod allcock;
mod amalgamate;
mod any_loops;
pub mod buzzard_ciere;
pub mod caribou;
pub mod check;
mod component;
pub mod controlled;
mod endgame;
mod family;
mod notation;
pub mod openings;
mod position;
pub mod recursion;
#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
mod totals;

pub use component::Component;
pub use endgame::{Endgame, Solved};
pub use family::Family;
pub use notation::ParseError;
pub use position::{Position, PositionError};
pub use totals::Totals;
