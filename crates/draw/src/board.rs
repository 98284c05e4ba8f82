//! A position as a picture: drawn lines, owners of boxes and, if there is an answer, the score of every open line.
//!
//! Colours and dashes are those of the explorer page: better lines are darker, and dashes show the kind of a line.

use dab_board::notation::{Side, Transcript};
use dab_board::{LineIdx, Score, column_name};
use dab_table::{Answer, Mark, MoveKind, MoveScore};

use crate::geometry::{Geometry, Point};
use crate::picture::{Anchor, Colour, Look, Picture, Stroke, Text};

/// Pixels between neighbouring dots.
const UNIT: f64 = 100.0;
/// Room around the board.
const MARGIN: f64 = 45.0;
const INK: Colour = 0x1c2330;
const PALE: Colour = 0xdfe1e4;
const NOBODY: Colour = 0xe6e7ea;
/// Height of a row of the legend, and of the caption.
const ROW: f64 = 26.0;
/// Width of a character of small text.
const CHARACTER: f64 = 9.0;

/// The colours of a picture.
struct Palette {
    /// Background and letter of the boxes of A and B.
    players: [[Colour; 2]; 2],
    /// From the best lines to the worst.
    levels: [Colour; 4],
}

const COLOUR: Palette =
    Palette { players: [[0xcfe4f3, 0x0068a8], [0xfbe0c3, 0xb45309]], levels: [0x0b6e69, 0x56a29c, 0x9cbfbb, 0xc3cbcd] };
const GREY: Palette =
    Palette { players: [[0xd0d0d0, 0x000000], [0xf0f0f0, 0x555555]], levels: [0x000000, 0x707070, 0xa0a0a0, 0xc8c8c8] };
/// The levels in words, in boxes that a line costs.
const COSTS: [&str; 4] = ["best", "costs 1 or 2", "costs 3 or 4", "costs more"];

/// The look of a picture.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// The names of dots along the edges, those of coins in the coins.
    pub coordinates: bool,
    /// The number of each open line on it, unless it has a score.
    pub numbers: bool,
    /// Greys instead of colours, for print.
    pub grey: bool,
    /// What the look of lines means, below the board; nothing without scores.
    pub legend: bool,
    /// A line of text below everything.
    pub caption: Option<String>,
}

/// A picture in the making.
struct Painter<'a> {
    picture: Picture,
    answer: Option<&'a Answer>,
    palette: &'static Palette,
}

/// The last position of a game, with the scores of its moves if they are known.
pub fn board(transcript: &Transcript, answer: Option<&Answer>, style: &Style) -> Picture {
    let position = transcript.end();
    let geometry = Geometry::new(position.board());
    let is_graph = geometry.dots.is_empty();
    let legend = if style.legend { answer.map(Legend::new).unwrap_or_default() } else { Legend::default() };
    let caption = style.caption.as_deref();
    let text_width = |text: &str| CHARACTER * text.chars().count() as f64 + 2.0 * ROW;
    let texts = [UNIT * geometry.width + 2.0 * MARGIN, legend.width(), caption.map_or(0.0, text_width)];
    let width = texts.into_iter().fold(0.0, f64::max);
    let bottom = UNIT * geometry.height + 2.0 * MARGIN;
    let height = bottom + ROW * (legend.n_rows() + usize::from(caption.is_some())) as f64;
    let palette = if style.grey { &GREY } else { &COLOUR };
    let mut painter = Painter { picture: Picture::new(width, height), answer, palette };
    let drawn = position.drawn();
    // Coins lie on their strings, boxes between their lines.
    if !is_graph {
        painter.boxes(transcript, &geometry, style);
    }
    for (line, shape) in geometry.lines.iter().enumerate().filter(|(line, _)| !drawn.has(*line)) {
        match find(answer, line) {
            Some(m) => {
                let (width, dashes) = stroke(m.kind);
                painter.side(&shape.path, painter.level(m.score), width, dashes);
            }
            None if is_graph => painter.side(&shape.path, INK, 4.0, None),
            None => painter.side(&shape.path, PALE, 4.0, Some([0.1, 9.0])),
        }
    }
    let walls = geometry.walls.iter().map(|wall| &wall[..]);
    let lines = drawn.iter().map(|line| &geometry.lines[line].path[..]);
    for points in walls.chain(lines) {
        // A string that is drawn is cut.
        let (colour, width, dashes) = if is_graph { (PALE, 3.0, Some([0.1, 9.0])) } else { (INK, 6.0, None) };
        painter.side(points, colour, width, dashes);
    }
    if is_graph {
        painter.boxes(transcript, &geometry, style);
    }
    for &dot in &geometry.dots {
        painter.picture.circle(place(dot), 7.0, Look::filled(INK));
    }
    for line in position.undrawn().iter() {
        let mid = place(geometry.lines[line].mid);
        match find(answer, line) {
            Some(m) => painter.label(mid, &marked(m), painter.level(m.score), is_best(answer, m.score)),
            None if style.numbers => painter.label(mid, &line.to_string(), PALE, false),
            None => {}
        }
    }
    if style.coordinates {
        painter.coordinates(&geometry.dots);
    }
    painter.legend(&legend, bottom);
    if let Some(caption) = caption {
        painter.text([width / 2.0, height - 0.6 * ROW], caption, Anchor::Middle);
    }
    painter.picture
}

