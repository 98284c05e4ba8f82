//! A picture: elements, one over the other. It is written as SVG or as PNG.

use crate::geometry::Point;

/// Red, green and blue, eight bits each.
pub(crate) type Colour = u32;

/// A picture of a position or of numbers.
pub struct Picture {
    /// Size in pixels.
    pub(crate) size: [f64; 2],
    pub(crate) elements: Vec<Element>,
}

pub(crate) enum Element {
    Figure(Figure, Look),
    Text(Text),
}

pub(crate) enum Figure {
    Circle {
        centre: Point,
        radius: f64,
    },
    Path {
        points: Vec<Point>,
        is_closed: bool,
    },
    /// Its upper left corner and its size.
    Rect {
        corner: Point,
        size: [f64; 2],
    },
}

/// How a figure is filled and outlined.
#[derive(Default)]
pub(crate) struct Look {
    pub(crate) fill: Option<Colour>,
    /// Part of what lies below that the filling hides, if not all.
    pub(crate) opacity: Option<f64>,
    pub(crate) stroke: Option<Stroke>,
}

pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    /// Lengths of a dash and of the gap behind it.
    pub(crate) dashes: Option<[f64; 2]>,
    pub(crate) is_round: bool,
}

/// A line of text, whose baseline goes through a place.
pub(crate) struct Text {
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
    pub(crate) anchor: Anchor,
    /// Whether it runs from below to above.
    pub(crate) is_turned: bool,
}

/// The part of a text that is at its place.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Picture {
    /// A white picture.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        let mut picture = Self { size: [width, height], elements: Vec::new() };
        picture.rect([0.0, 0.0], [width, height], Look::filled(0xffffff));
        picture
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f64, look: Look) {
        self.add(Figure::Circle { centre, radius }, look);
    }

    /// A line through points.
    pub(crate) fn path(&mut self, points: impl IntoIterator<Item = Point>, stroke: Stroke) {
        let points = points.into_iter().collect();
        self.add(Figure::Path { points, is_closed: false }, Look { stroke: Some(stroke), ..Look::default() });
    }

    pub(crate) fn polygon(&mut self, corners: impl IntoIterator<Item = Point>, look: Look) {
        let points = corners.into_iter().collect();
        self.add(Figure::Path { points, is_closed: true }, look);
    }

    pub(crate) fn rect(&mut self, corner: Point, size: [f64; 2], look: Look) {
        self.add(Figure::Rect { corner, size }, look);
    }

    fn add(&mut self, figure: Figure, look: Look) {
        self.elements.push(Element::Figure(figure, look));
    }

    pub(crate) fn write(&mut self, text: Text) {
        self.elements.push(Element::Text(text));
    }
}

impl Look {
    pub(crate) fn filled(colour: Colour) -> Self {
        Self { fill: Some(colour), ..Self::default() }
    }
}

impl Stroke {
    /// A stroke without gaps, with flat ends.
    pub(crate) fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dashes: None, is_round: false }
    }
}

impl Text {
    /// Text that begins at a place.
    pub(crate) fn new(at: Point, text: &str, size: f64, colour: Colour) -> Self {
        let text = text.to_owned();
        Self { at, text, size, is_bold: false, colour, anchor: Anchor::Start, is_turned: false }
    }

    pub(crate) fn bold(self) -> Self {
        Self { is_bold: true, ..self }
    }

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}
