//! Positions and games read from text of any notation.
