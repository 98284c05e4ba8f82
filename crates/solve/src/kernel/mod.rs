//! Kernels: the scores of one slab from the slabs above it.

pub mod scalar;
