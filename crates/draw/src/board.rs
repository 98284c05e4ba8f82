//! A position as a picture: drawn lines, owners of boxes and, if there is an answer, the score of every open line.
//!
//! Colours and dashes are those of the explorer page: better lines are darker, and dashes show the kind of a line.

use dab_board::notation::{Side, Transcript};
use dab_board::{LineIdx, Score};
use dab_book::{Answer, MoveKind, MoveScore};

use crate::geometry::{Geometry, Point};
use crate::svg::{Svg, number, path};

/// Pixels between neighbouring dots.
const UNIT: f64 = 100.0;
/// Room around the board.
const MARGIN: f64 = 45.0;
const INK: &str = "#1c2330";
const PALE: &str = "#dfe1e4";
const NOBODY: &str = "#e6e7ea";
/// Background and letter of the boxes of A and B.
const PLAYERS: [[&str; 2]; 2] = [["#cfe4f3", "#0068a8"], ["#fbe0c3", "#b45309"]];
/// From the best lines to the worst.
const LEVELS: [&str; 4] = ["#0b6e69", "#56a29c", "#9cbfbb", "#c3cbcd"];

/// The last position of a game, with the scores of its moves if they are known.
pub fn board(transcript: &Transcript, answer: Option<&Answer>) -> String {
    let position = transcript.end();
    let geometry = Geometry::of(position.board());
    let is_graph = geometry.dots.is_empty();
    let mut svg = Svg::new(UNIT * geometry.width + 2.0 * MARGIN, UNIT * geometry.height + 2.0 * MARGIN, "#ffffff");
    let drawn = position.drawn();
    // Coins lie on their strings, boxes between their lines.
    if !is_graph {
        boxes(&mut svg, transcript, &geometry);
    }
    let side = |svg: &mut Svg, points: &[Point], colour: &str, width: f64, dashes: &str| {
        let line = path(points.iter().copied().map(place));
        let width = number(width);
        let cap = if dashes.starts_with("0.1 ") || dashes == "none" { "round" } else { "butt" };
        svg.add(format_args!(
            r#"path d="{line}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="{cap}" stroke-dasharray="{dashes}""#
        ));
    };
    for (line, shape) in geometry.lines.iter().enumerate().filter(|(line, _)| !drawn.has(*line)) {
        match find(answer, line) {
            Some(m) => {
                let (width, dashes) = stroke(m.kind);
                side(&mut svg, &shape.path, level(answer, m), width, dashes);
            }
            None if is_graph => side(&mut svg, &shape.path, INK, 4.0, "none"),
            None => side(&mut svg, &shape.path, PALE, 4.0, "0.1 9"),
        }
    }
    let walls = geometry.walls.iter().map(|wall| &wall[..]);
    let lines = drawn.iter().map(|line| &geometry.lines[line].path[..]);
    for points in walls.chain(lines) {
        // A string that is drawn is cut.
        if is_graph { side(&mut svg, points, PALE, 3.0, "0.1 9") } else { side(&mut svg, points, INK, 6.0, "none") }
    }
    if is_graph {
        boxes(&mut svg, transcript, &geometry);
    }
    for &dot in &geometry.dots {
        let [x, y] = place(dot).map(number);
        svg.add(format_args!(r#"circle cx="{x}" cy="{y}" r="7" fill="{INK}""#));
    }
    for m in answer.iter().flat_map(|answer| &answer.moves) {
        label(&mut svg, place(geometry.lines[m.line].mid), m.score, level(answer, m), answer);
    }
    svg.finish()
}

fn place([x, y]: Point) -> Point {
    [MARGIN + UNIT * x, MARGIN + UNIT * y]
}

fn find(answer: Option<&Answer>, line: LineIdx) -> Option<&MoveScore> {
    answer?.moves.iter().find(|m| m.line == line)
}

/// The colour of a move by its cost.
fn level(answer: Option<&Answer>, m: &MoveScore) -> &'static str {
    let cost = answer.map_or(0, |answer| i32::from(answer.score.0) - i32::from(m.score.0));
    LEVELS[match cost {
        ..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        _ => 3,
    }]
}

/// Width and dashes of a line by its kind.
fn stroke(kind: MoveKind) -> (f64, &'static str) {
    match kind {
        MoveKind::Safe => (5.0, "none"),
        MoveKind::Sacrifice => (5.0, "11 7"),
        MoveKind::Loony => (5.5, "0.1 8.5"),
        MoveKind::Capture => (10.0, "none"),
    }
}

fn boxes(svg: &mut Svg, transcript: &Transcript, geometry: &Geometry) {
    let (captured, drawn) = (transcript.captured(), transcript.end().drawn());
    for (i, shape) in geometry.boxes.iter().enumerate() {
        let owner = [Side::A, Side::B].into_iter().find(|&side| captured[side as usize].has(i));
        let is_closed = shape.lines.iter().all(|&line| drawn.has(line));
        let fill = match owner {
            Some(side) => PLAYERS[side as usize][0],
            None if is_closed => NOBODY,
            None => "#ffffff",
        };
        let [x, y] = place(shape.centre);
        if shape.corners.is_empty() {
            let [x, y] = [x, y].map(number);
            svg.add(format_args!(r#"circle cx="{x}" cy="{y}" r="22" fill="{fill}" stroke="{INK}" stroke-width="3""#));
        } else if is_closed {
            let outline = path(shape.corners.iter().copied().map(place));
            svg.add(format_args!(r#"path d="{outline}Z" fill="{fill}""#));
        }
        if let Some(side) = owner {
            centred(svg, [x, y], &side.to_string(), 30.0, PLAYERS[side as usize][1]);
        }
    }
}

/// A score on its line.
fn label(svg: &mut Svg, [x, y]: Point, score: Score, colour: &str, answer: Option<&Answer>) {
    let text = match score.0 {
        1.. => format!("+{score}"),
        0 => "0".to_owned(),
        ..0 => format!("\u{2212}{}", score.0.unsigned_abs()),
    };
    let is_best = answer.is_some_and(|answer| answer.score == score);
    let width = 16.0 + 12.5 * text.chars().count() as f64;
    let fill = if is_best { colour } else { "#ffffff" };
    let [left, top, wide] = [x - width / 2.0, y - 14.0, width].map(number);
    svg.add(format_args!(
        r#"rect x="{left}" y="{top}" width="{wide}" height="28" rx="14" fill="{fill}" stroke="{colour}" stroke-width="2""#
    ));
    centred(svg, [x, y], &text, 19.0, if is_best { "#ffffff" } else { INK });
}

/// Bold text around a point; digits and capitals are 0.73 of their size high.
fn centred(svg: &mut Svg, [x, y]: Point, text: &str, size: f64, colour: &str) {
    let baseline = [x, y + 0.365 * size];
    let size = number(size);
    let look = format_args!(r#"font-size="{size}" font-weight="bold" text-anchor="middle" fill="{colour}""#);
    svg.write(baseline, text, look);
}
