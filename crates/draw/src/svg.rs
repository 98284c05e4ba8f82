//! SVG as text: elements one after the other.

use std::fmt::{self, Write};

use crate::geometry::Point;

/// A picture that grows.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// A picture of this size in pixels, filled with a colour.
    pub(crate) fn new(width: f64, height: f64, background: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, system-ui, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n"
        );
        Self { text }
    }

    /// An element without content: its name and attributes.
    pub(crate) fn add(&mut self, element: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "<{element}/>");
    }

    /// Text at a place.
    pub(crate) fn write(&mut self, [x, y]: Point, text: &str, attributes: fmt::Arguments<'_>) {
        let (x, y) = (number(x), number(y));
        let _ = writeln!(self.text, r#"<text x="{x}" y="{y}" {attributes}>{}</text>"#, escape(text));
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// A polyline as the `d` of a path.
pub(crate) fn path(points: impl IntoIterator<Item = Point>) -> String {
    let points: Vec<String> = points.into_iter().map(|[x, y]| format!("{} {}", number(x), number(y))).collect();
    format!("M{}", points.join("L"))
}

/// A number with no more digits than a picture shows.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
