//! The closed-form theory of a position's endgame.
