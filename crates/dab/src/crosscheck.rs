//! Checks of the endgame theory against a solved board, and of one run against another.
