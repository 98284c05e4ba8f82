//! Scores that no position can have: right checksums do not make them believed.

use super::common;

use crate::{Game, RunDir, ScoreRead, Scores, StoreError};
use common::{Slabs, game, run};
use dab_space::{Layer, SlabId};

/// A game of four boxes: no score is beyond 4, or 6 with a penalty of 2.
fn four_boxes(penalty: i8) -> Game {
    Game { start: "2x2:0".into(), ..game("2x2", penalty) }
}

#[track_caller]
fn refused<T>(read: Result<T, StoreError>, slab: usize, most: u8) {
    let Err(error @ StoreError::Damaged { .. }) = read else { panic!("slab {slab} is believed") };
    let (said, place) = (error.to_string(), format!("layer-00.score, slab {slab} is damaged: a score: "));
    assert!(said.contains(&place) && said.contains(&format!("expected -{most} to {most}, got ")), "{said}");
}

#[test]
fn slabs_and_single_scores_are_checked() {
    for (penalty, most) in [(0, 4), (2, 6)] {
        let game = four_boxes(penalty);
        // A slab in a tile and others in blocks, with scores far beyond the bound in each but the third.
        let slabs = Slabs::small(&game);
        let directory = tempfile::tempdir().unwrap();
        slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
        let run = RunDir::open(directory.path()).unwrap();
        let file = run.stored_layer(Layer(0)).unwrap();
        for (slab, (shape, scores)) in slabs.shapes().into_iter().zip(&slabs.scores).enumerate() {
            let id = SlabId::new(Layer(0), slab);
            let score_of = |value: i8| if game.marks { value >> 2 } else { value };
            let is_possible = |value: i8| score_of(value).unsigned_abs() <= most;
            if scores.iter().all(|&score| is_possible(score)) {
                assert_eq!(run.read_slab(id, shape).unwrap(), *scores);
            } else {
                refused(run.read_slab(id, shape), slab, most);
                refused(file.record(slab).unwrap().verify(), slab, most);
                assert_eq!(file.faults(slab).len(), 1);
            }
            for (place, &score) in scores.iter().enumerate() {
                let (row, col) = (place / shape.cols(), place % shape.cols());
                let (one, some) = (run.read_score(id, shape, row, col), run.read_scores(id, shape, &[place, place]));
                if is_possible(score) {
                    assert_eq!((one.unwrap(), some.unwrap()), (score, vec![score; 2]));
                } else {
                    refused(one, slab, most);
                    refused(some, slab, most);
                }
            }
        }
        assert!(file.record(0).unwrap().verify().is_err());
    }
}

#[test]
fn a_layer_that_is_not_listed_is_not_adopted() {
    let game = four_boxes(0);
    let slabs = Slabs::small(&game);
    let directory = tempfile::tempdir().unwrap();
    slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
    std::fs::remove_file(directory.path().join("manifest.json")).unwrap();
    let resumed = run(directory.path(), &game);
    assert!(!resumed.is_finished(Layer(0)));
    assert!(resumed.dropped()[0].to_string().contains("a score: expected -4 to 4"), "{}", resumed.dropped()[0]);
}

#[test]
fn a_mark_that_there_is_not_is_refused() {
    let game = four_boxes(0);
    if game.marks {
        let mut slabs = Slabs::new(&game, &[(3, 11)], 4, 1);
        let mut values = slabs.scores[0].to_vec();
        values[7] |= 3;
        slabs.scores[0] = Scores::new(values);
        let directory = tempfile::tempdir().unwrap();
        slabs.write(&run(directory.path(), &game), Layer(0)).unwrap();
        let run = RunDir::open(directory.path()).unwrap();
        let error = run.read_slab(SlabId::new(0, 0), slabs.shapes()[0]).unwrap_err().to_string();
        assert!(error.contains("layer-00.score, slab 0 is damaged: a mark: expected 0 to 2, got 3"), "{error}");
    }
}
