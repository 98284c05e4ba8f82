//! Plots, scales, text and shapes. They are private in part, so these tests belong to the test binary of the crate.

mod plots {
    use crate::{LayerRow, plot, plot_shares};

    #[test]
    fn every_layer_is_plotted() {
        let row = |layer: usize, seconds| LayerRow {
            layer,
            positions: 10 << layer,
            bytes: 100,
            scores: vec![(-1, 3), (1, 7), (3, 0)],
            seconds,
        };
        let rows: Vec<LayerRow> = (2..7).map(|layer| row(layer, Some(layer as f64))).collect();
        let svg = plot("a < b", &rows).svg();
        assert!(svg.contains(">a &lt; b</text>") && svg.contains(">Seconds</text>"));
        // The background and the colour scale, then two rows of bars and two cells a layer.
        assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (1 + 5 + 4 * 5, 5));
        for axis in ["positions", "bits", "score", "seconds"] {
            assert_eq!(svg.matches(&format!(">{axis}</text>")).count(), 1, "{axis}");
        }
        let rows: Vec<LayerRow> = rows.into_iter().map(|row| LayerRow { seconds: None, ..row }).collect();
        assert!(!plot("", &rows).svg().contains("Seconds"));
        assert!(plot("", &[]).svg().ends_with("</svg>\n"));
    }

    #[test]
    fn every_share_is_plotted() {
        let svg = plot_shares("3x3:0", &[("one", vec![(2, 50.0), (3, 97.0)]), ("other", vec![])]).svg();
        assert_eq!((svg.matches("<circle").count(), svg.matches(">percent</text>").count()), (2, 2));
    }
}

mod scale {
    use crate::scale::Scale;

    #[test]
    fn ticks_are_round() {
        let texts = |scale: Scale| scale.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Scale::linear([0.3, 7.5].into_iter())), ["0", "2", "4", "6", "8"]);
        assert_eq!(texts(Scale::linear([0.013].into_iter())), ["0.000", "0.005", "0.010", "0.015"]);
        assert_eq!(texts(Scale::log([1.0, 3e8].into_iter())), ["1", "1000", "10\u{2076}", "10\u{2079}"]);
        assert_eq!(texts(Scale::log([0.5, 90.0].into_iter())), ["0.1", "1", "10", "100"]);
    }

    #[test]
    fn values_lie_within_the_plot() {
        for scale in [Scale::linear([0.0, 3.0].into_iter()), Scale::log([0.2, 1e12].into_iter())] {
            for value in [0.0, 0.2, 1.0, 3.0, 1e12] {
                assert!((0.0..=1.0).contains(&scale.height(value)));
            }
        }
        let log = Scale::log([1.0, 1000.0].into_iter());
        assert_eq!([1.0, 1000.0].map(|value| log.height(value)), [0.0, 1.0]);
    }
}

mod svg {
    use crate::picture::{Picture, Text};
    use crate::svg::{number, path};

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, 0.5, -0.001, 12.345, 100.0].map(number), ["1", "0.5", "0", "12.35", "100"]);
        assert_eq!(path(&[[0.0, 0.0], [1.0, 2.5]]), "M0 0L1 2.5");
    }

    #[test]
    fn text_cannot_break_out() {
        let mut picture = Picture::new(1.0, 1.0);
        picture.write(Text::new([0.0, 0.0], "<a & \"b\">", 12.0, 0));
        assert!(picture.svg().contains("fill=\"#000000\">&lt;a &amp; &quot;b&quot;&gt;</text>"));
    }
}

#[cfg(feature = "png")]
mod png {
    use tiny_skia::Pixmap;

    use crate::picture::{Anchor, Look, Picture, Stroke, Text};

    /// Columns and rows from the first to the last pixel that is not white.
    fn inked(picture: &Picture, scale: f32) -> [[u32; 2]; 2] {
        let pixels = Pixmap::decode_png(&picture.png(scale).unwrap()).unwrap();
        let inked = (0..pixels.width()).flat_map(|x| (0..pixels.height()).map(move |y| [x, y]));
        let inked: Vec<[u32; 2]> =
            inked.filter(|&[x, y]| pixels.pixel(x, y).is_some_and(|pixel| pixel.green() < 200)).collect();
        [0, 1].map(|axis| [inked.iter().map(|p| p[axis]).min().unwrap(), inked.iter().map(|p| p[axis]).max().unwrap()])
    }

    #[test]
    fn figures_lie_where_the_svg_has_them() {
        let drawn = |draw: &dyn Fn(&mut Picture)| {
            let mut picture = Picture::new(60.0, 40.0);
            draw(&mut picture);
            inked(&picture, 2.0)
        };
        let stroke = |is_round, dashes| Stroke { colour: 0xff0000, width: 10.0, dashes, is_round };
        let line = [[20.0, 15.0], [40.0, 15.0]];
        assert_eq!(drawn(&|picture| picture.path(line, stroke(false, None))), [[40, 79], [20, 39]]);
        assert_eq!(drawn(&|picture| picture.path(line, stroke(true, None))), [[30, 89], [20, 39]]);
        assert_eq!(drawn(&|picture| picture.path(line, stroke(false, Some([4.0, 30.0])))), [[40, 47], [20, 39]]);
        assert_eq!(drawn(&|picture| picture.circle([30.0, 20.0], 10.0, Look::filled(0))), [[40, 79], [20, 59]]);
        assert_eq!(drawn(&|picture| picture.rect([5.0, 6.0], [7.0, 8.0], Look::filled(0))), [[10, 23], [12, 27]]);
        let corners = [[5.0, 5.0], [5.0, 15.0], [25.0, 15.0]];
        assert_eq!(drawn(&|picture| picture.polygon(corners, Look::filled(0)))[1][1], 29);
    }

