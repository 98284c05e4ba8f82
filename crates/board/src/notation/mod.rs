//! Positions as text.

pub mod compact;
