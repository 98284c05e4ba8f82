//! Every byte on disk.
