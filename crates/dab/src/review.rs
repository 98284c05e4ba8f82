//! Games reviewed: the margin before and after each line, and the cost of each turn.
