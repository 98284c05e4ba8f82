//! A run in four plots that share the layers as their horizontal axis: positions, bits a position, the distribution of
//! scores, and seconds.

use crate::geometry::Point;
use crate::scale::Scale;
use crate::svg::{Svg, number, path};

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
const INK: &str = "#1c2330";
const SOFT: &str = "#5b6472";
const HAIR: &str = "#e6e7ea";
const TEAL: &str = "#0b6e69";

/// The plots of a run, under a title.
pub fn plot(title: &str, rows: &[LayerRow]) -> String {
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
pub fn plot_shares(title: &str, curves: &[(&str, Vec<(usize, f64)>)]) -> String {
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
fn small(svg: &mut Svg, at: Point, text: &str, anchor: &str) {
    svg.write(at, text, format_args!(r#"font-size="12" fill="{SOFT}" text-anchor="{anchor}""#));
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
    svg: Svg,
    layers: Layers,
    /// Where the next one begins.
    top: f64,
}

impl Plots {
    fn new(title: &str, n_plots: usize, layers: impl Iterator<Item = usize> + Clone) -> Self {
        let mut svg = Svg::new(WIDTH, TOP + n_plots as f64 * (HEIGHT + GAP) + 28.0, "#ffffff");
        svg.write([LEFT, 38.0], title, format_args!(r#"font-size="17" font-weight="bold" fill="{INK}""#));
        Self { svg, layers: Layers::new(layers), top: TOP + 20.0 }
    }

    /// The name of the horizontal axis, below the plots.
    fn finish(mut self) -> String {
        let name = "layer: the number of lines drawn (a chain of the start counts as one line)";
        small(&mut self.svg, [(LEFT + WIDTH - RIGHT) / 2.0, self.top - GAP + 40.0], name, "middle");
        self.svg.finish()
    }

    /// Begins a plot: its name and that of its vertical axis, its lines across and its ticks. Returns its top.
    fn begin(&mut self, [name, axis]: [&str; 2], ticks: &[(f64, String)]) -> f64 {
        let Self { svg, layers, top } = self;
        let top = std::mem::replace(top, *top + HEIGHT + GAP);
        let [x, y] = [18.0, top + HEIGHT / 2.0];
        let turned =
            format_args!(r#"font-size="12" fill="{SOFT}" text-anchor="middle" transform="rotate(-90 {x} {y})""#);
        svg.write([x, y], axis, turned);
        svg.write([LEFT, top - 14.0], name, format_args!(r#"font-size="13" font-weight="bold" fill="{INK}""#));
        for (height, text) in ticks {
            let y = top + HEIGHT * (1.0 - height);
            let across = path([[LEFT, y], [WIDTH - RIGHT, y]]);
            svg.add(format_args!(r#"path d="{across}" stroke="{HAIR}" fill="none""#));
            small(svg, [LEFT - 10.0, y + 4.0], text, "end");
        }
        for layer in layers.ticks() {
            small(svg, [layers.x(layer), top + HEIGHT + 18.0], &layer.to_string(), "middle");
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
            let [x, y, width, height] = [left, top + HEIGHT - height, width, height].map(number);
            self.svg.add(format_args!(r#"rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{TEAL}""#));
        }
    }

    fn curve(&mut self, names: [&str; 2], scale: &Scale, values: &[(usize, f64)]) {
        let top = self.begin(names, &scale.ticks());
        let Self { svg, layers, .. } = self;
        let at = |&(layer, value): &(usize, f64)| [layers.x(layer), top + HEIGHT * (1.0 - scale.height(value))];
        let points: Vec<Point> = values.iter().map(at).collect();
        if points.is_empty() {
            return;
        }
        let line = path(points.iter().copied());
        let look = r#"stroke-width="2" fill="none" stroke-linejoin="round""#;
        svg.add(format_args!(r#"path d="{line}" stroke="{TEAL}" {look}"#));
        for [x, y] in points {
            let [x, y] = [x, y].map(number);
            svg.add(format_args!(r#"circle cx="{x}" cy="{y}" r="2.6" fill="{TEAL}""#));
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
        shares(&mut self.svg, top);
        let (width, height) = (self.layers.step(), HEIGHT / n);
        for row in rows {
            let all = row.scores.iter().map(|(_, n)| n).sum::<u64>() as f64;
            for &(score, count) in row.scores.iter().filter(|(_, n)| *n > 0) {
                let y = top + HEIGHT * (1.0 - middle(score.into())) - height / 2.0;
                let [x, y] = [self.layers.x(row.layer) - width / 2.0, y].map(number);
                let [width, height, share] = [width - 0.5, height - 0.5, opacity(count as f64 / all)].map(number);
                self.svg.add(format_args!(
                    r#"rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{TEAL}" fill-opacity="{share}""#
                ));
            }
        }
    }
}

/// The darkness of a share of the positions; the root keeps rare scores visible.
fn opacity(share: f64) -> f64 {
    0.04 + 0.96 * share.sqrt()
}

/// The colour scale of the scores, above the plot on the right.
fn shares(svg: &mut Svg, top: f64) {
    let mut x = WIDTH - RIGHT;
    for (share, name) in [(1.0, "100%"), (0.25, "25%"), (0.05, "5%"), (0.01, "1%"), (0.0, "0%")] {
        small(svg, [x, top - 14.0], name, "end");
        x -= 6.0 + 8.0 * name.len() as f64;
        let [left, y, opacity] = [x - 14.0, top - 25.0, opacity(share)].map(number);
        if share > 0.0 {
            svg.add(format_args!(
                r#"rect x="{left}" y="{y}" width="14" height="14" fill="{TEAL}" fill-opacity="{opacity}""#
            ));
        } else {
            svg.add(format_args!(r#"rect x="{left}" y="{y}" width="14" height="14" fill="none" stroke="{HAIR}""#));
        }
        x -= 28.0;
    }
}
