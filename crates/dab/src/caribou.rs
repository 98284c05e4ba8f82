//! The rules of the Caribou contest's page on Dots as a player, with its reasons and with its errors where scores are known.
//!
//! ```text
//!    something can be captured ── Rule 5 ──► take all of it, or all but a handout
//!    a safe line is left ─────── Rules 1, 6 ► a safe line after which the opponent will not be in control; if there is none, a
//!                                            sacrifice that promises more than any safe line; else any safe line
//!    nothing else ────────────── Rule 4 ───► the cheapest chain is opened
//! ```
//! `order` has what Rules 4 to 6 foresee: everything that is left, safe lines first, in the order in which it is opened. While safe lines
//! are left the page asks a player to *try* to make the number of long chains even or odd; here he counts those of the order. `games`
//! measures what the rules lose.

use std::fmt::{self, Display};

use dab_board::capture::{CaptureRun, Decline};
use dab_board::quiet::{QuietMove, for_each_move};
use dab_board::{LineIdx, Position};
use dab_table::Answer;
use serde::Serialize;

use crate::text::{as_text, names, rows};

mod games;
mod lines;
mod order;

pub use games::{Games, Measured};
pub(crate) use lines::{Outlook, outlooks};
use order::{Order, declines, net};

/// The rule that decides about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rule {
    /// Every box is taken.
    Take,
    /// Every box is taken but the last two of a chain or four of a loop, and these are left.
    Decline,
    /// A safe line is drawn, for the number of long chains.
    Safe,
    /// One or two boxes are given away, for the number of long chains.
    Sacrifice,
    /// A chain or loop is opened.
    Open,
}

impl Rule {
    const ALL: [Self; 5] = [Self::Take, Self::Decline, Self::Safe, Self::Sacrifice, Self::Open];
}

/// The words of the rules about a position.
#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// The position.
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// Boxes that can be captured; the next fields are about the position that is left without them.
    capturable: u8,
    /// Long chains, linear ones alone, that the order has.
    long_chains: usize,
    /// Loops that it has.
    loops: usize,
    /// Whether the player to move, who takes all that can be captured, will be in control.
    controls: bool,
    /// The order in which everything is opened.
    order: Vec<Opening>,
    /// Net boxes of the player to move by Rule 5, unless safe lines are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<i32>,
    /// The rule; `None` if the game is over.
    rule: Option<Rule>,
    /// Every line that it allows, ascending.
    lines: Vec<LineIdx>,
    /// Their names.
    line_names: Vec<String>,
    /// How good they are, if scores are known.
    #[serde(flatten)]
    truth: Option<Truth>,
}

/// An opening of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Opening {
    /// `safe` for a safe line, `chain` or `loop`.
    kind: &'static str,
    boxes: u8,
}

/// The rules beside the scores.
#[derive(Clone, Debug, Serialize)]
struct Truth {
    /// Score of the position.
    score: i32,
    /// Boxes that each line of the rules loses.
    costs: Vec<i32>,
    /// Every best line.
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

impl From<&QuietMove> for Opening {
    fn from(&QuietMove { boxes, decline, .. }: &QuietMove) -> Self {
        let kind = match (boxes, decline) {
            (0, _) => "safe",
            (_, Decline::Four) => "loop",
            _ => "chain",
        };
        Self { kind, boxes }
    }
}

impl Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            "safe" => f.write_str("safe line"),
            kind => write!(f, "{kind} of {}", self.boxes),
        }
    }
}

impl Advice {
    /// The words of the rules about a position.
    pub fn new(position: &Position) -> Self {
        let run = position.capture_run();
        let order = Order::new(position.board().graph(), run.after);
        let (rule, lines) = decide(position, &run, &order);
        let forecast = (order.n_safe() == 0).then(|| {
            let margin = order.margin();
            if run.boxes > 0 { net(run.boxes, run.decline, margin) } else { -margin }
        });
        Self {
            capturable: run.boxes,
            long_chains: order.count(Decline::Two),
            loops: order.count(Decline::Four),
            controls: order.mover_controls(),
            order: order.0.iter().map(Opening::from).collect(),
            forecast,
            rule,
            line_names: names(position.board(), lines.iter().copied()),
            lines,
            truth: None,
            position: position.clone(),
        }
    }

    /// Every line that the rules allow, ascending.
    pub(crate) fn lines(&self) -> &[LineIdx] {
        &self.lines
    }

    /// The same beside the scores of the position and of its moves.
    pub fn beside(self, answer: &Answer) -> Self {
        let cost = |line: &LineIdx| {
            let scored = answer.moves.iter().find(|m| m.line == *line);
            scored.map(|m| i32::from(answer.score.0) - i32::from(m.score.0))
        };
        let best: Vec<LineIdx> = answer.best().collect();
        let truth = Truth {
            score: answer.score.0.into(),
            costs: self.lines.iter().filter_map(cost).collect(),
            best_names: names(self.position.board(), best.iter().copied()),
            best,
        };
        Self { truth: Some(truth), ..self }
    }

    /// One of the lines that the rule allows, the same one each time; `None` if the game is over.
    pub(crate) fn line(&self) -> Option<LineIdx> {
        crate::random::random_of(&self.position, 0).choice(self.lines.iter().copied())
    }

    /// The rule in words.
    fn words(&self) -> String {
        let left = match self.position.capture_run().decline {
            Decline::Four => "four",
            _ => "two",
        };
        match self.rule {
            None => "the game is over".to_owned(),
            Some(Rule::Take) => "take every box".to_owned(),
            Some(Rule::Decline) => format!("take all but {left} boxes and leave these"),
            Some(Rule::Safe) => "draw a safe line".to_owned(),
            Some(Rule::Sacrifice) => "sacrifice".to_owned(),
            Some(Rule::Open) => self.order.first().map_or_else(String::new, |first| format!("open the {first}")),
        }
    }
}

