//! Pictures of positions and of runs.
//!
//! ```text
//!    Board ──► geometry ──► the explorer page
//!                  ├──────► board ──► SVG ──► png
//!                  └──────► gif, a game in motion
//!    layers in numbers ───► plot ───► SVG ──► png
//! ```
//! The crate does no input or output: pictures are text, or the bytes of a PNG or GIF.
#![forbid(unsafe_code)]

mod board;
mod geometry;
mod gif;
mod plot;
#[cfg(feature = "png")]
mod png;
mod scale;
mod svg;

pub use board::{Style, board};
pub use geometry::Geometry;
pub use gif::gif;
pub use plot::{LayerRow, plot, plot_shares};
#[cfg(feature = "png")]
pub use png::png;

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
