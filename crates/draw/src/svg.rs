//! Pictures as SVG: elements one after the other, as text.

use std::fmt::Write;

use crate::geometry::Point;
use crate::picture::{Anchor, Colour, Element, Figure, Look, Picture, Text};

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let [width, height] = self.size.map(number);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, system-ui, sans-serif\">\n"
        );
        for element in &self.elements {
            svg += &match element {
                Element::Figure(figure, look) => format!("<{}{}/>\n", shape(figure), attributes(look)),
                Element::Text(text) => written(text),
            };
        }
        svg + "</svg>\n"
    }
}

fn shape(figure: &Figure) -> String {
    match figure {
        Figure::Circle { centre, radius } => {
            let [x, y, radius] = [centre[0], centre[1], *radius].map(number);
            format!(r#"circle cx="{x}" cy="{y}" r="{radius}""#)
        }
        Figure::Path { points, is_closed } => {
            format!(r#"path d="{}{}""#, path(points), if *is_closed { "Z" } else { "" })
        }
        Figure::Rect { corner: [x, y], size: [width, height] } => {
            let [x, y, width, height] = [*x, *y, *width, *height].map(number);
            format!(r#"rect x="{x}" y="{y}" width="{width}" height="{height}""#)
        }
    }
}

fn attributes(look: &Look) -> String {
    let mut attributes = format!(r#" fill="{}""#, look.fill.map_or("none".to_owned(), colour));
    if let Some(opacity) = look.opacity {
        let _ = write!(attributes, r#" fill-opacity="{}""#, number(opacity));
    }
    if let Some(stroke) = &look.stroke {
        let _ = write!(attributes, r#" stroke="{}" stroke-width="{}""#, colour(stroke.colour), number(stroke.width));
        if let Some([dash, gap]) = stroke.dashes.map(|dashes| dashes.map(number)) {
            let _ = write!(attributes, r#" stroke-dasharray="{dash} {gap}""#);
        }
        if stroke.is_round {
            attributes += r#" stroke-linecap="round" stroke-linejoin="round""#;
        }
    }
    attributes
}

fn written(text: &Text) -> String {
    let [x, y, size] = [text.at[0], text.at[1], text.size].map(number);
    let bold = if text.is_bold { r#" font-weight="bold""# } else { "" };
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => r#" text-anchor="middle""#,
        Anchor::End => r#" text-anchor="end""#,
    };
    let turned = if text.is_turned { format!(r#" transform="rotate(-90 {x} {y})""#) } else { String::new() };
    let (fill, text) = (colour(text.colour), escape(&text.text));
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{bold}{anchor}{turned}>{text}</text>\n")
}

fn colour(colour: Colour) -> String {
    format!("#{colour:06x}")
}

/// A line through points as the `d` of a path.
pub(crate) fn path(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|&[x, y]| format!("{} {}", number(x), number(y))).collect();
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