/// Reasons, the rule, and the truth.
impl Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, capturable, long_chains, loops, controls, order, forecast, line_names, truth, .. } = self;
        writeln!(f, "{position}")?;
        if *capturable > 0 {
            writeln!(f, "captures     {capturable} boxes; what follows is about the rest")?;
        }
        let wanted = if (long_chains % 2 == 0) == *controls { "even" } else { "odd" };
        let player = if *controls { "the player to move" } else { "the opponent" };
        match (long_chains, loops) {
            (0, 0) => writeln!(f, "long chains  none: {player} gets the last turn")?,
            _ => writeln!(
                f,
                "long chains  {long_chains}, the player to move wants an {wanted} number: {player} controls"
            )?,
        }
        // Equal openings in a row are counted.
        let groups = order.chunk_by(|one, other| one == other);
        let mut words: Vec<String> = groups
            .map(|group| match group.len() {
                1 => format!("{},", group[0]),
                n => format!("{n} × {},", group[0]),
            })
            .collect();
        if let Some(last) = words.last_mut() {
            last.pop();
            writeln!(f, "{}", rows("order        ", words))?;
        }
        if let Some(forecast) = forecast {
            writeln!(f, "forecast     {forecast} for the player to move")?;
        }
        write!(f, "rules        {}", self.words())?;
        if !line_names.is_empty() {
            write!(f, "\n{}", rows("             ", line_names))?;
        }
        let Some(Truth { score, costs, best_names, .. }) = truth else { return Ok(()) };
        write!(f, "\nscore        {score}")?;
        match (costs.iter().min(), costs.iter().max()) {
            (None, _) | (_, None | Some(0)) => write!(f, ", and the rules lose nothing"),
            (Some(least), Some(most)) => {
                let lost = if least == most { most.to_string() } else { format!("{least} to {most}, by the line,") };
                write!(f, ", and the rules are wrong: they lose {lost}\n{}", rows("best         ", best_names))
            }
        }
    }
}

/// The rule for a position with the capture run and the order of what it leaves, and every line that it allows.
fn decide(position: &Position, run: &CaptureRun, order: &Order) -> (Option<Rule>, Vec<LineIdx>) {
    if run.boxes > 0 {
        let handout = if declines(run.decline, order.margin()) { before_handout(position, run) } else { Vec::new() };
        return if handout.is_empty() {
            let takes = position.undrawn().iter().filter(|&line| position.draw(line).1 > 0);
            (Some(Rule::Take), takes.collect())
        } else {
            (Some(Rule::Decline), handout)
        };
    }
    let Some(first) = order.0.first() else { return (None, Vec::new()) };
    if first.boxes > 0 {
        return (Some(Rule::Open), lines_of(position, first));
    }
    let graph = position.board().graph();
    let mut moves = Vec::new();
    for_each_move(graph, position.drawn(), |m| {
        // Boxes that are given away for nothing: none, or one or two as a sacrifice.
        if m.boxes <= 2 && m.decline == Decline::None {
            let next = Order::new(graph, m.after);
            let promise = next.margin() - i32::from(m.boxes);
            moves.push((m, !next.mover_controls(), promise));
        }
    });
    let (safe, sacrifices): (Vec<_>, Vec<_>) = moves.into_iter().partition(|(m, ..)| m.boxes == 0);
    let lines = |moves: &mut dyn Iterator<Item = &QuietMove>| {
        let mut lines: Vec<LineIdx> = moves.flat_map(|m| lines_of(position, m)).collect();
        lines.sort_unstable();
        lines
    };
    if safe.iter().any(|&(_, is_good, _)| is_good) {
        return (Some(Rule::Safe), lines(&mut safe.iter().filter(|(_, is_good, _)| *is_good).map(|(m, ..)| m)));
    }
    let most = safe.iter().map(|&(.., promise)| promise).max();
    let better = sacrifices.iter().filter(|&&(_, is_good, promise)| is_good && Some(promise) > most);
    if let Some(&(.., promise)) = better.clone().max_by_key(|&&(.., promise)| promise) {
        return (Some(Rule::Sacrifice), lines(&mut better.filter(|&&(.., other)| other == promise).map(|(m, ..)| m)));
    }
    (Some(Rule::Safe), lines(&mut safe.iter().map(|(m, ..)| m)))
}

/// The lines that make a move of a quiet position, so that nothing more can be declined afterwards than must.
fn lines_of(position: &Position, m: &QuietMove) -> Vec<LineIdx> {
    let QuietMove { boxes, decline, after } = *m;
    let wanted = CaptureRun { boxes, decline, after };
    let lines = || (after - position.drawn()).iter();
    let good: Vec<LineIdx> = lines().filter(|&line| position.draw(line).0.capture_run() == wanted).collect();
    if good.is_empty() { lines().collect() } else { good }
}

/// The lines on the way to a handout: captures that leave the choice open and, once nothing but the handout can be captured, those that
/// leave it.
fn before_handout(position: &Position, run: &CaptureRun) -> Vec<LineIdx> {
    let is_left = run.boxes == run.decline.boxes();
    let leads_on = |&line: &LineIdx| {
        let (next, closed) = position.draw(line);
        let next = next.capture_run();
        let same = next.after == run.after;
        if is_left {
            same && closed == 0 && next.boxes == run.boxes && next.decline == Decline::None
        } else {
            same && closed > 0 && next.decline == run.decline
        }
    };
    position.undrawn().iter().filter(leads_on).collect()
}
