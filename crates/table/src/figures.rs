//! Counts, sizes and times as text.

use std::fmt::{self, Display};
use std::time::Duration;

/// The longest time that is read: a hundred years.
const MOST_SECONDS: u64 = 100 * 366 * 24 * 3600;

/// A number with its thousands apart: `2,309,440`.
pub struct Count(pub u128);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// A number of things: `1 line`, `2,000 lines`.
pub fn plural(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", Count(n.into()), if n == 1 { "" } else { "s" })
}

/// A number of bytes in the unit that suits it: `1.3 GB`.
pub struct Bytes(pub u128);

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
        let mut scaled = self.0 as f64;
        let mut unit = "bytes";
        for larger in units {
            if scaled < 1000.0 {
                break;
            }
            (scaled, unit) = (scaled / 1000.0, larger);
        }
        f.pad(&if unit == "bytes" { format!("{} bytes", self.0) } else { format!("{scaled:.1} {unit}") })
    }
}

/// A number of bytes that was asked for, as [`parse_size`] reads it: `512M`. One that has no such unit is rounded down.
pub struct Size(pub u64);

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = if self.0 < 1 << 20 { self.0 } else { self.0 >> 20 << 20 };
        let largest = UNITS.iter().rev().find(|(_, shift)| whole > 0 && whole.is_multiple_of(1 << shift));
        match largest {
            Some((unit, shift)) => f.pad(&format!("{}{unit}", whole >> shift)),
            None => Bytes(self.0.into()).fmt(f),
        }
    }
}

/// The units of sizes that are asked for, with their powers of two.
const UNITS: [(&str, u32); 4] = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];

/// A time in the unit that suits it: `2.5 h`.
pub struct Time(pub Duration);

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("min", 60.0), ("h", 60.0), ("days", 24.0), ("years", 365.25)];
        let mut scaled = self.0.as_secs_f64();
        let mut unit = "s";
        for (larger, ratio) in units {
            if scaled < 1.5 * ratio {
                break;
            }
            (scaled, unit) = (scaled / ratio, larger);
        }
        f.pad(&if scaled < 0.1 { format!("{:.1} ms", scaled * 1000.0) } else { format!("{scaled:.1} {unit}") })
    }
}

/// How far work on a number of positions is, and how fast.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Positions in all; 0 if that is not known.
    pub all: u64,
    /// Positions that are done.
    pub done: u64,
    /// Those of them that were done before the work began: they say nothing about its speed.
    pub found: u64,
    /// Time since it began.
    pub elapsed: Duration,
}

impl Pace {
    /// Positions a second.
    pub fn rate(&self) -> f64 {
        self.done.saturating_sub(self.found) as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// The time left, in words.
    pub fn left(&self) -> String {
        let rest = self.all.saturating_sub(self.done) as f64;
        match Duration::try_from_secs_f64(rest / self.rate()) {
            Ok(left) => format!("{} left", Time(left)),
            Err(_) => "time left unknown".to_owned(),
        }
    }
}

impl Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { all, done, elapsed, .. } = self;
        let (rate, elapsed) = (Count(self.rate() as u128), Time(elapsed));
        if all == 0 {
            return write!(f, "{} positions, {rate}/s, {elapsed}", Count(done.into()));
        }
        let percent = 100 * u128::from(done) / u128::from(all);
        write!(f, "{percent}% of {} positions, {rate}/s, {elapsed}, {}", Count(all.into()), self.left())
    }
}

/// Reads a number of bytes such as `65536`, `512M` or `3G`.
///
/// # Errors
/// A text that says which input was expected.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let unit = UNITS.iter().find_map(|&(unit, shift)| Some((upper.strip_suffix(unit)?, shift)));
    let (digits, shift) = unit.unwrap_or((&upper, 0));
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| format!("'{text}' is no size: expected bytes, or a number with K, M, G or T such as 512M"))
}

/// Reads a time such as `90`, `30s`, `10m` or `2h`.
///
/// # Errors
/// A text that says which input was expected.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let lower = text.to_ascii_lowercase();
    let units = [("s", 1), ("m", 60), ("h", 3600)];
    let unit = units.iter().find_map(|&(unit, seconds)| Some((lower.strip_suffix(unit)?, seconds)));
    let (digits, seconds) = unit.unwrap_or((&lower, 1));
    let number: Option<u64> = digits.parse().ok();
    let time = number.and_then(|number| number.checked_mul(seconds)).filter(|&seconds| seconds <= MOST_SECONDS);
    time.map(Duration::from_secs)
        .ok_or_else(|| format!("'{text}' is no time: expected seconds, or a number with s, m or h such as 10m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(Count(2_309_440).to_string(), "2,309,440");
        assert_eq!(format!("{:>6}|{:<4}|", Count(1000), Count(7)), " 1,000|7   |");
        assert_eq!([999, 1000, 26_100_000_000_000].map(|n| Bytes(n).to_string()), ["999 bytes", "1.0 kB", "26.1 TB"]);
        let times = [0.012, 45.0, 120.0, 9000.0, 3e6, 6e7].map(|s| Time(Duration::from_secs_f64(s)).to_string());
        assert_eq!(times, ["12.0 ms", "45.0 s", "2.0 min", "2.5 h", "34.7 days", "1.9 years"]);
    }

    #[test]
    fn found_positions_do_not_count_for_the_speed() {
        let pace = Pace { all: 1000, done: 600, found: 500, elapsed: Duration::from_secs(10) };
        assert_eq!(pace.to_string(), "60% of 1,000 positions, 10/s, 10.0 s, 40.0 s left");
        let nothing = Pace { done: 500, ..pace };
        assert_eq!(nothing.to_string(), "50% of 1,000 positions, 0/s, 10.0 s, time left unknown");
        assert_eq!(Pace { all: 0, found: 0, ..pace }.to_string(), "600 positions, 60/s, 10.0 s");
    }

    #[test]
    fn plurals() {
        assert_eq!([0, 1, 2000].map(|n| plural(n, "line")), ["0 lines", "1 line", "2,000 lines"]);
    }

    #[test]
    fn times() {
        let read = ["90", "30s", "10m", "2H", "0"].map(|text| parse_time(text).unwrap().as_secs());
        assert_eq!(read, [90, 30, 600, 7200, 0]);
        for wrong in ["", "s", "1.5h", "-1", "99999999999999h", "18446744073709551615", "3d"] {
            assert!(parse_time(wrong).unwrap_err().starts_with(&format!("'{wrong}' is no time")));
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("65536"), Ok(65536));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("3g"), Ok(3 << 30));
        for size in ["3K", "512M", "3G", "1T"] {
            assert_eq!(Size(parse_size(size).unwrap()).to_string(), size);
        }
        assert_eq!([0, 1000, 123_456_789].map(|n| Size(n).to_string()), ["0 bytes", "1.0 kB", "117M"]);
        for wrong in ["", "M", "1.5G", "-1", "99999999999T", "3X"] {
            assert!(parse_size(wrong).unwrap_err().starts_with(&format!("'{wrong}' is no size")));
        }
    }
}
