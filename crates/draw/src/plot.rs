//! A run in four plots that share the layers as their horizontal axis: positions, bits a position, the distribution of
//! scores, and seconds.

use crate::Point;
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
    /// What solving it took, if that is known.
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

/// The plots of a run; `title` says which.
pub fn plot(title: &str, rows: &[LayerRow]) -> String {
    let has_seconds = rows.iter().any(|row| row.seconds.is_some());
    let n_plots = if has_seconds { 4.0 } else { 3.0 };
    let mut svg = Svg::new(WIDTH, TOP + n_plots * (HEIGHT + GAP) + 28.0, "#ffffff");
    svg.write([LEFT, 38.0], title, &[("font-size", &17), ("font-weight", &"bold"), ("fill", &INK)]);
    let layers = Layers::of(rows);
    let top = |plot: f64| TOP + 20.0 + plot * (HEIGHT + GAP);

    let counts = rows.iter().filter(|row| row.positions > 0).map(|row| (row.layer, row.positions as f64));
    bars(&mut svg, &layers, top(0.0), "Stored positions", &Scale::log(counts.clone().map(|(_, n)| n)), counts);
    let bits = rows.iter().filter(|row| row.positions > 0);
    let bits = bits.map(|row| (row.layer, 8.0 * row.bytes as f64 / row.positions as f64));
    curve(&mut svg, &layers, top(1.0), "Bits a position", &Scale::log(bits.clone().map(|(_, b)| b)), bits);
    heat(&mut svg, &layers, top(2.0), rows);
    if has_seconds {
        let seconds = rows.iter().filter_map(|row| Some((row.layer, row.seconds?)));
        bars(&mut svg, &layers, top(3.0), "Seconds", &Scale::linear(seconds.clone().map(|(_, s)| s)), seconds);
    }
    let bottom = top(n_plots) - GAP;
    let name = "Layer: lines drawn, a chain of the start being one line";
    svg.write([(LEFT + WIDTH - RIGHT) / 2.0, bottom + 40.0], name, &small("middle"));
    svg.finish()
}

fn small(anchor: &'static str) -> [(&'static str, &'static dyn std::fmt::Display); 3] {
    const SIZE: &u32 = &12;
    let anchor: &'static dyn std::fmt::Display = match anchor {
        "middle" => &"middle",
        "end" => &"end",
        _ => &"start",
    };
    [("font-size", SIZE), ("fill", &SOFT), ("text-anchor", anchor)]
}

/// Where the layers are, from left to right.
struct Layers {
    first: usize,
    last: usize,
}

impl Layers {
    fn of(rows: &[LayerRow]) -> Self {
        let layers = || rows.iter().map(|row| row.layer);
        Self { first: layers().min().unwrap_or(0), last: layers().max().unwrap_or(0) }
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

/// From values to heights between 0 and 1, with the values that are named.
struct Scale {
    is_log: bool,
    least: f64,
    most: f64,
    ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Powers of ten around positive values.
    fn log(values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().filter(|&x| x > 0.0).fold(f64::MAX, f64::min).min(1e18).log10().floor();
        let most = values.fold(1e-9, f64::max).log10().ceil().max(least + 1.0);
        let every = ((most - least) / 4.0).ceil().max(1.0) as usize;
        let exponents = (least as i32..=most as i32).step_by(every);
        let ticks = exponents.map(|exponent| (f64::from(exponent), power_of_ten(exponent))).collect();
        Self { is_log: true, least, most, ticks }
    }

    /// Round numbers from 0 on.
    fn linear(values: impl Iterator<Item = f64>) -> Self {
        let most = values.fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let rough = most / 4.0;
        let unit = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * unit).find(|step| *step >= rough).unwrap_or(rough);
        let n = (most / step).ceil();
        let ticks = (0..=n as u32).map(|i| (f64::from(i) * step, round(f64::from(i) * step, step))).collect();
        Self { is_log: false, least: 0.0, most: n * step, ticks }
    }

    fn height(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-300).log10() } else { value };
        ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0)
    }
}

/// A number with the digits that its step has.
fn round(x: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    format!("{x:.digits$}")
}

fn power_of_ten(exponent: i32) -> String {
    match exponent {
        0..=3 => 10u32.pow(exponent as u32).to_string(),
        -2..=-1 => format!("{:.*}", -exponent as usize, 10f64.powi(exponent)),
        _ => {
            let digits = exponent.to_string();
            let raised = digits.chars().map(|digit| match digit {
                '-' => '\u{207b}',
                '1' => '\u{b9}',
                '2' => '\u{b2}',
                '3' => '\u{b3}',
                digit => char::from_u32(0x2070 + digit as u32 - '0' as u32).unwrap_or(digit),
            });
            format!("10{}", raised.collect::<String>())
        }
    }
}

/// The name of a plot, its lines across and its ticks.
fn frame(svg: &mut Svg, layers: &Layers, top: f64, name: &str, ticks: &[(f64, String)]) {
    svg.write([LEFT, top - 14.0], name, &[("font-size", &13), ("font-weight", &"bold"), ("fill", &INK)]);
    for (height, text) in ticks {
        let y = top + HEIGHT * (1.0 - height);
        let across = path([[LEFT, y], [WIDTH - RIGHT, y]]);
        svg.add("path", &[("d", &across), ("stroke", &HAIR), ("fill", &"none")]);
        svg.write([LEFT - 10.0, y + 4.0], text, &small("end"));
    }
    for layer in layers.ticks() {
        svg.write([layers.x(layer), top + HEIGHT + 18.0], &layer.to_string(), &small("middle"));
    }
}

