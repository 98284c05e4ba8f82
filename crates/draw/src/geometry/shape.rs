//! Shapes: the types of a geometry, and the arithmetic of points.

use dab_board::LineIdx;
use serde::Serialize;

/// A place in the picture: `x`, `y`.
pub(crate) type Point = [f64; 2];

/// A line that can be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct LineShape {
    /// The line as a polyline.
    pub(crate) path: Vec<Point>,
    /// Its middle, where its score goes.
    pub(crate) mid: Point,
    /// A polygon around the line: the points that belong to it more than to any other line.
    pub(crate) area: Vec<Point>,
}

/// A box, or a coin of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BoxShape {
    /// Its centre.
    pub(crate) centre: Point,
    /// Its corners; none for a coin.
    pub(crate) corners: Vec<Point>,
    /// The lines around it.
    pub(crate) lines: Vec<LineIdx>,
}

/// The places of all dots, lines and boxes of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Geometry {
    /// Width of the picture without margins.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
    /// The dots; none for a graph.
    pub(crate) dots: Vec<Point>,
    /// Sides that are drawn from the beginning and are no lines of the board.
    pub(crate) walls: Vec<[Point; 2]>,
    /// The lines in order.
    pub(crate) lines: Vec<LineShape>,
    /// The boxes in order.
    pub(crate) boxes: Vec<BoxShape>,
}

impl Geometry {
    /// A geometry of straight lines, with boxes by their corners; dots and walls are still missing.
    pub(super) fn from_dots(width: f64, height: f64, lines: Vec<[Point; 2]>, boxes: Vec<Vec<Point>>) -> Self {
        let lines = lines.into_iter().map(|[a, b]| LineShape { path: vec![a, b], mid: middle(a, b), area: Vec::new() });
        let boxes = boxes.into_iter().map(|corners| BoxShape { centre: mean(&corners), corners, lines: Vec::new() });
        Self { width, height, dots: Vec::new(), walls: Vec::new(), lines: lines.collect(), boxes: boxes.collect() }
    }

    /// Shifts everything so that the picture begins at 0, and measures it.
    pub(super) fn move_to_origin(&mut self) {
        let paths = self.lines.iter().flat_map(|line| &line.path);
        let points = paths.chain(self.boxes.iter().map(|shape| &shape.centre)).chain(&self.dots);
        let (mut least, mut most) = ([f64::MAX; 2], [f64::MIN; 2]);
        for point in points {
            for axis in 0..2 {
                least[axis] = least[axis].min(point[axis]);
                most[axis] = most[axis].max(point[axis]);
            }
        }
        let lines = self
            .lines
            .iter_mut()
            .flat_map(|line| line.path.iter_mut().chain(std::iter::once(&mut line.mid)).chain(&mut line.area));
        let boxes = self.boxes.iter_mut().flat_map(|shape| shape.corners.iter_mut().chain([&mut shape.centre]));
        for point in lines.chain(boxes).chain(&mut self.dots).chain(self.walls.iter_mut().flatten()) {
            *point = [round(point[0] - least[0]), round(point[1] - least[1])];
        }
        (self.width, self.height) = (round(most[0] - least[0]), round(most[1] - least[1]));
    }
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

pub(super) fn middle(a: Point, b: Point) -> Point {
    mean(&[a, b])
}

pub(super) fn mean(points: &[Point]) -> Point {
    let sum = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>();
    [sum(0) / points.len() as f64, sum(1) / points.len() as f64]
}

pub(super) fn towards([x, y]: Point, angle: f64, far: f64) -> Point {
    [x + far * angle.cos(), y + far * angle.sin()]
}
