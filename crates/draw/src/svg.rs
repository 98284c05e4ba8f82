//! SVG as text: elements one after the other.

use std::fmt::{Display, Write};

use crate::geometry::Point;

/// A picture that grows.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// A picture of so many pixels, filled with a colour.
    pub(crate) fn new(width: f64, height: f64, background: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, system-ui, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n"
        );
        Self { text }
    }

    /// An element without content.
    pub(crate) fn add(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.open(name, attributes);
        self.text.push_str("/>\n");
    }

    /// Text at a place.
    pub(crate) fn write(&mut self, [x, y]: Point, text: &str, attributes: &[(&str, &dyn Display)]) {
        let (x, y) = (number(x), number(y));
        self.open("text", &[&[("x", &x as &dyn Display), ("y", &y)], attributes].concat());
        let _ = writeln!(self.text, ">{}</text>", escape(text));
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escape(&value.to_string()));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, 0.5, -0.001, 12.345, 100.0].map(number), ["1", "0.5", "0", "12.35", "100"]);
        assert_eq!(path([[0.0, 0.0], [1.0, 2.5]]), "M0 0L1 2.5");
    }

    #[test]
    fn text_cannot_break_out() {
        let mut svg = Svg::new(1.0, 1.0, "none");
        svg.write([0.0, 0.0], "<a & b>", &[("title", &"\"")]);
        assert!(svg.finish().contains("title=\"&quot;\">&lt;a &amp; b&gt;</text>"));
    }
}
