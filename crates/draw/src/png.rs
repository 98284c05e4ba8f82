//! Pictures as PNG. The program contains its font, DejaVu Sans, so that pictures look alike everywhere; the font's licence
//! allows that.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

use crate::picture::{Anchor, Colour, Element, Figure, Look, Picture, Stroke, Text};

impl Picture {
    /// The picture as PNG, at `scale` pixels for each of its own.
    ///
    /// # Errors
    /// The words for it if the picture is too large.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, String> {
        let [width, height] = self.size.map(|length| (length as f32 * scale).ceil() as u32);
        let too_large = || format!("a picture of {width} x {height} pixels is too large: write it as SVG");
        let mut canvas = Canvas {
            pixels: Pixmap::new(width, height).ok_or_else(too_large)?,
            scale: Transform::from_scale(scale, scale),
            fonts: [dejavu::sans::regular(), dejavu::sans::bold()].map(|font| Face::parse(font, 0).expect("a font")),
        };
        for element in &self.elements {
            match element {
                Element::Figure(figure, look) => canvas.figure(figure, look),
                Element::Text(text) => canvas.text(text),
            }
        }
        canvas.pixels.encode_png().map_err(|error| format!("the picture cannot be packed: {error}"))
    }
}

struct Canvas {
    pixels: Pixmap,
    scale: Transform,
    /// Regular and bold.
    fonts: [Face<'static>; 2],
}

impl Canvas {
    fn figure(&mut self, figure: &Figure, look: &Look) {
        let Some(path) = outline(figure) else { return };
        if let Some(colour) = look.fill {
            let paint = paint(colour, look.opacity);
            self.pixels.fill_path(&path, &paint, FillRule::Winding, self.scale, None);
        }
        if let Some(stroke) = &look.stroke {
            self.pixels.stroke_path(&path, &paint(stroke.colour, None), &pen(stroke), self.scale, None);
        }
    }

    fn text(&mut self, text: &Text) {
        let font = &self.fonts[usize::from(text.is_bold)];
        let mut outline = Outline::default();
        for character in text.text.chars() {
            // The first glyph of a font stands for characters that it lacks.
            let glyph = font.glyph_index(character).unwrap_or_default();
            font.outline_glyph(glyph, &mut outline);
            outline.x += f32::from(font.glyph_hor_advance(glyph).unwrap_or(0));
        }
        let left = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -outline.x / 2.0,
            Anchor::End => -outline.x,
        };
        let Some(path) = outline.path.finish() else { return };
        // Glyphs stand on a baseline from which heights go up.
        let size = text.size as f32 / f32::from(font.units_per_em());
        let [x, y] = text.at.map(|x| x as f32);
        let angle = if text.is_turned { -90.0 } else { 0.0 };
        let place = Transform::from_translate(left, 0.0)
            .post_scale(size, -size)
            .post_rotate(angle)
            .post_translate(x, y)
            .post_concat(self.scale);
        self.pixels.fill_path(&path, &paint(text.colour, None), FillRule::Winding, place, None);
    }
}

/// Nothing where a figure has no extent.
fn outline(figure: &Figure) -> Option<Path> {
    match *figure {
        Figure::Circle { centre: [x, y], radius } => PathBuilder::from_circle(x as f32, y as f32, radius as f32),
        Figure::Path { ref points, is_closed } => {
            let mut path = PathBuilder::new();
            for (i, [x, y]) in points.iter().map(|point| point.map(|x| x as f32)).enumerate() {
                if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
            }
            if is_closed {
                path.close();
            }
            path.finish()
        }
        Figure::Rect { corner, size } => {
            let ([x, y], [width, height]) = (corner.map(|x| x as f32), size.map(|x| x as f32));
            Some(PathBuilder::from_rect(Rect::from_xywh(x, y, width, height)?))
        }
    }
}

fn paint(colour: Colour, opacity: Option<f64>) -> Paint<'static> {
    let [_, red, green, blue] = colour.to_be_bytes();
    let mut color = Color::from_rgba8(red, green, blue, u8::MAX);
    color.set_alpha(opacity.unwrap_or(1.0) as f32);
    let mut paint = Paint::default();
    paint.set_color(color);
    paint
}

fn pen(stroke: &Stroke) -> tiny_skia::Stroke {
    let (line_cap, line_join) =
        if stroke.is_round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
    let dash = stroke.dashes.and_then(|dashes| StrokeDash::new(dashes.map(|x| x as f32).to_vec(), 0.0));
    tiny_skia::Stroke { width: stroke.width as f32, line_cap, line_join, dash, ..Default::default() }
}

/// Glyphs one behind the other, in units of their font.
#[derive(Default)]
struct Outline {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, y1, self.x + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, y1, self.x + x2, y2, self.x + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
