//! A game as an animated picture: the start, then one frame for each line, which repeat.
//!
//! ```text
//!    Transcript ─► Raster, line by line ─► rectangle that differs from the frame before ─► GIF
//! ```
//! Pictures have eight colours, and lines without half tones.

use dab_board::notation::{Side, Transcript};
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::geometry::{Geometry, Point};

/// Pixels between neighbouring dots, and around the board.
const UNIT: f64 = 48.0;
const MARGIN: f64 = 20.0;
/// Hundredths of a second that a frame is shown, and the last one.
const PAUSE: u16 = 70;
const END: u16 = 400;

/// Colours by number, as the page has them: paper, open line, ink, nobody, and for A and B the line and the box.
const PALETTE: [[u8; 3]; 8] = [
    [0xff, 0xff, 0xff],
    [0xe8, 0xea, 0xee],
    [0x1c, 0x23, 0x30],
    [0xe6, 0xe7, 0xea],
    [0x00, 0x5f, 0x9b],
    [0x9a, 0x45, 0x06],
    [0xcf, 0xe4, 0xf3],
    [0xfb, 0xe0, 0xc3],
];
const PAPER: u8 = 0;
const OPEN: u8 = 1;
const INK: u8 = 2;
const NOBODY: u8 = 3;
const LINE: u8 = 4;
const BOX: u8 = 6;

