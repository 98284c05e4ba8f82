//! Pictures as PNG. The program contains its font, DejaVu Sans, so that pictures look alike everywhere; the font's licence
//! allows that.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use thiserror::Error;

const FAMILY: &str = "DejaVu Sans";

/// The reason why there is no PNG.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum PngError {
    /// The text is no SVG.
    #[error("the picture cannot be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has too many pixels.
    #[error("a picture of {width} x {height} pixels is too large: write it as SVG")]
    Size { width: u32, height: u32 },
    /// The pixels could not be packed.
    #[error("the picture cannot be packed: {0}")]
    Pack(String),
}

/// Renders an SVG at `scale` times the size in pixels that it gives.
///
/// # Errors
/// If the text is no SVG, or the picture is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    let options = Options { font_family: FAMILY.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let pixels_of = |length: f32| (length * scale).ceil() as u32;
    let (width, height) = (pixels_of(tree.size().width()), pixels_of(tree.size().height()));
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Pack(error.to_string()))
}
