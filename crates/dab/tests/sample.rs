//! Random positions of a table are drawn with equal odds.

use crate::{Layer, LineSet};

#[test]
fn every_stored_position_of_a_layer_is_drawn_equally_often() {
    let table = crate::solve("2x2".parse().unwrap()).in_memory().unwrap();
    let stored = table.stored(Layer(5)).unwrap().map(|stored| stored.unwrap().0.drawn());
    let stored: Vec<LineSet> = stored.collect();
    let often = 200;
    let drawn = table.sample(often * stored.len(), Some(Layer(5)), 7).unwrap();
    for position in stored {
        let found = drawn.iter().filter(|&&other| other == position).count();
        // Six standard deviations.
        assert!(found.abs_diff(often) < 85, "{found} times");
    }
    assert!(drawn.iter().all(|lines| lines.len() == 5));
    assert_eq!(drawn, table.sample(drawn.len(), Some(Layer(5)), 7).unwrap());
    assert_ne!(drawn, table.sample(drawn.len(), Some(Layer(5)), 8).unwrap());
}

#[test]
fn layers_are_drawn_by_their_positions() {
    let table = crate::solve("2x3".parse().unwrap()).in_memory().unwrap();
    let drawn = table.sample(100_000, None, 0).unwrap();
    let layout = table.space().layout();
    for layer in 0..layout.layers().len() {
        let expected = 1e5 * layout.layer_positions(layer) as f64 / layout.total_positions() as f64;
        let found = drawn.iter().filter(|lines| lines.len() == layer).count() as f64;
        assert!((found - expected).abs() < 6.0 * expected.sqrt() + 1.0, "layer {layer}: {found}, not {expected}");
    }
    let error = table.sample(1, Some(Layer(18)), 0).unwrap_err().to_string();
    assert_eq!(error, "memory has no scores of layer 18: it holds layers 0 to 17 of 18");
    let error = table.sample(1, Some(Layer(16)), 0).unwrap_err().to_string();
    assert_eq!(error, "memory stores no position in layer 16");
    assert_eq!(table.sample(0, Some(Layer(3)), 0).unwrap(), []);
}