/// The letters A and B, row by row, five pixels each.
const LETTERS: [[u8; 7]; 2] = [
    [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
];
/// Pixels of the picture for a pixel of a letter.
const DOT: usize = 3;

/// The frames of a game as an animated GIF.
///
/// # Errors
/// The words for it if the picture is too large.
pub fn gif(game: &Transcript) -> Result<Vec<u8>, String> {
    let geometry = Geometry::new(game.start().board());
    let mut bytes = Vec::new();
    let mut before = Raster::new(&geometry)?;
    // The first frame is whole.
    before.pixels.fill(u8::MAX);
    let [width, height] = [before.width, before.height].map(|pixels| pixels as u16);
    let failed = |error| format!("the picture cannot be packed: {error}");
    let mut encoder = Encoder::new(&mut bytes, width, height, PALETTE.as_flattened()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    for n in 0..=game.moves().len() {
        let Some(now) = game.first(n) else { break };
        let mut raster = Raster::new(&geometry)?;
        raster.paint(&now, &geometry);
        let mut frame = raster.since(&before);
        frame.delay = if n == game.moves().len() { END } else { PAUSE };
        encoder.write_frame(&frame).map_err(failed)?;
        before = raster;
    }
    drop(encoder);
    Ok(bytes)
}

/// A picture of numbers of colours.
struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Raster {
    fn new(geometry: &Geometry) -> Result<Self, String> {
        let size = [geometry.width, geometry.height].map(|length| (UNIT * length + 2.0 * MARGIN).ceil() as usize);
        let [width, height] = size;
        match size.iter().all(|&pixels| pixels <= usize::from(u16::MAX)) {
            true => Ok(Self { width, height, pixels: vec![PAPER; width * height] }),
            false => Err(format!("a picture of {width} x {height} pixels is too large")),
        }
    }

    fn paint(&mut self, game: &Transcript, geometry: &Geometry) {
        let drawn = game.end().drawn();
        // Coins lie on their strings, boxes between their lines.
        let is_graph = geometry.dots.is_empty();
        if !is_graph {
            self.boxes(game, geometry);
        }
        let mut colours = vec![INK; geometry.lines.len()];
        game.plies().for_each(|ply| colours[ply.line] = LINE + ply.by as u8);
        for (line, shape) in geometry.lines.iter().enumerate() {
            // A string that is drawn is cut.
            match drawn.has(line) != is_graph {
                true => self.stroke(&shape.path, 2.5, colours[line]),
                false => self.stroke(&shape.path, 1.0, OPEN),
            }
        }
        geometry.walls.iter().for_each(|wall| self.stroke(wall, 2.5, INK));
        geometry.dots.iter().for_each(|&dot| self.stroke(&[dot], 4.0, INK));
        if is_graph {
            self.boxes(game, geometry);
        }
    }

    fn boxes(&mut self, game: &Transcript, geometry: &Geometry) {
        let (captured, drawn) = (game.captured(), game.end().drawn());
        for (i, shape) in geometry.boxes.iter().enumerate() {
            let owner = [Side::A, Side::B].into_iter().find(|&side| captured[side as usize].has(i));
            let colour = match owner {
                Some(side) => BOX + side as u8,
                None if shape.lines.iter().all(|&line| drawn.has(line)) => NOBODY,
                None => PAPER,
            };
            match shape.corners.is_empty() {
                true => [(13.0, INK), (11.5, colour)].map(|(radius, ink)| self.stroke(&[shape.centre], radius, ink)),
                false => [self.fill(&shape.corners, colour); 2],
            };
            if let Some(side) = owner {
                self.letter(shape.centre, side);
            }
        }
    }

    /// Colours the pixels of which `is_in` accepts the centres, in units; only those near `points` are asked about.
    fn colour(&mut self, points: &[Point], reach: f64, colour: u8, is_in: impl Fn(Point) -> bool) {
        let range = |axis: usize, most: usize| {
            let places = || points.iter().map(|point| point[axis] * UNIT + MARGIN);
            let least = places().fold(f64::MAX, f64::min) - reach;
            let last = places().fold(f64::MIN, f64::max) + reach;
            (least.max(0.0) as usize)..(last.max(0.0) as usize + 1).min(most)
        };
        let (columns, rows) = (range(0, self.width), range(1, self.height));
        let unit = |pixel: usize| (pixel as f64 + 0.5 - MARGIN) / UNIT;
        for y in rows {
            for x in columns.clone().filter(|&x| is_in([unit(x), unit(y)])) {
                self.pixels[y * self.width + x] = colour;
            }
        }
    }

    /// A polyline, or a disc around one point, of so many pixels to each side.
    fn stroke(&mut self, points: &[Point], radius: f64, colour: u8) {
        let ends = || points.iter().zip(points.iter().skip(1).chain(points.last()));
        self.colour(points, radius, colour, |at| ends().any(|(&a, &b)| UNIT * distance(at, a, b) <= radius));
    }

    /// A polygon.
    fn fill(&mut self, corners: &[Point], colour: u8) {
        let next = || corners.iter().cycle().skip(1);
        self.colour(corners, 1.0, colour, |[x, y]| {
            let crosses = |&(&[x1, y1], &[x2, y2]): &(&Point, &Point)| {
                (y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
            };
            corners.iter().zip(next()).filter(crosses).count() % 2 == 1
        });
    }

    /// The letter of a player around a point.
    fn letter(&mut self, centre: Point, side: Side) {
        let rows = &LETTERS[side as usize];
        let size = [5 * DOT, rows.len() * DOT];
        let [left, top] = [0, 1].map(|axis| (UNIT * centre[axis] + MARGIN) as usize - size[axis] / 2);
        for y in 0..size[1] {
            for x in (0..size[0]).filter(|x| rows[y / DOT] >> (4 - x / DOT) & 1 == 1) {
                self.pixels[(top + y) * self.width + left + x] = LINE + side as u8;
            }
        }
    }

    /// The least rectangle outside of which the picture is as before.
    fn since(&self, before: &Self) -> Frame<'static> {
        let differs = |x: usize, y: usize| self.pixels[y * self.width + x] != before.pixels[y * self.width + x];
        let rows = |&y: &usize| (0..self.width).any(|x| differs(x, y));
        let columns = |&x: &usize| (0..self.height).any(|y| differs(x, y));
        let (top, left) = ((0..self.height).find(rows).unwrap_or(0), (0..self.width).find(columns).unwrap_or(0));
        let bottom = (0..self.height).rfind(rows).unwrap_or(0);
        let right = (0..self.width).rfind(columns).unwrap_or(0);
        let row = |y: usize| &self.pixels[y * self.width + left..=y * self.width + right];
        let pixels: Vec<u8> = (top..=bottom).flat_map(row).copied().collect();
        let [left, top, width, height] = [left, top, right - left + 1, bottom - top + 1].map(|pixels| pixels as u16);
        let frame = Frame::from_indexed_pixels(width, height, pixels, None);
        Frame { left, top, dispose: DisposalMethod::Keep, ..frame }
    }
}

/// The distance of a point from a segment.
fn distance([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point) -> f64 {
    let [dx, dy] = [x2 - x1, y2 - y1];
    let length = dx * dx + dy * dy;
    let part = if length == 0.0 { 0.0 } else { ((x - x1) * dx + (y - y1) * dy) / length };
    let part = part.clamp(0.0, 1.0);
    (x - x1 - part * dx).hypot(y - y1 - part * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gif::{ColorOutput, DecodeOptions};

    fn game(start: &str, lines: &[usize]) -> Transcript {
        let mut game = Transcript::new(start.parse().unwrap());
        lines.iter().for_each(|&line| _ = game.draw(line).unwrap());
        game
    }

    /// Every pixel after so many frames, and how many there are.
    fn play(bytes: &[u8], frames: usize) -> (usize, Vec<u8>, usize) {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        let width = usize::from(decoder.width());
        let mut pixels = vec![0xff; width * usize::from(decoder.height())];
        let mut n = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            if n < frames {
                for (y, row) in frame.buffer.chunks(frame.width.into()).enumerate() {
                    let at = (usize::from(frame.top) + y) * width + usize::from(frame.left);
                    pixels[at..at + row.len()].copy_from_slice(row);
                }
            }
            n += 1;
        }
        (n, pixels, width)
    }

    #[test]
    fn frames_add_up_to_the_game() {
        for (start, lines) in [("1x2", [0, 3, 2, 1, 4, 5, 6]), ("triangles:open:3", [6, 5, 4, 3, 2, 1, 0])] {
            let game = game(start, &lines);
            let bytes = gif(&game).unwrap();
            for n in 0..=game.moves().len() {
                let mut raster = Raster::new(&Geometry::new(game.start().board())).unwrap();
                raster.paint(&game.first(n).unwrap(), &Geometry::new(game.start().board()));
                let (frames, pixels, width) = play(&bytes, n + 1);
                assert_eq!((frames, width), (game.moves().len() + 1, raster.width), "{start}");
                assert_eq!(pixels, raster.pixels, "{start} after {n}");
            }
        }
    }

    #[test]
    fn boxes_and_lines_have_the_colours_of_their_players() {
        let game = game("1x2", &[0, 3, 2, 1, 4, 5, 6]);
        let (_, pixels, width) = play(&gif(&game).unwrap(), 9);
        let at = |x: f64, y: f64| pixels[(y * UNIT + MARGIN) as usize * width + (x * UNIT + MARGIN) as usize];
        // The fifth line, of A, leaves B both boxes.
        assert_eq!([at(0.1, 0.5), at(1.1, 0.5)], [BOX + 1; 2]);
        assert_eq!([at(0.5, 0.0), at(1.5, 1.0), at(1.0, 0.5)], [LINE, LINE + 1, LINE + 1]);
        assert_eq!([at(0.0, 0.0), at(1.0, 1.0)], [INK; 2]);
    }
}