    #[test]
    fn a_part_of_the_ground_shows_through() {
        let mut picture = Picture::new(4.0, 4.0);
        picture.rect([0.0, 0.0], [4.0, 4.0], Look { opacity: Some(0.5), ..Look::filled(0) });
        let pixels = Pixmap::decode_png(&picture.png(1.0).unwrap()).unwrap();
        assert!((127..=128).contains(&pixels.pixel(1, 1).unwrap().red()));
    }

    #[test]
    fn text_stands_on_its_place() {
        let written = |text: Text| {
            let mut picture = Picture::new(100.0, 100.0);
            picture.write(text);
            inked(&picture, 1.0)
        };
        let text = || Text::new([50.0, 50.0], "HHHH", 12.0, 0);
        let [columns, rows] = written(text());
        // Capitals are 0.73 of the size high, and stand on the baseline.
        assert!(columns[0] >= 50 && (26..40).contains(&(columns[1] - columns[0])), "{columns:?}");
        assert_eq!((rows[1], rows[1] - rows[0]), (49, 8));
        let [middle, _] = written(text().anchored(Anchor::Middle));
        assert!(middle[0].abs_diff(99 - middle[1]) <= 1, "{middle:?}");
        assert!(written(text().anchored(Anchor::End))[0][1] < 50);
        let [bold, _] = written(text().bold());
        assert!(bold[1] - bold[0] > columns[1] - columns[0] + 2, "{bold:?}");
        let [across, along] = written(Text { is_turned: true, ..text() });
        assert_eq!((across[1], across[1] - across[0]), (49, 8));
        assert!(along[1] < 50 && along[1] - along[0] == columns[1] - columns[0], "{along:?}");
        // A character that the font lacks is a box, not nothing.
        assert!(written(Text::new([50.0, 50.0], "\u{4e2d}", 12.0, 0))[0][0] >= 50);
    }

    #[test]
    fn pictures_are_not_without_end() {
        assert!(Picture::new(1e9, 1e9).png(20.0).unwrap_err().contains("too large: write it as SVG"));
    }
}

mod geometry {
    use std::sync::Arc;

    use crate::geometry::{Geometry, Point};
    use dab_board::Board;

    /// Every box lies between its lines, every line has an area, and the picture begins at 0.
    #[track_caller]
    fn check(board: &Arc<Board>, n_dots: usize, n_walls: usize) -> Geometry {
        let geometry = Geometry::new(board);
        assert_eq!((geometry.lines.len(), geometry.boxes.len()), (board.n_lines(), board.n_boxes()));
        assert_eq!((geometry.dots.len(), geometry.walls.len()), (n_dots, n_walls));
        for shape in geometry.boxes.iter().filter(|shape| !shape.corners.is_empty()) {
            for &line in &shape.lines {
                for end in &geometry.lines[line].path {
                    assert!(shape.corners.contains(end), "line {line} ends beside its box in {}", board.name());
                }
            }
        }
        for line in &geometry.lines {
            assert!(line.area.len() >= 4);
            assert!(line.path.iter().flatten().all(|&x| x >= 0.0));
            assert!(line.path.iter().all(|p| p[0] <= geometry.width && p[1] <= geometry.height));
        }
        geometry
    }

    #[test]
    fn lines_are_sides_of_their_boxes() {
        check(&Board::grid(3, 4).unwrap(), 20, 0);
        check(&Board::row(5, false).unwrap(), 12, 0);
        check(&Board::row(5, true).unwrap(), 12, 7);
        check(&Board::row(1, true).unwrap(), 4, 3);
        check(&Board::triangles(4, false).unwrap(), 9, 0);
        check(&Board::triangles(4, true).unwrap(), 9, 5);
        check(&Board::triangles(1, true).unwrap(), 3, 2);
    }

    #[test]
    fn strings_end_at_their_coins() {
        let file = "coin a\ncoin b\nstring a b\nstring a b\nstring a ground\nstring b ground\nstring b ground";
        let board = Board::from_graph_file("kite", file).unwrap();
        let geometry = check(&board, 0, 0);
        for (line, string) in geometry.lines.iter().zip(board.graph().strings()) {
            let ends = [line.path[0], line.path[line.path.len() - 1]];
            assert!(string.ends.iter().flatten().all(|&coin| ends.contains(&geometry.boxes[coin].centre)));
        }
        let mids: Vec<Point> = geometry.lines.iter().map(|line| line.mid).collect();
        for (i, a) in mids.iter().enumerate() {
            assert!(mids[..i].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 0.2), "{mids:?}");
        }
    }
}
