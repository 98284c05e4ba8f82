//! Pictures of positions and of runs.
//!
//! ```text
//!    Board ──► geometry ──► the explorer page
//!                  └──────► board ──► SVG ──► png
//!    layers in numbers ───► plot ───► SVG ──► png
//! ```
//! The crate does no input or output: pictures are text, or the bytes of a PNG.
#![forbid(unsafe_code)]

mod board;
mod geometry;
mod plot;
#[cfg(feature = "png")]
mod png;
mod scale;
mod svg;

pub use board::{Style, board};
pub use geometry::Geometry;
pub use plot::{LayerRow, plot, plot_shares};
#[cfg(feature = "png")]
pub use png::png;