fn scaled(scale: &Scale) -> Vec<(f64, String)> {
    let height = |value: f64| {
        if scale.is_log { (value - scale.least) / (scale.most - scale.least) } else { scale.height(value) }
    };
    scale.ticks.iter().map(|(value, text)| (height(*value), text.clone())).collect()
}

fn bars(
    svg: &mut Svg,
    layers: &Layers,
    top: f64,
    name: &str,
    scale: &Scale,
    values: impl Iterator<Item = (usize, f64)>,
) {
    frame(svg, layers, top, name, &scaled(scale));
    let width = (0.72 * layers.step()).min(28.0);
    for (layer, value) in values {
        // What is least is seen, too.
        let height = (HEIGHT * scale.height(value)).max(1.0);
        let (x, y) = (number(layers.x(layer) - width / 2.0), number(top + HEIGHT - height));
        let (width, height) = (number(width), number(height));
        svg.add("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", &TEAL)]);
    }
}

fn curve(
    svg: &mut Svg,
    layers: &Layers,
    top: f64,
    name: &str,
    scale: &Scale,
    values: impl Iterator<Item = (usize, f64)>,
) {
    frame(svg, layers, top, name, &scaled(scale));
    let at = |(layer, value): (usize, f64)| [layers.x(layer), top + HEIGHT * (1.0 - scale.height(value))];
    let points: Vec<Point> = values.map(at).collect();
    if points.is_empty() {
        return;
    }
    let line = path(points.iter().copied());
    svg.add(
        "path",
        &[("d", &line), ("stroke", &TEAL), ("stroke-width", &2), ("fill", &"none"), ("stroke-linejoin", &"round")],
    );
    for [x, y] in points {
        let (x, y) = (number(x), number(y));
        svg.add("circle", &[("cx", &x), ("cy", &y), ("r", &2.6), ("fill", &TEAL)]);
    }
}

/// A cell for each layer and score, the darker, the more positions of the layer have the score.
fn heat(svg: &mut Svg, layers: &Layers, top: f64, rows: &[LayerRow]) {
    let scores = || rows.iter().flat_map(|row| &row.scores).filter(|(_, n)| *n > 0).map(|(score, _)| i32::from(*score));
    let (least, most) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
    let n = f64::from(most - least + 1);
    let middle = |score: i32| (f64::from(score - least) + 0.5) / n;
    let every = [1, 2, 5, 10, 20, 50].into_iter().find(|every| (most - least) / every <= 6).unwrap_or(50);
    let ticks = (least..=most).filter(|score| score % every == 0);
    let ticks: Vec<_> = ticks.map(|score| (middle(score), score.to_string().replace('-', "\u{2212}"))).collect();
    frame(svg, layers, top, "Scores: share of the positions of a layer", &ticks);
    let (width, height) = (layers.step(), HEIGHT / n);
    for row in rows {
        let all = row.scores.iter().map(|(_, n)| n).sum::<u64>() as f64;
        for &(score, count) in row.scores.iter().filter(|(_, n)| *n > 0) {
            // By its root, so that what is rare is seen, too.
            let share = (count as f64 / all).sqrt();
            let y = top + HEIGHT * (1.0 - middle(score.into())) - height / 2.0;
            let (x, y) = (number(layers.x(row.layer) - width / 2.0), number(y));
            let (width, height, share) = (number(width - 0.5), number(height - 0.5), number(0.04 + 0.96 * share));
            svg.add(
                "rect",
                &[
                    ("x", &x),
                    ("y", &y),
                    ("width", &width),
                    ("height", &height),
                    ("fill", &TEAL),
                    ("fill-opacity", &share),
                ],
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let texts = |scale: Scale| scale.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Scale::linear([0.3, 7.5].into_iter())), ["0", "2", "4", "6", "8"]);
        assert_eq!(texts(Scale::linear([0.013].into_iter())), ["0.000", "0.005", "0.010", "0.015"]);
        assert_eq!(texts(Scale::log([1.0, 3e8].into_iter())), ["1", "1000", "10\u{2076}", "10\u{2079}"]);
        assert_eq!(texts(Scale::log([0.5, 90.0].into_iter())), ["0.1", "1", "10", "100"]);
    }

    #[test]
    fn values_lie_within_the_plot() {
        for scale in [Scale::linear([0.0, 3.0].into_iter()), Scale::log([0.2, 1e12].into_iter())] {
            for value in [0.0, 0.2, 1.0, 3.0, 1e12] {
                assert!((0.0..=1.0).contains(&scale.height(value)));
            }
        }
        let log = Scale::log([1.0, 1000.0].into_iter());
        assert_eq!([1.0, 1000.0].map(|value| log.height(value)), [0.0, 1.0]);
    }

    #[test]
    fn every_layer_is_plotted() {
        let row = |layer: usize, seconds| LayerRow {
            layer,
            positions: 10 << layer,
            bytes: 100,
            scores: vec![(-1, 3), (1, 7), (3, 0)],
            seconds,
        };
        let rows: Vec<LayerRow> = (2..7).map(|layer| row(layer, Some(layer as f64))).collect();
        let svg = plot("a < b", &rows);
        assert!(svg.contains(">a &lt; b</text>") && svg.contains(">Seconds</text>"));
        // The background, then two rows of bars and two cells a layer.
        assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (1 + 4 * 5, 5));
        let rows: Vec<LayerRow> = rows.into_iter().map(|row| LayerRow { seconds: None, ..row }).collect();
        assert!(!plot("", &rows).contains("Seconds"));
        assert!(plot("", &[]).ends_with("</svg>\n"));
    }
}
