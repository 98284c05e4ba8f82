//! A run keeps the cut that it was begun with, and scores do not depend on it.
#![cfg(feature = "solve")]

use crate::{Tablebase, solve};
use dab_space::cuts::cuts;
use dab_space::partition::Partition;
use dab_space::{Budget, Layout, Rules, Space, SpaceKind, Units};
use dab_store::{Game, RunDir};

#[test]
fn a_run_of_any_cut_is_resumed_and_read() {
    let units = || Units::new("2x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
    let rules = Rules::default();
    let best = solve("2x3".parse().unwrap()).in_memory().unwrap();
    let positions = best.sample(1_000, None, 1).unwrap();
    let (expected, mut n_others) = (best.probe_many(&positions).unwrap(), 0);
    let budget = Budget::unbounded();
    let partitions = cuts(&units()).into_iter().map(|cut| Partition::new(&units(), cut));
    let narrow = partitions.filter(|partition| partition.sizes.waist <= 10);
    let mut layouts: Vec<Layout> = narrow.map(|cut| Layout::with_partition(units(), cut, &budget).unwrap()).collect();
    // A cut of which units inside the halves belong to the waist.
    layouts.push(Layout::within(units(), 10, &budget).unwrap());
    assert!(layouts.last().unwrap().partition().n_inner() > 0);
    for layout in layouts {
        let space = Space::with_layout(layout);
        let game = Game::of(&space, rules);
        n_others += u32::from(game != *best.files().game());
        let directory = tempfile::tempdir().unwrap();
        // As a solve leaves it that is interrupted at once.
        drop(RunDir::create_or_resume(directory.path(), &game, space.n_layers()).unwrap());
        let solved = solve("2x3".parse().unwrap()).into_dir(directory.path()).unwrap();
        assert_eq!(*solved.files().game(), game);
        drop(solved);
        // A layer that is lost is solved again in the same cut.
        std::fs::remove_file(directory.path().join("layer-05.score")).unwrap();
        solve("2x3".parse().unwrap()).into_dir(directory.path()).unwrap();
        let read = Tablebase::open(directory.path()).unwrap();
        assert_eq!(*read.files().game(), game);
        assert_eq!(read.probe_many(&positions).unwrap(), expected);
    }
    assert!(n_others > 4);
}

#[test]
fn a_run_of_another_game_is_not_resumed() {
    let directory = tempfile::tempdir().unwrap();
    solve("2x2".parse().unwrap()).into_dir(directory.path()).unwrap();
    let refused = solve("2x3".parse().unwrap()).into_dir(directory.path()).unwrap_err();
    assert!(refused.to_string().contains("2x2"), "{refused}");
}
