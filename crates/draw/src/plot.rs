//! A run in four plots that share the layers as their horizontal axis: positions, bits a position, the distribution of
//! scores, and seconds.

use crate::geometry::Point;
use crate::picture::{Anchor, Colour, Look, Picture, Stroke, Text};
use crate::scale::Scale;

/// A layer in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerRow {
    /// Its number.
    pub layer: usize,
    /// Stored positions.
    pub positions: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Stored positions by score, ascending.
    pub scores: Vec<(i8, u64)>,
    /// Seconds that solving it took, if known.
    pub seconds: Option<f64>,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
/// Height of a plot, and of the room above it for its name.
const HEIGHT: f64 = 130.0;
const GAP: f64 = 72.0;
const INK: Colour = 0x1c2330;
const SOFT: Colour = 0x5b6472;
const HAIR: Colour = 0xe6e7ea;
const TEAL: Colour = 0x0b6e69;

/// The plots of a run, under a title.
pub fn plot(title: &str, rows: &[LayerRow]) -> Picture {
    let stored = || rows.iter().filter(|row| row.positions > 0);
    let seconds: Values = rows.iter().filter_map(|row| Some((row.layer, row.seconds?))).collect();
    let n_plots = if seconds.is_empty() { 3 } else { 4 };
    let mut plots = Plots::new(title, n_plots, rows.iter().map(|row| row.layer));
    let counts: Values = stored().map(|row| (row.layer, row.positions as f64)).collect();
    plots.bars(["Stored positions", "positions"], &Scale::log(numbers(&counts)), &counts);
    let bits: Values = stored().map(|row| (row.layer, 8.0 * row.bytes as f64 / row.positions as f64)).collect();
    plots.curve(["Bits a position", "bits"], &Scale::log(numbers(&bits)), &bits);
    plots.heat(rows);
    if !seconds.is_empty() {
        plots.bars(["Seconds", "seconds"], &Scale::linear(numbers(&seconds)), &seconds);
    }
    plots.finish()
}

/// A curve of percentages by layer for each name, under a title.
pub fn plot_shares(title: &str, curves: &[(&str, Vec<(usize, f64)>)]) -> Picture {
    let layers = curves.iter().flat_map(|(_, shares)| shares).map(|(layer, _)| *layer);
    let mut plots = Plots::new(title, curves.len(), layers);
    for (name, shares) in curves {
        plots.curve([name, "percent"], &Scale::linear([100.0].into_iter()), shares);
    }
    plots.finish()
}

/// Layers, each with a value.
type Values = Vec<(usize, f64)>;

fn numbers(values: &[(usize, f64)]) -> impl Iterator<Item = f64> + Clone {
    values.iter().map(|(_, value)| *value)
}

/// Small text whose start, middle or end is at a place.
fn small(picture: &mut Picture, at: Point, text: &str, anchor: Anchor) {
    picture.write(Text::new(at, text, 12.0, SOFT).anchored(anchor));
}

/// The horizontal axis: layers from left to right.
struct Layers {
    first: usize,
    last: usize,
}

impl Layers {
    fn new(layers: impl Iterator<Item = usize> + Clone) -> Self {
        Self { first: layers.clone().min().unwrap_or(0), last: layers.max().unwrap_or(0) }
    }

    /// Room of a layer.
    fn step(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / (self.last - self.first + 1) as f64
    }

    /// The middle of a layer.
    fn x(&self, layer: usize) -> f64 {
        LEFT + ((layer - self.first) as f64 + 0.5) * self.step()
    }

    /// The layers that are named below a plot.
    fn ticks(&self) -> impl Iterator<Item = usize> {
        let every =
            [1, 2, 5, 10, 20, 50].into_iter().find(|every| (self.last - self.first) / every <= 16).unwrap_or(100);
        (self.first..=self.last).filter(move |layer| layer % every == 0)
    }
}

/// Plots below each other, over one horizontal axis.
struct Plots {
    picture: Picture,
    layers: Layers,
    /// Where the next one begins.
    top: f64,
}

impl Plots {
    fn new(title: &str, n_plots: usize, layers: impl Iterator<Item = usize> + Clone) -> Self {
        let mut picture = Picture::new(WIDTH, TOP + n_plots as f64 * (HEIGHT + GAP) + 28.0);
        picture.write(Text::new([LEFT, 38.0], title, 17.0, INK).bold());
        Self { picture, layers: Layers::new(layers), top: TOP + 20.0 }
    }

    /// The name of the horizontal axis, below the plots.
    fn finish(mut self) -> Picture {
        let name = "layer: the number of lines drawn (a chain of the start counts as one line)";
        small(&mut self.picture, [(LEFT + WIDTH - RIGHT) / 2.0, self.top - GAP + 40.0], name, Anchor::Middle);
        self.picture
    }

