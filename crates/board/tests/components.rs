//! Laws of the decomposition on every position of small boards, and positions from the literature.

use crate::components::{Component, Components};
use crate::{Board, BoxIdx, Graph, LineSet, Position, notation};

fn every_position(rows: usize, cols: usize) -> impl Iterator<Item = Position> {
    let board = Board::grid(rows, cols).unwrap();
    (0..=board.all().0).map(move |mask| Position::new(board.clone(), LineSet(mask)).unwrap())
}

/// Boxes with an open line among `lines`.
fn boxes_at(graph: &Graph, lines: LineSet) -> impl Iterator<Item = BoxIdx> {
    (0..graph.joints().len()).filter(move |&at| graph.joints()[at].strings.meets(lines))
}

/// The open lines that hang together with the lowest of `open` through boxes.
fn connected(graph: &Graph, open: LineSet) -> LineSet {
    let mut found: LineSet = open.lowest().into_iter().collect();
    loop {
        let grown = boxes_at(graph, found).fold(found, |grown, at| grown | (graph.joints()[at].strings & open));
        if grown == found {
            return found;
        }
        found = grown;
    }
}

fn check_laws(position: &Position) {
    let graph = position.board().graph();
    let components = Components::new(position);
    let after = position.capture_run().after;
    let boxes: usize = components.components.iter().map(Component::boxes).sum();
    assert_eq!(components.captured + components.capturable + boxes, position.board().n_boxes(), "{position}");
    let mut rest = position.board().all() - after;
    for component in &components.components {
        let lines = component.lines();
        assert!(lines.is_subset(rest), "{position}: a line in two components");
        assert_eq!(connected(graph, lines), lines, "{position}: a component falls to pieces");
        assert!(boxes_at(graph, lines).all(|at| !graph.joints()[at].strings.meets(rest - lines)), "{position}");
        assert_eq!(boxes_at(graph, lines).count(), component.boxes(), "{position}");
        let valences: Vec<usize> = boxes_at(graph, lines).map(|at| graph.valence(at, after)).collect();
        match *component {
            Component::Chain { boxes, lines } => assert_eq!(lines.len(), boxes + 1, "{position}"),
            Component::Loop { boxes, lines } => assert_eq!(lines.len(), boxes, "{position}"),
            Component::Joined { joints, .. } => {
                assert!(joints > 0);
                assert_eq!(valences.iter().filter(|&&valence| valence >= 3).count(), joints, "{position}");
            }
        }
        if !matches!(component, Component::Joined { .. }) {
            assert!(valences.iter().all(|&valence| valence == 2), "{position}");
        }
        rest = rest - lines;
    }
    assert!(rest.is_empty(), "{position}: a line in no component");
}

/// The sizes of all components, whatever lines they have.
fn sizes(position: &Position) -> Vec<(usize, usize, usize)> {
    let size = |component: &Component| match *component {
        Component::Chain { boxes, .. } => (0, boxes, 0),
        Component::Loop { boxes, .. } => (1, boxes, 0),
        Component::Joined { boxes, joints, .. } => (2, boxes, joints),
    };
    let components = Components::new(position);
    let mut sizes: Vec<_> = components.components.iter().map(size).collect();
    sizes.sort_unstable();
    sizes.push((3, components.captured, components.capturable));
    sizes
}

#[test]
fn components_partition_every_position() {
    for position in every_position(2, 2).chain(every_position(2, 3)) {
        check_laws(&position);
    }
}

#[test]
fn mirror_images_have_the_same_components() {
    for position in every_position(2, 2).chain(every_position(2, 3)) {
        let board = position.board();
        let expect = sizes(&position);
        for map in board.symmetries() {
            let image = position.drawn().iter().map(|line| map[line]).collect();
            assert_eq!(sizes(&Position::new(board.clone(), image).unwrap()), expect, "{position}");
        }
    }
}

#[test]
fn order_of_components() {
    for position in every_position(2, 3) {
        let key = |component: &Component| match component {
            Component::Chain { boxes, lines } => (0, *boxes, lines.lowest()),
            Component::Loop { boxes, lines } => (1, *boxes, lines.lowest()),
            Component::Joined { lines, .. } => (2, 0, lines.lowest()),
        };
        assert!(Components::new(&position).components.is_sorted_by_key(key), "{position}");
    }
}

#[track_caller]
fn components(picture: &str) -> Components {
    let position = notation::parse(picture).unwrap();
    check_laws(&position);
    Components::new(&position)
}

// The examples of the game page of the Caribou Contests.

#[test]
fn caribou_example_1() {
    let found = components(
        "
        +   +---+---+
        |   |   |   |
        +   +---+---+
        |
        +---+---+---+

        +---+---+---+
        ",
    );
    assert_eq!((found.captured, found.capturable), (2, 0));
    assert_eq!(found.as_simple_endgame(), Some((vec![3, 4], vec![])));
}

#[test]
fn caribou_example_3() {
    let found = components(
        "
        +---+---+   +---+
        |       |       |
        +   +   +---+   +
        |       |   |   |
        +---+---+---+   +
                    |
        +---+---+   +---+
        ",
    );
    assert_eq!((found.captured, found.capturable), (1, 0));
    assert_eq!(found.as_simple_endgame(), Some((vec![3, 4], vec![4])));
}

#[test]
fn caribou_example_6() {
    let found = components(
        "
        +---+---+---+---+   +
        |     P         |   |
        +   +   +---+   +   +
        |   |           |   |
        +   +---+---+---+   +
        |               |   |
        +---+---+---+   +   +
        ",
    );
    assert_eq!(found.captured, 0);
    assert_eq!(found.as_simple_endgame(), None);
    assert!(matches!(
        found.components[..],
        [Component::Chain { boxes: 3, .. }, Component::Joined { boxes: 12, joints: 1, .. }]
    ));
}
