//! Pictures of positions and of runs.
//!
//! ```text
//!    Board ─► geometry ─► board ─► SVG ─► png
//!    numbers of layers ─► plot ─► SVG
//! ```
//! Does no input or output: pictures are text, or bytes of a PNG.
#![forbid(unsafe_code)]

mod geometry;

pub use geometry::{BoxShape, Geometry, LineShape, Point};
