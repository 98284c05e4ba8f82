//! A board or a position solved into a run directory or into memory.