fn place([x, y]: Point) -> Point {
    [MARGIN + UNIT * x, MARGIN + UNIT * y]
}

fn find(answer: Option<&Answer>, line: LineIdx) -> Option<&MoveScore> {
    answer?.moves.iter().find(|m| m.line == line)
}

fn is_best(answer: Option<&Answer>, score: Score) -> bool {
    answer.is_some_and(|answer| answer.score == score)
}

/// The level of a move by its cost: 0 for the best ones.
fn cost_level(answer: &Answer, score: Score) -> usize {
    match i32::from(answer.score.0) - i32::from(score.0) {
        ..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        _ => 3,
    }
}

/// The score of a move with its sign, and its mark if it has one.
fn marked(m: &MoveScore) -> String {
    signed(m.score) + m.mark.map_or("", Mark::symbol)
}

/// A score with its sign.
fn signed(score: Score) -> String {
    match score.0 {
        1.. => format!("+{score}"),
        0 => "0".to_owned(),
        ..0 => format!("\u{2212}{}", score.0.unsigned_abs()),
    }
}

/// Width and dashes of a line by its kind.
fn stroke(kind: MoveKind) -> (f64, Option<[f64; 2]>) {
    match kind {
        MoveKind::Safe => (5.0, None),
        MoveKind::Sacrifice => (5.0, Some([11.0, 7.0])),
        MoveKind::Loony => (5.5, Some([0.1, 8.5])),
        MoveKind::Capture => (10.0, None),
    }
}

/// The kinds and the levels that a picture has.
#[derive(Default)]
struct Legend {
    kinds: Vec<MoveKind>,
    levels: Vec<usize>,
}

impl Legend {
    fn new(answer: &Answer) -> Self {
        let has_level = |level: &usize| answer.moves.iter().any(|m| cost_level(answer, m.score) == *level);
        let has_kind = |kind: &MoveKind| answer.moves.iter().any(|m| m.kind == *kind);
        let kinds = MoveKind::ALL.into_iter().filter(has_kind).collect();
        Self { kinds, levels: (0..COSTS.len()).filter(has_level).collect() }
    }

    fn n_rows(&self) -> usize {
        self.kinds.len() + self.levels.len()
    }

    fn width(&self) -> f64 {
        if self.n_rows() == 0 { 0.0 } else { 2.0 * MARGIN + 160.0 }
    }
}

