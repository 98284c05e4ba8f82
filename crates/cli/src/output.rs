//! What the user sees: results on standard output as text or JSON lines, everything else on standard error.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::time::Duration;

use dab_board::components::Component;
use dab_board::notation::diagram;
use dab_board::{LineIdx, Position, Score};
use dab_book::{Answer, Mark};
use serde::Serialize;

/// How results are printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Writes a result and a line break.
    pub(crate) fn write(self, result: &(impl Serialize + Display), mut out: impl Write) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut out, result)?;
        } else {
            write!(out, "{result}")?;
        }
        Ok(writeln!(out)?)
    }

    /// Prints a result.
    pub(crate) fn print(self, result: &(impl Serialize + Display)) -> anyhow::Result<()> {
        let mut text = Vec::new();
        self.write(result, &mut text)?;
        Ok(io::stdout().lock().write_all(&text)?)
    }

    /// Tells a human something that is no result.
    pub(crate) fn note(self, text: impl Display) {
        if !self.json {
            message(text);
        }
    }
}

/// Prints a message; a closed standard error is no reason to fail.
pub(crate) fn message(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A position with the score of every move on its line, marks behind it, the best ones with a star.
pub(crate) fn picture(position: &Position, answer: &Answer) -> String {
    diagram::draw(position, |line: LineIdx| {
        let m = answer.moves.iter().find(|m| m.line == line)?;
        let star = if m.score == answer.score { "*" } else { "" };
        Some(format!("{}{star}", marked(m.score, m.mark)))
    })
}

/// A score with its loony mark, if it has one: `-3v`.
pub(crate) fn marked(score: Score, mark: Option<Mark>) -> String {
    format!("{score}{}", mark.map_or("", Mark::symbol))
}

/// A component in words.
pub(crate) fn part(part: &Component) -> String {
    match part {
        Component::Chain { boxes, .. } => format!("chain of {boxes}"),
        Component::Loop { boxes, .. } => format!("loop of {boxes}"),
        Component::Joined { boxes, joints: 1, .. } => format!("{boxes} joined boxes with 1 joint"),
        Component::Joined { boxes, joints, .. } => format!("{boxes} joined boxes with {joints} joints"),
    }
}

/// Things one after the other, with something between them.
pub(crate) fn list<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}

/// A number with its thousands apart: `2,309,440`.
pub(crate) struct Count(pub(crate) u128);

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

/// A number of bytes in the unit that suits it: `1.3 GB`.
pub(crate) struct Bytes(pub(crate) u128);

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

/// A time in the unit that suits it: `2.5 h`.
pub(crate) struct Time(pub(crate) Duration);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(Count(2_309_440).to_string(), "2,309,440");
        assert_eq!(format!("{:>6}|{:<4}|", Count(1000), Count(7)), " 1,000|7   |");
        assert_eq!(list([999, 1000, 26_100_000_000_000].map(Bytes), " "), "999 bytes 1.0 kB 26.1 TB");
        let times = [0.012, 45.0, 120.0, 9000.0, 3e6, 6e7].map(|s| Time(Duration::from_secs_f64(s)));
        assert_eq!(list(times, " "), "12.0 ms 45.0 s 2.0 min 2.5 h 34.7 days 1.9 years");
    }
}
