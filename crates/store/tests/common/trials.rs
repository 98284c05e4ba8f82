//! Solves on a storage that fails: each goes on after any fault, and ends in the files of a solve that nothing interrupts.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use crate::{RunDir, StoreError};

use super::Random;
use super::fault::{Fault, Faulty};

/// The files of a solve that nothing interrupts, and the number of its operations.
pub(crate) fn uninterrupted<T: Debug, F>(
    solve: impl Fn(&Arc<Faulty>, &Path) -> Result<T, StoreError>,
    files: impl Fn(&Path) -> F,
) -> (F, usize) {
    let directory = tempfile::tempdir().unwrap();
    let storage = Arc::new(Faulty::never());
    drop(solve(&storage, directory.path()).unwrap());
    (files(directory.path()), storage.n_done())
}

/// One fault at each operation; `go_on` solves the rest, and `check` looks at the run. Returns the number of operations.
pub(crate) fn every_fault_at_every_operation<F: PartialEq>(
    solve: impl Fn(&Arc<Faulty>, &Path) -> Result<RunDir, StoreError>,
    go_on: impl Fn(&Path) -> RunDir,
    check: impl Fn(&RunDir),
    files: impl Fn(&Path) -> F,
) -> usize {
    let (expected, n_operations) = uninterrupted(|storage, path| solve(storage, path).map(drop), &files);
    for fault in Fault::ALL {
        for at in 0..n_operations {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("run");
            let result = solve(&Arc::new(Faulty::new(at, fault)), &path).map(drop);
            assert!(result.is_err() || fault == Fault::Full, "{fault:?} at {at}");
            let run = go_on(&path);
            assert!(run.dropped().is_empty(), "{fault:?} at {at}: {:?}", run.dropped());
            check(&run);
            drop(run);
            assert!(files(&path) == expected, "{fault:?} at {at}");
        }
    }
    n_operations
}

/// So often, three faults one after the other at random operations: the later ones soon after the solve goes on.
pub(crate) fn faults_during_recovery<T: Debug, F: PartialEq>(
    (times, seed): (usize, u64),
    solve: impl Fn(&Arc<Faulty>, &Path) -> Result<T, StoreError>,
    files: impl Fn(&Path) -> F,
) {
    let (expected, n_operations) = uninterrupted(&solve, &files);
    let mut random = Random(seed);
    for _ in 0..times {
        let directory = tempfile::tempdir().unwrap();
        let mut at = random.below(n_operations as u64);
        for _ in 0..3 {
            let fault = Fault::ALL[random.below(Fault::ALL.len() as u64) as usize];
            let _ = solve(&Arc::new(Faulty::new(at as usize, fault)), directory.path());
            at = random.below(12);
        }
        drop(solve(&Arc::new(Faulty::never()), directory.path()).unwrap());
        assert!(files(directory.path()) == expected);
    }
}
