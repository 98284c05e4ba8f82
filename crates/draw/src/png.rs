//! Pictures as PNG. The program contains its font, DejaVu Sans, so that pictures look alike everywhere; the font's licence
//! allows that.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

const FAMILY: &str = "DejaVu Sans";

/// Renders an SVG at `scale` times the size in pixels that it gives.
///
/// # Errors
/// The words for it if the text is no SVG, or the picture is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    let options = Options { font_family: FAMILY.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("the picture cannot be read: {error}"))?;
    let pixels_of = |length: f32| (length * scale).ceil() as u32;
    let (width, height) = (pixels_of(tree.size().width()), pixels_of(tree.size().height()));
    let too_large = || format!("a picture of {width} x {height} pixels is too large: write it as SVG");
    let mut pixels = Pixmap::new(width, height).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| format!("the picture cannot be packed: {error}"))
}
