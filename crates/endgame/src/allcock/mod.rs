//! D. Allcock, *Best play in Dots and Boxes endgames* (2021): theorems that look at the present position only.
//!
//! - `opener`: which component to open (Theorem 1.1);
//! - `controller`: whether to keep control (Theorems 1.3, 1.4, 1.5);
//! - `explicit`: the value by cases (Theorem 4.1);
//! - `procedural`: the value as a short process from a core (Theorem 4.2);
//! - `midgame`: goals of a player with a small lead (section 5), small positions of value 0, 3 and 4 (5.1, corrected, and 5.2).
//!
//! Each theorem is coded from its own statement, never from another theorem, so that they check each other. The controlled value
//! and the control strategy (Theorem 2.1) are in [`controlled`](crate::controlled).

mod controller;
mod explicit;
mod midgame;
mod opener;
mod procedural;

pub(crate) use controller::{is_above_four, is_above_two, keeps_control};
pub use explicit::{Case, explicit_value, value};
#[cfg(test)]
pub(crate) use midgame::is_three_if_small;
pub use midgame::{Goal, goals};
pub(crate) use midgame::{is_small_four, is_small_three, is_small_zero, is_zero_at_zero};
pub(crate) use opener::{opening, standard_move};
#[cfg(test)]
pub(crate) use procedural::{core, iterate_phi, iterate_sigma};
pub(crate) use procedural::{procedural_value, process};
