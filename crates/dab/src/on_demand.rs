//! Positions that no table holds, solved when they are asked about, within limits.
