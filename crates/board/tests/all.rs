//! Tests of components, graphs and notations.

mod any_game;
mod components;
mod multigraphs;
mod mutation;
mod notation;
mod transcripts;

use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence};

/// Settings of random tests: the seed of a case that failed is kept in a file beside the test, and tried first from then on.
fn seeds_beside() -> ProptestConfig {
    let beside = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig { failure_persistence: Some(Box::new(beside)), ..ProptestConfig::default() }
}