    /// Begins a plot: its name and that of its vertical axis, its lines across and its ticks. Returns its top.
    fn begin(&mut self, [name, axis]: [&str; 2], ticks: &[(f64, String)]) -> f64 {
        let Self { picture, layers, top } = self;
        let top = std::mem::replace(top, *top + HEIGHT + GAP);
        let [x, y] = [18.0, top + HEIGHT / 2.0];
        let axis = Text::new([x, y], axis, 12.0, SOFT).anchored(Anchor::Middle);
        picture.write(Text { is_turned: true, ..axis });
        picture.write(Text::new([LEFT, top - 14.0], name, 13.0, INK).bold());
        for (height, text) in ticks {
            let y = top + HEIGHT * (1.0 - height);
            picture.path([[LEFT, y], [WIDTH - RIGHT, y]], Stroke::new(HAIR, 1.0));
            small(picture, [LEFT - 10.0, y + 4.0], text, Anchor::End);
        }
        for layer in layers.ticks() {
            small(picture, [layers.x(layer), top + HEIGHT + 18.0], &layer.to_string(), Anchor::Middle);
        }
        top
    }

    fn bars(&mut self, names: [&str; 2], scale: &Scale, values: &[(usize, f64)]) {
        let top = self.begin(names, &scale.ticks());
        let width = (0.72 * self.layers.step()).min(28.0);
        for &(layer, value) in values {
            // The least value stays visible.
            let height = (HEIGHT * scale.height(value)).max(1.0);
            let left = self.layers.x(layer) - width / 2.0;
            self.picture.rect([left, top + HEIGHT - height], [width, height], Look::filled(TEAL));
        }
    }

    fn curve(&mut self, names: [&str; 2], scale: &Scale, values: &[(usize, f64)]) {
        let top = self.begin(names, &scale.ticks());
        let Self { picture, layers, .. } = self;
        let at = |&(layer, value): &(usize, f64)| [layers.x(layer), top + HEIGHT * (1.0 - scale.height(value))];
        let points: Vec<Point> = values.iter().map(at).collect();
        if points.is_empty() {
            return;
        }
        picture.path(points.iter().copied(), Stroke { is_round: true, ..Stroke::new(TEAL, 2.0) });
        for point in points {
            picture.circle(point, 2.6, Look::filled(TEAL));
        }
    }

    /// A cell for each layer and score, the darker, the more positions of the layer have the score.
    fn heat(&mut self, rows: &[LayerRow]) {
        let scores =
            || rows.iter().flat_map(|row| &row.scores).filter(|(_, n)| *n > 0).map(|(score, _)| i32::from(*score));
        let (least, most) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
        let n = f64::from(most - least + 1);
        let middle = |score: i32| (f64::from(score - least) + 0.5) / n;
        let every = [1, 2, 5, 10, 20, 50].into_iter().find(|every| (most - least) / every <= 6).unwrap_or(50);
        let ticks = (least..=most).filter(|score| score % every == 0);
        let ticks: Vec<_> = ticks.map(|score| (middle(score), score.to_string().replace('-', "\u{2212}"))).collect();
        let top = self.begin(["Scores: how many of the positions of a layer have each", "score"], &ticks);
        shares(&mut self.picture, top);
        let (width, height) = (self.layers.step(), HEIGHT / n);
        for row in rows {
            let all = row.scores.iter().map(|(_, n)| n).sum::<u64>() as f64;
            for &(score, count) in row.scores.iter().filter(|(_, n)| *n > 0) {
                let y = top + HEIGHT * (1.0 - middle(score.into())) - height / 2.0;
                let corner = [self.layers.x(row.layer) - width / 2.0, y];
                self.picture.rect(corner, [width - 0.5, height - 0.5], shaded(count as f64 / all));
            }
        }
    }
}

/// The look of a share of the positions: the greater, the darker. The root keeps rare scores visible.
fn shaded(share: f64) -> Look {
    Look { opacity: Some(0.04 + 0.96 * share.sqrt()), ..Look::filled(TEAL) }
}

/// The colour scale of the scores, above the plot on the right.
fn shares(picture: &mut Picture, top: f64) {
    let mut x = WIDTH - RIGHT;
    for (share, name) in [(1.0, "100%"), (0.25, "25%"), (0.05, "5%"), (0.01, "1%"), (0.0, "0%")] {
        small(picture, [x, top - 14.0], name, Anchor::End);
        x -= 6.0 + 8.0 * name.len() as f64;
        let hair = Some(Stroke::new(HAIR, 1.0));
        let look = if share > 0.0 { shaded(share) } else { Look { stroke: hair, ..Look::default() } };
        picture.rect([x - 14.0, top - 25.0], [14.0, 14.0], look);
        x -= 28.0;
    }
}