impl Painter<'_> {
    /// The colour of a move by its cost.
    fn level(&self, score: Score) -> Colour {
        self.palette.levels[self.answer.map_or(0, |answer| cost_level(answer, score))]
    }

    /// A line.
    fn side(&mut self, points: &[Point], colour: Colour, width: f64, dashes: Option<[f64; 2]>) {
        self.stroke(points.iter().copied().map(place), colour, width, dashes);
    }

    /// A stroke with round ends; dashes have flat ones, dots are dashes of next to no length.
    fn stroke(
        &mut self,
        points: impl IntoIterator<Item = Point>,
        colour: Colour,
        width: f64,
        dashes: Option<[f64; 2]>,
    ) {
        let is_round = dashes.is_none_or(|[dash, _]| dash < 1.0);
        self.picture.path(points, Stroke { colour, width, dashes, is_round });
    }

    fn boxes(&mut self, transcript: &Transcript, geometry: &Geometry, style: &Style) {
        let (captured, drawn) = (transcript.captured(), transcript.end().drawn());
        let coins = transcript.start().board().coins();
        for (i, shape) in geometry.boxes.iter().enumerate() {
            let owner = [Side::A, Side::B].into_iter().find(|&side| captured[side as usize].has(i));
            let is_closed = shape.lines.iter().all(|&line| drawn.has(line));
            let fill = match owner {
                Some(side) => self.palette.players[side as usize][0],
                None if is_closed => NOBODY,
                None => 0xffffff,
            };
            let at = place(shape.centre);
            if shape.corners.is_empty() {
                let edge = Some(Stroke::new(INK, 3.0));
                self.picture.circle(at, 22.0, Look { stroke: edge, ..Look::filled(fill) });
            } else if is_closed {
                self.picture.polygon(shape.corners.iter().copied().map(place), Look::filled(fill));
            }
            match (owner, coins.get(i)) {
                (Some(side), _) => self.centred(at, &side.to_string(), 30.0, self.palette.players[side as usize][1]),
                (None, Some(coin)) if style.coordinates => self.centred(at, coin, 15.0, INK),
                _ => {}
            }
        }
    }

    /// A score or a number on its line, in a field with round ends.
    fn label(&mut self, [x, y]: Point, text: &str, colour: Colour, is_best: bool) {
        let half = 6.25 * text.chars().count() as f64 - 6.0;
        let fill = if is_best { colour } else { 0xffffff };
        for (colour, height) in [(colour, 30.0), (fill, 26.0)] {
            self.stroke([[x - half, y], [x + half, y]], colour, height, None);
        }
        self.centred([x, y], text, 19.0, if is_best { 0xffffff } else { INK });
    }

    /// The numbers of rows of dots on the left, the letters of columns below, and above where they are others.
    fn coordinates(&mut self, dots: &[Point]) {
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut heights: Vec<f64> = dots.iter().map(|dot| dot[1]).collect();
        heights.sort_by(|a, b| b.total_cmp(a));
        heights.dedup();
        for (row, &height) in heights.iter().enumerate() {
            let mut across: Vec<f64> = dots.iter().filter(|dot| dot[1] == height).map(|dot| dot[0]).collect();
            across.sort_by(f64::total_cmp);
            let [x, y] = place([across[0], height]);
            self.centred([x - 0.7 * MARGIN, y], &(row + 1).to_string(), 17.0, INK);
            rows.push(across);
        }
        let is_other_above = rows.first() != rows.last();
        let edges = [(heights.first(), rows.first(), 0.7 * MARGIN), (heights.last(), rows.last(), -0.7 * MARGIN)];
        for (height, row, away) in edges.into_iter().take(1 + usize::from(is_other_above)) {
            let (Some(&height), Some(row)) = (height, row) else { continue };
            for (column, &x) in row.iter().enumerate() {
                let [x, y] = place([x, height]);
                self.centred([x, y + away], &column_name(column), 17.0, INK);
            }
        }
    }

    /// Samples of lines with their meaning, a row each.
    fn legend(&mut self, legend: &Legend, top: f64) {
        // Coordinates stand right above.
        let mut y = top + 0.5 * ROW;
        let sample = |y: f64| [[MARGIN, y], [MARGIN + 60.0, y]];
        for &kind in &legend.kinds {
            let (width, dashes) = stroke(kind);
            self.stroke(sample(y), INK, width, dashes);
            self.text([MARGIN + 76.0, y + 5.0], kind.name(), Anchor::Start);
            y += ROW;
        }
        for &level in &legend.levels {
            self.stroke(sample(y), self.palette.levels[level], 8.0, None);
            self.text([MARGIN + 76.0, y + 5.0], COSTS[level], Anchor::Start);
            y += ROW;
        }
    }

    /// Small text whose start or middle is at a place.
    fn text(&mut self, at: Point, text: &str, anchor: Anchor) {
        self.picture.write(Text::new(at, text, 15.0, INK).anchored(anchor));
    }

    /// Bold text around a point; digits and capitals are 0.73 of their size high.
    fn centred(&mut self, [x, y]: Point, text: &str, size: f64, colour: Colour) {
        let baseline = [x, y + 0.365 * size];
        self.picture.write(Text::new(baseline, text, size, colour).bold().anchored(Anchor::Middle));
    }
}
