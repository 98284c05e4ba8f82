//! Scales of plots: linear from 0, or logarithmic.

/// A map from values to heights between 0 and 1, with round values as ticks.
pub(crate) struct Scale {
    is_log: bool,
    least: f64,
    most: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Powers of ten around positive values.
    pub(crate) fn log(values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().filter(|&x| x > 0.0).fold(f64::MAX, f64::min).min(1e18).log10().floor();
        let most = values.fold(1e-9, f64::max).log10().ceil().max(least + 1.0);
        let every = ((most - least) / 4.0).ceil().max(1.0) as usize;
        let exponents = (least as i32..=most as i32).step_by(every);
        let ticks = exponents.map(|exponent| (f64::from(exponent), power_of_ten(exponent))).collect();
        Self { is_log: true, least, most, ticks }
    }

    /// Round numbers from 0 on.
    pub(crate) fn linear(values: impl Iterator<Item = f64>) -> Self {
        let most = values.fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let rough = most / 4.0;
        let unit = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * unit).find(|step| *step >= rough).unwrap_or(rough);
        let n = (most / step).ceil();
        let ticks = (0..=n as u32).map(|i| (f64::from(i) * step, round(f64::from(i) * step, step))).collect();
        Self { is_log: false, least: 0.0, most: n * step, ticks }
    }

    /// The height of a value.
    pub(crate) fn height(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-300).log10() } else { value };
        ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0)
    }

    /// The height and the text of each tick.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let height = |value: f64| {
            if self.is_log { (value - self.least) / (self.most - self.least) } else { self.height(value) }
        };
        self.ticks.iter().map(|(value, text)| (height(*value), text.clone())).collect()
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
