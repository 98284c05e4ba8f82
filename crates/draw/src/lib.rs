//! Pictures of positions and of runs.
//!
//! ```text
//!    Board ──► geometry ──► the explorer page
//!                  ├──────► board ──► picture ──► svg, png
//!                  └──────► gif, a game in motion
//!    layers in numbers ───► plot ───► picture ──► svg, png
//! ```
//! The crate does no input or output: pictures are written as text, or as the bytes of a PNG or GIF.
#![forbid(unsafe_code)]

mod board;
mod geometry;
mod gif;
mod picture;
mod plot;
#[cfg(feature = "png")]
mod png;
mod scale;
mod svg;

pub use board::{Style, board};
pub use geometry::Geometry;
pub use gif::gif;
pub use picture::Picture;
pub use plot::{LayerRow, plot, plot_shares};

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
